/* region.c: builds the graph of regions. */
#include "region.h"

#include "../base/ir.h"
#include "../base/map.h"
#include "../bridge_llvm.h"

/* A graph being built. */
struct making {
  struct dad_region_graph *graph;
  struct dad_scop *const *scops; /* the affine regions; NULL: none */
  int n_scops;
  LLVMBasicBlockRef *block; /* the function's blocks */
  int n_block;
  struct dad_map index;                             /* block -> its position in "block", plus one */
  int *loop_of;                                     /* block -> innermost loop, or -1 */
  struct dad_bridge_loop *loop;                     /* the loops */
  int *node_of_loop, *node_of_scop, *node_of_block; /* -1: none yet */
};

static int add_node(struct making *m, struct dad_region node) {
  m->graph->node[m->graph->n_node] = node;
  return m->graph->n_node++;
}

/* The affine region that "block" is in, or -1. */
static int scop_at(const struct making *m, LLVMBasicBlockRef block) {
  for (int i = 0; i < m->n_scops; i++)
    if (m->scops[i] && dad_scop_contains(m->scops[i], block))
      return i;
  return -1;
}

/* The node of "loop" (-1: none), made after those of the loops around it. */
static int loop_node(struct making *m, int loop) {
  if (loop < 0)
    return -1;
  if (m->node_of_loop[loop] < 0) {
    int parent = loop_node(m, m->loop[loop].parent);
    int latch = m->loop[loop].latch;
    m->node_of_loop[loop] =
        add_node(m, (struct dad_region){.kind = DAD_REGION_LOOP,
                                        .parent = parent,
                                        .block = m->block[m->loop[loop].header],
                                        .latch = latch < 0 ? NULL : m->block[latch]});
  }
  return m->node_of_loop[loop];
}

/* Is "loop" a part of "scop"? A region may begin with the header of a loop around it. */
static bool is_inside(const struct making *m, const struct dad_scop *scop, int loop) {
  int latch = m->loop[loop].latch;
  return dad_scop_contains(scop, m->block[m->loop[loop].header]) &&
         (latch < 0 || dad_scop_contains(scop, m->block[latch]));
}

/* The innermost loop around "scop" that is not a part of it. */
static int loop_around(const struct making *m, const struct dad_scop *scop) {
  int loop = m->loop_of[dad_map_int(&m->index, scop->entry) - 1];
  while (loop >= 0 && is_inside(m, scop, loop))
    loop = m->loop[loop].parent;
  return loop;
}

static int block_node(struct making *m, int b) {
  int scop = scop_at(m, m->block[b]);
  if (scop < 0) {
    int parent = loop_node(m, m->loop_of[b]);
    unsigned ways = LLVMGetNumSuccessors(LLVMGetBasicBlockTerminator(m->block[b]));
    return add_node(m, (struct dad_region){.kind = ways > 1 ? DAD_REGION_BRANCH : DAD_REGION_BLOCK,
                                           .parent = parent,
                                           .block = m->block[b]});
  }
  if (m->node_of_scop[scop] < 0) {
    int parent = loop_node(m, loop_around(m, m->scops[scop]));
    m->node_of_scop[scop] = add_node(m, (struct dad_region){.kind = DAD_REGION_AFFINE,
                                                            .parent = parent,
                                                            .block = m->scops[scop]->entry,
                                                            .scop = m->scops[scop]});
  }
  return m->node_of_scop[scop];
}

static void add_edge(struct dad_region_graph *graph, int from, int to) {
  for (int i = 0; i < graph->n_edge; i++)
    if (graph->edge[i].from == from && graph->edge[i].to == to)
      return;
  graph->edge[graph->n_edge++] = (struct dad_region_edge){from, to};
}

static void add_edges(struct making *m) {
  unsigned most = 0;
  for (int b = 0; b < m->n_block; b++)
    most += LLVMGetNumSuccessors(LLVMGetBasicBlockTerminator(m->block[b]));
  m->graph->edge = DAD_ARRAY(m->graph->arena, struct dad_region_edge, most + 1);
  for (int b = 0; b < m->n_block; b++) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(m->block[b]);
    for (unsigned k = 0; k < LLVMGetNumSuccessors(end); k++) {
      int to = m->node_of_block[dad_map_int(&m->index, LLVMGetSuccessor(end, k)) - 1];
      if (to != m->node_of_block[b] || m->graph->node[to].kind != DAD_REGION_AFFINE)
        add_edge(m->graph, m->node_of_block[b], to);
    }
  }
}

/* An array of "n" numbers -1. */
static int *none(struct dad_arena *arena, int n) {
  int *a = DAD_ARRAY(arena, int, n + 1);
  for (int i = 0; i < n; i++)
    a[i] = -1;
  return a;
}

static void find_shape(struct making *m, struct dad_arena *arena) {
  int n = m->n_block;
  m->index = DAD_MAP(arena);
  m->block = DAD_ARRAY(arena, LLVMBasicBlockRef, n + 1);
  LLVMGetBasicBlocks(m->graph->function, m->block);
  for (int b = 0; b < n; b++)
    dad_map_set_int(&m->index, m->block[b], b + 1);
  m->loop_of = none(arena, n);
  m->loop = DAD_ARRAY(arena, struct dad_bridge_loop, n + 1);
  m->node_of_loop = none(arena, n);
  m->node_of_block = none(arena, n);
  m->node_of_scop = none(arena, m->n_scops);
  dad_bridge_shape(m->graph->function, m->block, n, m->loop_of, none(arena, n), none(arena, n),
                   m->loop);
}

struct dad_region_graph *dad_region_graph_make(struct dad_arena *arena, LLVMValueRef function,
                                               struct dad_scop *const *scops, int n) {
  struct making m = {.graph = DAD_NEW(arena, struct dad_region_graph),
                     .scops = scops,
                     .n_scops = n,
                     .n_block = (int)LLVMCountBasicBlocks(function)};
  m.graph->arena = arena;
  m.graph->function = function;
  find_shape(&m, arena);
  m.graph->node = DAD_ARRAY(arena, struct dad_region, 2 * m.n_block + 1);
  for (int b = 0; b < m.n_block; b++)
    m.node_of_block[b] = block_node(&m, b);
  add_edges(&m);
  return m.graph;
}
