/* reload.c: loads that the reverse sweep may execute again, and stores that it undoes.

   A load may be executed again if no write that can run after it may reach its cell. This is asked only where both sweeps share a
   function: a callee's caller may write what the callee read. A store may keep the value that it overwrites, and the reverse
   sweep puts it back when it passes the store; then a load whose later writers are all undone reads the same again, if none of
   them runs between the load and a place where its value is asked for. This is done only for cells that the caller cannot see, so that memory ends as the primal leaves it. */
#include "../base/abi_call.h"
#include "../rules/libcall.h"
#include "report.h"

#include <string.h>

enum { QUERY_BUDGET = 4000000, WALK_BUDGET = 60000000, MAX_USES = 300, MAX_CAPTURE_DEPTH = 20 };

/* ---- writers */

static bool runtime_writes(enum dad_runtime_function f) {
  return f == DAD_RT_copy_pointers || f == DAD_RT_set_pointers || f == DAD_RT_realloc_pointers || f == DAD_RT_mirror ||
         f == DAD_RT_tangent_realloc;
}

/* May "i" write memory that the program can read? */
static bool may_write(struct dad_sweep *s, LLVMValueRef i) {
  switch (LLVMGetInstructionOpcode(i)) {
  case LLVMStore:
  case LLVMAtomicRMW:
  case LLVMAtomicCmpXchg:
  case LLVMFence:
  case LLVMVAArg: return true;
  case LLVMCall: break;
  default: return false;
  }
  if (dad_map_has(&s->u->call_of, i))
    return true;
  enum dad_runtime_function f = dad_runtime_called(i);
  if (f != DAD_RT_COUNT)
    return runtime_writes(f); /* the others write the tape, or fresh memory */
  switch (dad_call_kind(s->req, i)) {
  case DAD_CALL_RULE:
  case DAD_CALL_DROP:
  case DAD_CALL_ALLOC: return false;
  default: return strncmp(dad_callee_name(i), "dacead.", 7) != 0;
  }
}

void dad_reload_number(struct dad_sweep *s) {
  intptr_t n = 0;
  for (int b = 0; b < s->g.n_blocks; b++)
    DAD_FOR_INSTRUCTIONS(i, s->g.block[b])
      dad_map_set_int(&s->order, i, ++n);
}

void dad_reload_open(struct dad_sweep *s) {
  for (int l = 0; l < s->g.n_loops; l++)
    if (s->g.trip[l])
      dad_map_set(&s->is_trip, s->g.trip[l], s);
  dad_reload_number(s);
  if (dad_options.no_reload || !s->u->combined)
    return;
  s->alias = dad_bridge_alias_open(s->u->forward);
  for (int b = 0; b < s->g.n_blocks; b++)
    DAD_FOR_INSTRUCTIONS(i, s->g.block[b])
      if (may_write(s, i))
        dad_vec_push(&s->writers, i);
}

void dad_reload_close(struct dad_sweep *s) {
  if (s->alias)
    dad_bridge_alias_close(s->alias);
  s->alias = NULL;
}

/* ---- what can run after what */

/* Marks in "seen" the blocks that can run after block "from" before block "avoid" runs (-1: none is avoided). */
static void walk(struct dad_sweep *s, int from, int avoid, bool *seen) {
  int *work = DAD_ARRAY(s->arena, int, s->g.n_blocks + 1), top = 0;
  work[top++] = from;
  while (top) {
    LLVMValueRef t = LLVMGetBasicBlockTerminator(s->g.block[work[--top]]);
    for (unsigned k = 0; k < LLVMGetNumSuccessors(t); k++) {
      int next = dad_graph_number(&s->g, LLVMGetSuccessor(t, k));
      if (next == avoid || seen[next])
        continue;
      seen[next] = true;
      work[top++] = next;
    }
  }
}

/* The blocks that can run after "from" before "avoid" does; NULL when the budget is spent. */
static const bool *reach(struct dad_sweep *s, struct dad_map *memo, int from, int avoid) {
  const void *key = (const void *)(intptr_t)((intptr_t)from * (s->g.n_blocks + 1) + avoid + 2);
  bool *seen = dad_map_get(memo, key);
  if (seen)
    return seen;
  s->walks += (unsigned long)s->g.n_blocks;
  if (s->walks > WALK_BUDGET)
    return NULL;
  seen = DAD_ARRAY(s->arena, bool, s->g.n_blocks);
  dad_map_set(memo, key, seen);
  walk(s, from, avoid, seen);
  return seen;
}

/* May "writer" run after "load"? "seen" are the blocks that can run after the load's block. */
static bool runs_later(struct dad_sweep *s, LLVMValueRef writer, LLVMValueRef load, const bool *seen) {
  if (seen[dad_graph_block_of(&s->g, writer)])
    return true;
  if (LLVMGetInstructionParent(writer) != LLVMGetInstructionParent(load))
    return false;
  return dad_map_int(&s->order, writer) > dad_map_int(&s->order, load);
}

/* ---- what may overlap */

