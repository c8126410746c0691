/* affine_plan.c: the stages one after the other, each with a quota of isl's operations. */
#include "affine_plan.h"
#include "affine_schedule.h"
#include "affine_sweep.h"
#include "affine_tape.h"
#include "needs.h"
#include "order.h"
#include "reverse_statements.h"
#include "search.h"

#include <isl/options.h>

static bool dataflow(struct dad_affine *plan) {
  plan->kill = dad_flow_compute(plan->nest, true);
  plan->producer = dad_flow_compute(plan->nest, false);
  return dad_needs_choose(plan);
}

static bool reverse_sweep(struct dad_affine *plan) {
  return dad_reverse_make(plan) && dad_schedule_push(plan) && dad_order_make(plan);
}

static bool code(struct dad_affine *plan) {
  dad_schedule_compress(plan);
  plan->augmented = dad_sweep_forward(plan, true);
  plan->reversed = dad_sweep_reverse(plan);
  return plan->augmented && plan->reversed;
}

/* Improves the schedules as far as the quota goes. */
static bool search(struct dad_affine *plan) {
  isl_ctx *ctx = plan->nest->ctx;
  if (plan->option.push_only)
    return true;
  isl_ctx_set_max_operations(ctx, plan->option.search_quota);
  dad_search_improve(plan);
  isl_ctx_reset_error(ctx);
  return true;
}

/* The stages without which there is no plan. */
static const struct stage {
  const char *exhausted;            /* said where the quota runs out */
  bool (*run)(struct dad_affine *); /* false with "refused" set where it cannot be done */
} stages[] = {
    {"dataflow costs too many operations", dataflow},
    {"tapes cost too many operations", dad_tape_make},
    {"dependences cost too many operations", reverse_sweep},
    {"schedules cost too many operations", search},
    {"code costs too many operations", code},
};

static void run_stage(struct dad_affine *plan, const struct stage *stage) {
  isl_ctx *ctx = plan->nest->ctx;
  isl_ctx_reset_error(ctx);
  isl_ctx_reset_operations(ctx);
  isl_ctx_set_max_operations(ctx, plan->option.stage_quota);
  bool done = stage->run(plan);
  isl_ctx_set_max_operations(ctx, 0);
  enum isl_error error = isl_ctx_last_error(ctx);
  if (error == isl_error_quota)
    plan->refused = stage->exhausted;
  else if (error != isl_error_none || (!done && !plan->refused))
    plan->refused = "isl does not answer";
}

DAD_GIVE struct dad_affine *dad_affine_plan(const struct dad_nest *nest,
                                            const struct dad_affine_options *options) {
  struct dad_affine *plan = DAD_NEW(nest->arena, struct dad_affine);
  int on_error = isl_options_get_on_error(nest->ctx);
  plan->nest = nest;
  plan->arena = nest->arena;
  plan->option = *options;
  plan->backward = DAD_ARRAY(plan->arena, struct dad_backward, nest->n_assign + 1);
  isl_options_set_on_error(nest->ctx, ISL_ON_ERROR_CONTINUE);
  for (unsigned i = 0; i < sizeof stages / sizeof *stages && !plan->refused; i++)
    run_stage(plan, &stages[i]);
  isl_options_set_on_error(nest->ctx, on_error);
  return plan;
}

static void free_reverse(struct dad_reverse *r) {
  isl_set_free(r->domain);
  isl_map_free(r->source);
  isl_map_free(r->target);
  isl_map_free(r->push);
  isl_map_free(r->pull);
  isl_map_free(r->time);
}

struct dad_affine *dad_affine_free(DAD_TAKE struct dad_affine *plan) {
  for (int i = 0; i < plan->nest->n_assign; i++)
    for (int k = 0; plan->backward[i].need && k <= plan->nest->assign[i].n_read; k++)
      dad_need_clear(&plan->backward[i].need[k]);
  for (int i = 0; i < plan->n_tape; i++) {
    isl_set_free(plan->tape[i].saves);
    isl_set_free(plan->tape[i].pads);
    dad_rank_clear(&plan->tape[i].rank);
  }
  for (int i = 0; i < plan->n_reverse; i++)
    free_reverse(&plan->reverse[i]);
  for (int i = 0; i < plan->n_reverse * plan->n_reverse && plan->order; i++) {
    isl_map_free(plan->order[i]);
    isl_map_free(plan->meet[i]);
  }
  isl_ast_node_free(plan->augmented);
  isl_ast_node_free(plan->reversed);
  isl_union_map_free(plan->kill);
  isl_union_map_free(plan->producer);
  return NULL;
}

void dad_affine_print(FILE *out, const struct dad_affine *plan) {
  dad_nest_print(out, plan->nest);
  dad_needs_print(out, plan);
  dad_tape_print(out, plan);
  dad_reverse_print(out, plan);
  if (plan->refused)
    fprintf(out, "refused: %s\n", plan->refused);
}
