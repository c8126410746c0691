/* reverse.c: reverse control flow. Every block is reversed in itself; control flows backward along the edges that were taken.

   An edge from p to b becomes a block of its own from the reverse of b to the reverse of p: it holds the adjoints of b's phis and pops
   the frames of loops that the edge leaves. Reversed loop headers test the count, merges switch on the way that was taken; where
   nothing between a merge and its dominator has anything to reverse, control goes straight to the dominator. */
#include "reverse.h"

#include "../base/abi_call.h"
#include "reload.h"
#include "report.h"
#include "scope.h"
#include "shadow.h"
#include "undo.h"
#include "sweep.h"

#include <llvm-c/DebugInfo.h>

#include <string.h>

enum { MAX_NESTING = 256, MAX_WAYS = 256 };

/* ---- what is quiet */

static bool has_active_phi(struct dad_sweep *s, LLVMBasicBlockRef b) {
  for (LLVMValueRef i = LLVMGetFirstInstruction(b); i && LLVMIsAPHINode(i); i = LLVMGetNextInstruction(i))
    if (dad_active(s->req, i))
      return true;
  return false;
}

static bool block_is_quiet(struct dad_sweep *s, LLVMBasicBlockRef b) {
  if (has_active_phi(s, b))
    return false;
  DAD_FOR_INSTRUCTIONS(i, b)
    if (dad_reverse_is_busy(s, i) || dad_map_has(&s->undone, i))
      return false;
  return true;
}

static void find_quiet(struct dad_sweep *s) {
  struct dad_graph *g = &s->g;
  for (int l = 0; l < g->n_loops; l++)
    s->quiet_loop[l] = true;
  for (int b = 0; b < g->n_blocks; b++) {
    s->quiet_block[b] = block_is_quiet(s, g->block[b]);
    for (int l = g->loop_of[b]; !s->quiet_block[b] && l >= 0; l = g->loop[l].parent)
      s->quiet_loop[l] = false;
  }
}

/* The block whose reverse stands for that of "b": a quiet loop is left through its preheader at once. */
static int target(struct dad_sweep *s, int b) {
  struct dad_graph *g = &s->g;
  for (;;) {
    int outermost = -1;
    for (int l = g->loop_of[b]; l >= 0; l = g->loop[l].parent)
      if (s->quiet_loop[l])
        outermost = l;
    if (outermost < 0)
      return b;
    b = g->loop[outermost].preheader;
  }
}

/* Does it matter which way control came into the merge "b"? Not if nothing between it and its dominator has anything to reverse.
   "mark" holds the number of the last merge that visited each block. */
static bool way_matters(struct dad_sweep *s, int b, int *mark) {
  struct dad_graph *g = &s->g;
  int top = g->dominator[b], n = 0;
  if (top < 0 || g->loop_of[top] != g->loop_of[b] || has_active_phi(s, g->block[b]))
    return true;
  int *work = DAD_ARRAY(s->arena, int, 64);
  int capacity = 64;
  work[n++] = b;
  while (n) {
    int at = work[--n];
    for (int k = 0; k < g->n_preds[at]; k++) {
      int p = g->pred[at][k];
      if (p == top || mark[p] == b + 1)
        continue;
      mark[p] = b + 1;
      if (!s->quiet_block[p])
        return true;
      if (n == capacity) {
        work = dad_arena_grow(s->arena, work, (size_t)capacity * sizeof(int), 2 * (size_t)capacity * sizeof(int));
        capacity *= 2;
      }
      work[n++] = p;
    }
  }
  return false;
}

static void find_ways(struct dad_sweep *s) {
  struct dad_graph *g = &s->g;
  int *mark = DAD_ARRAY(s->arena, int, g->n_blocks);
  for (int b = 0; b < g->n_blocks; b++) {
    if (g->n_preds[b] < 2 || dad_graph_is_header(g, b) || target(s, b) != b || !way_matters(s, b, mark))
      continue;
    LLVMTypeRef type = g->n_preds[b] <= MAX_WAYS ? s->ctx->i8 : s->ctx->i32;
    s->way[b] = dad_crossing_slot(s, type, g->loop_of[b], b, NULL);
  }
}

/* ---- which frames are reserved at once */

/* Something inside of "loop" pushes: it and the loops around it push their frames one by one. */
static void exclude(struct dad_sweep *s, bool *no, int loop) {
  for (; loop >= 0 && !no[loop]; loop = s->g.loop[loop].parent)
    no[loop] = true;
}

