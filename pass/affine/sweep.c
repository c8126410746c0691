/* sweep.c: from schedules to syntax trees. */
#include "sweep.h"

#include <isl/ast_build.h>
#include <isl/id.h>
#include <isl/schedule.h>
#include <isl/schedule_node.h>

/* What a sweep executes, when. */
struct sweep {
  const struct dad_affine *plan;
  isl_union_set *domain;
  isl_union_map *time;
};

/* Adds "event", named "name", for the instances "domain" at "time". */
static void add_event(struct sweep *s, struct dad_event event, const char *name,
                      __isl_take isl_set *domain, __isl_take isl_map *time) {
  struct dad_event *user = DAD_NEW(s->plan->arena, struct dad_event);
  *user = event;
  isl_id *id = isl_id_alloc(s->plan->nest->ctx, name, user);
  domain = isl_set_set_tuple_id(domain, isl_id_copy(id));
  time = isl_map_set_tuple_id(time, isl_dim_in, id);
  dad_isl_add_map(&s->time, isl_map_intersect_domain(time, isl_set_copy(domain)));
  dad_isl_add_set(&s->domain, domain);
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

static __isl_give isl_ast_node *build(struct sweep *s) {
  isl_set *context = s->plan->nest->context;
  isl_union_set *nothing = isl_union_set_empty(isl_set_get_space(context));
  isl_schedule *schedule =
      s->domain ? make_schedule(s->domain, s->time) : isl_schedule_from_domain(nothing);
  if (s->domain)
    isl_union_set_free(nothing);
  isl_ast_build *builder = isl_ast_build_from_context(isl_set_copy(context));
  isl_ast_node *tree = isl_ast_build_node_from_schedule(builder, schedule);
  isl_ast_build_free(builder);
  return tree;
}

/* The time of "a", "within" steps after it begins. */
static __isl_give isl_map *step_of(const struct dad_assign *a, int within) {
  return dad_isl_append(isl_map_copy(a->time), within);
}

__isl_give isl_ast_node *dad_sweep_forward(const struct dad_affine *plan, bool save) {
  struct sweep s = {.plan = plan};
  for (int i = 0; save && i < plan->n_tape; i++) {
    const struct dad_tape *t = &plan->tape[i];
    struct dad_event event = {
        .kind = t->marks ? DAD_EVENT_MARK : DAD_EVENT_SAVE, .assign = t->assign, .tape = t};
    const struct dad_assign *a = &plan->nest->assign[t->assign];
    add_event(&s, event, t->name, isl_set_copy(t->saves), step_of(a, 0));
  }
  for (int i = 0; i < plan->nest->n_assign; i++) {
    const struct dad_assign *a = &plan->nest->assign[i];
    struct dad_event event = {.kind = DAD_EVENT_ASSIGN, .assign = i};
    add_event(&s, event, a->name, isl_set_copy(a->domain), step_of(a, 1));
  }
  return build(&s);
}

__isl_give isl_ast_node *dad_sweep_reverse(const struct dad_affine *plan) {
  struct sweep s = {.plan = plan};
  for (int i = 0; i < plan->n_reverse; i++) {
    const struct dad_reverse *r = &plan->reverse[i];
    struct dad_event event = {.kind = DAD_EVENT_REVERSE, .assign = r->assign, .reverse = r};
    add_event(&s, event, r->name, isl_set_copy(r->domain), isl_map_copy(r->time));
  }
  return build(&s);
}
