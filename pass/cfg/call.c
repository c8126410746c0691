/* call.c: the augmented form of a call. */
#include "call.h"

#include "../analysis/memory.h"
#include "../base/abi_call.h"
#include "../bridge_llvm.h"
#include "../driver/registry.h"
#include "shadow.h"

bool dad_call_is_augmented(struct dad_request *req, LLVMValueRef i) {
  switch (dad_call_kind(req, i)) {
  case DAD_CALL_UNIT: return !dad_unit_of(req, dad_callee(i))->inert;
  case DAD_CALL_INDIRECT: return !dad_inert(req, LLVMGetCalledValue(i));
  case DAD_CALL_CUSTOM: return true;
  default: return false;
  }
}

/* Is the derivative that the mode needs registered? */
static bool check_custom(struct dad_unit *u, const struct dad_call *c, LLVMValueRef i) {
  bool there = u->req->mode == DAD_FORWARD ? c->custom->derivative != NULL : c->custom->gradient != NULL;
  if (!there)
    dad_diag(u->req->ctx, DAD_BAD_REGISTRATION, i, dad_name(c->callee),
             u->req->mode == DAD_FORWARD ? "forward mode needs __dacead_register_derivative_..."
                                         : "reverse mode needs __dacead_register_gradient_...");
  return there;
}

static struct dad_call *make_call(struct dad_unit *u, LLVMValueRef i) {
  struct dad_request *req = u->req;
  struct dad_call *c = DAD_NEW(req->arena, struct dad_call);
  c->n = LLVMGetNumArgOperands(i);
  c->callee = LLVMGetCalledValue(i);
  c->type = LLVMGetReturnType(LLVMGetCalledFunctionType(i));
  c->args = DAD_ARRAY(req->arena, LLVMValueRef, c->n + 1);
  c->position = DAD_ARRAY(req->arena, unsigned, c->n + 1);
  c->twin = DAD_ARRAY(req->arena, LLVMTypeRef, c->n + 1);
  if (dad_call_kind(req, i) == DAD_CALL_UNIT)
    c->unit = dad_unit_of(req, dad_callee(i));
  else if (dad_call_kind(req, i) == DAD_CALL_CUSTOM)
    c->custom = dad_registered(req->ctx, dad_callee(i));
  dad_vec_push(&u->calls, c);
  return c;
}

/* The function that is called in place of the primal's, where it is known. */
static LLVMValueRef augmented_callee(struct dad_unit *u, struct dad_call *c) {
  if (c->custom)
    return u->req->mode == DAD_FORWARD ? c->custom->derivative : c->custom->augmented;
  return c->unit ? c->unit->forward : LLVMGetUndef(u->req->ctx->ptr);
}

/* Takes the primal's result and the tape out of what a registered augmented function returns: the tape, the result, or both. */
static void unpack_custom(struct dad_unit *u, struct dad_call *c) {
  struct dad_context *ctx = u->req->ctx;
  LLVMTypeRef returned = LLVMTypeOf(c->call);
  bool none = LLVMGetTypeKind(c->type) == LLVMVoidTypeKind;
  bool parts = LLVMGetTypeKind(returned) == LLVMStructTypeKind && LLVMCountStructElementTypes(returned) >= 2;
  if (none) {
    c->tape = LLVMGetTypeKind(returned) == LLVMVoidTypeKind ? NULL : c->call;
  } else if (returned == c->type) {
    c->result = c->call;
  } else if (parts && LLVMStructGetTypeAtIndex(returned, 1) == c->type) {
    c->tape = LLVMBuildExtractValue(ctx->builder, c->call, 0, "tape");
    c->result = LLVMBuildExtractValue(ctx->builder, c->call, 1, "");
  } else {
    dad_diag(ctx, DAD_BAD_REGISTRATION, c->call, dad_name(c->callee),
             "the augmented function returns neither the tape, nor the result, nor {tape, result}");
    c->result = LLVMGetPoison(c->type);
  }
}

/* A registered forward derivative returns {result, tangent}, or the tangent alone: then the primal "i" is called as well. */
static void unpack_tangent(struct dad_unit *u, struct dad_call *c, LLVMValueRef i) {
  struct dad_context *ctx = u->req->ctx;
  LLVMTypeRef returned = LLVMTypeOf(c->call);
  if (LLVMGetTypeKind(c->type) == LLVMVoidTypeKind)
    return;
  if (returned == c->type) {
    c->result = LLVMInstructionClone(i);
    LLVMInsertIntoBuilder(ctx->builder, c->result);
    dad_map_set(&u->shadow, c->result, c->call);
  } else if (LLVMGetTypeKind(returned) == LLVMStructTypeKind && LLVMCountStructElementTypes(returned) == 2 &&
             LLVMStructGetTypeAtIndex(returned, 0) == c->type && LLVMStructGetTypeAtIndex(returned, 1) == c->type) {
    c->result = LLVMBuildExtractValue(ctx->builder, c->call, 0, "");
    dad_map_set(&u->shadow, c->result, LLVMBuildExtractValue(ctx->builder, c->call, 1, "tangent"));
  } else {
    dad_diag(ctx, DAD_BAD_REGISTRATION, i, dad_name(c->callee),
             "the forward derivative returns neither the tangent nor {result, tangent}");
    c->result = LLVMGetPoison(c->type);
  }
}

