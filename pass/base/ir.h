/* ir.h: small helpers over the LLVM-C API that every part of the compiler half uses. */
#ifndef DAD_IR_H
#define DAD_IR_H

#include "../driver/context.h"

#include <stdint.h>

/* Walks over the blocks of a function and the instructions of a block; do not remove "i" inside. */
#define DAD_FOR_BLOCKS(block, function)                                                            \
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;                          \
       block = LLVMGetNextBasicBlock(block))
#define DAD_FOR_INSTRUCTIONS(i, block)                                                             \
  for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
#define DAD_FOR_USERS(user, value)                                                                 \
  for (LLVMUseRef user##_use = LLVMGetFirstUse(value); user##_use;                                 \
       user##_use = LLVMGetNextUse(user##_use))                                                    \
    for (LLVMValueRef user = LLVMGetUser(user##_use); user; user = NULL)

/* The name of "v"; "" where it has none. */
const char *dad_name(LLVMValueRef v);
/* The name of the function that "call" calls directly; "" for calls through pointers. */
const char *dad_callee_name(LLVMValueRef call);
/* The function that "call" calls directly, or NULL. */
LLVMValueRef dad_callee(LLVMValueRef call);
/* Does "i" call something (call, not invoke: invokes are lowered before)? */
bool dad_is_call(LLVMValueRef i);
/* Is "v" a constant expression of opcode "op"? */
bool dad_is_constant_expr(LLVMValueRef v, LLVMOpcode op);
/* A null, undefined, poison or numeric constant: no address, nothing that could have a shadow. */
bool dad_is_plain_constant(LLVMValueRef v);

/* Bytes from one element of an array of "type" to the next; bytes that a store of "type" writes. */
uint64_t dad_size_of(struct dad_context *ctx, LLVMTypeRef type);
uint64_t dad_store_size(struct dad_context *ctx, LLVMTypeRef type);
/* Does "type" have a size at all (not void, labels, functions, opaque structs, scalable vectors)? */
bool dad_is_sized(LLVMTypeRef type);
/* Is "type" a vector whose length the machine decides, or does it hold one? */
bool dad_is_scalable(LLVMTypeRef type);
/* Kinds of scalars that occur in "type": a union of enum dad_kind. */
unsigned dad_kinds_of(LLVMTypeRef type);
bool dad_has_pointer(LLVMTypeRef type);
bool dad_has_float(LLVMTypeRef type);
bool dad_is_integer(LLVMTypeRef type, unsigned bits);

/* What a scalar in memory can be. The values are those of the runtime's layout descriptors. */
enum dad_kind {
  DAD_F32 = 1,
  DAD_F64 = 2,
  DAD_F80 = 4,
  DAD_PTR = 8,
  DAD_FP = DAD_F32 | DAD_F64 | DAD_F80,
  DAD_EITHER = DAD_F64 | DAD_PTR /* one of them at one time, the other at another */
};

/* An i64 constant. */
LLVMValueRef dad_i64(struct dad_context *ctx, uint64_t x);
/* "v" as an i64 at the builder's position (integers are zero-extended). */
LLVMValueRef dad_as_i64(struct dad_context *ctx, LLVMValueRef v);
/* The number of an enum attribute such as "noalias". */
unsigned dad_attribute(const char *name);
/* Lets the floating-point operation "v" (if it is one) be fused with others and ignore signs of zeros: the rounding of derivatives is
   fixed by no source. Returns "v". */
LLVMValueRef dad_free_rounding(LLVMValueRef v);
/* Lets the sum "v" be taken in another order: for sums of adjoints, whose order no program says. Returns it. */
LLVMValueRef dad_free_order(LLVMValueRef v);
/* "v" with its bits as a "type" of the same size, at the builder's position; "v" itself if it has that type. */
LLVMValueRef dad_as_bits(struct dad_context *ctx, LLVMValueRef v, LLVMTypeRef type);
/* Takes "i" out of its block for good. It is deleted with the context. */
void dad_detach(struct dad_context *ctx, LLVMValueRef i);
/* Positions the builder before the first instruction of "block" that is no phi. */
void dad_build_after_phis(struct dad_context *ctx, LLVMBasicBlockRef block);
/* Positions the builder right after "i" (after all phis of its block if "i" is one). */
void dad_build_after(struct dad_context *ctx, LLVMValueRef i);
/* Positions the builder before the terminator of "block". */
void dad_build_at_end(struct dad_context *ctx, LLVMBasicBlockRef block);
/* An alloca of "type" at the start of "function"; the builder keeps its position at the end of its block. */
LLVMValueRef dad_entry_alloca(struct dad_context *ctx, LLVMValueRef function, LLVMTypeRef type);
/* The declaration of "name" with type "type" in the module. */
LLVMValueRef dad_declare(struct dad_context *ctx, const char *name, LLVMTypeRef type);
/* Calls the intrinsic "name" (such as "llvm.sqrt") overloaded on "types". */
LLVMValueRef dad_call_intrinsic(struct dad_context *ctx, const char *name, LLVMTypeRef *types,
                                unsigned n_types, LLVMValueRef *args, unsigned n_args);
/* Runs the passes "pipeline" over "function"; false after a reported error. */
bool dad_run_passes(struct dad_context *ctx, LLVMValueRef function, const char *pipeline);
/* The same for the whole module. */
bool dad_run_module_passes(struct dad_context *ctx, const char *pipeline);

#endif
