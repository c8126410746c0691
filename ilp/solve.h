/* solve.h: plans by the integer program, with our own planner's plan to start from. */
#ifndef DILP_SOLVE_H
#define DILP_SOLVE_H

#include "answer.h"

/* How far the solver goes. */
struct dilp_solver_limits {
  double gap; /* share of the gradient's time by which a plan may be slower than the best; less than
                 0: none for small problems, 0.005 for large ones */
  int nodes;  /* nodes of a search; fewer where the program is large */
  int cells;  /* cells that are decided; of more, those that take least recomputation to matter */
};

extern const struct dilp_solver_limits dilp_solver_defaults;

/* What the last search was like. */
struct dilp_solver_report {
  int cells, rows, columns, nodes;
  bool proven;
};

struct dilp_solver {
  struct dilp_problem problem; /* with the limit that is searched for */
  const struct dilp_cells *cells;
  struct dilp_solver_limits limits;
  struct dilp_effort effort;
  struct dilp_own own;
  struct dilp_evaluator evaluator;
  struct dilp_choice found; /* by CBC */
  struct dilp_plan plan;    /* for what CBC starts from */
  struct dilp_room room;    /* the rest is scratch memory */
  struct dilp_solver_report report;
};

/* Prepares "solver" for "problem" with all its "cells", in memory of "room", all of which it takes.
   Returns false if that is too small. */
bool dilp_solver(struct dilp_solver *solver, const struct dilp_problem *problem,
                 const struct dilp_cells *cells, struct dilp_solver_limits limits,
                 struct dilp_effort effort, struct dilp_room room);

/* A dilp_planner; "context" is a struct dilp_solver. */
bool dilp_solver_plan(void *context, int64_t limit, struct dilp_choice *choice);

/* A dilp_planner for the least peak, whatever the limit is. */
bool dilp_solver_least(void *context, int64_t limit, struct dilp_choice *choice);

#endif