/* Takes the primal's result and its twin out of what the call "c" of a unit returns. */
static void unpack_unit(struct dad_unit *u, struct dad_call *c) {
  LLVMBuilderRef b = u->req->ctx->builder;
  if (LLVMGetTypeKind(c->type) == LLVMVoidTypeKind)
    return;
  if (LLVMTypeOf(c->call) == c->type) {
    c->result = c->call;
    return;
  }
  c->result = LLVMBuildExtractValue(b, c->call, 0, "");
  dad_map_set(&u->shadow, c->result, LLVMBuildExtractValue(b, c->call, 1, "shadow"));
}

void dad_call_augment(struct dad_unit *u, LLVMValueRef i) {
  struct dad_request *req = u->req;
  struct dad_call *c = make_call(u, i);
  LLVMTypeRef *types = DAD_ARRAY(req->arena, LLVMTypeRef, 2 * c->n + 1);
  LLVMValueRef *operands = DAD_ARRAY(req->arena, LLVMValueRef, 2 * c->n + 1);
  unsigned n = 0;
  for (unsigned k = 0; k < c->n; k++) {
    LLVMValueRef a = LLVMGetOperand(i, k);
    LLVMTypeRef t = LLVMTypeOf(a);
    if (!dad_has_pointer(t) && dad_has_shadow(req, a))
      dad_diag(req->ctx, DAD_POINTER_BITS, i);
    LLVMTypeRef twin = dad_unit_twin_type(req, a);
    c->position[k] = n;
    operands[n] = a;
    types[n++] = t;
    c->twin[k] = twin;
    if (!twin)
      continue;
    operands[n] = LLVMGetUndef(twin);
    types[n++] = twin;
  }
  if (c->custom && !check_custom(u, c, i))
    return;
  LLVMValueRef callee = augmented_callee(u, c);
  LLVMTypeRef result = c->custom ? LLVMGetReturnType(LLVMGlobalGetValueType(callee)) : dad_unit_forward_result(req, c->type, c->type == req->ctx->none ? NULL : i);
  LLVMTypeRef type = LLVMFunctionType(result, types, n, 0);
  LLVMPositionBuilderBefore(req->ctx->builder, i);
  if (c->custom && type != LLVMGlobalGetValueType(callee)) {
    dad_diag(req->ctx, DAD_BAD_REGISTRATION, i, dad_name(c->callee),
             "the parameters of the registered function are not the function's with a shadow behind each pointer");
    callee = LLVMGetUndef(req->ctx->ptr);
  }
  c->call = LLVMBuildCall2(req->ctx->builder, type, callee, operands, n, "");
  LLVMSetInstructionCallConv(c->call, LLVMGetInstructionCallConv(i));
  if (!c->custom)
    unpack_unit(u, c);
  else if (req->mode == DAD_FORWARD)
    unpack_tangent(u, c, i);
  else
    unpack_custom(u, c);
  dad_map_set(&u->call_of, c->call, c);
  if (c->result) {
    dad_memory_inherit(req, i, c->result);
    LLVMReplaceAllUsesWith(i, c->result);
  }
  dad_detach(req->ctx, i);
}

void dad_call_fill(struct dad_unit *u, struct dad_call *c) {
  struct dad_context *ctx = u->req->ctx;
  if (!c->call) /* an error was reported */
    return;
  for (unsigned k = 0; k < c->n; k++) {
    c->args[k] = LLVMGetOperand(c->call, c->position[k]);
    if (dad_has_pointer(LLVMTypeOf(c->args[k])))
      LLVMSetOperand(c->call, c->position[k] + 1, dad_shadow_of(u, c->args[k]));
  }
  if (c->unit || c->custom)
    return;
  char place[256];
  c->descriptor = dad_shadow_of(u, c->callee);
  dad_bridge_place(c->call, place, sizeof place);
  LLVMPositionBuilderBefore(ctx->builder, c->call);
  dad_runtime_call(ctx, DAD_RT_check_function, c->descriptor, c->callee,
                   *place ? dad_runtime_string(ctx, place) : LLVMConstNull(ctx->ptr));
  unsigned callee = (unsigned)LLVMGetNumOperands(c->call) - 1;
  LLVMSetOperand(c->call, callee, LLVMBuildLoad2(ctx->builder, ctx->ptr, c->descriptor, "forward"));
}
