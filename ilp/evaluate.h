/* evaluate.h: what a choice costs, and the plan that it makes. */
#ifndef DILP_EVALUATE_H
#define DILP_EVALUATE_H

#include "plan.h"

/* What a choice costs. */
struct dilp_cost {
  double time;  /* seconds */
  int64_t peak; /* most bytes of any event */
  double over;  /* bytes over the limit, summed over events; 0: the choice is under the limit */
};

/* An item in the stage that is evaluated. */
struct dilp_present {
  bool alive; /* it is there */
  bool used;  /* the region's reverse reads it */
  bool again; /* it is recomputed */
  bool keep;  /* it is retained for its next cell */
  int last; /* the last item that is recomputed from it; -1: none; all items: the region reads it */
};

/* Evaluates choices. It may be used for any number of them, one at a time. */
struct dilp_evaluator {
  const struct dilp_problem *problem;
  const struct dilp_cells *cells; /* all cells of "problem" */
  struct dilp_present *item;      /* of each item */
  int64_t *change;                /* of each region: bytes that are added when it begins */
  struct dilp_plan *plan;         /* where actions are written to; NULL: nowhere */
  struct dilp_cost cost;          /* so far */
  int64_t bytes;                  /* of "base" and the items that are there */
  int64_t held;                   /* of the loops that are still to be undone */
};

/* Prepares "evaluator" for "problem" with all its "cells", in memory of "room". Returns false if
   that is too small. */
bool dilp_evaluator(struct dilp_evaluator *evaluator, const struct dilp_problem *problem,
                    const struct dilp_cells *cells, struct dilp_room *room);

/* What "choice" costs. Makes "plan", which has space for it, the plan that it is, unless it is
   NULL. */
struct dilp_cost dilp_evaluate(struct dilp_evaluator *evaluator, const struct dilp_choice *choice,
                               struct dilp_plan *plan);

#endif
