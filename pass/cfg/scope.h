/* scope.h: what memory accesses of generated functions may touch, said to the optimiser with alias scopes.

   Frames of the tape overlap nothing else. Shadow memory and the program's own memory do not overlap either: that is a rule for
   callers, who pass the shadows (constant memory, which is its own shadow, is never accessed as a shadow). So loops vectorise
   without checks at run time, and what the primal reads can be kept in registers while adjoints are accumulated. */
#ifndef DAD_SCOPE_H
#define DAD_SCOPE_H

#include "../base/ir.h"

/* "access" (a load or store) is to a frame of the tape. */
void dad_scope_frame(struct dad_context *ctx, LLVMValueRef access);
/* "access" is to numbers in shadow memory. */
void dad_scope_shadow(struct dad_context *ctx, LLVMValueRef access);
/* "access" may be to either kind of memory: a shadow pointer in constant memory. */
void dad_scope_either(struct dad_context *ctx, LLVMValueRef access);
/* All other accesses in "function" are the program's own. */
void dad_scope_rest(struct dad_context *ctx, LLVMValueRef function);

#endif
