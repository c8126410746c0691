/* rotate.c: the header is copied into a guard before the loop, and then stands at the loop's end.

   Values of the header that are used elsewhere have two definitions afterwards. They go through
   stack slots, which are made registers again when all loops have been rotated. */
#include "rotate.h"

#include "../base/ir.h"
#include "../base/map.h"
#include "../base/vec.h"
#include "../bridge_llvm.h"

/* Longer headers are not worth a copy. */
enum { LONGEST_HEADER = 24 };

struct rotation {
  struct dad_context *ctx;
  struct dad_arena *arena;
  LLVMValueRef function;
  struct dad_bridge_loop *loop; /* all loops, outer before inner */
  struct dad_map loop_of;       /* block to number of its innermost loop + 1 */
  struct dad_vec slots;         /* allocas to be made registers */
};

/* The innermost loop of "b", -1 for none. */
static int loop_of(const struct rotation *r, LLVMBasicBlockRef b) {
  return (int)dad_map_int(&r->loop_of, b) - 1;
}

static bool is_inside(const struct rotation *r, LLVMBasicBlockRef b, int l) {
  int k = loop_of(r, b);
  while (k > l)
    k = r->loop[k].parent;
  return k == l;
}

/* ---- which loops */

/* May "i" stand in two places? */
static bool may_copy(LLVMValueRef i) {
  return !dad_is_call(i) && !LLVMIsAAllocaInst(i) &&
         LLVMGetTypeKind(LLVMTypeOf(i)) != LLVMTokenTypeKind;
}

/* Does control leave the loop "l" from "b"? */
static bool leaves(const struct rotation *r, LLVMBasicBlockRef b, int l) {
  LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
  for (unsigned k = 0; k < LLVMGetNumSuccessors(end); k++)
    if (!is_inside(r, LLVMGetSuccessor(end, k), l))
      return true;
  return false;
}

/* Is "header" short, and does it either leave the loop "l" or go on in another block? */
static bool is_test(const struct rotation *r, LLVMBasicBlockRef header, int l) {
  LLVMValueRef end = LLVMGetBasicBlockTerminator(header);
  unsigned n = 0;
  DAD_FOR_INSTRUCTIONS(i, header)
  if (!may_copy(i) || ++n > LONGEST_HEADER)
    return false;
  if (!LLVMIsABranchInst(end) || LLVMGetNumSuccessors(end) != 2)
    return false;
  bool first = is_inside(r, LLVMGetSuccessor(end, 0), l),
       second = is_inside(r, LLVMGetSuccessor(end, 1), l);
  return first != second && LLVMGetSuccessor(end, first ? 0 : 1) != header;
}

/* ---- slots */

/* A slot for values of the type of "v". */
static LLVMValueRef new_slot(struct rotation *r, LLVMValueRef v) {
  LLVMPositionBuilderBefore(r->ctx->builder,
                            LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(r->function)));
  LLVMValueRef slot = LLVMBuildAlloca(r->ctx->builder, LLVMTypeOf(v), "rotate");
  dad_vec_push(&r->slots, slot);
  return slot;
}

/* "b" ends with a store of "v" to "slot". */
static void store_at_end(struct rotation *r, LLVMBasicBlockRef b, LLVMValueRef v,
                         LLVMValueRef slot) {
  dad_build_at_end(r->ctx, b);
  LLVMBuildStore(r->ctx->builder, v, slot);
}

/* The phi "p" of a header becomes a load of what its predecessors have stored. */
static void demote_phi(struct rotation *r, LLVMValueRef p) {
  LLVMValueRef slot = new_slot(r, p);
  for (unsigned k = 0; k < LLVMCountIncoming(p); k++)
    store_at_end(r, LLVMGetIncomingBlock(p, k), LLVMGetIncomingValue(p, k), slot);
  dad_build_after_phis(r->ctx, LLVMGetInstructionParent(p));
  LLVMValueRef load = LLVMBuildLoad2(r->ctx->builder, LLVMTypeOf(p), slot, "");
  LLVMReplaceAllUsesWith(p, load);
  LLVMInstructionEraseFromParent(p);
}

/* Is the operand "k" of "user" read in "header"? Operands of phis are read at the end of the block
 * that they come from. */
static bool reads_in(LLVMValueRef user, unsigned k, LLVMBasicBlockRef header) {
  if (LLVMIsAPHINode(user))
    return LLVMGetIncomingBlock(user, k) == header;
  return LLVMGetInstructionParent(user) == header;
}

/* The operands of "user" that are "v" and read outside "header" are loaded from "slot". */
static void load_operands(struct rotation *r, LLVMValueRef user, LLVMValueRef v,
                          LLVMBasicBlockRef header, LLVMValueRef slot) {
  LLVMBuilderRef b = r->ctx->builder;
  for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(user); k++) {
    if (LLVMGetOperand(user, k) != v || reads_in(user, k, header))
      continue;
    if (LLVMIsAPHINode(user))
      dad_build_at_end(r->ctx, LLVMGetIncomingBlock(user, k));
    else
      LLVMPositionBuilderBefore(b, user);
    LLVMSetOperand(user, k, LLVMBuildLoad2(b, LLVMTypeOf(v), slot, ""));
  }
}

