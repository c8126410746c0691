/* special.h: operations with several results, or complex ones. Their derivative is a matrix of
   partials instead of a row of rules.def.

   Their numbers are operands and results: what sincos, modf and frexp write through pointers is
   made visible before (dad_libcall_lower). remquo and lgamma_r also write an integer to memory. */
#ifndef DAD_SPECIAL_H
#define DAD_SPECIAL_H

#include "../driver/request.h"

/* What a sweep offers. A sweep first runs dry in order to learn which primal values it needs: then
   "primal" returns any value of the right type and nothing that is built is kept. Both runs ask for
   the same values. */
struct dad_special_host {
  struct dad_request *req;
  void *data; /* what the functions below get */
  /* Is the operand "v" active? Only then is its adjoint given or its tangent asked for. */
  bool (*active)(void *data, LLVMValueRef v);
  /* The value of "v", the call or one of its operands, at the builder's position. */
  LLVMValueRef (*primal)(void *data, LLVMValueRef v);
  /* Reverse: the adjoint of the call "v", which is used up; and adding "g" to the adjoint of the
   * operand "v". */
  LLVMValueRef (*take)(void *data, LLVMValueRef v);
  void (*give)(void *data, LLVMValueRef v, LLVMValueRef g);
  /* Forward: the tangent of the operand "v"; and setting the tangent of the call "v". */
  LLVMValueRef (*tangent)(void *data, LLVMValueRef v);
  void (*set_tangent)(void *data, LLVMValueRef v, LLVMValueRef t);
};

/* Is "call" such an operation? */
bool dad_is_special(LLVMValueRef call);
/* Emits the adjoint of "call" at the builder's position. Adjoints and tangents have the types of
   the values that they belong to; integers in a result are left alone. */
void dad_special_reverse(const struct dad_special_host *host, LLVMValueRef call);
/* Emits the tangent of "call". */
void dad_special_forward(const struct dad_special_host *host, LLVMValueRef call);

#endif
