/* graph.h: blocks, loops and dominators of one function as numbers. The function has the canonical form of driver/prepare.c:
   every loop has one preheader, one latch and exits of its own. */
#ifndef DAD_GRAPH_H
#define DAD_GRAPH_H

#include "../base/ir.h"
#include "../bridge_llvm.h"

struct dad_graph {
  struct dad_context *ctx;
  LLVMValueRef function;
  int n_blocks, n_loops;
  LLVMBasicBlockRef *block;     /* block[0] is the entry */
  struct dad_map number;        /* block -> its index + 1 */
  int *loop_of;                 /* the innermost loop of each block; -1: none */
  int *dominator;               /* immediate dominators; -1 for the entry */
  int *depth;                   /* depth in the dominator tree */
  int *post_dominator;          /* immediate post-dominators; -1 for exits */
  int *post_depth;              /* depth in the post-dominator tree */
  struct dad_bridge_loop *loop; /* the loops, outer before inner */
  int **pred;                   /* predecessors of each block, in the order of their terminators */
  int **succ;                   /* successors of each block */
  int *n_succs;
  int *n_preds;
  int *bottom;       /* per loop: the only exiting block, if it ends the iteration whichever way it goes; else -1 */
  LLVMValueRef *trip; /* per loop: the exact back-edge count, known in the preheader; or NULL */
};

/* The graph of "function". Expands trip counts in preheaders. Reports an error and returns false if a loop is not canonical. */
bool dad_graph_build(struct dad_graph *g, struct dad_context *ctx, struct dad_arena *arena,
                     LLVMValueRef function);
/* The number of "block"; -1 if it is not one of the graph's. */
int dad_graph_number(const struct dad_graph *g, LLVMBasicBlockRef block);
/* The number of the block of "v"; 0 (the entry) for what is no instruction. */
int dad_graph_block_of(const struct dad_graph *g, LLVMValueRef v);
/* The innermost loop in which "v" is defined; -1: none. */
int dad_graph_loop_of(const struct dad_graph *g, LLVMValueRef v);
/* Is the loop "inner" the loop "outer" or inside it? Everything is inside -1, the function. */
bool dad_graph_inside(const struct dad_graph *g, int inner, int outer);
/* Is block "b" the header of its loop? */
bool dad_graph_is_header(const struct dad_graph *g, int b);
/* Does block "a" dominate block "b"? */
bool dad_graph_dominates(const struct dad_graph *g, int a, int b);
/* The nearest common post-dominator of the blocks "a" and "b", or -1. */
int dad_graph_common_post_dominator(const struct dad_graph *g, int a, int b);

#endif
