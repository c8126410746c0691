/* carrier.c: small structs of floats travel through registers as integers; their words are cut,
   shifted and put together by lanes of 32 bits. An integer that is taken for a number is harmless:
   its derivative is zero and stays zero. Only the format has to be right, and whether it may be a
   pointer. */
#include "carrier.h"

#include "memory.h"

static unsigned width(LLVMValueRef v) {
  LLVMTypeRef type = LLVMTypeOf(v);
  return LLVMGetTypeKind(type) == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(type) : 0;
}

bool dad_moves_lanes(LLVMValueRef i) {
  if (!LLVMIsAInstruction(i) || !width(i))
    return false;
  LLVMValueRef by = LLVMGetNumOperands(i) > 1 ? LLVMGetOperand(i, 1) : NULL;
  uint64_t c = by && LLVMIsAConstantInt(by) ? LLVMConstIntGetZExtValue(by) : 1;
  switch (LLVMGetInstructionOpcode(i)) {
  case LLVMTrunc:
  case LLVMZExt: return width(i) + width(LLVMGetOperand(i, 0)) == 96;
  case LLVMLShr:
  case LLVMShl: return width(i) == 64 && c == 32;
  case LLVMAnd: return width(i) == 64 && (c == 0xffffffffu || c == 0xffffffff00000000u);
  case LLVMOr: return width(i) == 64;
  default: return false;
  }
}

/* Ties "v" to "w", both sides of a move by lanes; true if "w" has not been looked at. */
static bool tie(struct dad_memory *m, LLVMValueRef v, LLVMValueRef w, struct dad_vec *work) {
  struct dad_node *a = dad_node_of(m, v), *b = dad_node_of(m, w);
  if (!a || !b)
    return false;
  dad_constrain(m, DAD_FLOW, a, b);
  dad_vec_push(work, w);
  return true;
}

void dad_carrier_tie_operands(struct dad_memory *m, LLVMValueRef v) {
  struct dad_vec work = DAD_VEC(m->heap.arena);
  dad_vec_push(&work, v);
  while (work.n) {
    LLVMValueRef i = dad_vec_pop(&work);
    if (!dad_moves_lanes(i) || dad_map_has(&m->lanes, i))
      continue;
    dad_map_set(&m->lanes, i, i);
    for (int k = 0; k < LLVMGetNumOperands(i); k++)
      tie(m, i, LLVMGetOperand(i, (unsigned)k), &work);
  }
}

void dad_carrier_tie_users(struct dad_memory *m, LLVMValueRef v) {
  struct dad_vec work = DAD_VEC(m->heap.arena);
  struct dad_map seen = DAD_MAP(m->heap.arena);
  dad_vec_push(&work, v);
  while (work.n) {
    LLVMValueRef i = dad_vec_pop(&work);
    if (dad_map_has(&seen, i))
      continue;
    dad_map_set(&seen, i, i);
    DAD_FOR_USERS(user, i)
    if (dad_moves_lanes(user))
      tie(m, i, user, &work);
  }
}

/* ---- what an integer carries */

LLVMTypeRef dad_adjoint_type(struct dad_request *req, LLVMValueRef v) {
  struct dad_context *ctx = req->ctx;
  LLVMTypeRef type = LLVMTypeOf(v);
  if (dad_has_float(type))
    return type;
  if (!width(v) || LLVMIsConstant(v))
    return NULL;
  struct dad_node *n = dad_node_known(req->memory, v);
  unsigned kinds = n ? dad_node_kinds(n) : 0;
  if (kinds & DAD_PTR)
    return NULL;
  if (width(v) == 64 && (kinds & DAD_FP) == DAD_F64)
    return ctx->f64;
  if (width(v) == 64 && (kinds & DAD_FP) == DAD_F32)
    return LLVMVectorType(ctx->f32, 2);
  return width(v) == 32 && (kinds & DAD_FP) == DAD_F32 ? ctx->f32 : NULL;
}

bool dad_has_shadow(struct dad_request *req, LLVMValueRef v) {
  LLVMTypeRef type = LLVMTypeOf(v);
  if (dad_is_plain_constant(v))
    return false;
  if (dad_has_pointer(type))
    return !dad_inert(req, v);
  if (width(v) != 64)
    return false;
  struct dad_node *n = dad_node_known(req->memory, v);
  return n && dad_node_kinds(n) & DAD_PTR && !dad_inert(req, v);
}
