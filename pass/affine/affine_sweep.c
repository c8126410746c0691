/* affine_sweep.c: from schedules to syntax trees. */
#include "affine_sweep.h"

#include <isl/ast_build.h>
#include <isl/id.h>
#include <isl/schedule.h>
#include <isl/schedule_node.h>

/* What a sweep executes, when. */
struct sweep {
  const struct dad_affine *plan;
  isl_union_set *domain;
  isl_union_map *time;
  isl_union_map *order; /* pairs whose order matters; NULL: loops are not annotated; owned */
  isl_map **meet;       /* accumulations that meet, as in the plan, or NULL; owned */
};

/* Adds "event", named "name", for the instances "domain" at "time". The identifier of its
 * instances. */
static __isl_give isl_id *add_event(struct sweep *s, struct dad_event event, const char *name,
                                    __isl_take isl_set *domain, __isl_take isl_map *time) {
  struct dad_event *user = DAD_NEW(s->plan->arena, struct dad_event);
  *user = event;
  isl_id *id = isl_id_alloc(s->plan->nest->ctx, name, user);
  domain = isl_set_set_tuple_id(domain, isl_id_copy(id));
  time = isl_map_set_tuple_id(time, isl_dim_in, isl_id_copy(id));
  dad_isl_add_map(&s->time, isl_map_intersect_domain(time, isl_set_copy(domain)));
  dad_isl_add_set(&s->domain, domain);
  return id;
}

/* "domain" in the order of "time", every loop of which is to be cut so that no conditions are left
   inside. */
static __isl_give isl_schedule *make_schedule(__isl_take isl_union_set *domain,
                                              __isl_take isl_union_map *time) {
  isl_multi_union_pw_aff *band = isl_multi_union_pw_aff_from_union_map(time);
  isl_schedule *schedule = isl_schedule_from_domain(domain);
  schedule = isl_schedule_insert_partial_schedule(schedule, band);
  isl_schedule_node *root = isl_schedule_get_root(schedule);
  isl_schedule_node *node = isl_schedule_node_child(root, 0);
  isl_schedule_free(schedule);
  isl_size n = isl_schedule_node_band_n_member(node);
  for (int d = 0; d < n; d++)
    node = isl_schedule_node_band_member_set_ast_loop_type(node, d, isl_ast_loop_separate);
  schedule = isl_schedule_node_get_schedule(node);
  isl_schedule_node_free(node);
  return schedule;
}

/* Does the last of "n" dimensions of the schedule "time" carry a pair of "pairs"? */
static bool carries(__isl_keep isl_union_map *pairs, __isl_keep isl_union_map *time, int n) {
  isl_union_map *times =
      isl_union_map_apply_domain(isl_union_map_copy(pairs), isl_union_map_copy(time));
  times = isl_union_map_apply_range(times, isl_union_map_copy(time));
  if (dad_isl_yes(isl_union_map_is_empty(times))) {
    isl_union_map_free(times);
    return false;
  }
  isl_map *map = isl_map_from_union_map(times);
  for (int d = 0; d < n - 1; d++)
    map = isl_map_equate(map, isl_dim_in, d, isl_dim_out, d);
  isl_map *level = isl_map_universe(isl_map_get_space(map));
  level = isl_map_equate(level, isl_dim_in, n - 1, isl_dim_out, n - 1);
  bool none = dad_isl_yes(isl_map_is_subset(map, level));
  isl_map_free(level);
  isl_map_free(map);
  return !none;
}

/* Which accumulations meet in the loop over the last of "n" dimensions of "time"; NULL for none. */
static bool *find_meetings(const struct sweep *s, __isl_keep isl_union_map *time, int n) {
  int pairs = s->plan->n_reverse * s->plan->n_reverse;
  bool *meet = NULL;
  for (int i = 0; i < pairs; i++) {
    if (!s->meet[i])
      continue;
    isl_union_map *pair = isl_union_map_from_map(isl_map_copy(s->meet[i]));
    if (carries(pair, time, n)) {
      meet = meet ? meet : DAD_ARRAY(s->plan->arena, bool, pairs);
      meet[i] = true;
    }
    isl_union_map_free(pair);
  }
  return meet;
}

