/* module.c: all marker calls of a module, one after the other. */
#include "../base/ir.h"
#include "../bridge_llvm.h"
#include "bodies.h"
#include "differentiate.h"
#include "marker.h"
#include "registry.h"

#include <string.h>

/* Fills "ctx" for "module". */
static void open_context(struct dad_context *ctx, LLVMModuleRef module) {
  LLVMContextRef c = LLVMGetModuleContext(module);
  *ctx = (struct dad_context){
      .module = module,
      .llvm = c,
      .target = LLVMGetModuleDataLayout(module),
      .builder = LLVMCreateBuilderInContext(c),
      .i1 = LLVMInt1TypeInContext(c),
      .i8 = LLVMInt8TypeInContext(c),
      .i16 = LLVMInt16TypeInContext(c),
      .i32 = LLVMInt32TypeInContext(c),
      .i64 = LLVMInt64TypeInContext(c),
      .f32 = LLVMFloatTypeInContext(c),
      .f64 = LLVMDoubleTypeInContext(c),
      .f80 = LLVMX86FP80TypeInContext(c),
      .ptr = LLVMPointerTypeInContext(c, 0),
      .none = LLVMVoidTypeInContext(c),
      .arena = dad_arena_create(),
  };
  ctx->registered = DAD_MAP(ctx->arena);
  ctx->detached = DAD_VEC(ctx->arena);
  ctx->split_pairs = DAD_VEC(ctx->arena);
}

/* Deletes what was taken out of blocks. Uses among the detached are cut first. */
static void delete_detached(struct dad_context *ctx) {
  for (unsigned k = 0; k < ctx->detached.n; k++) {
    LLVMValueRef i = ctx->detached.at[k];
    LLVMTypeRef type = LLVMTypeOf(i);
    if (LLVMGetFirstUse(i) && LLVMGetTypeKind(type) != LLVMVoidTypeKind)
      LLVMReplaceAllUsesWith(i, LLVMGetPoison(type));
  }
  for (unsigned k = 0; k < ctx->detached.n; k++)
    LLVMDeleteInstruction(ctx->detached.at[k]);
  ctx->detached.n = 0;
}

static void close_context(struct dad_context *ctx) {
  delete_detached(ctx);
  LLVMDisposeBuilder(ctx->builder);
  ctx->arena = dad_arena_free(ctx->arena);
}

/* The calls of all markers, in the order of the module's functions. Invokes become calls: a derivative does not throw. */
static struct dad_vec marker_calls(struct dad_context *ctx) {
  struct dad_vec calls = DAD_VEC(ctx->arena);
  enum dad_mode mode;
  bool second;
  for (LLVMValueRef f = LLVMGetFirstFunction(ctx->module); f; f = LLVMGetNextFunction(f))
    DAD_FOR_BLOCKS(block, f)
      DAD_FOR_INSTRUCTIONS(i, block) {
        bool call = LLVMIsACallInst(i), invoke = LLVMIsAInvokeInst(i);
        if ((call || invoke) && LLVMIsAFunction(LLVMGetCalledValue(i)) &&
            LLVMIsDeclaration(LLVMGetCalledValue(i)) &&
            dad_marker_mode(LLVMGetCalledValue(i), &mode, &second))
          dad_vec_push(&calls, i);
      }
  for (unsigned k = 0; k < calls.n; k++)
    if (LLVMIsAInvokeInst(calls.at[k]))
      calls.at[k] = dad_bridge_invoke_to_call(calls.at[k]);
  return calls;
}

/* Some derivative calls another marker (a gradient of a gradient): the inner one is replaced first. The calls are ordered so that a
   call inside the function that another call differentiates comes before it. */
static bool is_inside(LLVMValueRef call, LLVMValueRef function) {
  return LLVMGetBasicBlockParent(LLVMGetInstructionParent(call)) == function;
}

static LLVMValueRef differentiated_function(LLVMValueRef call) {
  for (unsigned k = 0; k < LLVMGetNumArgOperands(call) && k < 2; k++)
    if (LLVMIsAFunction(LLVMGetOperand(call, k)))
      return LLVMGetOperand(call, k);
  return NULL;
}

static void order_nested(struct dad_vec *calls) {
  for (unsigned k = 0; k < calls->n; k++) {
    LLVMValueRef f = differentiated_function(calls->at[k]);
    for (unsigned j = k + 1; f && j < calls->n; j++)
      if (is_inside(calls->at[j], f)) {
        void *inner = calls->at[j];
        memmove(&calls->at[k + 1], &calls->at[k], (j - k) * sizeof *calls->at);
        calls->at[k] = inner;
        f = differentiated_function(inner);
        j = k;
      }
  }
}

bool dad_run_on_module(LLVMModuleRef module) {
  struct dad_context ctx;
  open_context(&ctx, module);
  struct dad_vec calls = marker_calls(&ctx);
  bool changed = calls.n > 0;
  if (changed) {
    dad_bodies_link(&ctx);
    dad_run_module_passes(&ctx, "inferattrs"); /* what library functions leave alone in memory */
    dad_registry_read(&ctx);
  }
  order_nested(&calls);
  for (unsigned k = 0; k < calls.n; k++)
    dad_differentiate(&ctx, calls.at[k]);
  if (changed)
    dad_registry_close(&ctx);
  close_context(&ctx);
  return changed;
}
