/* survey.c: models the regions of a copy of a function, and reports. */
#include "survey.h"

#include "../affine/affine_plan.h"
#include "../affine/nest_scop.h"
#include "../base/ir.h"
#include "../bridge_llvm.h"
#include "../bridge_polly.h"
#include "first_form.h"
#include "region.h"

/* Operations of isl that models and prints of one region may cost. */
enum { QUOTA = 30000000 };

/* A copy of a function in first form, and what Polly says about it. */
struct survey {
  LLVMValueRef copy;
  struct dad_polly *polly;
  struct dad_scop **scop; /* NULL where Polly gives up */
  int n_scop;
};

static struct survey open_survey(struct dad_request *req, LLVMValueRef function, bool widen) {
  struct survey s = {.copy = dad_first_form(req, function, widen)};
  s.polly = dad_polly_open(s.copy);
  s.n_scop = dad_polly_count(s.polly);
  s.scop = DAD_ARRAY(req->arena, struct dad_scop *, s.n_scop + 1);
  for (int i = 0; i < s.n_scop; i++) {
    s.scop[i] = dad_polly_scop(s.polly, i, req->arena, QUOTA);
    if (s.scop[i])
      dad_scop_rename(s.scop[i]);
  }
  return s;
}

static void close_survey(struct survey *s) {
  for (int i = 0; i < s->n_scop; i++)
    if (s->scop[i])
      dad_scop_free(s->scop[i]);
  dad_polly_close(s->polly);
  LLVMDeleteFunction(s->copy);
}

/* Blocks that are in no affine region: what two forms of a function are compared by. */
static int left_over(const struct survey *s) {
  int n = (int)LLVMCountBasicBlocks(s->copy);
  for (int i = 0; i < s->n_scop; i++)
    n -= s->scop[i] ? s->scop[i]->n_block : 0;
  return n;
}

static void remark(struct dad_request *req, struct dad_polly *polly,
                   const struct dad_region *node) {
  if (node->kind == DAD_REGION_AFFINE) {
    LLVMValueRef at = LLVMGetFirstInstruction(node->block);
    const char *why = dad_scop_refusal(node->scop);
    if (why)
      dad_diag(req->ctx, DAD_NOT_AFFINE, at, why);
    else
      dad_diag(req->ctx, DAD_AFFINE, at, node->scop->n_stmt, node->scop->n_container,
               dad_scop_comparisons(node->scop));
  } else if (node->kind == DAD_REGION_LOOP) {
    LLVMBasicBlockRef end = node->latch ? node->latch : node->block;
    const char *why = dad_polly_reject_reason(polly, node->block, req->arena);
    dad_diag(
        req->ctx, DAD_NOT_AFFINE, LLVMGetBasicBlockTerminator(end),
        why ? why
            : "it has several entries or exits, or is a part of a larger region that was rejected");
  }
}

/* Prints how the affine engine would differentiate "scop". */
static void print_adjoint(const struct dad_scop *scop) {
  const char *why = dad_scop_refusal(scop);
  struct dad_nest *nest = why ? NULL : dad_nest_of_scop(scop, &why);
  if (!nest) {
    fprintf(stderr, "left to the general engine: %s\n", why);
    return;
  }
  struct dad_affine *plan = dad_affine_plan(nest, &DAD_AFFINE_DEFAULTS);
  dad_affine_print(stderr, plan);
  dad_affine_free(plan);
  dad_nest_free(nest);
}

void dad_region_survey(struct dad_request *req, LLVMValueRef function, const char *name) {
  bool text = dad_wants_print("regions"), dot = dad_wants_print("regions-dot"),
       json = dad_wants_print("regions-json"), adjoints = dad_wants_print("adjoints");
  if (!text && !dot && !json && !adjoints && !dad_bridge_remarks_wanted(req->ctx->module))
    return;
  struct survey s = open_survey(req, function, true), other = open_survey(req, function, false);
  if (left_over(&other) < left_over(&s)) {
    struct survey keep = other;
    other = s;
    s = keep;
  }
  struct dad_region_graph *graph = dad_region_graph_make(req->arena, s.copy, s.scop, s.n_scop);
  if (text)
    dad_region_print(stderr, graph, name);
  if (dot)
    dad_region_print_dot(stderr, graph, name);
  if (json)
    dad_region_print_json(stderr, graph, name);
  for (int i = 0; i < graph->n_node && adjoints; i++)
    if (graph->node[i].kind == DAD_REGION_AFFINE)
      print_adjoint(graph->node[i].scop);
  for (int i = 0; i < graph->n_node; i++)
    remark(req, s.polly, &graph->node[i]);
  close_survey(&s);
  close_survey(&other);
}
