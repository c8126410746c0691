/* frame.c: the tape. All slots of a loop form the frame of one iteration; the slots of no loop form the function's frame.

   Frames are pushed and popped in line over the thread's {top, end, begin}; chunks never move. The frames of a counted innermost
   loop are reserved at once, one array per slot, so that both sweeps can be vectorised. */
#include "../base/abi_call.h"
#include "scope.h"
#include "sweep.h"

enum { FORWARD, REVERSE };

/* ---- which slots */

/* The size class of a slot: large ones come first, so that everything is aligned without padding. */
static unsigned size_class(struct dad_sweep *s, struct dad_slot *slot) {
  uint64_t bytes = dad_size_of(s->ctx, slot->type);
  return bytes >= 8 ? 0 : bytes >= 4 ? 1 : bytes >= 2 ? 2 : 3;
}

void dad_frame_sort(struct dad_sweep *s) {
  s->frame = DAD_ARRAY(s->arena, struct dad_vec, s->g.n_loops + 1);
  for (int l = 0; l <= s->g.n_loops; l++)
    s->frame[l] = DAD_VEC(s->arena);
  for (unsigned class = 0; class < 4; class++)
    for (unsigned k = 0; k < s->slots.n; k++) {
      struct dad_slot *slot = s->slots.at[k];
      if (slot->loop != DAD_NO_FRAME && size_class(s, slot) == class)
        dad_vec_push(&s->frame[slot->loop + 1], slot);
    }
}

/* The slots of the frame of "loop" (-1: of the function). */
static const struct dad_vec *frame_slots(struct dad_sweep *s, int loop) {
  return &s->frame[loop + 1];
}

static LLVMTypeRef frame_type(struct dad_sweep *s, const struct dad_vec *slots) {
  LLVMTypeRef *types = DAD_ARRAY(s->arena, LLVMTypeRef, slots->n + 1);
  for (unsigned k = 0; k < slots->n; k++)
    types[k] = ((struct dad_slot *)slots->at[k])->type;
  return LLVMStructTypeInContext(s->ctx->llvm, types, slots->n, 0);
}

static uint64_t round_up(uint64_t bytes) {
  return (bytes + DRT_FRAME_ALIGN - 1) / DRT_FRAME_ALIGN * DRT_FRAME_ALIGN;
}

uint64_t dad_frame_bytes(struct dad_sweep *s, int loop) {
  if (loop >= 0 && s->reserved[loop].bytes)
    return s->reserved[loop].bytes;
  const struct dad_vec *slots = frame_slots(s, loop);
  return slots->n ? round_up(dad_size_of(s->ctx, frame_type(s, slots))) : 0;
}

static void mark_frame_access(struct dad_context *ctx, LLVMValueRef access, LLVMTypeRef type) {
  unsigned align = LLVMABIAlignmentOfType(ctx->target, type);
  LLVMSetAlignment(access, align > DRT_FRAME_ALIGN ? DRT_FRAME_ALIGN : align);
  dad_scope_frame(ctx, access);
}

/* ---- push and pop in line */

