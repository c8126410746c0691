/* nest_cells.h: the memory of an interpreted loop nest. A cell comes into being when it is first
   touched, with numbers that its address determines. */
#ifndef DAD_NEST_CELLS_H
#define DAD_NEST_CELLS_H

#include "base/arena.h"

#include <stdbool.h>

enum { CELL_DIMENSIONS = 6 };

struct cell {
  int array, n; /* which container; how many subscripts */
  long subscript[CELL_DIMENSIONS];
  long double value, shadow;  /* of the differentiated program */
  long double plain, tangent; /* of the nest itself, in forward mode */
  long double first_shadow;   /* what the shadow was */
  long double first_tangent;  /* what the tangent was */
  long double result;         /* the value, while windows are executed again */
};

struct cells {
  struct dad_arena *arena; /* where they live */
  struct cell **slot;      /* open addressing */
  unsigned n, capacity;    /* cells; slots, a power of two */
  bool passive[64];        /* arrays whose shadows and tangents are 0 */
};

/* The cell of "array" with these "n" subscripts. */
struct cell *cells_at(struct cells *cells, int array, int n, const long *subscript);

#endif
