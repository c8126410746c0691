/* ownership.h: how pointers change hands. The macros are empty; they mark arguments and results.

   DAD_GIVE  the caller owns the result and must free it or pass it on
   DAD_TAKE  the callee takes the argument over, on success and on failure
   DAD_KEEP  the argument stays the caller's

   What is not marked lives in an arena, or belongs to LLVM. */
#ifndef DAD_OWNERSHIP_H
#define DAD_OWNERSHIP_H

#define DAD_GIVE __attribute__((warn_unused_result))
#define DAD_TAKE
#define DAD_KEEP

#endif