/* Reserves the frames of loops with a known count that contain no loop with frames and nothing that pushes. */
static void reserve_frames(struct dad_sweep *s) {
  struct dad_graph *g = &s->g;
  bool *no = DAD_ARRAY(s->arena, bool, g->n_loops + 1);
  for (int l = 0; l < g->n_loops; l++)
    if (!s->quiet_loop[l] && dad_frame_bytes(s, l))
      exclude(s, no, g->loop[l].parent);
  for (int b = 0; b < g->n_blocks; b++)
    if (g->loop_of[b] >= 0)
      DAD_FOR_INSTRUCTIONS(i, g->block[b])
        if (LLVMIsACallInst(i) && (dad_map_has(&s->u->call_of, i) || dad_runtime_called(i) == DAD_RT_push_zeroed))
          exclude(s, no, g->loop_of[b]);
  for (int l = 0; l < g->n_loops; l++)
    no[l] |= s->quiet_loop[l] || !g->trip[l];
  for (int l = 0; l < g->n_loops && !dad_options.no_reserve; l++)
    if (!no[l])
      dad_frame_reserve(s, l);
}

/* ---- the forward side: iterations counted, ways noted, frames pushed */

static void store_ways(struct dad_sweep *s) {
  for (int b = 0; b < s->g.n_blocks; b++)
    for (int k = 0; s->way[b] && k < s->g.n_preds[b]; k++) {
      dad_build_at_end(s->ctx, s->g.block[s->g.pred[b][k]]);
      LLVMBuildStore(s->ctx->builder, LLVMConstInt(s->way[b]->type, (unsigned)k, 0), s->way[b]->forward);
    }
}

/* Zero in the preheader, plus one at the latch. Reserved frames are stored at the count, so before it moves. */
static void count_iterations(struct dad_sweep *s, int l) {
  LLVMBuilderRef b = s->ctx->builder;
  struct dad_graph *g = &s->g;
  if (!s->count[l] || (g->trip[l] && !s->reserved[l].bytes))
    return;
  LLVMValueRef place = s->count[l]->forward;
  dad_build_at_end(s->ctx, g->block[g->loop[l].preheader]);
  LLVMBuildStore(b, dad_i64(s->ctx, 0), place);
  dad_build_at_end(s->ctx, g->block[g->loop[l].latch]);
  if (s->reserved[l].bytes && g->bottom[l] < 0)
    dad_frame_push(s, l);
  LLVMValueRef n = LLVMBuildLoad2(b, s->ctx->i64, place, "");
  LLVMBuildStore(b, LLVMBuildNUWAdd(b, n, dad_i64(s->ctx, 1), ""), place);
}

static void push_in_loop(struct dad_sweep *s, int l) {
  struct dad_graph *g = &s->g;
  if (s->quiet_loop[l])
    return;
  dad_build_at_end(s->ctx, g->block[g->loop[l].preheader]);
  dad_frame_enter_forward(s, l);
  if (g->bottom[l] >= 0) { /* before the exit test: the loop stays rotated */
    dad_build_at_end(s->ctx, g->block[g->bottom[l]]);
    dad_frame_push(s, l);
  } else if (!s->reserved[l].bytes) {
    dad_build_at_end(s->ctx, g->block[g->loop[l].latch]);
    dad_frame_push(s, l);
  }
}

/* On an edge that leaves loops, into "b" (whose only predecessor it is): the frames of all of them, inner ones first. */
static void push_at_exit(struct dad_sweep *s, int b) {
  struct dad_graph *g = &s->g;
  if (g->n_preds[b] != 1)
    return;
  int from = g->loop_of[g->pred[b][0]];
  if (from < 0 || dad_graph_inside(g, g->loop_of[b], from))
    return;
  dad_build_after_phis(s->ctx, g->block[b]);
  for (int l = from; l >= 0 && !dad_graph_inside(g, g->loop_of[b], l); l = g->loop[l].parent)
    if (!s->quiet_loop[l] && g->bottom[l] < 0)
      dad_frame_push(s, l);
}

static void build_forward_side(struct dad_sweep *s) {
  dad_frame_places(s);
  store_ways(s);
  for (int l = 0; l < s->g.n_loops; l++) {
    count_iterations(s, l);
    push_in_loop(s, l);
  }
  for (int b = 0; b < s->g.n_blocks; b++)
    push_at_exit(s, b);
  dad_frame_settle(s);
}

/* ---- reverse edges */

