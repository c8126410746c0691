/* call.h: calls of units (and of functions with registered derivatives) in a forward function, with what their reverse needs. */
#ifndef DAD_CALL_H
#define DAD_CALL_H

#include "unit.h"

struct dad_call {
  struct dad_unit *unit;                   /* the callee; NULL for calls through pointers and custom derivatives */
  const struct dad_registration *custom;   /* the registered derivatives of the callee, or NULL */
  LLVMValueRef call;                       /* the augmented call */
  LLVMValueRef callee;                     /* the primal callee */
  LLVMValueRef descriptor;                 /* indirect: the shadow of "callee" */
  LLVMValueRef result;                     /* the value that stands for the primal's result */
  LLVMValueRef tape;                       /* custom: what its augmented form keeps, or NULL */
  LLVMTypeRef type;                        /* the primal's result type */
  LLVMValueRef *args;                      /* the primal's arguments */
  unsigned *position;                      /* where each of them stands in "call" */
  LLVMTypeRef *twin;                       /* the types of their shadows or tangents behind them; NULL: none */
  unsigned n;
};

/* Replaces the primal call "i" in u->forward by a call of its augmented (in forward mode: tangent) function. Operands that are
   shadows are left undefined: a shadow may come from a call further down (through a phi). */
void dad_call_augment(struct dad_unit *u, LLVMValueRef i);
/* Fills the shadows of pointers among the operands of "c". */
void dad_call_fill(struct dad_unit *u, struct dad_call *c);
/* Is the primal call "i" one that dad_call_augment replaces? */
bool dad_call_is_augmented(struct dad_request *req, LLVMValueRef i);

#endif