/* The annotation of the loop that "builder" is about to make. */
static __isl_give isl_id *annotate(__isl_keep isl_ast_build *builder, void *user) {
  const struct sweep *s = user;
  struct dad_loop *loop = DAD_NEW(s->plan->arena, struct dad_loop);
  isl_union_map *time = isl_ast_build_get_schedule(builder);
  isl_space *space = isl_ast_build_get_schedule_space(builder);
  isl_size n = isl_space_dim(space, isl_dim_set);
  loop->parallel = n > 0 && !carries(s->order, time, n);
  if (loop->parallel)
    loop->meet = find_meetings(s, time, n);
  isl_space_free(space);
  isl_union_map_free(time);
  return isl_id_alloc(s->plan->nest->ctx,
                      !loop->parallel ? "serial"
                      : loop->meet    ? "sum"
                                      : "parallel",
                      loop);
}

static __isl_give isl_ast_node *build(struct sweep *s) {
  isl_set *context = s->plan->nest->context;
  isl_union_set *nothing = isl_union_set_empty(isl_set_get_space(context));
  isl_schedule *schedule =
      s->domain ? make_schedule(s->domain, s->time) : isl_schedule_from_domain(nothing);
  if (s->domain)
    isl_union_set_free(nothing);
  isl_ast_build *builder = isl_ast_build_from_context(isl_set_copy(context));
  if (s->order)
    builder = isl_ast_build_set_before_each_for(builder, annotate, s);
  isl_ast_node *tree = isl_ast_build_node_from_schedule(builder, schedule);
  isl_ast_build_free(builder);
  return tree;
}

/* "time" after everything with a smaller "phase", with as many dimensions as all times of the
   forward sweep have. */
static __isl_give isl_map *in_phase(const struct dad_affine *plan, __isl_take isl_map *time,
                                    int phase) {
  isl_map *whole = isl_map_from_domain(isl_map_domain(isl_map_copy(time)));
  whole = isl_map_flat_range_product(dad_isl_append(whole, phase), time);
  int most = plan->nest->n_time + 1;
  for (int i = 0; i < plan->nest->n_array; i++)
    most = plan->nest->array[i].n_dim > most ? plan->nest->array[i].n_dim : most;
  for (int i = 0; i < plan->n_tape; i++)
    most = plan->tape[i].rank.n > most ? plan->tape[i].rank.n : most;
  for (int d = isl_map_dim(whole, isl_dim_out); d >= 0 && d < most + 2; d++)
    whole = dad_isl_append(whole, 0);
  return whole;
}

/* The time of "a", "within" steps after it begins. */
static __isl_give isl_map *step_of(const struct dad_affine *plan, const struct dad_assign *a,
                                   int within) {
  isl_map *time = isl_map_intersect_domain(isl_map_copy(a->time), isl_set_copy(a->domain));
  return in_phase(plan, dad_isl_append(time, within), 1);
}

/* Adds "event" for all of "points", one after the other, after all events with a smaller "number".
 */
static void add_points(struct sweep *s, struct dad_event event, const char *name, int phase,
                       int number, __isl_keep isl_set *points) {
  isl_map *time = isl_set_identity(isl_set_copy(points));
  isl_map *first = dad_isl_append(isl_map_from_domain(isl_set_copy(points)), number);
  time = isl_map_flat_range_product(first, isl_map_reset_tuple_id(time, isl_dim_out));
  time = in_phase(s->plan, time, phase);
  isl_id_free(add_event(s, event, name, isl_set_copy(points), time));
}

