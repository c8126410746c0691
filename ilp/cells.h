/* cells.h: where a plan can decide something: the cells (item, reverse stage) of a problem.

   There is a cell where a stage may need the item, by itself or to recompute another one. On the
   way from one cell of an item to its next, and from the forward sweep to its first, the item is
   retained or not; in a cell it may be recomputed. */
#ifndef DILP_CELLS_H
#define DILP_CELLS_H

#include "problem.h"

struct dilp_cells {
  int count;
  int *of_item;  /* cells of item i are of_item[i] .. of_item[i + 1] - 1, by stage */
  int *stage;    /* of each cell */
  int *item;     /* of each cell */
  bool *may;     /* may the item be recomputed in this cell? */
  int *of_stage; /* entries of stage t in "cell" are of_stage[t] .. of_stage[t + 1] - 1 */
  int *cell;     /* the cells of each stage, by item */
};

/* Finds the cells of "problem", in memory of "room": those where no more than "most" seconds of
   recomputation lead from what the stage needs to the item. With the seconds of a known plan no
   better plan is lost; INFINITY finds all. Returns false if "room" is too small. */
bool dilp_cells(struct dilp_cells *cells, const struct dilp_problem *problem, double most,
                struct dilp_room *room);

#endif
