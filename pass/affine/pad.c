/* pad.c: one piece instead of many. */
#include "pad.h"

/* The points of "saves", which have at least one dimension, in any of their dimensions but the
   first: copies do not extend a tape along its outermost loop. */
static __isl_give isl_set *within_first(__isl_keep isl_set *saves) {
  isl_size n = isl_set_dim(saves, isl_dim_set);
  isl_id *id = isl_set_get_tuple_id(saves);
  isl_set *first = isl_set_project_out(isl_set_copy(saves), isl_dim_set, 1, (unsigned)n - 1);
  first = isl_set_add_dims(first, isl_dim_set, (unsigned)n - 1);
  return isl_set_set_tuple_id(first, id);
}

/* The instances of "rest" whose read "cell" is of a cell that nobody writes and that the slot
   "slot" of "killer" would hold; "written": the cells of the array that are written. */
static __isl_give isl_set *extension(const struct dad_assign *killer, __isl_keep isl_map *slot,
                                     __isl_keep isl_map *cell, __isl_keep isl_set *rest,
                                     __isl_keep isl_set *written) {
  isl_multi_aff *target = dad_isl_affine(isl_map_copy(killer->write.map));
  if (!target)
    return NULL;
  isl_map *held = isl_map_apply_range(isl_map_copy(slot), isl_map_from_multi_aff(target));
  isl_set *more = isl_map_domain(isl_map_intersect(held, isl_map_copy(cell)));
  more = isl_set_intersect(more, isl_set_copy(rest));
  isl_map *changed = isl_map_intersect_range(isl_map_copy(cell), isl_set_copy(written));
  return isl_set_subtract(more, isl_map_domain(changed));
}

/* Extends "place", where a need is kept, into "rest", where it is in its array. */
static void pad_place(struct dad_affine *plan, __isl_keep isl_map *cell, struct dad_place *place,
                      struct dad_place *rest, __isl_keep isl_set *written) {
  const struct dad_assign *killer = &plan->nest->assign[place->killer];
  struct dad_tape *tape = &plan->tape[plan->backward[place->killer].tape];
  if (isl_set_dim(tape->saves, isl_dim_set) < 2)
    return;
  isl_map *slot = isl_map_from_multi_aff(isl_multi_aff_copy(place->slot));
  isl_set *more = extension(killer, slot, cell, rest->domain, written);
  isl_set *near = isl_set_apply(within_first(tape->saves), isl_map_reverse(isl_map_copy(slot)));
  more = isl_set_coalesce(isl_set_intersect(more, near));
  isl_set *slots = isl_set_coalesce(isl_set_apply(isl_set_copy(more), slot));
  if (!dad_isl_no(isl_set_is_empty(more)) ||
      !dad_isl_yes(isl_set_is_disjoint(slots, tape->saves))) {
    isl_set_free(more);
    isl_set_free(slots);
    return;
  }
  dad_isl_unite(&tape->pads, slots);
  dad_isl_unite(&place->domain, isl_set_copy(more));
  rest->domain = isl_set_coalesce(isl_set_subtract(rest->domain, more));
}

/* The same for all places of need "need" of assignment "at". */
static void pad_need(struct dad_affine *plan, int at, int need) {
  struct dad_need *n = &plan->backward[at].need[need];
  struct dad_place *rest = &n->place[n->n - 1];
  const struct dad_nest_access *access = dad_assign_access(&plan->nest->assign[at], need);
  isl_set *written = n->n > 1 ? dad_nest_written(plan->nest, access->array) : NULL;
  for (int i = 0; i < n->n - 1 && rest->killer < 0 && written; i++)
    pad_place(plan, access->map, &n->place[i], rest, written);
  isl_set_free(written);
  if (n->n > 1 && rest->killer < 0 && dad_isl_yes(isl_set_is_empty(rest->domain))) {
    isl_set_free(rest->domain);
    n->n--;
  }
}

void dad_pad_tapes(struct dad_affine *plan) {
  for (int i = 0; i < plan->nest->n_assign; i++)
    for (int k = 0; k <= plan->nest->assign[i].n_read; k++)
      if (plan->backward[i].needed >> k & 1)
        pad_need(plan, i, k);
}
