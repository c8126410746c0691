/* placement.h: addresses for blocks of memory whose lives are known. */
#ifndef DILP_PLACEMENT_H
#define DILP_PLACEMENT_H

#include "room.h"

#include <stdint.h>

/* A block of memory. */
struct dilp_block {
  int64_t bytes;
  int64_t address; /* from the start of the memory that all share */
  int from, to;    /* the first and the last event of its life */
  int action;      /* the save or recomputation that it belongs to; -1: something else */
};

/* Gives each of the "count" blocks "block" an address, so that no two that live at the same time
   overlap. Tries several orders until all end at most at "goal". Returns the highest end, or -1 if
   "room" is too small for scratch memory. */
int64_t dilp_place(struct dilp_block *block, int count, int64_t goal, int64_t limit,
                   struct dilp_room *room);

#endif