/* The adjoints of the phis of "b" go to what they got from "p". All are taken before any is given: phis may feed each other. */
static void reverse_phis(struct dad_sweep *s, int b, int p) {
  struct dad_vec phis = DAD_VEC(s->arena), adjoints = DAD_VEC(s->arena);
  for (LLVMValueRef i = LLVMGetFirstInstruction(s->g.block[b]); i && LLVMIsAPHINode(i); i = LLVMGetNextInstruction(i))
    if (dad_active(s->req, i)) {
      dad_vec_push(&phis, i);
      dad_vec_push(&adjoints, dad_adjoint_take(s, i));
    }
  for (unsigned k = 0; k < phis.n; k++)
    for (unsigned j = 0; j < LLVMCountIncoming(phis.at[k]); j++)
      if (LLVMGetIncomingBlock(phis.at[k], j) == s->g.block[p]) {
        dad_adjoint_give(s, LLVMGetIncomingValue(phis.at[k], j), adjoints.at[k]);
        break;
      }
}

/* From the reverse of "b" to the reverse of "p"; the builder stands at the end of the edge's block. */
static void reverse_edge(struct dad_sweep *s, int b, int p) {
  struct dad_graph *g = &s->g;
  int chain[MAX_NESTING], n = 0;
  reverse_phis(s, b, p);
  for (int l = g->loop_of[p]; l >= 0 && !dad_graph_inside(g, g->loop_of[b], l) && n < MAX_NESTING; l = g->loop[l].parent)
    chain[n++] = l;
  if (n == MAX_NESTING)
    dad_diag(s->ctx, DAD_LIMIT, s->u->original, "loops are nested too deeply");
  while (n-- > 0) {
    int l = chain[n];
    if (s->quiet_loop[l])
      continue;
    dad_frame_enter_reverse(s, l);
    if (g->bottom[l] < 0)
      dad_frame_pop(s, l);
    dad_undo_enter_loop(s, l);
  }
  LLVMBuildBr(s->ctx->builder, s->reverse_block[target(s, p)]);
}

/* ---- reverse blocks */

static void set_location(struct dad_sweep *s, LLVMValueRef i) {
  LLVMSetCurrentDebugLocation2(s->ctx->builder, LLVMInstructionGetDebugLoc(i));
}

static void reverse_block(struct dad_sweep *s, int b) {
  int l = s->g.loop_of[b];
  LLVMPositionBuilderAtEnd(s->ctx->builder, s->reverse_block[b]);
  dad_map_clear(&s->memo);
  if (l >= 0 && s->g.bottom[l] == b && !s->quiet_loop[l])
    dad_frame_pop(s, l);
  for (LLVMValueRef i = LLVMGetLastInstruction(s->g.block[b]); i; i = LLVMGetPreviousInstruction(i)) {
    bool undone = dad_map_has(&s->undone, i);
    if (!undone && !dad_reverse_is_busy(s, i))
      continue;
    set_location(s, i);
    if (undone)
      dad_undo_store(s, i);
    if (dad_reverse_is_busy(s, i))
      dad_reverse_instruction(s, i);
  }
}

/* The end of the reverse sweep: a combined function returns the primal's result if asked for and the derivatives of its out
   arguments, a reverse function the adjoints of all parameters that carry numbers. */
static void reverse_return(struct dad_sweep *s) {
  struct dad_unit *u = s->u;
  LLVMBuilderRef b = s->ctx->builder;
  LLVMTypeRef type = LLVMGetReturnType(LLVMGlobalGetValueType(u->reverse));
  unsigned n = 0;
  if (u->combined)
    dad_runtime_call(s->ctx, DAD_RT_end);
  if (LLVMGetTypeKind(type) == LLVMVoidTypeKind) {
    LLVMBuildRetVoid(b);
    return;
  }
  LLVMValueRef r = LLVMGetPoison(type);
  if (u->combined && s->req->primal_return && s->seeded)
    r = LLVMBuildInsertValue(b, r, s->seeded, n++, "");
  for (unsigned k = 0; k < u->n_params; k++) {
    bool wanted = u->combined ? s->req->args[k].activity == DAD_OUT : dad_adjoint_type(s->req, u->params[k]) != NULL;
    if (wanted)
      r = LLVMBuildInsertValue(b, r, dad_adjoint_take(s, u->params[k]), n++, "");
  }
  LLVMBuildRet(b, r);
}

