/* region.h: a function as a graph of what computes: affine regions, loops that are not affine,
   branches, plain blocks. Parts are nested in loops; edges say what may run next. */
#ifndef DAD_REGION_H
#define DAD_REGION_H

#include "../base/vec.h"
#include "scop.h"

enum dad_region_kind { DAD_REGION_AFFINE, DAD_REGION_LOOP, DAD_REGION_BRANCH, DAD_REGION_BLOCK };

struct dad_region {
  enum dad_region_kind kind;   /* what it is */
  int parent;                  /* the loop around it: an index into dad_region_graph.node, or -1 */
  LLVMBasicBlockRef block;     /* its first block: of a loop the header */
  LLVMBasicBlockRef latch;     /* of a loop */
  const struct dad_scop *scop; /* of an affine region */
};

struct dad_region_edge {
  int from, to; /* indices into dad_region_graph.node */
};

struct dad_region_graph {
  struct dad_arena *arena;      /* where it lives */
  LLVMValueRef function;        /* whose graph it is */
  struct dad_region *node;      /* loops before what is in them */
  int n_node;                   /* how many */
  struct dad_region_edge *edge; /* each once */
  int n_edge;                   /* how many */
};

/* The graph of "function", of which scops[0..n) are affine; those that are NULL are none. */
struct dad_region_graph *dad_region_graph_make(struct dad_arena *arena, LLVMValueRef function,
                                               struct dad_scop *const *scops, int n);
/* Prints "graph", called "name", as text, for Graphviz, and as JSON. */
void dad_region_print(FILE *out, const struct dad_region_graph *graph, const char *name);
void dad_region_print_dot(FILE *out, const struct dad_region_graph *graph, const char *name);
void dad_region_print_json(FILE *out, const struct dad_region_graph *graph, const char *name);

#endif
