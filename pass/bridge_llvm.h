/* bridge_llvm.h: what the LLVM-C API of LLVM 22 lacks and the compiler half needs. Differences between LLVM versions stay behind it. */
#ifndef DAD_BRIDGE_LLVM_H
#define DAD_BRIDGE_LLVM_H

#include "driver/diag.h"

#include <llvm-c/Core.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Runs the differentiator over "module" (driver/module.c); true if the module changed. */
bool dad_run_on_module(LLVMModuleRef module);

/* Hands "text" to LLVM's diagnostics at "where" (an instruction, a function, or NULL for all of "module"). "name" is the message's identifier. */
void dad_bridge_diagnose(LLVMModuleRef module, enum dad_severity severity, const char *name,
                         LLVMValueRef where, const char *text);

/* Does somebody listen to remarks about what was missed, or to those of the analysis? */
bool dad_bridge_remarks_wanted(LLVMModuleRef module);

/* A copy of "function", internal to the module, called "name". */
LLVMValueRef dad_bridge_clone(LLVMValueRef function, const char *name);

/* Does "f" load integers narrower than any number only to store them elsewhere? */
bool dad_bridge_moves_bytes(LLVMValueRef f);
/* Inlines into "function" (a copy of "original"): calls of bodies of at most "small" instructions always, larger ones while
   "function" stays below "budget". Recursive functions, functions marked noinline or with the string attribute "dacead-keep" stay
   calls. Returns how many instructions that added, or 0. */
unsigned dad_bridge_inline(LLVMValueRef function, LLVMValueRef original, unsigned small,
                           unsigned budget);

/* Makes a call of the invoke "invoke" and returns it; the way to its landing pad is cut. */
LLVMValueRef dad_bridge_invoke_to_call(LLVMValueRef invoke);

/* The shape of a function whose blocks are blocks[0..n). All results are indices into "blocks" or numbers of loops; -1 for none. */
struct dad_bridge_loop {
  int parent, header, latch, preheader;
};
/* Fills the innermost loop, the immediate dominator and the immediate post-dominator of every block, and at most "n" loops in
   preorder. Returns the number of loops. */
int dad_bridge_shape(LLVMValueRef function, const LLVMBasicBlockRef *blocks, int n, int *loop_of,
                     int *dominator, int *post_dominator, struct dad_bridge_loop *loops);

/* The number of loops of "function". */
unsigned dad_bridge_count_loops(LLVMValueRef function);

/* Back-edge counts (i64) of the loops with the given headers, expanded in their preheaders; NULL where the count is not known
   exactly or the loop has several exits. */
void dad_bridge_trip_counts(LLVMValueRef function, const LLVMBasicBlockRef *headers, int n,
                            LLVMValueRef *counts);

/* Alias queries on "function", which must not change while they are open. */
struct dad_bridge_alias;
struct dad_bridge_alias *dad_bridge_alias_open(LLVMValueRef function);
/* May "writer", run in this or any other iteration, change what "load" reads? Types and scopes are not trusted. */
bool dad_bridge_alias_clobbers(struct dad_bridge_alias *alias, LLVMValueRef writer,
                               LLVMValueRef load);
/* May "writer", run in any iteration of the loops around it, change the very bytes that "load" reads? The address of "load" is the
   same in all of them. */
bool dad_bridge_alias_writes(struct dad_bridge_alias *alias, LLVMValueRef writer, LLVMValueRef load);
void dad_bridge_alias_close(struct dad_bridge_alias *alias);

/* How many bytes lie between the addresses of each of the "n" "stores" in one iteration of its innermost loop and the next; 0 where
   that varies or is nothing. */
void dad_bridge_steps(LLVMValueRef function, const LLVMValueRef *stores, unsigned n, int64_t *steps);

/* Copies function attributes that ask for a treatment (sanitizers, strictfp, uwtable, target features), none that states a fact. */
void dad_bridge_copy_treatment(LLVMValueRef from, LLVMValueRef to);
/* Gives "function" a line table entry at the place of "like", so that debuggers and inlining accept it. */
void dad_bridge_debug_scope(LLVMValueRef function, LLVMValueRef like);
/* Makes SSA values of the "n" allocas, which are loaded and stored whole only. Costs in proportion to the blocks in which each is live,
   where the usual promotion costs the blocks that a store dominates. */
void dad_bridge_promote(const LLVMValueRef *allocas, unsigned n);

/* Adds the lists of alias scopes "in" and "not_in" (either may be NULL) to those of "access". */
void dad_bridge_add_scopes(LLVMValueRef access, LLVMMetadataRef in, LLVMMetadataRef not_in);
/* "FILE:LINE" of an instruction in a static buffer of "size" bytes; "" where it has no location. */
void dad_bridge_place(LLVMValueRef instruction, char *buffer, unsigned size);

#ifdef __cplusplus
}
#endif
#endif
