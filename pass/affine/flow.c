/* flow.c: dataflow by isl, once for all needs. */
#include "flow.h"

#include <isl/flow.h>

/* When, within an instance, values are read and written. */
enum { BEFORE, WRITE, AFTER };

static const char *need_name(const struct dad_assign *a, int need) {
  return dad_arena_printf(a->pool.arena, "%s__%d", a->name, need);
}

static __isl_give isl_map *time_of(const struct dad_assign *a, int within, bool later,
                                   const char *name) {
  isl_map *time = isl_map_intersect_domain(isl_map_copy(a->time), isl_set_copy(a->domain));
  time = dad_isl_append(time, within);
  return dad_isl_named(later ? isl_map_neg(time) : time, name);
}

static __isl_give isl_map *access_of(const struct dad_assign *a, int need, const char *name) {
  isl_map *map = isl_map_copy(dad_assign_access(a, need)->map);
  return dad_isl_named(isl_map_intersect_domain(map, isl_set_copy(a->domain)), name);
}

__isl_give isl_union_map *dad_flow_compute(const struct dad_nest *nest, bool later) {
  isl_union_map *sink = NULL, *source = NULL, *time = NULL;
  for (int i = 0; i < nest->n_assign; i++) {
    const struct dad_assign *a = &nest->assign[i];
    for (int need = 0; need <= a->n_read + 1; need++) {
      const char *name = need_name(a, need);
      dad_isl_add_map(&sink, access_of(a, need, name));
      dad_isl_add_map(&time, time_of(a, need == a->n_read ? AFTER : BEFORE, later, name));
    }
    dad_isl_add_map(&source, access_of(a, a->n_read, a->name));
    dad_isl_add_map(&time, time_of(a, WRITE, later, a->name));
  }
  isl_union_access_info *info = isl_union_access_info_from_sink(sink);
  info = isl_union_access_info_set_must_source(info, source);
  info = isl_union_access_info_set_schedule_map(info, time);
  isl_union_flow *flow = isl_union_access_info_compute_flow(info);
  isl_union_map *pairs = isl_union_map_reverse(isl_union_flow_get_must_dependence(flow));
  isl_union_flow_free(flow);
  return isl_union_map_coalesce(pairs);
}

__isl_give isl_map *dad_flow_part(__isl_keep isl_union_map *flow, const struct dad_assign *from,
                                  int need, const struct dad_assign *to) {
  isl_space *in = isl_set_get_space(from->domain);
  in = isl_space_set_tuple_name(in, isl_dim_set, need_name(from, need));
  isl_space *space = isl_space_map_from_domain_and_range(in, isl_set_get_space(to->domain));
  isl_map *part = isl_union_map_extract_map(flow, space);
  if (!dad_isl_no(isl_map_is_empty(part))) {
    isl_map_free(part);
    return NULL;
  }
  return dad_isl_named(part, from->name);
}

/* What a walk over the pieces of a slot map fills in. */
struct placing {
  struct dad_need *need; /* where the places go */
  int killer, most;      /* of the pieces; how many fit */
};

static isl_stat add_place(__isl_take isl_set *domain, __isl_take isl_multi_aff *slot, void *user) {
  struct placing *placing = user;
  struct dad_need *need = placing->need;
  if (need->n == placing->most) {
    isl_set_free(domain);
    isl_multi_aff_free(slot);
    return isl_stat_error;
  }
  need->place[need->n++] = (struct dad_place){isl_set_coalesce(domain), placing->killer, slot};
  return isl_stat_ok;
}

bool dad_flow_locate(const struct dad_nest *nest, __isl_keep isl_union_map *kills, int at, int need,
                     int most, struct dad_need *found) {
  const struct dad_assign *a = &nest->assign[at];
  struct placing placing = {.need = found, .most = most};
  isl_set *rest = isl_set_copy(a->domain);
  isl_stat walked = isl_stat_ok;
  found->place = DAD_ARRAY(nest->arena, struct dad_place, most + 1);
  for (int i = 0; i < nest->n_assign && walked == isl_stat_ok; i++) {
    isl_map *part = dad_flow_part(kills, a, need, &nest->assign[i]);
    if (!part)
      continue;
    placing.killer = i;
    rest = isl_set_subtract(rest, isl_map_domain(isl_map_copy(part)));
    isl_pw_multi_aff *slots = isl_pw_multi_aff_coalesce(isl_pw_multi_aff_from_map(part));
    walked = isl_pw_multi_aff_foreach_piece(slots, add_place, &placing);
    isl_pw_multi_aff_free(slots);
  }
  rest = isl_set_coalesce(rest);
  isl_bool none = isl_set_is_empty(rest);
  if (dad_isl_no(none))
    found->place[found->n++] = (struct dad_place){rest, -1, NULL};
  else
    isl_set_free(rest);
  return walked == isl_stat_ok && none != isl_bool_error;
}

void dad_need_clear(struct dad_need *need) {
  for (int i = 0; i < need->n; i++) {
    isl_set_free(need->place[i].domain);
    isl_multi_aff_free(need->place[i].slot);
  }
  need->n = 0;
}
