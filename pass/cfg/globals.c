/* globals.c: one shadow per global and request. */
#include "globals.h"

#include "../analysis/memory.h"
#include "../base/abi_call.h"
#include "../bridge_llvm.h"
#include "shadow.h"

#include <string.h>

/* An instruction of the units that uses "g", for messages; the differentiated function if there is none. */
static LLVMValueRef place_of_use(struct dad_request *req, LLVMValueRef g) {
  DAD_FOR_USERS(user, g) {
    LLVMValueRef i = user;
    if (!LLVMIsAInstruction(i) || !LLVMGetInstructionParent(i))
      continue;
    LLVMValueRef f = LLVMGetBasicBlockParent(LLVMGetInstructionParent(i));
    DAD_FOR_UNITS(u, req) if (f == u->forward || f == u->primal) return i;
  }
  return req->function;
}

LLVMValueRef dad_global_shadow(struct dad_request *req, LLVMValueRef g) {
  LLVMValueRef s = dad_map_get(&req->shadow_global, g);
  if (s)
    return s;
  LLVMTypeRef type = LLVMGlobalGetValueType(g);
  if (!LLVMGetInitializer(g)) {
    dad_diag(req->ctx, DAD_GLOBAL_ELSEWHERE, place_of_use(req, g), dad_name(g));
    return LLVMGetPoison(req->ctx->ptr);
  }
  s = LLVMAddGlobal(req->ctx->module, type, dad_arena_printf(req->arena, "%s.shadow", dad_name(g)));
  dad_map_set(&req->shadow_global, g, s); /* before the initialiser: it may refer to itself */
  dad_vec_push(&req->made, s);
  LLVMSetLinkage(s, LLVMInternalLinkage);
  LLVMSetAlignment(s, LLVMGetAlignment(g));
  LLVMSetThreadLocalMode(s, LLVMGetThreadLocalMode(g));
  LLVMSetInitializer(s, dad_shadow_constant(req, LLVMGetInitializer(g)));
  return s;
}

/* ---- the check of loaded shadow pointers */

/* void dacead.check_shadow(pointer, shadow, name, place): inlined everywhere, so that no block is split while code is being built. */
static LLVMValueRef check_function(struct dad_context *ctx) {
  static const char name[] = "dacead.check_shadow";
  LLVMValueRef f = LLVMGetNamedFunction(ctx->module, name), here;
  if (f)
    return f;
  LLVMTypeRef params[4] = {ctx->ptr, ctx->ptr, ctx->ptr, ctx->ptr};
  LLVMBuilderRef b = LLVMCreateBuilderInContext(ctx->llvm), kept = ctx->builder;
  f = LLVMAddFunction(ctx->module, name, LLVMFunctionType(ctx->none, params, 4, 0));
  LLVMSetLinkage(f, LLVMInternalLinkage);
  dad_unit_mark_generated(ctx, f);
  LLVMAddAttributeAtIndex(f, LLVMAttributeFunctionIndex,
                          LLVMCreateEnumAttribute(ctx->llvm, dad_attribute("alwaysinline"), 0));
  LLVMBasicBlockRef entry = LLVMAppendBasicBlockInContext(ctx->llvm, f, "entry");
  LLVMBasicBlockRef bad = LLVMAppendBasicBlockInContext(ctx->llvm, f, "missing");
  LLVMBasicBlockRef good = LLVMAppendBasicBlockInContext(ctx->llvm, f, "present");
  LLVMPositionBuilderAtEnd(b, entry);
  here = LLVMBuildAnd(b, LLVMBuildIsNull(b, LLVMGetParam(f, 1), ""), LLVMBuildIsNotNull(b, LLVMGetParam(f, 0), ""), "");
  LLVMBuildCondBr(b, here, bad, good);
  ctx->builder = b;
  LLVMPositionBuilderAtEnd(b, bad);
  dad_runtime_call(ctx, DAD_RT_no_shadow, LLVMGetParam(f, 2), LLVMGetParam(f, 3));
  LLVMBuildUnreachable(b);
  LLVMPositionBuilderAtEnd(b, good);
  LLVMBuildRetVoid(b);
  ctx->builder = kept;
  LLVMDisposeBuilder(b);
  return f;
}

/* The name of what the pointer is loaded from, as a hint for the user: the global or the value's name. */
static LLVMValueRef name_of_source(struct dad_context *ctx, LLVMValueRef loaded) {
  LLVMValueRef from = LLVMGetOperand(loaded, 0);
  while (LLVMIsAGetElementPtrInst(from) || dad_is_constant_expr(from, LLVMGetElementPtr))
    from = LLVMGetOperand(from, 0);
  const char *name = *dad_name(from) ? dad_name(from) : dad_name(loaded);
  return *name ? dad_runtime_string(ctx, name) : LLVMConstNull(ctx->ptr);
}

