/* increment.c: stores that add to what is in memory, as in "sum[i] += x".

   The adjoint of such a store reads the shadow cell, sets it to zero, and then the adjoint of the
   load of the old value adds the same number to it again: the cell ends as it began. So only the
   read is built. That is not just fewer instructions: a loop that only reads and adds to shadow
   memory can be vectorised, and its cells can live in registers. */
#include "reload.h"

#include <string.h>

enum { MAX_TERMS = 16 };

/* The operand of "sum" whose adjoint is that of "sum" itself, looked for in the position "k"; NULL
 * if there is none. */
static LLVMValueRef addend(LLVMValueRef sum, unsigned k) {
  switch (LLVMGetInstructionOpcode(sum)) {
  case LLVMFAdd: return k < 2 ? LLVMGetOperand(sum, k) : NULL;
  case LLVMFSub:
  case LLVMFPExt:
  case LLVMFPTrunc: return k == 0 ? LLVMGetOperand(sum, 0) : NULL;
  case LLVMCall: {
    const char *name = dad_callee_name(sum);
    bool fused = !strncmp(name, "llvm.fmuladd.", 13) || !strncmp(name, "llvm.fma.", 9);
    return fused && k == 0 ? LLVMGetOperand(sum, 2) : NULL;
  }
  default: return NULL;
  }
}

/* Is "v" a value of block "b" that is used once? */
static bool is_single(LLVMValueRef v, LLVMBasicBlockRef b) {
  LLVMUseRef use = LLVMIsAInstruction(v) ? LLVMGetFirstUse(v) : NULL;
  return use && !LLVMGetNextUse(use) && LLVMGetInstructionParent(v) == b;
}

/* Is "v" a plain load of a number from "p"? */
static bool is_load_of(LLVMValueRef v, LLVMValueRef p) {
  return LLVMIsALoadInst(v) && LLVMGetOperand(v, 0) == p && !LLVMGetVolatile(v) &&
         LLVMGetOrdering(v) == LLVMAtomicOrderingNotAtomic;
}

/* The load from "p" that is a term of "v", at most "terms" sums down; all sums on the way are used
 * once, in block "b". */
static LLVMValueRef find_term(LLVMValueRef v, LLVMValueRef p, LLVMBasicBlockRef b, unsigned terms) {
  if (!is_single(v, b) || terms == 0)
    return NULL;
  if (is_load_of(v, p))
    return v;
  for (unsigned k = 0; k < 2; k++) {
    LLVMValueRef x = addend(v, k), load = x ? find_term(x, p, b, terms - 1) : NULL;
    if (load)
      return load;
  }
  return NULL;
}

/* May the cells that "store" writes change between "load" and "store", in their block? */
static bool changes_between(struct dad_sweep *s, LLVMValueRef load, LLVMValueRef store) {
  uint64_t bytes = dad_store_size(s->ctx, LLVMTypeOf(load));
  LLVMValueRef p = LLVMGetOperand(store, 1);
  for (LLVMValueRef i = LLVMGetNextInstruction(load); i != store; i = LLVMGetNextInstruction(i)) {
    if (!i)
      return true;
    if (!dad_reload_may_write(s, i))
      continue;
    if (!LLVMIsAStoreInst(i) ||
        dad_may_overlap(s->req, p, bytes, LLVMGetOperand(i, 1),
                        dad_store_size(s->ctx, LLVMTypeOf(LLVMGetOperand(i, 0)))))
      return true;
  }
  return false;
}

void dad_increment_find(struct dad_sweep *s) {
  for (int b = 0; b < s->g.n_blocks; b++)
    DAD_FOR_INSTRUCTIONS(i, s->g.block[b]) {
      if (!LLVMIsAStoreInst(i) || LLVMGetVolatile(i) ||
          LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic)
        continue;
      LLVMValueRef v = LLVMGetOperand(i, 0), p = LLVMGetOperand(i, 1);
      LLVMValueRef load =
          dad_has_float(LLVMTypeOf(v)) ? find_term(v, p, s->g.block[b], MAX_TERMS) : NULL;
      if (!load || LLVMTypeOf(load) != LLVMTypeOf(v) || !dad_active(s->req, v) ||
          !dad_active(s->req, load) || changes_between(s, load, i))
        continue;
      dad_map_set(&s->increment, i, load);
      dad_map_set(&s->increment, load, i);
    }
}
