/* demote.h: numbers that phis carry become variables in memory, as the source had them: a sum is
   one variable that is set, added to and read, where phis make several containers of it. */
#ifndef DAD_DEMOTE_H
#define DAD_DEMOTE_H

#include "../driver/context.h"

/* Replaces every floating-point phi of "function" by a variable; phis that pass one value on share
 * theirs. */
void dad_demote_phis(struct dad_context *ctx, struct dad_arena *arena, LLVMValueRef function);

#endif
