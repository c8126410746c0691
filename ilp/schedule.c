/* schedule.c: binomial schedules for the reversal of sequential loops. */
#include "schedule.h"

#include <math.h>

double dilp_reach(int64_t slots, int64_t repeats) {
  double reach = 1;

  if (repeats < 0)
    return 0;
  for (int64_t i = 1; i <= slots; i++)
    reach = reach * (double)(repeats + i) / (double)i;
  return reach;
}

/* The least number of times that some step runs when "steps" steps are reversed with "slots"
   snapshots. */
static int64_t repeats_for(int64_t steps, int64_t slots) {
  int64_t repeats = 0;

  if (slots == 1)
    return steps - 1;
  while (dilp_reach(slots, repeats) < (double)steps)
    repeats++;
  return repeats;
}

double dilp_plain_steps(int64_t steps, int64_t slots, bool separated) {
  int64_t all = steps + separated, repeats;

  if (all <= 1)
    return 0;
  if (slots > all)
    slots = all;
  repeats = repeats_for(all, slots);
  return (double)repeats * (double)all - dilp_reach(slots + 1, repeats - 1);
}

/* Any move between two bounds is optimal; this is the longest. */
int64_t dilp_first_move(int64_t steps, int64_t slots) {
  int64_t repeats = repeats_for(steps, slots);
  double most =
      fmin(dilp_reach(slots, repeats - 1), (double)steps - dilp_reach(slots - 1, repeats - 1));

  return most < 1 ? 1 : (int64_t)most;
}

/* How often an optimal schedule advances over its first step. */
static int64_t first_step_repeats(int64_t steps, int64_t slots) {
  int64_t count = 0;

  if (slots == 1)
    return steps - 1;
  for (; steps > 1; count++)
    steps = dilp_first_move(steps, slots);
  return count;
}

double dilp_window_steps(int64_t steps, int64_t window, int64_t slots, bool separated) {
  int64_t windows = (steps + window - 1) / window;
  int64_t missing = windows * window - steps;

  return (double)window * dilp_plain_steps(windows, slots, separated) -
         (double)missing * (double)first_step_repeats(windows + separated, slots);
}