static bool has_inner_loop(const struct dad_graph *g, int l) {
  for (int k = 0; k < g->n_loops; k++)
    if (g->loop[k].parent == l)
      return true;
  return false;
}

/* The count "n" of loop "l" less one. That addresses go down with it stays unknown to the optimiser where loops are inside: it would test once
   for all iterations whether what they access overlaps, cannot do that downward, and so would not vectorise the inner loops at all. */
static LLVMValueRef one_back(struct dad_sweep *s, int l, LLVMValueRef n) {
  LLVMBuilderRef b = s->ctx->builder;
  LLVMValueRef less = LLVMBuildSub(b, n, dad_i64(s->ctx, 1), ""), trip = s->g.trip[l];
  if ((trip && LLVMIsConstant(trip)) || !has_inner_loop(&s->g, l))
    return less;
  LLVMTypeRef overload[] = {s->ctx->i64, s->ctx->ptr};
  unsigned id = LLVMLookupIntrinsicID("llvm.annotation", strlen("llvm.annotation"));
  LLVMValueRef f = LLVMGetIntrinsicDeclaration(s->ctx->module, id, overload, 2), none = LLVMConstNull(s->ctx->ptr);
  LLVMValueRef args[] = {less, none, none, LLVMConstNull(s->ctx->i32)};
  return LLVMBuildCall2(b, LLVMGlobalGetValueType(f), f, args, 4, "");
}

/* The reversed header of loop "l": with iterations left, back into the latch, else out through the preheader. */
static void reverse_header(struct dad_sweep *s, int b) {
  LLVMBuilderRef builder = s->ctx->builder;
  struct dad_graph *g = &s->g;
  int l = g->loop_of[b];
  LLVMValueRef place = s->count[l]->reverse, n = LLVMBuildLoad2(builder, s->ctx->i64, place, "n");
  LLVMBasicBlockRef out = LLVMAppendBasicBlockInContext(s->ctx->llvm, s->u->reverse, "r.enter");
  LLVMBasicBlockRef back = LLVMAppendBasicBlockInContext(s->ctx->llvm, s->u->reverse, "r.back");
  LLVMBuildCondBr(builder, LLVMBuildICmp(builder, LLVMIntEQ, n, dad_i64(s->ctx, 0), ""), out, back);
  LLVMPositionBuilderAtEnd(builder, out);
  dad_map_clear(&s->memo);
  reverse_edge(s, b, g->loop[l].preheader);
  LLVMPositionBuilderAtEnd(builder, back);
  dad_map_clear(&s->memo);
  LLVMBuildStore(builder, one_back(s, l, n), place);
  if (g->bottom[l] < 0)
    dad_frame_pop(s, l);
  reverse_edge(s, b, g->loop[l].latch);
}

/* A merge: back along the way that was taken. The first way is the default of the switch. */
static void reverse_merge(struct dad_sweep *s, int b) {
  LLVMBuilderRef builder = s->ctx->builder;
  struct dad_slot *way = s->way[b];
  int n = s->g.n_preds[b];
  LLVMBasicBlockRef first = LLVMAppendBasicBlockInContext(s->ctx->llvm, s->u->reverse, "r.edge");
  LLVMValueRef taken = dad_crossing_read(s, way);
  LLVMValueRef choice = LLVMBuildSwitch(builder, taken, first, (unsigned)n - 1);
  for (int k = 0; k < n; k++) {
    LLVMBasicBlockRef edge = k ? LLVMAppendBasicBlockInContext(s->ctx->llvm, s->u->reverse, "r.edge") : first;
    if (k)
      LLVMAddCase(choice, LLVMConstInt(way->type, (unsigned)k, 0), edge);
    LLVMPositionBuilderAtEnd(builder, edge);
    dad_map_clear(&s->memo);
    reverse_edge(s, b, s->g.pred[b][k]);
  }
}

static void reverse_control(struct dad_sweep *s, int b) {
  struct dad_graph *g = &s->g;
  if (dad_graph_is_header(g, b))
    reverse_header(s, b);
  else if (g->n_preds[b] == 0)
    reverse_return(s);
  else if (g->n_preds[b] == 1)
    reverse_edge(s, b, g->pred[b][0]);
  else if (!s->way[b])
    LLVMBuildBr(s->ctx->builder, s->reverse_block[target(s, g->dominator[b])]);
  else
    reverse_merge(s, b);
}

/* ---- the whole */

