/* formulate.h: the planning problem as an integer program.

   For each cell there are two binaries: the item is retained over the gap before it (for the first
   cell: it is saved), and it is recomputed in it. For each point of a loop there is one more.
   Inside a stage continuous columns say where each item is present: when each recomputation runs
   that may read it, and while the region is undone. They come out integral by themselves. Memory
   has one row for each region in the forward sweep, and in each stage one for each possible
   recomputation and one for the region. */
#ifndef DILP_FORMULATE_H
#define DILP_FORMULATE_H

#include "model.h"
#include "plan.h"

/* Where the decisions are among the columns. */
struct dilp_decisions {
  int *retain;    /* of each cell */
  int *recompute; /* of each cell */
  int *point;     /* of point k of loop l: point[l * DILP_MENU + k] */
};

/* What the program is to be. */
struct dilp_formulation {
  double unit;  /* bytes that one unit of memory rows stands for: the limit */
  double scale; /* what one second counts in the objective */
  bool least;   /* the least peak is wanted, not the least time */
};

/* Writes the program of "problem", restricted to "cells", to the empty "model". "decisions" are in
   memory of "room"; returns false if that is too small. */
bool dilp_formulate(struct dilp_model *model, struct dilp_decisions *decisions,
                    const struct dilp_problem *problem, const struct dilp_cells *cells,
                    struct dilp_formulation formulation, struct dilp_room *room);

#endif
