/* unit.c: signatures and declarations. */
#include "unit.h"

#include "../analysis/memory.h"
#include "../base/abi_call.h"
#include "../base/ir.h"
#include "../bridge_llvm.h"

struct dad_unit *dad_unit_of(const struct dad_request *req, LLVMValueRef f) {
  return dad_map_get(&req->unit_of, f);
}

LLVMValueRef dad_unit_result(LLVMValueRef primal) {
  DAD_FOR_BLOCKS(block, primal) {
    LLVMValueRef t = LLVMGetBasicBlockTerminator(block);
    if (t && LLVMIsAReturnInst(t))
      return LLVMGetNumOperands(t) ? LLVMGetOperand(t, 0) : NULL;
  }
  return NULL;
}

LLVMTypeRef dad_unit_twin_type(struct dad_request *req, LLVMValueRef v) {
  LLVMTypeRef type = LLVMTypeOf(v);
  if (dad_has_pointer(type))
    return type;
  return req->mode == DAD_FORWARD ? dad_adjoint_type(req, v) : NULL;
}

LLVMTypeRef dad_unit_forward_result(struct dad_request *req, LLVMTypeRef type, LLVMValueRef v) {
  LLVMTypeRef both[2] = {type, v ? dad_unit_twin_type(req, v) : NULL};
  return both[1] ? LLVMStructTypeInContext(req->ctx->llvm, both, 2, 0) : type;
}

bool dad_unit_may_be_called(struct dad_unit *u, LLVMValueRef call) {
  LLVMValueRef callee = LLVMGetCalledValue(call);
  if (LLVMIsAFunction(callee))
    return dad_unit_of(u->req, callee) == u;
  return u->address_taken && u != u->req->root &&
         LLVMGlobalGetValueType(u->original) == LLVMGetCalledFunctionType(call);
}

/* ---- signatures */

/* The root's result in reverse mode: the primal's if asked for, then the derivative of each out argument. */
static LLVMTypeRef combined_result(struct dad_unit *u) {
  struct dad_request *req = u->req;
  LLVMTypeRef *part = DAD_ARRAY(req->arena, LLVMTypeRef, u->n_params + 1);
  LLVMTypeRef result = LLVMGetReturnType(LLVMGlobalGetValueType(u->original));
  unsigned n = 0;
  if (req->primal_return && LLVMGetTypeKind(result) != LLVMVoidTypeKind)
    part[n++] = result;
  for (unsigned k = 0; k < u->n_params; k++)
    if (req->args[k].activity == DAD_OUT)
      part[n++] = LLVMTypeOf(LLVMGetParam(u->original, k));
  return n ? LLVMStructTypeInContext(req->ctx->llvm, part, n, 0) : req->ctx->none;
}

/* The root's result in forward mode: the primal's if asked for, then its tangent. */
static LLVMTypeRef tangent_result(struct dad_unit *u) {
  struct dad_request *req = u->req;
  LLVMTypeRef part[2], result = LLVMGetReturnType(LLVMGlobalGetValueType(u->original));
  unsigned n = 0;
  if (LLVMGetTypeKind(result) == LLVMVoidTypeKind)
    return req->ctx->none;
  if (req->primal_return)
    part[n++] = result;
  if (dad_has_float(result) || dad_has_pointer(result))
    part[n++] = result;
  return n ? LLVMStructTypeInContext(req->ctx->llvm, part, n, 0) : req->ctx->none;
}

/* The type of "forward": every parameter, followed by its twin where its type has one. */
static LLVMTypeRef forward_type(struct dad_unit *u) {
  struct dad_request *req = u->req;
  LLVMTypeRef *params = DAD_ARRAY(req->arena, LLVMTypeRef, 2 * u->n_params + 1), result;
  unsigned n = 0;
  for (unsigned k = 0; k < u->n_params; k++) {
    LLVMValueRef p = LLVMGetParam(u->primal, k);
    LLVMTypeRef twin = dad_unit_twin_type(req, p);
    params[n++] = LLVMTypeOf(p);
    if (twin)
      params[n++] = twin;
  }
  if (u == req->root && req->mode != DAD_SPLIT)
    result = u->combined ? combined_result(u) : tangent_result(u);
  else
    result = dad_unit_forward_result(req, LLVMGetReturnType(LLVMGlobalGetValueType(u->original)), dad_unit_result(u->primal));
  return LLVMFunctionType(result, params, n, 0);
}

