/* registry.h: what the user registered through global arrays and attributes: custom derivatives, inactive functions, names of known
   functions, allocators. Both spellings (__dacead_ and __enzyme_) are read. */
#ifndef DAD_REGISTRY_H
#define DAD_REGISTRY_H

#include "../rules/libcall.h"

/* What is registered for one function (or global variable). */
struct dad_registration {
  bool inactive;             /* has no derivative and touches nothing active */
  const char *like;          /* behaves like this known function, or NULL */
  LLVMValueRef augmented;    /* custom reverse: called in the forward sweep ... */
  LLVMValueRef gradient;     /* ... and in the reverse sweep; both or neither */
  LLVMValueRef derivative;   /* custom forward */
  LLVMValueRef release;      /* an allocator: the function that frees what it returns */
  int size_operand;          /* an allocator: which operand is the size in bytes */
  bool releases;             /* the deallocator of a registered allocator */
};

/* Reads all registrations of the module into ctx->registered and marks registered functions so that they are not inlined. */
void dad_registry_read(struct dad_context *ctx);
/* Takes the marks off again. */
void dad_registry_close(struct dad_context *ctx);
/* What is registered for "function", or NULL. */
const struct dad_registration *dad_registered(const struct dad_context *ctx, LLVMValueRef function);
/* Has the user said that the global variable "global" holds nothing active? */
bool dad_is_inactive_global(const struct dad_context *ctx, LLVMValueRef global);
/* The kind of call that a registration makes of "function"; DAD_CALL_UNKNOWN without one. */
enum dad_call_kind dad_registered_kind(struct dad_context *ctx, LLVMValueRef function);

#endif
