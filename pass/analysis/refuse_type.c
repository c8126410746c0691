/* refuse_type.c: types whose numbers the analysis of memory does not follow. */
#include "refuse.h"

/* The text of what "v" is if its type is not supported, else NULL. Addresses in other address
   spaces matter only if they lead to something active. */
static const char *unsupported(struct dad_refusal *r, LLVMValueRef v) {
  LLVMTypeRef type = LLVMTypeOf(v);
  if (dad_is_scalable(type))
    return "vectors whose length the machine decides";
  while (LLVMIsAConstantExpr(v))
    v = LLVMGetOperand(v, 0);
  type = LLVMTypeOf(v);
  if (LLVMGetTypeKind(type) == LLVMPointerTypeKind && LLVMGetPointerAddressSpace(type) &&
      !dad_inert(r->req, v))
    return "numbers in memory of another address space";
  return NULL;
}

const char *dad_unsupported_type(struct dad_refusal *r, LLVMValueRef i) {
  const char *text = unsupported(r, i);
  for (int k = 0; !text && k < LLVMGetNumOperands(i); k++) {
    LLVMValueRef a = LLVMGetOperand(i, (unsigned)k);
    if (!LLVMValueIsBasicBlock(a))
      text = unsupported(r, a);
  }
  return text;
}
