/* undo.c: stores that the reverse sweep undoes.

   A store may keep the value that it overwrites, and the reverse sweep puts it back when it passes the store; then a load whose
   later writers are all undone reads the same again, if none of them runs between the load and a place where its value is asked
   for. So one copy of each cell is kept, however often it is read. Where the caller can see a cell the runtime notes what it
   holds before an older value is put back, and the end of the gradient brings that back: all cells that a counted loop stores to are
   noted at once where the reverse sweep enters the loop. */
#include "undo.h"

#include "../base/abi_call.h"
#include "../rules/libcall.h"
#include "reload.h"

#include <string.h>

enum { MAX_USES = 300, MAX_CAPTURE_DEPTH = 20, MAX_BYTES = 8 };
/* What noting a cell costs, in bytes on the tape: by a call of its own, or with the others of its loop. */
enum { NOTE_ALONE = 8, NOTE_IN_LOOP = 1 };

/* ---- which stores */

/* May the address "p" be known to anything but loads, stores and frees in this function? */
static bool is_captured(LLVMValueRef p, int depth) {
  if (depth > MAX_CAPTURE_DEPTH)
    return true;
  DAD_FOR_USERS(user, p) {
    if (LLVMIsALoadInst(user) || LLVMIsAICmpInst(user) ||
        (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) != p))
      continue;
    if (LLVMIsAGetElementPtrInst(user) && !is_captured(user, depth + 1))
      continue;
    if (LLVMIsACallInst(user) && (dad_runtime_called(user) == DAD_RT_free_later ||
                                  !strncmp(dad_callee_name(user), "llvm.mem", 8)))
      continue;
    return true;
  }
  return false;
}

static bool is_freed_here(LLVMValueRef block) {
  DAD_FOR_USERS(user, block)
    if (LLVMIsACallInst(user) && dad_runtime_called(user) == DAD_RT_free_later)
      return true;
  return false;
}

/* May the caller see the cell that "store" writes, after the gradient? */
static bool is_visible(struct dad_sweep *s, LLVMValueRef store) {
  LLVMValueRef base = dad_reload_base(LLVMGetOperand(store, 1));
  if (LLVMIsAAllocaInst(base))
    return false;
  if (!dad_is_call(base) || dad_call_kind(s->req, base) != DAD_CALL_ALLOC)
    return true;
  return !is_freed_here(base) || is_captured(base, 0);
}

/* Can stack memory come to its end before the function does? */
static bool has_short_stack(struct dad_sweep *s) {
  enum { NO = 1, YES = 2 };
  if (s->short_stack)
    return s->short_stack == YES;
  s->short_stack = NO;
  for (int b = 0; b < s->g.n_blocks; b++)
    DAD_FOR_INSTRUCTIONS(i, s->g.block[b])
      if ((b && LLVMIsAAllocaInst(i)) || (LLVMIsACallInst(i) && !strncmp(dad_callee_name(i), "llvm.stack", 10)))
        s->short_stack = YES;
  return s->short_stack == YES;
}

/* A cell that the caller may see can be anywhere, but must still be there when the reverse sweep comes. */
static bool can_be_undone(struct dad_sweep *s, LLVMValueRef w) {
  if (!LLVMIsAStoreInst(w) || LLVMGetVolatile(w) || LLVMGetOrdering(w) != LLVMAtomicOrderingNotAtomic)
    return false;
  LLVMValueRef p = LLVMGetOperand(w, 1);
  LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(w, 0));
  if (dad_store_size(s->ctx, type) > MAX_BYTES || LLVMGetTypeKind(type) == LLVMVectorTypeKind ||
      !dad_reload_lives_on(s, p) || dad_map_has(&s->u->shadowed, p))
    return false;
  return !is_visible(s, w) || !has_short_stack(s);
}

