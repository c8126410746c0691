/* rotate.h: loops that test before each iteration become guarded loops that test after it. */
#ifndef DAD_ROTATE_H
#define DAD_ROTATE_H

#include "../driver/context.h"

/* Rotates the loops of "function" whose header decides whether they go on. What the passes of LLVM
   do one loop at a time, keeping dominators up to date, is done here in a time that does not grow
   with the product of loops and blocks. Every loop has one entry and one latch (loop-simplify has
   run). */
void dad_rotate_loops(struct dad_context *ctx, LLVMValueRef function);

#endif
