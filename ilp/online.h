/* online.h: snapshots of a loop whose number of steps is not known before it ends.

   Every "stride"-th state is kept; when all slots are taken every second one is dropped and the
   stride doubles. When the loop has ended, those are dropped whose slots serve the reverse sweep
   better as free ones. */
#ifndef DILP_ONLINE_H
#define DILP_ONLINE_H

#include "room.h"

#include <stdbool.h>
#include <stdint.h>

/* A state that is kept. */
struct dilp_snapshot {
  int64_t step; /* it is the state before this step */
  int slot;     /* where it is kept */
};

struct dilp_online {
  int slots;                /* how many snapshots there may be, that of the first state included */
  int kept;                 /* how many there are */
  int64_t stride;           /* every one of these is kept */
  struct dilp_snapshot *at; /* those that are kept, by step */
};

/* Prepares "online" for "slots" >= 2 snapshots, in memory of "room"; false if that is too small. */
bool dilp_online(struct dilp_online *online, int slots, struct dilp_room *room);

/* To be asked before every step, from step 0 on: the slot in which the state before "step" is to be
   kept, or -1. */
int dilp_online_slot(struct dilp_online *online, int64_t step);

/* The loop has ended after "steps" >= 1 steps: chooses which snapshots to keep, with scratch
   memory from "room". Returns the plain steps that the reverse sweep takes, or -1 if "room" is too
   small. */
double dilp_online_turn(struct dilp_online *online, int64_t steps, struct dilp_room *room);

#endif
