/* refuse.c: constructs in active units that cannot be differentiated. */
#include "activity.h"
#include "memory.h"

/* Does "call" see active memory or numbers? */
static bool sees_active(struct dad_request *req, LLVMValueRef call) {
  for (unsigned k = 0; k < LLVMGetNumArgOperands(call); k++) {
    LLVMValueRef a = LLVMGetOperand(call, k);
    bool pointer = dad_has_pointer(LLVMTypeOf(a)) && !LLVMIsAFunction(a);
    if (pointer ? !dad_inert(req, a) : dad_activity_flags(req->memory, a) & DAD_VARIED)
      return true;
  }
  return false;
}

static void check_call(struct dad_request *req, LLVMValueRef call) {
  switch (dad_call_kind(req, call)) {
  case DAD_CALL_UNKNOWN:
    if (sees_active(req, call))
      dad_diag(req->ctx, DAD_NO_BODY, call, dad_callee_name(call));
    break;
  case DAD_CALL_ASM:
    if (sees_active(req, call))
      dad_diag(req->ctx, DAD_INLINE_ASM, call);
    break;
  default: break;
  }
}

void dad_refuse(struct dad_request *req) {
  DAD_FOR_UNITS(u, req) {
    if (u->inert)
      continue;
    DAD_FOR_BLOCKS(block, u->primal)
    DAD_FOR_INSTRUCTIONS(i, block)
    if (dad_is_call(i))
      check_call(req, i);
  }
}