/* Can "w" run after "load" and before "use", without "load" running again? */
static bool runs_between(struct dad_sweep *s, LLVMValueRef load, LLVMValueRef w, LLVMValueRef use) {
  intptr_t at_load = dad_map_int(&s->order, load), at_w = dad_map_int(&s->order, w), at_use = dad_map_int(&s->order, use);
  if (!at_load || !at_w || !at_use)
    return true;
  int b = dad_graph_block_of(&s->g, load), bw = dad_graph_block_of(&s->g, w), bu = dad_graph_block_of(&s->g, use);
  if (bw == b)
    return at_w > at_load && (bu != b || at_use >= at_w);
  const bool *after = dad_reload_reach(s, &s->avoided, b, b);
  if (!after)
    return true;
  if (!after[bw] || bu == b)
    return false;
  if (bu == bw && at_use >= at_w)
    return true;
  after = dad_reload_reach(s, &s->avoided, bw, b);
  return !after || after[bu];
}

/* Collects where the value "v", or what can be computed from it, may be asked for. False: too many places, or unknown ones. */
static bool collect_uses(struct dad_sweep *s, LLVMValueRef v, struct dad_vec *uses, struct dad_map *seen) {
  LLVMValueRef a, b, next;
  if (dad_map_has(seen, v))
    return true;
  dad_map_set(seen, v, s);
  if (dad_map_has(&s->is_trip, v)) /* counts are asked for after their loop */
    return false;
  DAD_FOR_USERS(user, v) {
    if (!LLVMIsAInstruction(user) || !LLVMGetInstructionParent(user) || !dad_map_has(&s->order, user))
      return false;
    if ((LLVMIsAStoreInst(user) && LLVMGetOperand(user, 1) != v) || LLVMIsATerminatorInst(user))
      continue;
    if (LLVMIsAPHINode(user)) { /* asked for as slots only, unless they are induction variables */
      if (dad_crossing_induction(s, user, &a, &b, &next))
        return false;
      continue;
    }
    dad_vec_push(uses, user);
    if (uses->n > MAX_USES || (!LLVMIsAStoreInst(user) && !collect_uses(s, user, uses, seen)))
      return false;
  }
  return true;
}

/* Checks one later writer of "load"; "uses" is filled at the first one. */
static bool accept_writer(struct dad_sweep *s, LLVMValueRef load, LLVMValueRef w, struct dad_vec *uses,
                          struct dad_map *seen) {
  if (!can_be_undone(s, w))
    return false;
  if (!seen->n && !collect_uses(s, load, uses, seen))
    return false;
  for (unsigned k = 0; k < uses->n; k++)
    if (runs_between(s, load, w, uses->at[k]))
      return false;
  return true;
}

struct dad_vec *dad_undo_writers(struct dad_sweep *s, LLVMValueRef load) {
  void *known = dad_map_get(&s->undoable, load);
  if (known)
    return known == (void *)s ? NULL : known;
  dad_map_set(&s->undoable, load, s);
  const bool *after;
  if (dad_options.no_undo || !dad_reload_candidate(s, load, &after))
    return NULL;
  struct dad_vec *stores = DAD_NEW(s->arena, struct dad_vec), uses = DAD_VEC(s->arena);
  struct dad_map seen = DAD_MAP(s->arena);
  stores->arena = s->arena;
  for (unsigned k = 0; k < s->writers.n; k++) {
    LLVMValueRef w = s->writers.at[k];
    if (!dad_reload_may_spoil(s, w, load, after))
      continue;
    if (!accept_writer(s, load, w, &uses, &seen))
      return NULL;
    dad_vec_push(stores, w);
  }
  if (!stores->n)
    return NULL;
  dad_map_set(&s->undoable, load, stores);
  return stores;
}

LLVMValueRef dad_undo_keep(struct dad_sweep *s, LLVMValueRef store) {
  LLVMBuilderRef b = s->ctx->builder;
  LLVMPositionBuilderBefore(b, store);
  LLVMValueRef old = LLVMBuildLoad2(b, LLVMTypeOf(LLVMGetOperand(store, 0)), LLVMGetOperand(store, 1), "old");
  LLVMSetAlignment(old, LLVMGetAlignment(store));
  dad_map_set(&s->undone, store, old);
  dad_vec_push(&s->undone_stores, store);
  return old;
}

bool dad_undo_is_old(struct dad_sweep *s, LLVMValueRef v) {
  LLVMValueRef next = LLVMIsALoadInst(v) ? LLVMGetNextInstruction(v) : NULL;
  return next && dad_map_get(&s->undone, next) == v;
}

/* ---- noting */