/* The copies that tape number "tape" has of cells that nobody writes, before the nest begins. */
static void add_pads(struct sweep *s, int tape) {
  const struct dad_tape *t = &s->plan->tape[tape];
  struct dad_event event = {.kind = DAD_EVENT_PAD, .assign = t->assign, .tape = t};
  const char *killer = s->plan->nest->assign[t->assign].name;
  add_points(s, event, dad_arena_printf(s->plan->arena, "pad_%s", killer), 0, tape, t->pads);
}

__isl_give isl_ast_node *dad_sweep_cells(const struct dad_affine *plan,
                                         const struct dad_snapshot *snapshot) {
  struct sweep s = {.plan = plan};
  for (int i = 0; i < snapshot->n_array; i++) {
    struct dad_event event = {.kind = DAD_EVENT_CELL, .assign = i};
    if (snapshot->cells[i])
      add_points(&s, event, plan->nest->array[i].name, 0, i, snapshot->cells[i]);
  }
  return build(&s);
}

__isl_give isl_ast_node *dad_sweep_forward(const struct dad_affine *plan, bool save) {
  struct sweep s = {.plan = plan};
  for (int i = 0; save && i < plan->n_tape; i++) {
    const struct dad_tape *t = &plan->tape[i];
    struct dad_event event = {
        .kind = t->marks ? DAD_EVENT_MARK : DAD_EVENT_SAVE, .assign = t->assign, .tape = t};
    const struct dad_assign *a = &plan->nest->assign[t->assign];
    isl_id_free(add_event(&s, event, t->name, isl_set_copy(t->saves), step_of(plan, a, 0)));
    if (t->pads)
      add_pads(&s, i);
  }
  for (int i = 0; i < plan->nest->n_assign; i++) {
    const struct dad_assign *a = &plan->nest->assign[i];
    struct dad_event event = {.kind = DAD_EVENT_ASSIGN, .assign = i};
    isl_id_free(add_event(&s, event, a->name, isl_set_copy(a->domain), step_of(plan, a, 1)));
  }
  return build(&s);
}

/* "map" between instances with the identifiers "in" and "out". */
static __isl_give isl_map *identified(__isl_keep isl_map *map, __isl_keep isl_id *in,
                                      __isl_keep isl_id *out) {
  isl_map *copy = isl_map_set_tuple_id(isl_map_copy(map), isl_dim_in, isl_id_copy(in));
  return isl_map_set_tuple_id(copy, isl_dim_out, isl_id_copy(out));
}

/* Makes the pairs that annotations ask for, from those of the plan. */
static void add_pairs(struct sweep *s, isl_id **id) {
  int n = s->plan->n_reverse;
  s->order = isl_union_map_empty(isl_set_get_space(s->plan->nest->context));
  s->meet = DAD_ARRAY(s->plan->arena, isl_map *, n * n + 1);
  for (int i = 0; i < n * n; i++) {
    if (s->plan->order[i])
      dad_isl_add_map(&s->order, identified(s->plan->order[i], id[i / n], id[i % n]));
    if (s->plan->meet[i])
      s->meet[i] = identified(s->plan->meet[i], id[i / n], id[i % n]);
  }
}

__isl_give isl_ast_node *dad_sweep_reverse(const struct dad_affine *plan) {
  struct sweep s = {.plan = plan};
  isl_id **id = DAD_ARRAY(plan->arena, isl_id *, plan->n_reverse + 1);
  for (int i = 0; i < plan->n_reverse; i++) {
    const struct dad_reverse *r = &plan->reverse[i];
    struct dad_event event = {.kind = DAD_EVENT_REVERSE, .assign = r->assign, .reverse = r};
    id[i] = add_event(&s, event, r->name, isl_set_copy(r->domain), isl_map_copy(r->time));
  }
  add_pairs(&s, id);
  isl_ast_node *tree = build(&s);
  for (int i = 0; i < plan->n_reverse; i++)
    isl_id_free(id[i]);
  for (int i = 0; i < plan->n_reverse * plan->n_reverse; i++)
    isl_map_free(s.meet[i]);
  isl_union_map_free(s.order);
  return tree;
}