/* The function dacead.push or dacead.pop(bytes): internal and always inlined, so that no block is split while code is being built. */
static LLVMValueRef tape_function(struct dad_context *ctx, bool push) {
  const char *name = push ? "dacead.push" : "dacead.pop";
  LLVMValueRef f = LLVMGetNamedFunction(ctx->module, name);
  if (f)
    return f;
  LLVMTypeRef type = LLVMFunctionType(ctx->ptr, &ctx->i64, 1, 0), fields;
  f = LLVMAddFunction(ctx->module, name, type);
  LLVMSetLinkage(f, LLVMInternalLinkage);
  dad_unit_mark_generated(ctx, f);
  LLVMAddAttributeAtIndex(f, LLVMAttributeFunctionIndex,
                          LLVMCreateEnumAttribute(ctx->llvm, dad_attribute("alwaysinline"), 0));
  LLVMBuilderRef b = LLVMCreateBuilderInContext(ctx->llvm), kept = ctx->builder;
  LLVMBasicBlockRef entry = LLVMAppendBasicBlockInContext(ctx->llvm, f, "entry");
  LLVMBasicBlockRef fast = LLVMAppendBasicBlockInContext(ctx->llvm, f, "fast");
  LLVMBasicBlockRef slow = LLVMAppendBasicBlockInContext(ctx->llvm, f, "slow");
  LLVMValueRef tape = dad_runtime_tape(ctx, &fields), n = LLVMGetParam(f, 0);
  LLVMPositionBuilderAtEnd(b, entry);
  LLVMValueRef top_at = LLVMBuildStructGEP2(b, fields, tape, DAD_TAPE_top, "");
  LLVMValueRef limit_at = LLVMBuildStructGEP2(b, fields, tape, push ? DAD_TAPE_end : DAD_TAPE_begin, "");
  LLVMValueRef top = LLVMBuildLoad2(b, ctx->ptr, top_at, "top"), limit = LLVMBuildLoad2(b, ctx->ptr, limit_at, "limit");
  LLVMValueRef high = LLVMBuildPtrToInt(b, push ? limit : top, ctx->i64, "");
  LLVMValueRef low = LLVMBuildPtrToInt(b, push ? top : limit, ctx->i64, "");
  LLVMValueRef fits = LLVMBuildICmp(b, LLVMIntUGE, LLVMBuildSub(b, high, low, "room"), n, "");
  LLVMBuildCondBr(b, fits, fast, slow);
  LLVMPositionBuilderAtEnd(b, fast);
  LLVMValueRef by = push ? n : LLVMBuildNeg(b, n, ""), next = LLVMBuildGEP2(b, ctx->i8, top, &by, 1, "next");
  LLVMBuildStore(b, next, top_at);
  LLVMBuildRet(b, push ? top : next);
  ctx->builder = b;
  LLVMPositionBuilderAtEnd(b, slow);
  LLVMBuildRet(b, dad_runtime_call(ctx, push ? DAD_RT_push : DAD_RT_pop, n));
  ctx->builder = kept;
  LLVMDisposeBuilder(b);
  return f;
}

static LLVMValueRef move_tape(struct dad_context *ctx, bool push, LLVMValueRef bytes) {
  LLVMValueRef f = tape_function(ctx, push);
  return LLVMBuildCall2(ctx->builder, LLVMGlobalGetValueType(f), f, &bytes, 1, "");
}

/* With -dacead-account, counts "bytes" for a frame of "kind". */
static void account(struct dad_sweep *s, enum dad_runtime_constant kind, LLVMValueRef bytes) {
  if (dad_options.account)
    dad_runtime_call(s->ctx, DAD_RT_account, LLVMConstInt(s->ctx->i32, (unsigned long long)kind, 0), bytes);
}

/* ---- moving slots */

/* Copies one slot between its place and its address in a frame. */
static void move_slot(struct dad_sweep *s, struct dad_slot *slot, LLVMValueRef address, bool push) {
  LLVMBuilderRef b = s->ctx->builder;
  LLVMValueRef access;
  if (push) {
    access = LLVMBuildStore(b, LLVMBuildLoad2(b, slot->type, slot->forward, ""), address);
  } else {
    access = LLVMBuildLoad2(b, slot->type, address, "");
    LLVMBuildStore(b, access, slot->reverse);
  }
  mark_frame_access(s->ctx, access, slot->type);
}