/* Uses of "v" outside its block "header" read it from a slot. */
static void demote_uses(struct rotation *r, LLVMValueRef v, LLVMBasicBlockRef header) {
  struct dad_vec users = DAD_VEC(r->arena);
  DAD_FOR_USERS(user, v)
  if (LLVMIsAPHINode(user) || LLVMGetInstructionParent(user) != header)
    dad_vec_push(&users, user);
  LLVMValueRef slot = NULL;
  for (unsigned k = 0; k < users.n; k++) {
    if (!slot)
      slot = new_slot(r, v);
    load_operands(r, users.at[k], v, header, slot);
  }
  if (!slot)
    return;
  dad_build_after(r->ctx, v);
  LLVMBuildStore(r->ctx->builder, v, slot);
}

/* ---- the rotation */

/* Phis of the successors of "header" take the same values from "guard" as from "header", through
 * "copies". */
static void extend_phis(LLVMBasicBlockRef successor, LLVMBasicBlockRef header,
                        LLVMBasicBlockRef guard, const struct dad_map *copies) {
  for (LLVMValueRef p = LLVMGetFirstInstruction(successor); LLVMIsAPHINode(p);
       p = LLVMGetNextInstruction(p)) {
    LLVMValueRef from = NULL;
    for (unsigned k = 0; k < LLVMCountIncoming(p) && !from; k++)
      if (LLVMGetIncomingBlock(p, k) == header)
        from = LLVMGetIncomingValue(p, k);
    LLVMValueRef copy = dad_map_get(copies, from);
    LLVMAddIncoming(p, copy ? &copy : &from, &guard, 1);
  }
}

/* A copy of "header", which has no phis, in a new block. */
static LLVMBasicBlockRef copy_header(struct rotation *r, LLVMBasicBlockRef header) {
  struct dad_map copies = DAD_MAP(r->arena);
  LLVMBasicBlockRef guard = LLVMInsertBasicBlockInContext(r->ctx->llvm, header, "guard");
  LLVMPositionBuilderAtEnd(r->ctx->builder, guard);
  DAD_FOR_INSTRUCTIONS(i, header) {
    LLVMValueRef copy = LLVMInstructionClone(i);
    for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(i); k++)
      if (dad_map_has(&copies, LLVMGetOperand(i, k)))
        LLVMSetOperand(copy, k, dad_map_get(&copies, LLVMGetOperand(i, k)));
    LLVMInsertIntoBuilder(r->ctx->builder, copy);
    dad_map_set(&copies, i, copy);
  }
  LLVMValueRef end = LLVMGetBasicBlockTerminator(header);
  for (unsigned k = 0; k < LLVMGetNumSuccessors(end); k++)
    extend_phis(LLVMGetSuccessor(end, k), header, guard, &copies);
  return guard;
}

/* What is said about the loop stands at the branch that closes it. */
static void move_loop_metadata(struct rotation *r, LLVMBasicBlockRef latch,
                               LLVMBasicBlockRef header) {
  unsigned kind = LLVMGetMDKindIDInContext(r->ctx->llvm, "llvm.loop", 9);
  LLVMValueRef said = LLVMGetMetadata(LLVMGetBasicBlockTerminator(latch), kind);
  if (said)
    LLVMSetMetadata(LLVMGetBasicBlockTerminator(header), kind, said);
}

/* "preheader" enters the loop "l" through a copy of "header", which from then on is passed only
 * from "latch". */
static void rotate(struct rotation *r, int l, LLVMBasicBlockRef preheader, LLVMBasicBlockRef header,
                   LLVMBasicBlockRef latch) {
  while (LLVMIsAPHINode(LLVMGetFirstInstruction(header)))
    demote_phi(r, LLVMGetFirstInstruction(header));
  for (LLVMValueRef i = LLVMGetFirstInstruction(header), next; i; i = next) {
    next = LLVMGetNextInstruction(i);
    demote_uses(r, i, header);
  }
  LLVMBasicBlockRef guard = copy_header(r, header);
  LLVMValueRef entry = LLVMGetBasicBlockTerminator(preheader);
  LLVMSetSuccessor(entry, 0, guard);
  move_loop_metadata(r, latch, header);
  dad_map_set_int(&r->loop_of, guard, r->loop[l].parent + 1);
}

/* Finds the loops of the function and rotates them, inner ones first. */
static void rotate_all(struct rotation *r, int n) {
  LLVMBasicBlockRef *block = DAD_ARRAY(r->arena, LLVMBasicBlockRef, n);
  int *loop = DAD_ARRAY(r->arena, int, n), *unused = DAD_ARRAY(r->arena, int, n);
  LLVMGetBasicBlocks(r->function, block);
  r->loop = DAD_ARRAY(r->arena, struct dad_bridge_loop, n);
  int n_loops = dad_bridge_shape(r->function, block, n, loop, unused, unused, r->loop);
  for (int b = 0; b < n; b++)
    dad_map_set_int(&r->loop_of, block[b], loop[b] + 1);
  for (int l = n_loops - 1; l >= 0; l--) {
    const struct dad_bridge_loop *at = &r->loop[l];
    if (at->latch < 0 || at->preheader < 0 || at->latch == at->header)
      continue;
    if (is_test(r, block[at->header], l) && !leaves(r, block[at->latch], l))
      rotate(r, l, block[at->preheader], block[at->header], block[at->latch]);
  }
}

void dad_rotate_loops(struct dad_context *ctx, LLVMValueRef function) {
  struct dad_arena *arena = dad_arena_create();
  struct rotation r = {ctx, arena, function, NULL, DAD_MAP(arena), DAD_VEC(arena)};
  rotate_all(&r, (int)LLVMCountBasicBlocks(function));
  dad_bridge_promote((const LLVMValueRef *)r.slots.at, r.slots.n);
  dad_arena_free(arena);
}
