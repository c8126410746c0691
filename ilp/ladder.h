/* ladder.h: plans for a fixed sequence of limits, from which answers are picked.

   The limits depend on the problem alone, never on what is asked for. So a smaller limit never has
   the higher peak, and a larger one never takes longer. */
#ifndef DILP_LADDER_H
#define DILP_LADDER_H

#include "own.h"
#include "replay.h"

#define DILP_RUNGS 25

/* A plan for one of the limits. */
struct dilp_rung {
  struct dilp_choice choice;
  struct dilp_cost cost; /* "peak": of bytes that live at the same time */
  int64_t top;           /* what the memory for all blocks must have; -1: not known yet */
};

struct dilp_ladder {
  const struct dilp_problem *problem;
  const struct dilp_cells *cells;
  int count;
  struct dilp_rung rung[DILP_RUNGS];
};

/* Plans under "limit": true if "choice" is such a plan then. */
typedef bool (*dilp_planner)(void *context, int64_t limit, struct dilp_choice *choice);

/* Makes "ladder" that of "problem" with all its "cells", in memory of "room", by our own planner
   with "effort". "planner", unless it is NULL, is asked with "context" at every limit too. Returns
   false if "room" is too small. */
bool dilp_ladder(struct dilp_ladder *ladder, const struct dilp_problem *problem,
                 const struct dilp_cells *cells, struct dilp_effort effort, dilp_planner planner,
                 void *context, struct dilp_room *room);

/* The problem of "ladder" has new sizes and costs, but the same items, regions and loops: looks at
   its rungs again, with scratch memory from "room". Returns false if that is too small. */
bool dilp_ladder_resize(struct dilp_ladder *ladder, struct dilp_room *room);

/* Makes "plan", which has space for it, the fastest plan of "ladder" under "limit", and "replay"
   what is known of it, with memory from "room". Returns the number of its rung; -1 if there is none
   or "room" is too small. */
int dilp_ladder_pick(struct dilp_ladder *ladder, int64_t limit, struct dilp_plan *plan,
                     struct dilp_replay *replay, struct dilp_room *room);

#endif
