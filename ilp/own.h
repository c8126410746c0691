/* own.h: a planner of our own: greedy descent, local moves, ejections. It needs no library,
   allocates nothing, and gives the same answer for the same problem. */
#ifndef DILP_OWN_H
#define DILP_OWN_H

#include "evaluate.h"

/* How hard it may try. */
struct dilp_effort {
  int rounds;   /* of ejections: a move that is too large by itself, repaired by others */
  int kicks;    /* random changes of many cells at once, and a descent after each */
  int64_t work; /* most cells that evaluations may visit together; what it has then is the answer */
};

/* Efforts: for the compiler, for the rungs of ladders, for programs that are running. */
extern const struct dilp_effort dilp_effort_high, dilp_effort_medium, dilp_effort_low;

/* A change of a choice. */
struct dilp_move {
  int loop;     /* the loop whose point becomes "value"; -1: cells are changed */
  int from, to; /* cells from .. to - 1, whose "retain" becomes "value" */
  int value;
  double score; /* when it was last looked at: less is better; INFINITY: of no use */
};

/* A search. */
struct dilp_own {
  struct dilp_problem problem; /* with the limit that is searched for */
  struct dilp_evaluator evaluator;
  struct dilp_choice choice; /* where it is, */
  struct dilp_cost cost;     /* and what that costs */
  struct dilp_choice best;   /* the best of the current phase */
  struct dilp_choice try;    /* where an ejection is */
  struct dilp_choice undo;   /* what the last move overwrote */
  int moves;                 /* in all */
  int coarse;                /* the first moves: those of whole items and loops */
  struct dilp_move *move;
  double *chain; /* of each item: seconds that making it from nothing takes at most */
  int64_t work;  /* that is left */
};

/* Prepares "own" for "problem" with all its "cells", in memory of "room". Returns false if that is
   too small. */
bool dilp_own(struct dilp_own *own, const struct dilp_problem *problem,
              const struct dilp_cells *cells, struct dilp_room *room);

/* Looks for the fastest choice under "limit": it is "choice" of "own" then, "cost" what it costs.
   Returns false if none was found. */
bool dilp_own_search(struct dilp_own *own, int64_t limit, struct dilp_effort effort);

/* Looks for a choice with a low peak: it is "choice" of "own" then, "cost" what it costs. */
void dilp_own_least(struct dilp_own *own, struct dilp_effort effort);

/* Makes "choice" of "own" the one that retains all and runs every loop by its fastest point. */
void dilp_own_store_all(struct dilp_own *own);

/* The same for nothing retained and points with least bytes. */
void dilp_own_recompute_all(struct dilp_own *own);

#endif
