/* prepare.c: which functions take part, and their canonical form.

   Facts about the primal (noalias, readonly, types) may still be used by the passes here: the functions that are built afterwards
   are new ones. No pass runs that would hide what front ends say about memory (instcombine rewrites address computations into
   bytes), or that would change the primal's bits. */
#include "prepare.h"

#include "../base/ir.h"
#include "../bridge_llvm.h"
#include "../region/survey.h"
#include "lower.h"
#include "registry.h"
#include "rotate.h"

#include <string.h>

/* Cheap and well-behaved at every level; licm and the promotion of scalars are what keeps tapes small. */
static const char shrink[] =
    "lower-invoke,simplifycfg,sroa,early-cse<memssa>,simplifycfg,instsimplify,loop-simplify,lcssa,"
    "loop-mssa(loop-rotate,licm),loop(indvars,loop-unroll-full),sroa,early-cse<memssa>,instsimplify,"
    "loop-mssa(licm),simplifycfg,adce";
/* The same where loops move bytes: those that copy whole blocks become copies, before they are unrolled. */
static const char shrink_copies[] =
    "lower-invoke,simplifycfg,sroa,early-cse<memssa>,simplifycfg,instsimplify,loop-simplify,lcssa,"
    "loop-mssa(loop-rotate,licm),loop(indvars,loop-idiom,loop-unroll-full),sroa,early-cse<memssa>,instsimplify,"
    "loop-mssa(licm),simplifycfg,adce";
/* The same for functions with so many loops and blocks that LLVM's rotation and unrolling, which keep dominators up to date loop
   by loop, would take seconds: loops are rotated in between. */
static const char before_rotation[] =
    "lower-invoke,simplifycfg,sroa,early-cse<memssa>,simplifycfg,instsimplify,loop-simplify";
static const char after_rotation[] = "simplifycfg,loop-simplify,lcssa,loop-mssa(licm),loop(indvars),"
                                     "early-cse<memssa>,instsimplify,loop-mssa(licm),simplifycfg,adce";
/* What correctness needs: reducible loops with one entry, latch and dedicated exits; one return; values leave loops through phis.
   Edges are split while no analysis is there to be kept up to date, which would take a time quadratic in the blocks. */
static const char canonical[] = "lower-invoke,lower-switch,fix-irreducible,mergereturn,loop-simplify,"
                                "invalidate<all>,break-crit-edges,loop-simplify,lcssa";

/* ---- the copy */

/* Attributes that would keep passes from running, or that say how the original is to be compiled. */
static void drop_attributes(LLVMValueRef copy) {
  static const char *const names[] = {"optnone", "noinline", "minsize", "optsize", "alwaysinline"};
  for (unsigned k = 0; k < sizeof names / sizeof *names; k++)
    LLVMRemoveEnumAttributeAtIndex(copy, LLVMAttributeFunctionIndex, dad_attribute(names[k]));
}

/* How far "u" may grow by inlining. All units but the root share one budget: a chain of calls would otherwise be copied into
   every function along it. */
static unsigned room_for(const struct dad_unit *u, bool root) {
  unsigned budget = (unsigned)dad_options.inline_budget, used = u->req->inlined;
  if (root)
    return budget;
  return used < budget ? (budget - used) / 4 : 0;
}

/* Callees of the copy move into it, again and again: calls through pointers become direct calls once their pointers are known. */
static void inline_calls(struct dad_unit *u, bool root) {
  enum { ROUNDS = 4 };
  unsigned small = (unsigned)dad_options.inline_small, budget = room_for(u, root);
  for (unsigned round = 0; budget && round < ROUNDS; round++) {
    unsigned added = dad_bridge_inline(u->primal, u->original, small, budget);
    if (!added)
      return;
    u->req->inlined += root ? 0 : added;
    dad_run_passes(u->req->ctx, u->primal, "sroa,early-cse,simplifycfg");
  }
}

/* Is "f" too large for passes whose time is the product of its loops and its blocks? */
static bool is_large(LLVMValueRef f) {
  enum { FEW_BLOCKS = 2000, LIMIT = 4000000 };
  uint64_t blocks = LLVMCountBasicBlocks(f);
  return blocks > FEW_BLOCKS && blocks * dad_bridge_count_loops(f) > LIMIT;
}

/* Runs the passes that make the gradient of "f" faster. */
static void simplify(struct dad_context *ctx, LLVMValueRef f) {
  const char *passes = dad_options.passes;
  if (!strcmp(passes, "none"))
    return;
  if (!strcmp(passes, "default"))
    passes = is_large(f) ? "large" : dad_bridge_moves_bytes(f) ? shrink_copies : shrink;
  if (strcmp(passes, "large")) {
    dad_run_passes(ctx, f, passes);
    return;
  }
  dad_run_passes(ctx, f, before_rotation);
  dad_rotate_loops(ctx, f);
  dad_run_passes(ctx, f, after_rotation);
}

