/* affine.h: the reverse sweep of a loop nest, as the stages of the affine engine build it up. */
#ifndef DAD_AFFINE_H
#define DAD_AFFINE_H

#include "expr_adjoint.h"
#include "flow.h"
#include "rank.h"

#include <isl/ast.h>

/* What one stage may cost, in operations of isl, and other limits. 0 operations: no limit. */
struct dad_affine_options {
  unsigned long stage_quota;  /* of dataflow, tapes, dependences, code: without them no plan */
  unsigned long search_quota; /* of the search for schedules, which keeps what it has found */
  int most_places;            /* where one need may be found, beside its array */
  int most_reverse;           /* reverse statements */
  bool push_only;             /* every reverse statement at the reversed time of its assignment */
};

/* The options that do well in general. */
#define DAD_AFFINE_DEFAULTS                                                                        \
  ((struct dad_affine_options){                                                                    \
      .stage_quota = 8000000, .search_quota = 4000000, .most_places = 16, .most_reverse = 120})

/* The adjoint of one assignment. */
struct dad_backward {
  struct dad_need *need;      /* where each of its reads, and its result, is found */
  const struct dad_expr **by; /* what each read receives; NULL: nothing */
  bool result;                /* do derivatives use the result where they can? */
  bool marked;                /* are comparisons kept, one bit each in a byte for each instance? */
  struct dad_marks marks;     /* these comparisons */
  unsigned long needed;       /* which needs the adjoint reads; bit n_read: the result */
  int tape;                   /* tape that it saves to before it overwrites, or -1 */
  int mark_tape;              /* tape of its comparisons, or -1 */
};

/* Values kept from the forward to the reverse sweep, one for each point of "saves" and
   "pads". */
struct dad_tape {
  const char *name; /* for printing */
  int assign;       /* who saves: what it is about to overwrite, or its comparisons */
  bool marks;       /* comparisons */
  unsigned bytes;   /* of a value */
  isl_set *saves;   /* the instances that save; owned */
  isl_set *pads; /* points outside of the domain of "assign" whose cells, which nobody writes, are
                    copied before the nest begins; NULL for none; owned */
  struct dad_rank rank; /* where each of them puts it */
};

/* The most dimensions that an assignment may have. */
enum { DAD_SCHEDULE_DIMENSIONS = 8 };

/* What happens first at one time. */
enum dad_schedule_place {
  DAD_PLACE_PULLED_SCALE,
  DAD_PLACE_PULLED_ADD,
  DAD_PLACE_PUSHED_ADD,
  DAD_PLACE_PUSHED_SCALE
};

/* When a reverse statement runs (affine_schedule.h). */
struct dad_schedule {
  bool pull;                          /* tau is that of the producer */
  int depth;                          /* how many dimensions of tau are used */
  int side;                           /* -1, 0 or 1 */
  enum dad_schedule_place place;      /* at one time */
  int order[DAD_SCHEDULE_DIMENSIONS]; /* which own dimension comes first, second, ... */
};

/* One statement of the reverse sweep: on every instance of "domain", either an accumulation
   shadow[target] += value(seed = shadow[source]), or, with read = -1, a scaling
   shadow[target] = value(seed = shadow[target]), where "target" is the cell that was written. */
struct dad_reverse {
  const char *name;             /* tuple name of its instances */
  int assign;                   /* whose adjoint it is a part of */
  int read;                     /* the read that receives, or -1: scaling */
  isl_set *domain;              /* its instances; owned */
  const struct dad_expr *value; /* in terms of the seed and needs */
  int *place;                   /* for each need of "assign" where it is found, or -1: not read */
  isl_map *source, *target;     /* instance -> cell; owned */
  isl_map *push;                /* instance -> minus the time of its assignment; owned */
  isl_map *pull;                /* instance -> minus the time of the producer of the version that it
                                   adds to, or NULL; owned */
  struct dad_schedule schedule; /* when it runs ... */
  isl_map *time;                /* ... as a map; owned */
  double cost;                  /* of the schedule, in arbitrary units */
  const char *how;              /* how the schedule was made, for printing */
};

struct dad_affine {
  const struct dad_nest *nest;      /* what is differentiated */
  struct dad_arena *arena;          /* where everything lives, but for isl's objects */
  struct dad_affine_options option; /* limits */
  isl_union_map *kill, *producer;   /* need -> first later, last earlier write to its cell; owned */
  struct dad_backward *backward;    /* for each assignment */
  struct dad_tape *tape;            /* the tapes */
  int n_tape;                       /* how many */
  struct dad_reverse *reverse;      /* the reverse sweep */
  int n_reverse;                    /* how many statements it has */
  int n_time;                       /* dimensions of their schedules */
  isl_map **order; /* order[i * n_reverse + j]: instances of i that must stay before
                      instances of j; NULL for none; owned */
  isl_map **meet;  /* the same for accumulations into one cell, in any order */
  isl_ast_node *augmented, *reversed; /* both sweeps (affine_sweep.h); owned */
  const char *refused;                /* why there is no plan, or NULL */
};

#endif
