/* demote.c: floating-point phis to variables. */
#include "demote.h"

#include "../base/ir.h"

/* The phis of a function, and which of them share a variable. */
struct phis {
  struct dad_vec all; /* the phis */
  unsigned *group;    /* phi -> number of its variable */
};

/* With more phis than this, none share: finding out is quadratic. */
enum { MOST_SHARING = 300 };

static LLVMValueRef incoming_from(LLVMValueRef phi, LLVMBasicBlockRef block) {
  for (unsigned k = 0; k < LLVMCountIncoming(phi); k++)
    if (LLVMGetIncomingBlock(phi, k) == block)
      return LLVMGetIncomingValue(phi, k);
  return NULL;
}

/* Can "a" and "b" not be in one variable? They stand in one block, or some block sends them
 * different values. */
static bool clash(LLVMValueRef a, LLVMValueRef b) {
  if (LLVMGetInstructionParent(a) == LLVMGetInstructionParent(b) || LLVMTypeOf(a) != LLVMTypeOf(b))
    return true;
  for (unsigned k = 0; k < LLVMCountIncoming(a); k++) {
    LLVMValueRef other = incoming_from(b, LLVMGetIncomingBlock(a, k));
    if (other && other != LLVMGetIncomingValue(a, k))
      return true;
  }
  return false;
}

static bool receives(LLVMValueRef phi, LLVMValueRef value) {
  for (unsigned k = 0; k < LLVMCountIncoming(phi); k++)
    if (LLVMGetIncomingValue(phi, k) == value)
      return true;
  return false;
}

/* Does one of "a" and "b" receive the other, or do both receive one computed value? */
static bool related(LLVMValueRef a, LLVMValueRef b) {
  if (receives(a, b) || receives(b, a))
    return true;
  for (unsigned k = 0; k < LLVMCountIncoming(a); k++) {
    LLVMValueRef v = LLVMGetIncomingValue(a, k);
    if (LLVMIsAInstruction(v) && receives(b, v))
      return true;
  }
  return false;
}

/* Puts the group of phi "i" into that of phi "j" unless two of their members clash. */
static void unite(struct phis *phis, unsigned i, unsigned j) {
  unsigned from = phis->group[i], to = phis->group[j];
  for (unsigned x = 0; x < phis->all.n; x++)
    for (unsigned y = 0; y < phis->all.n; y++)
      if (phis->group[x] == from && phis->group[y] == to && clash(phis->all.at[x], phis->all.at[y]))
        return;
  for (unsigned x = 0; x < phis->all.n; x++)
    if (phis->group[x] == from)
      phis->group[x] = to;
}

static void find_groups(struct dad_arena *arena, struct phis *phis) {
  phis->group = DAD_ARRAY(arena, unsigned, phis->all.n + 1);
  for (unsigned i = 0; i < phis->all.n; i++)
    phis->group[i] = i;
  for (unsigned i = 0; i < phis->all.n && phis->all.n <= MOST_SHARING; i++)
    for (unsigned j = 0; j < i; j++)
      if (phis->group[i] != phis->group[j] && related(phis->all.at[i], phis->all.at[j]))
        unite(phis, i, j);
}

/* Stores what "phi" receives at the end of each block that sends it something; once for all that
 * share "variable". */
static void store_incoming(struct dad_context *ctx, LLVMValueRef phi, LLVMValueRef variable,
                           struct dad_map *stored) {
  for (unsigned k = 0; k < LLVMCountIncoming(phi); k++) {
    LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, k);
    if (dad_map_get(stored, from) == variable)
      continue;
    dad_map_set(stored, from, variable);
    dad_build_at_end(ctx, from);
    LLVMBuildStore(ctx->builder, LLVMGetIncomingValue(phi, k), variable);
  }
}

void dad_demote_phis(struct dad_context *ctx, struct dad_arena *arena, LLVMValueRef function) {
  struct phis phis = {.all = DAD_VEC(arena)};
  DAD_FOR_BLOCKS(block, function)
  DAD_FOR_INSTRUCTIONS(i, block)
  if (LLVMIsAPHINode(i) && dad_has_float(LLVMTypeOf(i)))
    dad_vec_push(&phis.all, i);
  find_groups(arena, &phis);
  LLVMValueRef *variable = DAD_ARRAY(arena, LLVMValueRef, phis.all.n + 1);
  for (unsigned g = 0; g < phis.all.n;
       g++) { /* group by group, so that one map says what is stored */
    struct dad_map stored = DAD_MAP(arena);
    for (unsigned i = 0; i < phis.all.n; i++) {
      if (phis.group[i] != g)
        continue;
      if (!variable[g])
        variable[g] = dad_entry_alloca(ctx, function, LLVMTypeOf(phis.all.at[i]));
      store_incoming(ctx, phis.all.at[i], variable[g], &stored);
    }
  }
  for (unsigned i = 0; i < phis.all.n; i++) {
    LLVMValueRef phi = phis.all.at[i];
    dad_build_after_phis(ctx, LLVMGetInstructionParent(phi));
    LLVMReplaceAllUsesWith(
        phi, LLVMBuildLoad2(ctx->builder, LLVMTypeOf(phi), variable[phis.group[i]], ""));
  }
  for (unsigned i = 0; i < phis.all.n; i++)
    LLVMInstructionEraseFromParent(phis.all.at[i]);
}
