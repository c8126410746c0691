/* replay.h: runs a plan event by event and believes nothing that anybody has computed about it. */
#ifndef DILP_REPLAY_H
#define DILP_REPLAY_H

#include "placement.h"
#include "plan.h"

/* What a replay has found. Events are the regions, forward, then every recomputation and every
   reverse of a region. */
struct dilp_replay {
  double time;  /* seconds */
  int64_t peak; /* most bytes of blocks that live at the same time */
  int64_t top;  /* the highest end of a block: what the memory for all must have */
  int events;
  int blocks;
  struct dilp_block *block; /* with their addresses */
};

/* Replays "plan" of "problem", in memory of "room". Returns false, with the reason in "error", if
   something is missing where it is needed, if the plan's own "time" or "peak" are wrong, if its
   blocks cannot be placed under the limit, or if "room" is too small. */
bool dilp_replay(struct dilp_replay *replay, const struct dilp_problem *problem,
                 const struct dilp_plan *plan, struct dilp_room *room, struct dilp_error *error);

#endif