/* The primal's pointer that stands for the address "p": shadows are laid out as the memory that they shadow. */
static LLVMValueRef cells_of(struct dad_sweep *s, LLVMValueRef p) {
  LLVMValueRef v = dad_map_get(&s->u->shadowed, p);
  return v ? v : p;
}

/* May "writer", in this or another iteration, change what "load" reads? Objects and fields are told apart by our own analysis, the rest
   by LLVM's. */
static bool may_change(struct dad_sweep *s, LLVMValueRef writer, LLVMValueRef load) {
  if (LLVMIsAStoreInst(writer)) {
    uint64_t read = dad_store_size(s->ctx, LLVMTypeOf(load));
    uint64_t written = dad_store_size(s->ctx, LLVMTypeOf(LLVMGetOperand(writer, 0)));
    LLVMValueRef from = cells_of(s, LLVMGetOperand(load, 0)), to = cells_of(s, LLVMGetOperand(writer, 1));
    if (!dad_may_overlap(s->req, from, read, to, written))
      return false;
  }
  return dad_bridge_alias_clobbers(s->alias, writer, load);
}

/* ---- reloading */

static LLVMValueRef base_of(LLVMValueRef p) {
  while (LLVMIsAGetElementPtrInst(p))
    p = LLVMGetOperand(p, 0);
  return p;
}

/* Stack arrays of loops are gone, or another iteration's, when the reverse sweep comes. */
static bool lives_on(struct dad_sweep *s, LLVMValueRef p) {
  LLVMValueRef base = base_of(p);
  return !LLVMIsAAllocaInst(base) || dad_graph_block_of(&s->g, base) == 0;
}

/* Could "load" be considered at all? Sets "seen" to the blocks that can run after it. */
static bool candidate(struct dad_sweep *s, LLVMValueRef load, const bool **seen) {
  if (!s->alias || LLVMGetVolatile(load) || LLVMGetOrdering(load) != LLVMAtomicOrderingNotAtomic ||
      !dad_map_has(&s->order, load) || !lives_on(s, LLVMGetOperand(load, 0)))
    return false;
  s->queries += s->writers.n;
  if (s->queries > QUERY_BUDGET) /* loads times writers is quadratic */
    return false;
  *seen = reach(s, &s->reached, dad_graph_block_of(&s->g, load), -1);
  return *seen != NULL;
}

bool dad_reload_allowed(struct dad_sweep *s, LLVMValueRef load) {
  enum { YES = 1, NO = 2 };
  intptr_t known = dad_map_int(&s->reload, load);
  if (known)
    return known == YES;
  const bool *seen;
  bool ok = candidate(s, load, &seen);
  for (unsigned k = 0; ok && k < s->writers.n; k++) {
    LLVMValueRef w = s->writers.at[k];
    ok = !runs_later(s, w, load, seen) || !may_change(s, w, load);
    if (!ok)
      dad_report_clobber(s, load, w);
  }
  dad_map_set_int(&s->reload, load, ok ? YES : NO);
  return ok;
}

/* ---- undoing */

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
  LLVMValueRef base = base_of(LLVMGetOperand(store, 1));
  if (LLVMIsAAllocaInst(base))
    return false;
  if (!dad_is_call(base) || dad_call_kind(s->req, base) != DAD_CALL_ALLOC)
    return true;
  return !is_freed_here(base) || is_captured(base, 0);
}

static bool can_be_undone(struct dad_sweep *s, LLVMValueRef w) {
  if (!LLVMIsAStoreInst(w) || LLVMGetVolatile(w) || is_visible(s, w) || !lives_on(s, LLVMGetOperand(w, 1)))
    return false;
  LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(w, 0));
  return dad_store_size(s->ctx, type) <= 8 && LLVMGetTypeKind(type) != LLVMVectorTypeKind;
}

/* Can "w" run after "load" and before "use", without "load" running again? */
static bool runs_between(struct dad_sweep *s, LLVMValueRef load, LLVMValueRef w, LLVMValueRef use) {
  intptr_t at_load = dad_map_int(&s->order, load), at_w = dad_map_int(&s->order, w), at_use = dad_map_int(&s->order, use);
  if (!at_load || !at_w || !at_use)
    return true;
  int b = dad_graph_block_of(&s->g, load), bw = dad_graph_block_of(&s->g, w), bu = dad_graph_block_of(&s->g, use);
  if (bw == b)
    return at_w > at_load && (bu != b || at_use >= at_w);
  const bool *after = reach(s, &s->avoided, b, b);
  if (!after)
    return true;
  if (!after[bw] || bu == b)
    return false;
  if (bu == bw && at_use >= at_w)
    return true;
  after = reach(s, &s->avoided, bw, b);
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
  if (dad_options.no_undo || !candidate(s, load, &after))
    return NULL;
  struct dad_vec *stores = DAD_NEW(s->arena, struct dad_vec), uses = DAD_VEC(s->arena);
  struct dad_map seen = DAD_MAP(s->arena);
  stores->arena = s->arena;
  for (unsigned k = 0; k < s->writers.n; k++) {
    LLVMValueRef w = s->writers.at[k];
    if (!runs_later(s, w, load, after) || !may_change(s, w, load))
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
  return old;
}
