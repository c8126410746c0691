/* window.c: upward-exposed and written. */
#include "window.h"

/* "set" for any window. */
static __isl_give isl_set *for_any(const struct dad_nest *nest, __isl_take isl_set *set) {
  for (int i = 0; i < 2; i++) {
    int at = isl_set_find_dim_by_name(set, isl_dim_param, nest->window[i]);
    if (at >= 0)
      set = isl_set_project_out(set, isl_dim_param, (unsigned)at, 1);
  }
  return set;
}

/* The cells that read "read" of "a" finds as they were before the window. */
static __isl_give isl_set *exposed(const struct dad_affine *plan, const struct dad_assign *a,
                                   int read) {
  isl_set *outside = isl_set_copy(a->domain);
  for (int i = 0; i < plan->nest->n_assign; i++) {
    isl_map *part = dad_flow_part(plan->producer, a, read, &plan->nest->assign[i]);
    if (part)
      outside = isl_set_subtract(outside, isl_map_domain(part));
  }
  return isl_set_apply(outside, isl_map_copy(a->read[read].map));
}

/* Adds what read "read" of "a" needs to "snapshot". */
static void add_read(const struct dad_affine *plan, const struct dad_assign *a, int read,
                     struct dad_snapshot *snapshot) {
  int array = a->read[read].array;
  isl_set *written = dad_nest_written(plan->nest, array);
  if (!written)
    return;
  isl_set *cells = for_any(plan->nest, exposed(plan, a, read));
  cells = isl_set_coalesce(isl_set_intersect(cells, for_any(plan->nest, written)));
  dad_isl_unite(&snapshot->cells[array], cells);
}

bool dad_window_snapshot(const struct dad_affine *plan, struct dad_snapshot *snapshot) {
  const struct dad_nest *nest = plan->nest;
  bool good = true;
  snapshot->n_array = nest->n_array;
  snapshot->cells = DAD_ARRAY(plan->arena, isl_set *, nest->n_array + 1);
  snapshot->rank = DAD_ARRAY(plan->arena, struct dad_rank, nest->n_array + 1);
  for (int i = 0; i < nest->n_assign; i++)
    for (int k = 0; k < nest->assign[i].n_read; k++)
      add_read(plan, &nest->assign[i], k, snapshot);
  for (int i = 0; i < nest->n_array; i++) {
    isl_set **cells = &snapshot->cells[i];
    if (!*cells)
      continue;
    isl_space *params = isl_set_get_space(nest->context);
    *cells = isl_set_coalesce(isl_set_align_params(*cells, params));
    if (dad_isl_yes(isl_set_is_empty(*cells)))
      *cells = isl_set_free(*cells);
    else
      good &= *cells && dad_rank_make(plan->arena, *cells, &snapshot->rank[i]);
  }
  return good;
}

void dad_snapshot_clear(struct dad_snapshot *snapshot) {
  for (int i = 0; i < snapshot->n_array; i++) {
    isl_set_free(snapshot->cells[i]);
    dad_rank_clear(&snapshot->rank[i]);
  }
}