static void open_sweep(struct dad_sweep *s, struct dad_unit *u) {
  struct dad_arena *arena = u->req->arena;
  *s = (struct dad_sweep){.u = u, .req = u->req, .ctx = u->req->ctx, .arena = arena};
  struct dad_map *maps[] = {&s->how,     &s->slot_of, &s->demanded, &s->memo,    &s->order,   &s->reload, &s->undoable,
                            &s->undone,  &s->clobber, &s->step, &s->increment,
                            &s->is_trip, &s->reached,  &s->avoided, &s->adjoint, &s->local};
  for (unsigned k = 0; k < sizeof maps / sizeof *maps; k++)
    *maps[k] = DAD_MAP(arena);
  s->slots = DAD_VEC(arena);
  s->promoted = DAD_VEC(arena);
  s->demands = DAD_VEC(arena);
  s->writers = DAD_VEC(arena);
  s->undone_stores = DAD_VEC(arena);
}

static void allocate(struct dad_sweep *s) {
  int blocks = s->g.n_blocks, loops = s->g.n_loops + 1;
  s->count = DAD_ARRAY(s->arena, struct dad_slot *, loops);
  s->way = DAD_ARRAY(s->arena, struct dad_slot *, blocks);
  s->reserved = DAD_ARRAY(s->arena, struct dad_reserved, loops);
  s->reverse_block = DAD_ARRAY(s->arena, LLVMBasicBlockRef, blocks);
  s->quiet_block = DAD_ARRAY(s->arena, bool, blocks);
  s->quiet_loop = DAD_ARRAY(s->arena, bool, loops);
}

static LLVMValueRef find_return(struct dad_sweep *s) {
  for (int b = 0; b < s->g.n_blocks; b++) {
    LLVMValueRef t = LLVMGetBasicBlockTerminator(s->g.block[b]);
    if (LLVMIsAReturnInst(t))
      return t;
  }
  return NULL;
}

/* Runs all rules without keeping what they build: what they ask for is what the reverse sweep reads. */
static void run_dry(struct dad_sweep *s) {
  struct dad_vec all = DAD_VEC(s->arena);
  for (int b = 0; b < s->g.n_blocks; b++)
    DAD_FOR_INSTRUCTIONS(i, s->g.block[b])
      dad_vec_push(&all, i);
  LLVMBasicBlockRef scratch = LLVMAppendBasicBlockInContext(s->ctx->llvm, s->u->reverse, "scratch");
  s->dry = true;
  for (unsigned k = all.n; k-- > 0;) {
    LLVMPositionBuilderAtEnd(s->ctx->builder, scratch);
    if (dad_reverse_is_busy(s, all.at[k]))
      dad_reverse_instruction(s, all.at[k]);
  }
  s->dry = false;
  LLVMDeleteBasicBlock(scratch);
}

static void decide(struct dad_sweep *s) {
  dad_reload_open(s);
  dad_hoist_loads(s);
  dad_increment_find(s);
  run_dry(s);
  dad_reload_number(s); /* loads have moved, and the dry run made shadow instructions */
  dad_crossing_decide(s);
  dad_reload_close(s);
  find_quiet(s);
  for (int l = 0; l < s->g.n_loops; l++)
    if (!s->quiet_loop[l])
      dad_crossing_need_count(s, l);
  find_ways(s);
  dad_frame_sort(s);
  reserve_frames(s);
}

/* Ends the forward sweep at "ret": in a combined function control goes on into the reverse sweep, else the function's frame is pushed and
   the result returned with its shadow. */
static void end_forward(struct dad_sweep *s, LLVMValueRef ret, LLVMValueRef shadow) {
  LLVMBuilderRef b = s->ctx->builder;
  if (!ret)
    return;
  LLVMPositionBuilderBefore(b, ret);
  if (s->u->combined) {
    LLVMBuildBr(b, s->start);
    dad_detach(s->ctx, ret);
    return;
  }
  dad_frame_push(s, -1);
  if (!shadow)
    return;
  LLVMValueRef r = LLVMGetPoison(LLVMGetReturnType(LLVMGlobalGetValueType(s->u->forward)));
  r = LLVMBuildInsertValue(b, r, LLVMGetOperand(ret, 0), 0, "");
  LLVMBuildRet(b, LLVMBuildInsertValue(b, r, shadow, 1, ""));
  dad_detach(s->ctx, ret);
}