static void move_reserved(struct dad_sweep *s, struct dad_reserved *r, const struct dad_vec *slots, bool push) {
  LLVMBuilderRef b = s->ctx->builder;
  int side = push ? FORWARD : REVERSE;
  LLVMValueRef base = LLVMBuildLoad2(b, s->ctx->ptr, r->base[side], "");
  LLVMValueRef length = LLVMBuildLoad2(b, s->ctx->i64, r->length[side], "");
  LLVMValueRef at = LLVMBuildLoad2(b, s->ctx->i64, r->at[side], "");
  uint64_t offset = 0;
  for (unsigned k = 0; k < slots->n; k++) {
    struct dad_slot *slot = slots->at[k];
    LLVMValueRef start = LLVMBuildMul(b, length, dad_i64(s->ctx, offset), "");
    LLVMValueRef array = LLVMBuildGEP2(b, s->ctx->i8, base, &start, 1, "");
    move_slot(s, slot, LLVMBuildGEP2(b, slot->type, array, &at, 1, ""), push);
    offset += dad_size_of(s->ctx, slot->type);
  }
}

static void move_frame(struct dad_sweep *s, int loop, bool push) {
  const struct dad_vec *slots = frame_slots(s, loop);
  if (!slots->n)
    return;
  if (loop >= 0 && s->reserved[loop].bytes) {
    move_reserved(s, &s->reserved[loop], slots, push);
    return;
  }
  LLVMTypeRef type = frame_type(s, slots);
  LLVMValueRef bytes = dad_i64(s->ctx, round_up(dad_size_of(s->ctx, type)));
  if (push)
    account(s, loop < 0 ? DRT_FRAME_FUNCTION : DRT_FRAME_LOOP, bytes);
  LLVMValueRef frame = move_tape(s->ctx, push, bytes);
  for (unsigned k = 0; k < slots->n; k++)
    move_slot(s, slots->at[k], LLVMBuildStructGEP2(s->ctx->builder, type, frame, k, ""), push);
}

void dad_frame_push(struct dad_sweep *s, int loop) {
  move_frame(s, loop, true);
}
void dad_frame_pop(struct dad_sweep *s, int loop) {
  move_frame(s, loop, false);
}

/* ---- reserved frames */

void dad_frame_reserve(struct dad_sweep *s, int loop) {
  const struct dad_vec *slots = frame_slots(s, loop);
  for (unsigned k = 0; k < slots->n; k++)
    s->reserved[loop].bytes += dad_size_of(s->ctx, ((struct dad_slot *)slots->at[k])->type);
}

static LLVMValueRef reserved_bytes(struct dad_sweep *s, struct dad_reserved *r, LLVMValueRef length) {
  LLVMBuilderRef b = s->ctx->builder;
  LLVMValueRef bytes = LLVMBuildMul(b, length, dad_i64(s->ctx, r->bytes), "");
  LLVMValueRef up = LLVMBuildAdd(b, bytes, dad_i64(s->ctx, DRT_FRAME_ALIGN - 1), "");
  return LLVMBuildAnd(b, up, dad_i64(s->ctx, ~(uint64_t)(DRT_FRAME_ALIGN - 1)), "");
}

static void enter(struct dad_sweep *s, struct dad_reserved *r, int side, LLVMValueRef back_edges) {
  LLVMBuilderRef b = s->ctx->builder;
  LLVMValueRef length = LLVMBuildAdd(b, back_edges, dad_i64(s->ctx, 1), "");
  LLVMValueRef bytes = reserved_bytes(s, r, length);
  LLVMBuildStore(b, length, r->length[side]);
  if (side == FORWARD)
    account(s, DRT_FRAME_RESERVED, bytes);
  LLVMBuildStore(b, move_tape(s->ctx, side == FORWARD, bytes), r->base[side]);
}

void dad_frame_enter_forward(struct dad_sweep *s, int loop) {
  if (s->reserved[loop].bytes)
    enter(s, &s->reserved[loop], FORWARD, s->g.trip[loop]);
}

/* The block is popped now and read until the loop ends: nothing is pushed meanwhile. */
void dad_frame_enter_reverse(struct dad_sweep *s, int loop) {
  dad_crossing_set_count(s, loop);
  if (s->reserved[loop].bytes)
    enter(s, &s->reserved[loop], REVERSE,
          LLVMBuildLoad2(s->ctx->builder, s->ctx->i64, s->count[loop]->reverse, ""));
}

/* ---- places */

