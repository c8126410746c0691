/* shadow.h: shadows of pointers. A shadow is an ordinary instruction of the forward function, beside the instruction that makes the
   pointer; everything after this file treats it like any other primal value. */
#ifndef DAD_SHADOW_H
#define DAD_SHADOW_H

#include "unit.h"

/* The shadow of "v" (a pointer, an aggregate with pointers, an integer that carries a pointer) in u->forward: made if there is none.
   Inert values are their own shadows. The builder ends at an unspecified position. Reports an error and returns poison if
   there can be no shadow. */
LLVMValueRef dad_shadow_of(struct dad_unit *u, LLVMValueRef v);
/* The shadow of the constant "c": an address in it becomes the address of a shadow, numbers become zero. */
LLVMValueRef dad_shadow_constant(struct dad_request *req, LLVMValueRef c);
/* Removes facts from the memory access "copy" that held for the primal cell only. */
void dad_shadow_drop_facts(struct dad_context *ctx, LLVMValueRef copy);
/* The alignment of an access to shadow memory that "access" to the memory itself calls for. */
unsigned dad_shadow_alignment(LLVMValueRef access);
/* Says of "access", to a shadow pointer in the shadow of the memory behind "p", what it may touch. */
void dad_shadow_scope(struct dad_unit *u, LLVMValueRef p, LLVMValueRef access);
/* The pointer from which "p" is computed by indexing alone. */
LLVMValueRef dad_shadow_base(LLVMValueRef p);
/* How the memory behind "p" relates to its shadow: constant memory is its own shadow, which is sometimes known only at run time. */
enum dad_shadow_case { DAD_SHADOW_SEPARATE, DAD_SHADOW_SAME, DAD_SHADOW_COMPARE };
enum dad_shadow_case dad_shadow_case(struct dad_unit *u, LLVMValueRef p);
/* Memory for the shadow of what "alloca" allocates, at the builder's position. */
LLVMValueRef dad_shadow_stack(struct dad_unit *u, LLVMValueRef alloca);

#endif