/* The distance in bytes between the cells of "store" in one iteration of its loop and the next; 0 if it varies. */
static int64_t step_of(struct dad_sweep *s, LLVMValueRef store) {
  if (!s->steps_known) {
    struct dad_vec stores = DAD_VEC(s->arena);
    for (unsigned k = 0; k < s->writers.n; k++)
      if (LLVMIsAStoreInst(s->writers.at[k]))
        dad_vec_push(&stores, s->writers.at[k]);
    int64_t *steps = DAD_ARRAY(s->arena, int64_t, stores.n + 1);
    dad_bridge_steps(s->u->forward, (const LLVMValueRef *)stores.at, stores.n, steps);
    for (unsigned k = 0; k < stores.n; k++)
      if (steps[k])
        dad_map_set_int(&s->step, stores.at[k], (intptr_t)steps[k]);
    s->steps_known = true;
  }
  return dad_map_int(&s->step, store);
}

/* The loop at whose end all cells of "store" can be named, if it runs once in every iteration; else -1. */
static int noting_loop(struct dad_sweep *s, LLVMValueRef store) {
  const struct dad_graph *g = &s->g;
  int b = dad_graph_block_of(g, store), l = g->loop_of[b];
  if (l < 0 || g->bottom[l] < 0 || !dad_graph_dominates(g, b, g->bottom[l]) || !step_of(s, store))
    return -1;
  return l;
}

unsigned dad_undo_note_bytes(struct dad_sweep *s, LLVMValueRef store) {
  return !is_visible(s, store) ? 0 : noting_loop(s, store) >= 0 ? NOTE_IN_LOOP : NOTE_ALONE;
}

/* Are the cells of "store" noted where the reverse sweep enters the loop "l"? */
static bool is_noted_at(struct dad_sweep *s, LLVMValueRef store, int l) {
  return noting_loop(s, store) == l && is_visible(s, store) &&
         dad_crossing_known_around(s, LLVMGetOperand(store, 1), l);
}

static LLVMValueRef bytes_stored(struct dad_sweep *s, LLVMValueRef store) {
  return dad_i64(s->ctx, dad_store_size(s->ctx, LLVMTypeOf(LLVMGetOperand(store, 0))));
}

/* The count of the loop is that of its last iteration here. */
void dad_undo_enter_loop(struct dad_sweep *s, int l) {
  LLVMBuilderRef b = s->ctx->builder;
  for (unsigned k = 0; k < s->undone_stores.n; k++) {
    LLVMValueRef store = s->undone_stores.at[k];
    if (!is_noted_at(s, store, l))
      continue;
    dad_map_clear(&s->memo);
    LLVMValueRef last = dad_sweep_primal(s, LLVMGetOperand(store, 1)), step = dad_i64(s->ctx, (uint64_t)step_of(s, store));
    LLVMValueRef turns = LLVMBuildLoad2(b, s->ctx->i64, s->count[l]->reverse, "");
    LLVMValueRef back = LLVMBuildNeg(b, LLVMBuildMul(b, turns, step, ""), "");
    LLVMValueRef first = LLVMBuildGEP2(b, s->ctx->i8, last, &back, 1, "");
    LLVMValueRef n = LLVMBuildAdd(b, turns, dad_i64(s->ctx, 1), "");
    dad_runtime_call(s->ctx, DAD_RT_keep_final, first, bytes_stored(s, store), step, n);
  }
  dad_map_clear(&s->memo);
}

void dad_undo_store(struct dad_sweep *s, LLVMValueRef store) {
  LLVMBuilderRef b = s->ctx->builder;
  LLVMValueRef old = dad_map_get(&s->undone, store);
  LLVMValueRef p = dad_sweep_primal(s, LLVMGetOperand(store, 1)), v = dad_sweep_primal(s, old);
  int l = dad_graph_loop_of(&s->g, store);
  if (is_visible(s, store) && (l < 0 || !is_noted_at(s, store, l))) {
    LLVMValueRef bytes = bytes_stored(s, store);
    dad_runtime_call(s->ctx, DAD_RT_keep_final, p, bytes, bytes, dad_i64(s->ctx, 1));
  }
  LLVMSetAlignment(LLVMBuildStore(b, v, p), LLVMGetAlignment(store));
}