/* One for every number in "type". */
static LLVMValueRef ones(struct dad_sweep *s, LLVMTypeRef type) {
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  bool array = kind == LLVMArrayTypeKind || kind == LLVMVectorTypeKind;
  if (kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind || kind == LLVMX86_FP80TypeKind)
    return LLVMConstReal(type, 1);
  if (!array && kind != LLVMStructTypeKind)
    return LLVMConstNull(type);
  unsigned n = kind == LLVMStructTypeKind  ? LLVMCountStructElementTypes(type)
               : kind == LLVMArrayTypeKind ? (unsigned)LLVMGetArrayLength2(type)
                                           : LLVMGetVectorSize(type);
  LLVMValueRef *e = DAD_ARRAY(s->arena, LLVMValueRef, n + 1);
  for (unsigned k = 0; k < n; k++)
    e[k] = ones(s, array ? LLVMGetElementType(type) : LLVMStructGetTypeAtIndex(type, k));
  if (kind == LLVMVectorTypeKind)
    return LLVMConstVector(e, n);
  if (kind == LLVMArrayTypeKind)
    return LLVMConstArray2(LLVMGetElementType(type), e, n);
  return LLVMGetStructName(type) ? LLVMConstNamedStruct(type, e, n)
                                 : LLVMConstStructInContext(s->ctx->llvm, e, n, LLVMIsPackedStruct(type));
}

/* Gives the result its seed: one for each number of a combined function's result, the parameter of a reverse function. */
static void seed_result(struct dad_sweep *s) {
  LLVMTypeRef type = s->seeded ? dad_adjoint_type(s->req, s->seeded) : NULL;
  if (!type)
    return;
  if (!s->u->combined) {
    dad_adjoint_give(s, s->seeded, LLVMGetParam(s->u->reverse, 0));
    return;
  }
  dad_adjoint_give(s, s->seeded, ones(s, type));
}

static void build_reverse_side(struct dad_sweep *s, LLVMValueRef ret) {
  LLVMBuilderRef b = s->ctx->builder;
  for (int k = 0; k < s->g.n_blocks; k++)
    s->reverse_block[k] = LLVMAppendBasicBlockInContext(s->ctx->llvm, s->u->reverse, "r");
  LLVMPositionBuilderAtEnd(b, s->start);
  LLVMSetCurrentDebugLocation2(b, NULL);
  if (s->u->combined)
    dad_runtime_call(s->ctx, DAD_RT_turn);
  else if (ret)
    dad_frame_pop(s, -1);
  seed_result(s);
  if (ret)
    LLVMBuildBr(b, s->reverse_block[target(s, s->last)]);
  else
    LLVMBuildUnreachable(b);
  for (int k = 0; k < s->g.n_blocks; k++) {
    if (target(s, k) != k) {
      LLVMPositionBuilderAtEnd(b, s->reverse_block[k]);
      LLVMBuildUnreachable(b);
      continue;
    }
    reverse_block(s, k);
    reverse_control(s, k);
  }
  LLVMSetCurrentDebugLocation2(b, NULL);
}

void dad_reverse_build(struct dad_unit *u) {
  struct dad_sweep sweep, *s = &sweep;
  struct dad_context *ctx = u->req->ctx;
  open_sweep(s, u);
  if (!dad_graph_build(&s->g, ctx, s->arena, u->forward))
    return;
  allocate(s);
  LLVMValueRef ret = find_return(s), shadow = NULL;
  s->seeded = ret && LLVMGetNumOperands(ret) ? LLVMGetOperand(ret, 0) : NULL;
  s->last = ret ? dad_graph_block_of(&s->g, ret) : -1;
  if (!u->combined && s->seeded && dad_has_pointer(LLVMTypeOf(s->seeded)))
    shadow = dad_shadow_of(u, s->seeded);
  LLVMBasicBlockRef entry = u->combined ? NULL : LLVMAppendBasicBlockInContext(ctx->llvm, u->reverse, "entry");
  decide(s);
  if (dad_failed(u->req))
    return;
  dad_report_sweep(s);
  build_forward_side(s);
  s->start = LLVMAppendBasicBlockInContext(ctx->llvm, u->reverse, "reverse");
  end_forward(s, ret, shadow);
  build_reverse_side(s, ret);
  if (entry) {
    LLVMPositionBuilderAtEnd(ctx->builder, entry);
    LLVMBuildBr(ctx->builder, s->start);
  }
  dad_bridge_promote((const LLVMValueRef *)s->promoted.at, s->promoted.n);
  dad_scope_rest(ctx, u->forward);
  if (u->reverse != u->forward)
    dad_scope_rest(ctx, u->reverse);
}
