/* affine_schedule.c: schedules as vectors. */
#include "affine_schedule.h"

#include <isl/val.h>

struct dad_schedule dad_schedule_plain(const struct dad_affine *plan, const struct dad_reverse *r,
                                       bool pull) {
  struct dad_schedule s = {.pull = pull, .depth = plan->nest->n_time};
  if (pull)
    s.place = r->read < 0 ? DAD_PLACE_PULLED_SCALE : DAD_PLACE_PULLED_ADD;
  else
    s.place = r->read < 0 ? DAD_PLACE_PUSHED_SCALE : DAD_PLACE_PUSHED_ADD;
  for (int d = 0; d < DAD_SCHEDULE_DIMENSIONS; d++)
    s.order[d] = d;
  return s;
}

__isl_give isl_map *dad_schedule_map(const struct dad_affine *plan, const struct dad_reverse *r,
                                     const struct dad_schedule *s) {
  isl_map *tau = s->pull ? r->pull : r->push;
  isl_map *map = isl_map_from_domain(isl_set_copy(r->domain));
  isl_size n = isl_set_dim(r->domain, isl_dim_set);
  for (int d = 0; d < s->depth; d++)
    map = isl_map_flat_range_product(dad_isl_append(map, 0),
                                     dad_isl_columns(isl_map_copy(tau), d, d + 1));
  map = dad_isl_append(dad_isl_append(map, s->side), (int)s->place);
  map = dad_isl_append(map, (int)(r - plan->reverse));
  for (int d = 0; d < n; d++) {
    isl_size at = isl_map_dim(map, isl_dim_out);
    map = isl_map_add_dims(map, isl_dim_out, 1);
    map = isl_map_equate(map, isl_dim_in, s->order[d], isl_dim_out, at);
  }
  for (int d = isl_map_dim(map, isl_dim_out); d >= 0 && d < plan->n_time; d++)
    map = dad_isl_append(map, 0);
  return map;
}

bool dad_schedule_push(struct dad_affine *plan) {
  int most = 0;
  for (int i = 0; i < plan->n_reverse; i++) {
    isl_size n = isl_set_dim(plan->reverse[i].domain, isl_dim_set);
    most = n > most ? n : most;
  }
  if (most > DAD_SCHEDULE_DIMENSIONS) {
    plan->refused = "an assignment is in too many loops";
    return false;
  }
  plan->n_time = 2 * plan->nest->n_time + 3 + most;
  for (int i = 0; i < plan->n_reverse; i++) {
    struct dad_reverse *r = &plan->reverse[i];
    r->schedule = dad_schedule_plain(plan, r, false);
    r->time = dad_schedule_map(plan, r, &r->schedule);
    r->how = "push";
  }
  return true;
}

/* Is dimension "d" of all schedules one constant? */
static bool is_constant(const struct dad_affine *plan, int d) {
  isl_val *common = NULL;
  bool same = true;
  for (int i = 0; i < plan->n_reverse && same; i++) {
    isl_val *v = isl_map_plain_get_val_if_fixed(plan->reverse[i].time, isl_dim_out, (unsigned)d);
    same = dad_isl_yes(isl_val_is_int(v)) && (!common || dad_isl_yes(isl_val_eq(v, common)));
    isl_val_free(common);
    common = v;
  }
  isl_val_free(common);
  return same;
}

void dad_schedule_compress(struct dad_affine *plan) {
  for (int d = plan->n_time - 1; d >= 0; d--) {
    if (!is_constant(plan, d))
      continue;
    for (int i = 0; i < plan->n_reverse; i++) {
      isl_map **time = &plan->reverse[i].time;
      *time = isl_map_project_out(*time, isl_dim_out, (unsigned)d, 1);
    }
    plan->n_time--;
  }
}