/* A slot of no loop in a combined function crosses as an SSA value. */
static bool crosses_in_function(struct dad_sweep *s, const struct dad_slot *slot) {
  return s->u->combined && slot->loop == -1 && s->last >= 0;
}

/* Is the value there at the end of the forward sweep, whichever way control takes? Then it needs no place. */
static bool is_always_there(struct dad_sweep *s, const struct dad_slot *slot) {
  return slot->value && (slot->home < 0 || dad_graph_dominates(&s->g, slot->home, s->last));
}

/* The first block from "b" up the tree "parent" through which every run passes that returns. */
static int always_run(struct dad_sweep *s, int b, const int *parent) {
  while (b >= 0 && !dad_graph_dominates(&s->g, b, s->last))
    b = parent[b];
  return b;
}

static void store_value(struct dad_sweep *s, const struct dad_slot *slot) {
  LLVMBuilderRef b = s->ctx->builder;
  if (slot->home < 0) {
    LLVMValueRef at = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(s->u->forward));
    while (LLVMIsAAllocaInst(at))
      at = LLVMGetNextInstruction(at);
    LLVMPositionBuilderBefore(b, at);
  } else {
    dad_build_after(s->ctx, slot->value);
  }
  LLVMBuildStore(b, slot->value, slot->forward);
}

/* What the place holds where the value has not been computed: anything. Said at a block that every way to the slot's uses passes, so
   that nobody looks further up for a value. */
static void store_nothing(struct dad_sweep *s, const struct dad_slot *slot, int block) {
  if (block < 0 || block == slot->home)
    return;
  dad_build_after_phis(s->ctx, s->g.block[block]);
  LLVMBuildStore(s->ctx->builder, LLVMGetPoison(slot->type), slot->forward);
}

static void place_slot(struct dad_sweep *s, struct dad_slot *slot) {
  bool in_function = crosses_in_function(s, slot);
  if (in_function && is_always_there(s, slot)) {
    slot->settled = slot->value;
    return;
  }
  slot->forward = dad_sweep_place(s, s->u->forward, slot->type);
  if (!in_function || slot->counts)
    slot->reverse = dad_sweep_place(s, s->u->reverse, slot->type);
  if (slot->loop >= 0)
    store_nothing(s, slot, s->g.loop[slot->loop].header);
  else if (in_function)
    store_nothing(s, slot, always_run(s, s->g.dominator[slot->home], s->g.dominator));
  if (slot->value)
    store_value(s, slot);
}

static void place_reserved(struct dad_sweep *s, int l) {
  struct dad_reserved *r = &s->reserved[l];
  for (int side = FORWARD; side <= REVERSE; side++) {
    LLVMValueRef f = side == FORWARD ? s->u->forward : s->u->reverse;
    r->base[side] = dad_sweep_place(s, f, s->ctx->ptr);
    r->length[side] = dad_sweep_place(s, f, s->ctx->i64);
  }
  r->at[FORWARD] = s->count[l]->forward;
  r->at[REVERSE] = s->count[l]->reverse;
}

void dad_frame_places(struct dad_sweep *s) {
  for (unsigned k = 0; k < s->slots.n; k++)
    place_slot(s, s->slots.at[k]);
  for (int l = 0; l < s->g.n_loops; l++)
    if (s->reserved[l].bytes)
      place_reserved(s, l);
}

void dad_frame_settle(struct dad_sweep *s) {
  for (unsigned k = 0; k < s->slots.n; k++) {
    struct dad_slot *slot = s->slots.at[k];
    if (!crosses_in_function(s, slot) || slot->settled)
      continue;
    int at = slot->home;
    while (at >= 0 && s->g.loop_of[at] >= 0) /* a count is complete behind its loop */
      at = s->g.post_dominator[at];
    at = always_run(s, at, s->g.post_dominator);
    dad_build_after_phis(s->ctx, s->g.block[at >= 0 ? at : s->last]);
    slot->settled = LLVMBuildLoad2(s->ctx->builder, slot->type, slot->forward, "settled");
  }
}
