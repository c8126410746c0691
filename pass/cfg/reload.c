/* reload.c: loads that the reverse sweep may execute again.

   A load may be executed again if no write that can run after it may reach its cell. This is asked only where both sweeps share a
   function: a callee's caller may write what the callee read. */
#include "reload.h"

#include "../base/abi_call.h"
#include "../driver/registry.h"
#include "../rules/libcall.h"
#include "report.h"

#include <string.h>

enum { QUERY_BUDGET = 4000000, WALK_BUDGET = 60000000, MAX_MERGES = 8 };

/* ---- writers */

static bool runtime_writes(enum dad_runtime_function f) {
  return f == DAD_RT_copy_pointers || f == DAD_RT_set_pointers || f == DAD_RT_realloc_pointers || f == DAD_RT_mirror ||
         f == DAD_RT_tangent_realloc;
}

bool dad_reload_may_write(struct dad_sweep *s, LLVMValueRef i) {
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

/* Marks the blocks from which the forward sweep can come to its end: what others write is never seen by the reverse sweep. */
static const bool *returning(struct dad_sweep *s) {
  bool *seen = DAD_ARRAY(s->arena, bool, s->g.n_blocks);
  int *work = DAD_ARRAY(s->arena, int, s->g.n_blocks + 1), top = 0;
  if (s->last < 0)
    return seen;
  seen[s->last] = true;
  work[top++] = s->last;
  while (top) {
    int b = work[--top];
    for (int k = 0; k < s->g.n_preds[b]; k++) {
      int p = s->g.pred[b][k];
      if (seen[p])
        continue;
      seen[p] = true;
      work[top++] = p;
    }
  }
  return seen;
}

void dad_reload_open(struct dad_sweep *s) {
  for (int l = 0; l < s->g.n_loops; l++)
    if (s->g.trip[l])
      dad_map_set(&s->is_trip, s->g.trip[l], s);
  dad_reload_number(s);
  if (dad_options.no_reload || !s->u->combined)
    return;
  s->alias = dad_bridge_alias_open(s->u->forward);
  const bool *returns = returning(s);
  for (int b = 0; b < s->g.n_blocks; b++)
    if (returns[b])
      DAD_FOR_INSTRUCTIONS(i, s->g.block[b])
        if (dad_reload_may_write(s, i))
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
    int b = work[--top];
    for (int k = 0; k < s->g.n_succs[b]; k++) {
      int next = s->g.succ[b][k];
      if (next == avoid || seen[next])
        continue;
      seen[next] = true;
      work[top++] = next;
    }
  }
}

