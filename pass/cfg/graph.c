/* graph.c: numbers everything once, so that the rest of the engine works on arrays. */
#include "graph.h"

/* What is found once: successors of blocks, as numbers. */
static void fill_successors(struct dad_graph *g, struct dad_arena *arena) {
  g->n_succs = DAD_ARRAY(arena, int, g->n_blocks);
  g->succ = DAD_ARRAY(arena, int *, g->n_blocks);
  for (int b = 0; b < g->n_blocks; b++) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(g->block[b]);
    g->n_succs[b] = (int)LLVMGetNumSuccessors(end);
    g->succ[b] = DAD_ARRAY(arena, int, g->n_succs[b] + 1);
    for (int k = 0; k < g->n_succs[b]; k++)
      g->succ[b][k] = dad_graph_number(g, LLVMGetSuccessor(end, (unsigned)k));
  }
}

static void fill_predecessors(struct dad_graph *g, struct dad_arena *arena) {
  g->n_preds = DAD_ARRAY(arena, int, g->n_blocks);
  g->pred = DAD_ARRAY(arena, int *, g->n_blocks);
  int *filled = DAD_ARRAY(arena, int, g->n_blocks);
  for (int b = 0; b < g->n_blocks; b++)
    for (int k = 0; k < g->n_succs[b]; k++)
      g->n_preds[g->succ[b][k]]++;
  for (int b = 0; b < g->n_blocks; b++)
    g->pred[b] = DAD_ARRAY(arena, int, g->n_preds[b] + 1);
  for (int b = 0; b < g->n_blocks; b++)
    for (int k = 0; k < g->n_succs[b]; k++) {
      int s = g->succ[b][k];
      g->pred[s][filled[s]++] = b;
    }
}

/* Depths in the tree "parent"; each chain is walked up to the first block whose depth is known. */
static int *tree_depths(struct dad_graph *g, struct dad_arena *arena, const int *parent) {
  int *depth = DAD_ARRAY(arena, int, g->n_blocks), *chain = DAD_ARRAY(arena, int, g->n_blocks + 1);
  for (int b = 0; b < g->n_blocks; b++) {
    int n = 0, p = b;
    for (; p >= 0 && !depth[p]; p = parent[p])
      chain[n++] = p;
    int at = p >= 0 ? depth[p] : 0;
    while (n)
      depth[chain[--n]] = ++at;
  }
  return depth;
}

/* Does "b" leave the loop "l" on some edge? */
static bool leaves(const struct dad_graph *g, int b, int l) {
  for (int k = 0; k < g->n_succs[b]; k++)
    if (!dad_graph_inside(g, g->loop_of[g->succ[b][k]], l))
      return true;
  return false;
}

/* The block before the latch of "l" (which is empty), if it is the only one that leaves the loop. */
static int bottom_of(const struct dad_graph *g, int l, const int *exits) {
  int latch = g->loop[l].latch;
  if (g->n_preds[latch] != 1 || LLVMGetFirstInstruction(g->block[latch]) !=
                                    LLVMGetBasicBlockTerminator(g->block[latch]))
    return -1;
  int b = g->pred[latch][0];
  return g->loop_of[b] == l && exits[l] == 1 && leaves(g, b, l) ? b : -1;
}

static void fill_bottoms(struct dad_graph *g, struct dad_arena *arena) {
  int *exits = DAD_ARRAY(arena, int, g->n_loops + 1); /* blocks that leave each loop */
  g->bottom = DAD_ARRAY(arena, int, g->n_loops + 1);
  for (int b = 0; b < g->n_blocks; b++)
    for (int l = g->loop_of[b]; l >= 0 && leaves(g, b, l); l = g->loop[l].parent)
      exits[l]++;
  for (int l = 0; l < g->n_loops; l++)
    g->bottom[l] = bottom_of(g, l, exits);
}

static void fill_trip_counts(struct dad_graph *g, struct dad_arena *arena) {
  LLVMBasicBlockRef *headers = DAD_ARRAY(arena, LLVMBasicBlockRef, g->n_loops + 1);
  g->trip = DAD_ARRAY(arena, LLVMValueRef, g->n_loops + 1);
  for (int l = 0; l < g->n_loops; l++)
    headers[l] = g->block[g->loop[l].header];
  if (g->n_loops)
    dad_bridge_trip_counts(g->function, headers, g->n_loops, g->trip);
}

bool dad_graph_build(struct dad_graph *g, struct dad_context *ctx, struct dad_arena *arena,
                     LLVMValueRef function) {
  int n = (int)LLVMCountBasicBlocks(function);
  *g = (struct dad_graph){.ctx = ctx, .function = function, .n_blocks = n, .number = DAD_MAP(arena)};
  g->block = DAD_ARRAY(arena, LLVMBasicBlockRef, n);
  LLVMGetBasicBlocks(function, g->block);
  for (int b = 0; b < n; b++)
    dad_map_set_int(&g->number, g->block[b], b + 1);
  g->loop_of = DAD_ARRAY(arena, int, n);
  g->dominator = DAD_ARRAY(arena, int, n);
  g->post_dominator = DAD_ARRAY(arena, int, n);
  g->loop = DAD_ARRAY(arena, struct dad_bridge_loop, n + 1);
  g->n_loops = dad_bridge_shape(function, g->block, n, g->loop_of, g->dominator, g->post_dominator, g->loop);
  for (int l = 0; l < g->n_loops; l++)
    if (g->loop[l].preheader < 0 || g->loop[l].latch < 0) {
      dad_diag(ctx, DAD_INTERNAL, function, "a loop could not be brought into canonical form");
      return false;
    }
  fill_successors(g, arena);
  fill_predecessors(g, arena);
  g->depth = tree_depths(g, arena, g->dominator);
  g->post_depth = tree_depths(g, arena, g->post_dominator);
  fill_bottoms(g, arena);
  fill_trip_counts(g, arena);
  return true;
}

int dad_graph_number(const struct dad_graph *g, LLVMBasicBlockRef block) {
  return (int)dad_map_int(&g->number, block) - 1;
}

int dad_graph_block_of(const struct dad_graph *g, LLVMValueRef v) {
  return LLVMIsAInstruction(v) ? dad_graph_number(g, LLVMGetInstructionParent(v)) : 0;
}

int dad_graph_loop_of(const struct dad_graph *g, LLVMValueRef v) {
  return LLVMIsAInstruction(v) ? g->loop_of[dad_graph_block_of(g, v)] : -1;
}

bool dad_graph_inside(const struct dad_graph *g, int inner, int outer) {
  for (; inner > outer; inner = g->loop[inner].parent) /* loops are numbered outer before inner */
    ;
  return inner == outer;
}

bool dad_graph_is_header(const struct dad_graph *g, int b) {
  return g->loop_of[b] >= 0 && g->loop[g->loop_of[b]].header == b;
}

bool dad_graph_dominates(const struct dad_graph *g, int a, int b) {
  while (b >= 0 && g->depth[b] > g->depth[a])
    b = g->dominator[b];
  return a == b;
}

int dad_graph_common_post_dominator(const struct dad_graph *g, int a, int b) {
  while (a != b && a >= 0 && b >= 0) {
    if (g->post_depth[a] >= g->post_depth[b])
      a = g->post_dominator[a];
    else
      b = g->post_dominator[b];
  }
  return a == b ? a : -1;
}
