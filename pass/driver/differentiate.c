/* differentiate.c: request, prepare, analyse, build, verify. */
#include "differentiate.h"

#include "../analysis/memory.h"
#include "../base/ir.h"
#include "../bridge_llvm.h"
#include "../cfg/augment.h"
#include "../cfg/globals.h"
#include "../cfg/reverse.h"
#include "../cfg/tangent.h"
#include "../cfg/unit.h"
#include "marker.h"
#include "prepare.h"

#include <llvm-c/Analysis.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

/* Prints the processor time since the last call under -dacead-print=time. */
static void lap(clock_t *last, const char *phase) {
  clock_t now = clock();
  if (dad_wants_print("time"))
    fprintf(stderr, "dacead: %-8s %.3f s\n", phase, (double)(now - *last) / CLOCKS_PER_SEC);
  *last = now;
}

/* Deletes a generated function whose blocks may be incomplete. */
static void delete_function(LLVMValueRef f) {
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
      if (LLVMGetFirstUse(i) && LLVMGetTypeKind(LLVMTypeOf(i)) != LLVMVoidTypeKind &&
          LLVMGetTypeKind(LLVMTypeOf(i)) != LLVMTokenTypeKind)
        LLVMReplaceAllUsesWith(i, LLVMGetPoison(LLVMTypeOf(i)));
  if (LLVMGetFirstUse(f))
    LLVMReplaceAllUsesWith(f, LLVMGetPoison(LLVMTypeOf(f)));
  LLVMDeleteFunction(f);
}

/* Removes everything that was made for a request that failed. */
static void give_up(struct dad_request *req) {
  for (unsigned k = req->made.n; k-- > 0;) {
    LLVMValueRef v = req->made.at[k];
    if (LLVMIsAFunction(v)) {
      delete_function(v);
      continue;
    }
    if (LLVMGetFirstUse(v))
      LLVMReplaceAllUsesWith(v, LLVMGetPoison(LLVMTypeOf(v)));
    LLVMDeleteGlobal(v);
  }
}

/* Verifies the generated function "f"; reports a fault of the differentiator itself. */
static bool verify(struct dad_request *req, LLVMValueRef f) {
  if (dad_options.no_verify || !LLVMVerifyFunction(f, LLVMReturnStatusAction))
    return true;
  LLVMVerifyFunction(f, LLVMPrintMessageAction);
  dad_diag(req->ctx, DAD_INTERNAL, req->function, "a generated function is not valid");
  return false;
}

/* Cheap clean-up that makes later passes faster; run on every generated function. */
static const char clean_up[] = "sroa,early-cse,simplifycfg,adce";

static bool finish_function(struct dad_request *req, LLVMValueRef f, LLVMValueRef original) {
  if (!f)
    return true;
  if (dad_wants_print("raw"))
    LLVMDumpValue(f);
  if (!verify(req, f))
    return false;
  dad_bridge_debug_scope(f, original);
  return dad_run_passes(req->ctx, f, clean_up);
}

/* Verifies and cleans what was built; removes the copies, whose blocks have moved. */
static bool finish(struct dad_request *req) {
  DAD_FOR_UNITS(u, req) {
    if (u->inert)
      continue;
    if (!finish_function(req, u->forward, u->original) ||
        (u->reverse != u->forward && !finish_function(req, u->reverse, u->original)))
      return false;
    if (dad_wants_print("code")) {
      LLVMDumpValue(u->forward);
      if (u->reverse && u->reverse != u->forward)
        LLVMDumpValue(u->reverse);
    }
  }
  return true;
}

/* The copies are of no more use: those of active units are empty, those of inert ones were never called. */
static void delete_copies(struct dad_request *req) {
  DAD_FOR_UNITS(u, req) {
    if (u->inert) {
      delete_function(u->forward);
      if (u->reverse)
        delete_function(u->reverse);
    }
    delete_function(u->primal);
  }
}