/* The type of "reverse": the seed of the result, if it carries numbers; the adjoints of the parameters that do. */
static LLVMTypeRef reverse_type(struct dad_unit *u) {
  struct dad_request *req = u->req;
  LLVMTypeRef *out = DAD_ARRAY(req->arena, LLVMTypeRef, u->n_params + 1), seed = NULL;
  LLVMTypeRef result = LLVMGetReturnType(LLVMGlobalGetValueType(u->original));
  LLVMValueRef returned = dad_unit_result(u->primal);
  unsigned n = 0;
  for (unsigned k = 0; k < u->n_params; k++) {
    LLVMTypeRef t = dad_adjoint_type(req, LLVMGetParam(u->primal, k));
    if (t)
      out[n++] = t;
  }
  if (LLVMGetTypeKind(result) != LLVMVoidTypeKind)
    seed = dad_has_float(result) ? result : returned ? dad_adjoint_type(req, returned) : NULL;
  return LLVMFunctionType(n ? LLVMStructTypeInContext(req->ctx->llvm, out, n, 0) : req->ctx->none,
                          &seed, seed != NULL, 0);
}

/* ---- declarations */

static const char generated[] = "dacead-generated";

bool dad_unit_is_generated(LLVMValueRef f) {
  return LLVMGetStringAttributeAtIndex(f, LLVMAttributeFunctionIndex, generated, sizeof generated - 1) != NULL;
}

void dad_unit_mark_generated(struct dad_context *ctx, LLVMValueRef f) {
  LLVMAttributeRef a = LLVMCreateStringAttribute(ctx->llvm, generated, sizeof generated - 1, "", 0);
  LLVMAddAttributeAtIndex(f, LLVMAttributeFunctionIndex, a);
}

static LLVMValueRef declare(struct dad_unit *u, const char *suffix, LLVMTypeRef type) {
  struct dad_request *req = u->req;
  const char *name = dad_arena_printf(req->arena, "%s.%s", dad_name(u->original), suffix);
  LLVMValueRef f = LLVMAddFunction(req->ctx->module, name, type);
  LLVMSetLinkage(f, LLVMInternalLinkage);
  dad_bridge_copy_treatment(u->original, f);
  dad_unit_mark_generated(req->ctx, f);
  dad_vec_push(&req->made, f);
  return f;
}

/* noalias of a primal parameter still holds for the primal pointer. It says nothing about the shadow: two restrict pointers to the
   same read-only array are legal, and their shadows are one array that is written. */
static void keep_noalias(struct dad_unit *u) {
  unsigned position = 0, noalias = dad_attribute("noalias");
  for (unsigned k = 0; k < u->n_params; k++) {
    LLVMAttributeRef a = LLVMGetEnumAttributeAtIndex(u->original, k + 1, noalias);
    if (a)
      LLVMAddAttributeAtIndex(u->forward, position + 1, a);
    position += dad_unit_twin_type(u->req, LLVMGetParam(u->primal, k)) ? 2 : 1;
  }
}

void dad_unit_declare(struct dad_unit *u) {
  bool forward = u->req->mode == DAD_FORWARD;
  u->shadow = DAD_MAP(u->req->arena);
  u->shadowed = DAD_MAP(u->req->arena);
  u->call_of = DAD_MAP(u->req->arena);
  u->calls = DAD_VEC(u->req->arena);
  u->delayed_frees = DAD_VEC(u->req->arena);
  u->forward = declare(u, u->combined ? "gradient" : forward ? "tangent" : "augmented", forward_type(u));
  u->reverse = u->combined ? u->forward : forward ? NULL : declare(u, "reverse", reverse_type(u));
  if (u->combined)
    keep_noalias(u);
}

/* ---- descriptors */

static LLVMValueRef make_descriptor(struct dad_request *req, LLVMValueRef *words) {
  struct dad_context *ctx = req->ctx;
  LLVMValueRef init = LLVMConstArray2(ctx->ptr, words, DRT_DESCRIPTOR_WORDS);
  LLVMValueRef d = LLVMAddGlobal(ctx->module, LLVMTypeOf(init), "dad.descriptor");
  LLVMSetInitializer(d, init);
  LLVMSetLinkage(d, LLVMInternalLinkage);
  LLVMSetGlobalConstant(d, 1);
  dad_vec_push(&req->made, d);
  return d;
}

LLVMValueRef dad_unit_descriptor(struct dad_unit *u) {
  LLVMValueRef words[DRT_DESCRIPTOR_WORDS];
  if (u->descriptor)
    return u->descriptor;
  words[DRT_DESCRIPTOR_FORWARD] = u->forward;
  words[DRT_DESCRIPTOR_REVERSE] = u->reverse ? u->reverse : LLVMConstNull(u->req->ctx->ptr);
  words[DRT_DESCRIPTOR_FUNCTION] = u->original;
  return u->descriptor = make_descriptor(u->req, words);
}

LLVMValueRef dad_unit_no_descriptor(struct dad_request *req) {
  LLVMValueRef words[DRT_DESCRIPTOR_WORDS];
  if (req->no_descriptor)
    return req->no_descriptor;
  for (unsigned k = 0; k < DRT_DESCRIPTOR_WORDS; k++)
    words[k] = dad_runtime_declare(req->ctx, DAD_RT_no_derivative);
  return req->no_descriptor = make_descriptor(req, words);
}
