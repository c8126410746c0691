/* window.h: running a nest in windows of its outermost loop, from snapshots.

   A window is the nest for the parameters "window" of the nest. Checkpointing executes windows
   again from snapshots, the last one first, each followed at once by its reverse sweep. Afterwards
   the state is that of the first window: who wants the results keeps them. */
#ifndef DAD_WINDOW_H
#define DAD_WINDOW_H

#include "affine.h"

struct dad_snapshot {
  int n_array; /* arrays of the nest */
  isl_set *
      *cells; /* which cells of each are kept, the same for all windows; NULL for none; owned */
  struct dad_rank *rank; /* where each of them goes */
};

/* What has to be kept at the beginning of a window of "plan"'s nest so that it can be executed
   again: what it reads before it writes it and any window writes. False if isl gives up. */
bool dad_window_snapshot(const struct dad_affine *plan, struct dad_snapshot *snapshot);
/* Releases isl's objects of "snapshot". */
void dad_snapshot_clear(struct dad_snapshot *snapshot);

#endif
