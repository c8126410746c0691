/* augment.c: all calls are replaced before any shadow is built, and all shadows of calls filled before other instructions are looked at. */
#include "augment.h"

#include "../analysis/memory.h"
#include "../base/abi_call.h"
#include "../rules/libcall.h"
#include "call.h"
#include "shadow.h"

/* ---- moving in */

static void bind_parameters(struct dad_unit *u) {
  struct dad_request *req = u->req;
  unsigned at = 0;
  u->params = DAD_ARRAY(req->arena, LLVMValueRef, u->n_params + 1);
  u->twins = DAD_ARRAY(req->arena, LLVMValueRef, u->n_params + 1);
  for (unsigned k = 0; k < u->n_params; k++) {
    LLVMValueRef p = LLVMGetParam(u->primal, k), q = LLVMGetParam(u->forward, at++);
    dad_memory_inherit(req, p, q);
    LLVMReplaceAllUsesWith(p, q);
    u->params[k] = q;
    if (!dad_unit_twin_type(req, p))
      continue;
    u->twins[k] = LLVMGetParam(u->forward, at++);
    bool constant = u == req->root && req->args[k].activity == DAD_CONST && dad_has_pointer(LLVMTypeOf(p));
    dad_map_set(&u->shadow, q, constant ? q : u->twins[k]); /* constant memory is its own shadow */
    dad_map_set(&u->shadowed, u->twins[k], q);
  }
}

static void move_blocks(struct dad_unit *u) {
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(u->primal), next; b; b = next) {
    next = LLVMGetNextBasicBlock(b);
    LLVMRemoveBasicBlockFromParent(b);
    LLVMAppendExistingBasicBlock(u->forward, b);
  }
}

static struct dad_vec all_instructions(struct dad_unit *u) {
  struct dad_vec all = DAD_VEC(u->req->arena);
  DAD_FOR_BLOCKS(block, u->forward)
    DAD_FOR_INSTRUCTIONS(i, block)
      dad_vec_push(&all, i);
  return all;
}

/* realloc becomes a function of the runtime that keeps the old block until the reverse sweep is past it. */
static void replace_realloc(struct dad_unit *u, LLVMValueRef i) {
  struct dad_request *req = u->req;
  LLVMPositionBuilderBefore(req->ctx->builder, i);
  LLVMValueRef bytes = dad_call_bytes(req, i);
  LLVMValueRef r = dad_runtime_call(req->ctx, DAD_RT_realloc, LLVMGetOperand(i, 0), bytes);
  dad_memory_inherit(req, i, r);
  LLVMReplaceAllUsesWith(i, r);
  dad_detach(req->ctx, i);
}

void dad_augment_move(struct dad_unit *u) {
  struct dad_request *req = u->req;
  bind_parameters(u);
  move_blocks(u);
  struct dad_vec all = all_instructions(u);
  for (unsigned k = 0; k < all.n; k++) {
    LLVMValueRef i = all.at[k];
    if (!dad_is_call(i))
      continue;
    if (dad_call_is_augmented(req, i))
      dad_call_augment(u, i);
    else if (req->mode != DAD_FORWARD && dad_call_kind(req, i) == DAD_CALL_REALLOC && !dad_inert(req, i))
      replace_realloc(u, i);
  }
}

/* ---- what keeps shadow memory in step */

bool dad_augment_takes_along(struct dad_request *req, LLVMValueRef i) {
  LLVMValueRef v = LLVMGetOperand(i, 0), p = LLVMGetOperand(i, 1);
  if (dad_inert(req, p))
    return false;
  return dad_has_shadow(req, v) || (dad_has_pointer(LLVMTypeOf(v)) && LLVMIsConstant(v));
}

/* A pointer that is stored takes its shadow along. */
static void augment_store(struct dad_unit *u, LLVMValueRef i) {
  struct dad_request *req = u->req;
  LLVMValueRef v = LLVMGetOperand(i, 0), p = LLVMGetOperand(i, 1);
  if (!dad_augment_takes_along(req, i))
    return;
  LLVMValueRef s = dad_shadow_of(u, v), q = dad_shadow_of(u, p);
  dad_build_after(req->ctx, i);
  LLVMValueRef store = LLVMBuildStore(req->ctx->builder, s, q);
  LLVMSetAlignment(store, dad_shadow_alignment(i));
  dad_shadow_scope(u, p, store);
}

