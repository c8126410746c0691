/* schedule.h: how a sequential loop is reversed from snapshots of its states: closed forms and the
   moves of the schedules that they count.

   Costs are counted in plain steps: those that are run only to get from a snapshot to a later
   state, beyond one taping step and one reverse step each. A sweep is adjacent if its reverse
   begins where it ends, else separated: the rest of the program then counts as one more step
   at the end, which costs nothing to advance over. */
#ifndef DILP_SCHEDULE_H
#define DILP_SCHEDULE_H

#include <stdbool.h>
#include <stdint.h>

/* The number of steps that can be reversed with "slots" snapshots, that of the first state
   among them, if no step is run more than "repeats" times. */
double dilp_reach(int64_t slots, int64_t repeats);

/* Plain steps that reversing "steps" steps takes at least with "slots" snapshots. */
double dilp_plain_steps(int64_t steps, int64_t slots, bool separated);

/* The first move of an optimal schedule for "steps" >= 2 steps and "slots" >= 2 snapshots: how
   many steps to advance before the next snapshot. */
int64_t dilp_first_move(int64_t steps, int64_t slots);

/* Plain steps for "steps" steps in windows of "window" steps, which are taped as a whole, with
   "slots" snapshots at starts of windows. The first window is the short one. */
double dilp_window_steps(int64_t steps, int64_t window, int64_t slots, bool separated);

#endif
