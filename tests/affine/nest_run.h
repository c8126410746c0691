/* nest_run.h: executes plans of the affine engine, and judges them against forward mode: for seeds
   s and directions t, <s, J t> is <J' s, t>. */
#ifndef DAD_NEST_RUN_H
#define DAD_NEST_RUN_H

#include "affine/affine_plan.h"
#include "nest_cells.h"

struct nest_run {
  const struct dad_affine *plan; /* what is executed */
  struct dad_arena *arena;       /* where everything lives */
  long param[16];                /* the parameters, in the order of the nest's context */
  struct cells cells;            /* memory */
  const char *wrong;             /* what is wrong, or NULL */
  long instances;                /* of reverse statements that were executed */
  long tape_bytes;               /* of all tapes that were used at one time, at most */
  long snapshot_cells;           /* of one snapshot */
  bool wild;                     /* numbers became too large to judge */
};

/* Executes both sweeps of "plan" for the parameters "param" and says in "wrong" what is wrong: the
   gradient, the results, or a use of a tape. */
struct nest_run nest_run_plan(struct dad_arena *arena, const struct dad_affine *plan,
                              const long *param, int n_param);

/* The same for a nest in windows of "step" iterations: forwards with snapshots, then backwards
   window by window. Parameters 1 and 2 are the window, at first all of it. */
struct nest_run nest_run_windows(struct dad_arena *arena, const struct dad_affine *plan,
                                 const long *param, int n_param, long step);

#endif