const bool *dad_reload_reach(struct dad_sweep *s, struct dad_map *memo, int from, int avoid) {
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

/* The address from which "writer" writes on, if it writes in one place; "bytes" is set to the number of bytes at most. Else NULL. */
static LLVMValueRef written(struct dad_sweep *s, LLVMValueRef writer, uint64_t *bytes) {
  *bytes = DAD_UNKNOWN_BYTES;
  if (LLVMIsAStoreInst(writer)) {
    *bytes = dad_store_size(s->ctx, LLVMTypeOf(LLVMGetOperand(writer, 0)));
    return LLVMGetOperand(writer, 1);
  }
  if (!LLVMIsACallInst(writer) || dad_map_has(&s->u->call_of, writer))
    return NULL;
  enum dad_runtime_function f = dad_runtime_called(writer);
  if (f == DAD_RT_copy_pointers || f == DAD_RT_set_pointers)
    return LLVMGetOperand(writer, 0);
  enum dad_call_kind kind = f == DAD_RT_COUNT ? dad_call_kind(s->req, writer) : DAD_CALL_DROP;
  if (kind != DAD_CALL_COPY && kind != DAD_CALL_SET)
    return NULL;
  *bytes = dad_call_known_bytes(writer);
  return LLVMGetOperand(writer, 0);
}

/* May "writer", in this or another iteration, change what "load" reads? Objects and fields are told apart by our own analysis, the rest
   by LLVM's. */
static bool may_change(struct dad_sweep *s, LLVMValueRef writer, LLVMValueRef load) {
  uint64_t bytes, read = dad_store_size(s->ctx, LLVMTypeOf(load));
  LLVMValueRef to = written(s, writer, &bytes);
  if (to && !dad_may_overlap(s->req, cells_of(s, LLVMGetOperand(load, 0)), read, cells_of(s, to), bytes))
    return false;
  return dad_bridge_alias_clobbers(s->alias, writer, load);
}

/* ---- memory that is younger than the load */

LLVMValueRef dad_reload_base(LLVMValueRef p) {
  while (LLVMIsAGetElementPtrInst(p))
    p = LLVMGetOperand(p, 0);
  return p;
}

/* A write to memory that a call of the function has allocated, through merges with NULL only. */
struct birth {
  LLVMValueRef call;             /* the allocation, NULL: not known */
  LLVMValueRef phis[MAX_MERGES]; /* the merges on the way to the write */
  unsigned n;
};

/* The only pointer from which "phi" comes if it is not NULL, apart from itself; NULL if there are several. */
static LLVMValueRef one_or_null(LLVMValueRef phi) {
  LLVMValueRef found = NULL;
  for (unsigned k = 0; k < LLVMCountIncoming(phi); k++) {
    LLVMValueRef v = dad_reload_base(LLVMGetIncomingValue(phi, k));
    if (LLVMIsAConstantPointerNull(v) || v == found || v == phi)
      continue;
    if (found)
      return NULL;
    found = v;
  }
  return found;
}

/* Does "call" allocate by a function of the library? One that the user has registered may give memory twice that it was never told to free. */
static bool is_from_library(struct dad_sweep *s, LLVMValueRef call) {
  return dad_call_kind(s->req, call) == DAD_CALL_ALLOC &&
         dad_registered_kind(s->ctx, LLVMGetCalledValue(call)) == DAD_CALL_UNKNOWN;
}

static struct birth birth_of(struct dad_sweep *s, LLVMValueRef writer) {
  struct birth born = {NULL, {NULL}, 0};
  uint64_t bytes;
  LLVMValueRef p = written(s, writer, &bytes);
  while (p) {
    p = dad_reload_base(p);
    if (!LLVMIsAPHINode(p))
      break;
    if (born.n == MAX_MERGES)
      return born;
    born.phis[born.n++] = p;
    p = one_or_null(p);
  }
  if (p && dad_is_call(p) && is_from_library(s, p))
    born.call = p;
  return born;
}

/* Is the pointer of "born" NULL if control goes from block "from" to block "to"? */
static bool becomes_null(struct dad_sweep *s, const struct birth *born, int from, int to) {
  for (unsigned k = 0; k < born->n; k++) {
    if (dad_graph_block_of(&s->g, born->phis[k]) != to)
      continue;
    for (unsigned j = 0; j < LLVMCountIncoming(born->phis[k]); j++)
      if (LLVMGetIncomingBlock(born->phis[k], j) == s->g.block[from])
        return LLVMIsAConstantPointerNull(LLVMGetIncomingValue(born->phis[k], j));
  }
  return false;
}

/* Does "writer" only write memory that is allocated after "load" has run? Blocks that the program frees live until the reverse sweep has
   passed their allocation, so new memory is never memory that was read before. It is enough that no way leads from the load to the
   write without the allocation; ways on which the pointer becomes NULL do not count, for then nothing is written. */
static bool writes_younger(struct dad_sweep *s, LLVMValueRef writer, LLVMValueRef load) {
  struct birth born = birth_of(s, writer);
  if (!born.call || LLVMGetInstructionParent(load) == LLVMGetInstructionParent(writer))
    return false;
  int from = dad_graph_block_of(&s->g, load), at = dad_graph_block_of(&s->g, born.call), to = dad_graph_block_of(&s->g, writer);
  if (at == to || (at == from && dad_map_int(&s->order, load) < dad_map_int(&s->order, born.call)))
    return true;
  s->walks += (unsigned long)s->g.n_blocks;
  if (s->walks > WALK_BUDGET)
    return false;
  bool *seen = DAD_ARRAY(s->arena, bool, s->g.n_blocks);
  int *work = DAD_ARRAY(s->arena, int, s->g.n_blocks + 1), top = 0;
  work[top++] = from;
  while (top) {
    int b = work[--top];
    LLVMValueRef t = LLVMGetBasicBlockTerminator(s->g.block[b]);
    for (unsigned k = 0; k < LLVMGetNumSuccessors(t); k++) {
      int next = dad_graph_number(&s->g, LLVMGetSuccessor(t, k));
      if (next == at || seen[next] || becomes_null(s, &born, b, next))
        continue;
      seen[next] = true;
      work[top++] = next;
    }
  }
  return !seen[to];
}

/* ---- reloading */

bool dad_reload_lives_on(struct dad_sweep *s, LLVMValueRef p) {
  LLVMValueRef base = dad_reload_base(p);
  return !LLVMIsAAllocaInst(base) || dad_graph_block_of(&s->g, base) == 0;
}

bool dad_reload_candidate(struct dad_sweep *s, LLVMValueRef load, const bool **after) {
  if (!s->alias || LLVMGetVolatile(load) || LLVMGetOrdering(load) != LLVMAtomicOrderingNotAtomic ||
      !dad_map_has(&s->order, load) || !dad_reload_lives_on(s, LLVMGetOperand(load, 0)))
    return false;
  s->queries += s->writers.n;
  if (s->queries > QUERY_BUDGET) /* loads times writers is quadratic */
    return false;
  *after = dad_reload_reach(s, &s->reached, dad_graph_block_of(&s->g, load), -1);
  return *after != NULL;
}

bool dad_reload_may_spoil(struct dad_sweep *s, LLVMValueRef writer, LLVMValueRef load, const bool *after) {
  return runs_later(s, writer, load, after) && may_change(s, writer, load) && !writes_younger(s, writer, load);
}

bool dad_reload_allowed(struct dad_sweep *s, LLVMValueRef load) {
  enum { YES = 1, NO = 2 };
  intptr_t known = dad_map_int(&s->reload, load);
  if (known)
    return known == YES;
  const bool *seen;
  bool ok = dad_reload_candidate(s, load, &seen);
  for (unsigned k = 0; ok && k < s->writers.n; k++) {
    LLVMValueRef w = s->writers.at[k];
    ok = !dad_reload_may_spoil(s, w, load, seen);
    if (!ok)
      dad_report_clobber(s, load, w);
  }
  dad_map_set_int(&s->reload, load, ok ? YES : NO);
  return ok;
}