static struct dad_unit *make_unit(struct dad_request *req, LLVMValueRef f, bool root) {
  struct dad_context *ctx = req->ctx;
  struct dad_unit *u = DAD_NEW(req->arena, struct dad_unit);
  u->req = req;
  u->original = f;
  u->n_params = LLVMCountParams(f);
  u->combined = root && req->mode == DAD_REVERSE;
  dad_vec_push(&req->units, u);
  if (root)
    req->root = u;
  else
    dad_map_set(&req->unit_of, f, u);
  u->primal = dad_bridge_clone(f, dad_arena_printf(req->arena, "dad.%s", dad_name(f)));
  dad_vec_push(&req->made, u->primal);
  if (LLVMIsFunctionVarArg(LLVMGlobalGetValueType(f)))
    return u; /* refused where it is called with active data; it stays a call */
  drop_attributes(u->primal);
  if (!dad_options.no_inline)
    inline_calls(u, root);
  dad_lower(req, u->primal, root);
  dad_lower_drop_markers(req, u->primal);
  dad_region_survey(req, u->primal, dad_name(f));
  simplify(ctx, u->primal);
  dad_run_passes(ctx, u->primal, canonical);
  dad_lower_drop_markers(req, u->primal);
  return u;
}

/* ---- which functions take part */

struct collection {
  struct dad_request *req;
  struct dad_vec taken;        /* functions with a body whose address is taken somewhere */
  struct dad_map called_types; /* types of calls through pointers inside units, as a set */
  struct dad_map seen;         /* constants that were searched for addresses */
};

/* Finds the functions whose address is in the constant "c". */
static void search_constant(struct collection *c, LLVMValueRef constant) {
  if (!LLVMIsConstant(constant) || dad_map_has(&c->seen, constant))
    return;
  dad_map_set(&c->seen, constant, constant);
  if (LLVMIsAFunction(constant)) {
    if (!LLVMIsDeclaration(constant))
      dad_vec_push(&c->taken, constant);
  } else if (LLVMIsAGlobalVariable(constant)) {
    if (LLVMGetInitializer(constant))
      search_constant(c, LLVMGetInitializer(constant));
  } else if (LLVMIsAConstantStruct(constant) || LLVMIsAConstantArray(constant) ||
             LLVMIsAConstantExpr(constant) || LLVMIsAGlobalAlias(constant)) {
    for (int k = 0; k < LLVMGetNumOperands(constant); k++)
      search_constant(c, LLVMGetOperand(constant, (unsigned)k));
  }
}

/* Is "f" used other than by being called? Code outside the units may then store its address where a unit finds it. */
static bool address_is_taken(LLVMValueRef f) {
  DAD_FOR_USERS(user, f) {
    bool call = LLVMIsACallInst(user) || LLVMIsAInvokeInst(user);
    if (!call || LLVMGetCalledValue(user) != f)
      return true;
  }
  return false;
}

/* Does a call of "f" stay a call although it has a body? Registered functions do, and those the table knows better. */
static bool stays_call(struct dad_request *req, LLVMValueRef f) {
  const struct dad_registration *r = dad_registered(req->ctx, f);
  return r && (r->inactive || r->gradient || r->derivative || r->release || r->releases || r->like);
}

static void visit_call(struct collection *c, LLVMValueRef call) {
  LLVMValueRef f = LLVMGetCalledValue(call);
  if (!LLVMIsAFunction(f)) {
    if (!LLVMIsAInlineAsm(f))
      dad_map_set(&c->called_types, LLVMGetCalledFunctionType(call), c);
  } else if (dad_unit_is_generated(f)) {
    dad_diag(c->req->ctx, DAD_NESTED, call, dad_name(c->req->function));
  } else if (!LLVMIsDeclaration(f) && !dad_unit_of(c->req, f) && !stays_call(c->req, f)) {
    make_unit(c->req, f, false);
  }
}

static void visit_unit(struct collection *c, struct dad_unit *u) {
  DAD_FOR_BLOCKS(block, u->primal)
    DAD_FOR_INSTRUCTIONS(i, block) {
      bool call = dad_is_call(i);
      unsigned n = call ? LLVMGetNumArgOperands(i) : (unsigned)LLVMGetNumOperands(i);
      if (call)
        visit_call(c, i);
      for (unsigned k = 0; k < n; k++)
        search_constant(c, LLVMGetOperand(i, k));
    }
}

/* Every function whose address is taken and whose type is called through a pointer may be a target. */
static void add_targets(struct collection *c) {
  for (unsigned k = 0; k < c->taken.n; k++) {
    LLVMValueRef f = c->taken.at[k];
    if (!dad_map_has(&c->called_types, LLVMGlobalGetValueType(f)) || stays_call(c->req, f))
      continue;
    struct dad_unit *u = dad_unit_of(c->req, f);
    if (!u)
      u = make_unit(c->req, f, false);
    u->address_taken = true;
  }
}

bool dad_prepare_units(struct dad_request *req) {
  struct collection c = {req, DAD_VEC(req->arena), DAD_MAP(req->arena), DAD_MAP(req->arena)};
  make_unit(req, req->function, true);
  for (LLVMValueRef f = LLVMGetFirstFunction(req->ctx->module); f; f = LLVMGetNextFunction(f))
    if (!LLVMIsDeclaration(f) && !dad_unit_is_generated(f) && address_is_taken(f))
      dad_vec_push(&c.taken, f);
  for (unsigned done = 0; done < req->units.n && !dad_failed(req);) {
    while (done < req->units.n)
      visit_unit(&c, req->units.at[done++]);
    add_targets(&c);
  }
  return !dad_failed(req);
}