void dad_global_check_loaded(struct dad_unit *u, LLVMValueRef loaded, LLVMValueRef shadow) {
  struct dad_context *ctx = u->req->ctx;
  LLVMValueRef f = check_function(ctx), args[4] = {loaded, shadow, name_of_source(ctx, loaded), LLVMConstNull(ctx->ptr)};
  char place[256];
  dad_bridge_place(loaded, place, sizeof place);
  if (*place)
    args[3] = dad_runtime_string(ctx, place);
  dad_build_after(ctx, shadow);
  LLVMBuildCall2(ctx->builder, LLVMGlobalGetValueType(f), f, args, 4, "");
}

/* ---- the start of a gradient call */

static uint64_t global_bytes(struct dad_request *req, LLVMValueRef g) {
  return dad_size_of(req->ctx, LLVMGlobalGetValueType(g));
}

static bool holds_pointers(struct dad_request *req, LLVMValueRef g) {
  return !LLVMIsGlobalConstant(g) && dad_kinds_at(req, g, global_bytes(req, g)) & DAD_PTR;
}

static LLVMValueRef size_of_global(struct dad_request *req, LLVMValueRef g) {
  return dad_i64(req->ctx, global_bytes(req, g));
}

/* Everything with a shadow becomes known to the runtime, so that pointers to it can be mapped. */
static void register_all(struct dad_request *req) {
  struct dad_context *ctx = req->ctx;
  for (unsigned k = 0; k < req->shadow_global.n; k++) {
    LLVMValueRef g = (LLVMValueRef)req->shadow_global.key[k];
    dad_runtime_call(ctx, DAD_RT_register, g, size_of_global(req, g), req->shadow_global.value[k]);
  }
  DAD_FOR_UNITS(u, req)
    if (u->address_taken && u != req->root && !u->inert)
      dad_runtime_call(ctx, DAD_RT_register, u->original, dad_i64(ctx, 1), dad_unit_descriptor(u));
  struct dad_unit *root = req->root;
  for (unsigned p = 0; p < root->n_params; p++)
    if (req->args[p].shadow && LLVMTypeOf(root->params[p]) == ctx->ptr && root->twins[p])
      dad_runtime_call(ctx, DAD_RT_register_argument, root->params[p], dad_i64(ctx, 0), root->twins[p]);
}

/* A pointer that is mirrored may point to any global with derivatives, also to one that no unit names. */
static void shadow_all(struct dad_request *req) {
  for (LLVMValueRef g = LLVMGetFirstGlobal(req->ctx->module); g; g = LLVMGetNextGlobal(g))
    if (LLVMGetInitializer(g) && !dad_inert(req, g))
      dad_global_shadow(req, g);
}

/* The shadow of every function whose address a global may hold must exist before the descriptors are registered; making the shadow
   of a global may make others, so the map is walked by index. */
void dad_globals_prologue(struct dad_request *req) {
  struct dad_context *ctx = req->ctx;
  struct dad_map *shadows = &req->shadow_global;
  LLVMValueRef first = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(req->root->forward));
  bool pointers = false;
  while (LLVMIsAAllocaInst(first))
    first = LLVMGetNextInstruction(first);
  LLVMPositionBuilderBefore(ctx->builder, first);
  dad_runtime_call(ctx, req->mode == DAD_SPLIT ? DAD_RT_split_begin : DAD_RT_begin, dad_runtime_string(ctx, dad_name(req->function)));
  for (unsigned k = 0; k < shadows->n; k++)
    pointers |= holds_pointers(req, (LLVMValueRef)shadows->key[k]);
  if (pointers)
    shadow_all(req);
  for (unsigned k = 0; k < shadows->n; k++) {
    LLVMValueRef g = (LLVMValueRef)shadows->key[k];
    if (!LLVMIsGlobalConstant(g) && dad_active_at(req, g, global_bytes(req, g)))
      dad_runtime_call(ctx, DAD_RT_zero_numbers, shadows->value[k], size_of_global(req, g),
                       dad_layout(req, req->function, g, global_bytes(req, g)));
  }
  if (!pointers)
    return;
  register_all(req);
  for (unsigned k = 0; k < shadows->n; k++) {
    LLVMValueRef g = (LLVMValueRef)shadows->key[k];
    if (holds_pointers(req, g))
      dad_runtime_call(ctx, DAD_RT_mirror, g, shadows->value[k], size_of_global(req, g),
                       dad_layout(req, req->function, g, global_bytes(req, g)));
  }
}