/* The reverse sweep needs the block: its free waits. Blocks without derivatives wait only where both sweeps share a function. */
static void augment_free(struct dad_unit *u, LLVMValueRef i) {
  struct dad_request *req = u->req;
  struct dad_context *ctx = req->ctx;
  LLVMValueRef p = LLVMGetOperand(i, 0), f = LLVMGetCalledValue(i);
  if (dad_inert(req, p) && !u->combined)
    return;
  LLVMPositionBuilderBefore(ctx->builder, i);
  switch (LLVMGetNumArgOperands(i)) {
  case 1: dad_runtime_call(ctx, DAD_RT_free_later, p, f); break;
  case 2: dad_runtime_call(ctx, DAD_RT_free_later_sized, p, f, LLVMGetOperand(i, 1)); break;
  default:
    dad_runtime_call(ctx, DAD_RT_free_later_sized_aligned, p, f, LLVMGetOperand(i, 1), LLVMGetOperand(i, 2));
  }
  dad_detach(ctx, i);
}

/* memcpy, memmove and memset on memory that holds pointers: the shadow pointers do the same. */
static void augment_memory(struct dad_unit *u, LLVMValueRef i, bool set) {
  struct dad_request *req = u->req;
  struct dad_context *ctx = req->ctx;
  LLVMValueRef to = LLVMGetOperand(i, 0), source = LLVMGetOperand(i, 1);
  uint64_t known = dad_call_known_bytes(i);
  if (dad_inert(req, to) || !(dad_kinds_at(req, to, known) & DAD_PTR))
    return;
  LLVMValueRef q = dad_shadow_of(u, to), s = set ? NULL : dad_shadow_of(u, source), layout = dad_layout(req, i, to, known);
  dad_build_after(ctx, i);
  LLVMValueRef bytes = dad_call_bytes(req, i);
  if (set)
    dad_runtime_call(ctx, DAD_RT_set_pointers, q, source, bytes, layout);
  else
    dad_runtime_call(ctx, DAD_RT_copy_pointers, q, s, bytes, layout);
}

static void augment_realloc(struct dad_unit *u, LLVMValueRef i) {
  struct dad_request *req = u->req;
  if (!(dad_kinds_at(req, i, DAD_UNKNOWN_BYTES) & DAD_PTR))
    return;
  LLVMValueRef s = dad_shadow_of(u, i), old = dad_shadow_of(u, LLVMGetOperand(i, 0));
  dad_build_after(req->ctx, s);
  dad_runtime_call(req->ctx, DAD_RT_realloc_pointers, s, old, LLVMGetOperand(i, 1),
                   dad_layout(req, i, i, DAD_UNKNOWN_BYTES));
}

static void augment_call(struct dad_unit *u, LLVMValueRef i) {
  if (dad_map_has(&u->call_of, i))
    return;
  if (dad_runtime_called(i) == DAD_RT_realloc) {
    augment_realloc(u, i);
    return;
  }
  switch (dad_call_kind(u->req, i)) {
  case DAD_CALL_COPY: augment_memory(u, i, false); break;
  case DAD_CALL_SET: augment_memory(u, i, true); break;
  case DAD_CALL_FREE: augment_free(u, i); break;
  default: break;
  }
}

void dad_augment(struct dad_unit *u) {
  dad_augment_move(u);
  struct dad_vec all = all_instructions(u);
  for (unsigned k = 0; k < u->calls.n; k++)
    dad_call_fill(u, u->calls.at[k]);
  for (unsigned k = 0; k < all.n; k++) {
    if (LLVMIsAStoreInst(all.at[k]))
      augment_store(u, all.at[k]);
    else if (dad_is_call(all.at[k]))
      augment_call(u, all.at[k]);
  }
}