static bool build(struct dad_request *req, clock_t *clock_at) {
  DAD_FOR_UNITS(u, req) dad_unit_declare(u);
  DAD_FOR_UNITS(u, req) {
    if (u->inert)
      continue;
    if (req->mode == DAD_FORWARD)
      dad_tangent_build(u);
    else
      dad_augment(u);
  }
  lap(clock_at, "augment");
  if (dad_failed(req))
    return false;
  if (req->mode != DAD_FORWARD)
    DAD_FOR_UNITS(u, req) if (!u->inert) dad_reverse_build(u);
  lap(clock_at, "reverse");
  dad_globals_prologue(req);
  return !dad_failed(req);
}

/* What was differentiated, at the line of the marker call. */
static void report(struct dad_request *req) {
  unsigned active = 0;
  DAD_FOR_UNITS(u, req) active += !u->inert;
  dad_diag(req->ctx, DAD_DIFFERENTIATED, req->call, dad_name(req->function),
           req->mode == DAD_FORWARD ? "forward" : "reverse", active, req->tape_bytes, req->tape_loops);
}

static bool make_functions(struct dad_request *req) {
  clock_t at = clock();
  if (!dad_prepare_units(req))
    return false;
  lap(&at, "prepare");
  if (!dad_memory_analyse(req) || dad_failed(req))
    return false;
  if (dad_wants_print("cells"))
    dad_memory_print(req);
  dad_refuse(req);
  lap(&at, "analyse");
  if (dad_failed(req) || !build(req, &at) || !finish(req))
    return false;
  lap(&at, "finish");
  report(req);
  return true;
}

/* ---- split mode: the second half finds the functions that the first made */

static bool same_activities(const struct dad_request *req, const struct dad_split_pair *pair) {
  for (unsigned k = 0; k < req->n_args; k++)
    if ((int)req->args[k].activity != pair->activity[k])
      return false;
  return req->function == pair->function && req->n_args == pair->n_args;
}

static struct dad_split_pair *find_pair(struct dad_request *req) {
  struct dad_context *ctx = req->ctx;
  for (unsigned k = 0; k < ctx->split_pairs.n; k++)
    if (same_activities(req, ctx->split_pairs.at[k]))
      return ctx->split_pairs.at[k];
  return NULL;
}

static void keep_pair(struct dad_request *req) {
  struct dad_context *ctx = req->ctx;
  struct dad_split_pair *pair = DAD_NEW(ctx->arena, struct dad_split_pair);
  int *activity = DAD_ARRAY(ctx->arena, int, req->n_args + 1);
  for (unsigned k = 0; k < req->n_args; k++)
    activity[k] = (int)req->args[k].activity;
  *pair = (struct dad_split_pair){req->function, req->n_args, activity, req->root->forward, req->root->reverse};
  dad_vec_push(&ctx->split_pairs, pair);
}

static bool run_phases(struct dad_request *req) {
  if (!dad_marker_read(req))
    return false;
  const struct dad_split_pair *pair = req->mode == DAD_SPLIT ? find_pair(req) : NULL;
  if (pair)
    return dad_marker_replace(req, pair->forward, pair->reverse);
  if (!make_functions(req) || !dad_marker_replace(req, req->root->forward, req->root->reverse))
    return false;
  if (req->mode == DAD_SPLIT)
    keep_pair(req);
  return true;
}

void dad_differentiate(struct dad_context *ctx, LLVMValueRef call) {
  struct dad_arena *arena = dad_arena_create();
  struct dad_request req = {
      .ctx = ctx,
      .arena = arena,
      .call = call,
      .units = DAD_VEC(arena),
      .unit_of = DAD_MAP(arena),
      .shadow_global = DAD_MAP(arena),
      .made = DAD_VEC(arena),
      .errors_before = ctx->errors,
  };
  dad_marker_mode(LLVMGetCalledValue(call), &req.mode, &req.second);
  if (run_phases(&req))
    delete_copies(&req);
  else
    give_up(&req);
  dad_arena_free(arena);
}
