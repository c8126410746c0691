/* plan.h: what the planner decides, as bits for its cells and as a list of actions. */
#ifndef DILP_PLAN_H
#define DILP_PLAN_H

#include "cells.h"

#include <stdio.h>

/* Decisions at the cells of a problem. */
struct dilp_choice {
  unsigned char *retain;    /* of each cell: is the item there when the stage begins? For its first
                               cell that means that it is saved */
  unsigned char *recompute; /* of each cell: recompute it here in any case. What a stage needs and
                               is not there is recomputed without being told */
  int *point;               /* of each loop */
};

/* Kinds of actions. The saves and points of a plan come first. */
enum dilp_act {
  DILP_SAVE,      /* keep item "what" when its natural life ends */
  DILP_POINT,     /* run loop "what" by its point "point" */
  DILP_RECOMPUTE, /* recompute item "what" */
  DILP_FREE,      /* item "what" is not there any more */
  DILP_REVERSE    /* undo region "what" */
};

struct dilp_action {
  enum dilp_act act;
  int what;
  int point;
};

struct dilp_plan {
  double time;  /* seconds beyond a gradient that stores all for free */
  int64_t peak; /* most bytes at any moment */
  int count;
  int room; /* there is memory for as many actions */
  struct dilp_action *action;
};

/* A choice for "cells" of "problem" with everything zero, in memory of "room". Returns false if
   that is too small. */
bool dilp_choice(struct dilp_choice *choice, const struct dilp_problem *problem,
                 const struct dilp_cells *cells, struct dilp_room *room);

/* Makes "to" what "from" is. */
void dilp_choice_copy(struct dilp_choice *to, const struct dilp_choice *from,
                      const struct dilp_problem *problem, const struct dilp_cells *cells);

/* An empty plan with space for every plan of "problem" with "cells", in memory of "room". Returns
   false if that is too small. */
bool dilp_plan(struct dilp_plan *plan, const struct dilp_problem *problem,
               const struct dilp_cells *cells, struct dilp_room *room);

/* Appends an action to "plan", which has space for it. */
void dilp_plan_add(struct dilp_plan *plan, enum dilp_act act, int what, int point);

/* Makes "choice" the decisions that "plan" shows. "plan" is one that dilp_replay accepts. Nothing
   else is retained or recomputed in "choice". */
void dilp_plan_choice(const struct dilp_plan *plan, const struct dilp_problem *problem,
                      const struct dilp_cells *cells, struct dilp_choice *choice);

/* Prints "plan", one action a line, from "plan time SECONDS peak BYTES" to "end". */
void dilp_plan_print(const struct dilp_plan *plan, const struct dilp_problem *problem, FILE *file);

/* Appends to the empty "plan" what dilp_plan_print has printed for "problem", from "*text" on,
   which is changed and moved behind it. Returns false, with the reason in "error", if that is no
   whole plan. Whether it is a right one is for dilp_replay to say. */
bool dilp_plan_read(struct dilp_plan *plan, const struct dilp_problem *problem, char **text,
                    struct dilp_error *error);

#endif
