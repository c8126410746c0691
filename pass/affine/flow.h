/* flow.h: where the primal values that the adjoint needs are found in the reverse sweep.

   A need of an assignment is a read of it (the version in the cell just before) or, numbered
   n_read, its result (the version just after). The killer of a version is the first later write to
   its cell; without one the value is still in its array at the end. */
#ifndef DAD_FLOW_H
#define DAD_FLOW_H

#include "nest.h"

/* Where a need is found on a part of the domain. */
struct dad_place {
  isl_set *domain;     /* the part; owned */
  int killer;          /* the assignment that saves the version before it overwrites it; -1: it is
                          in its array */
  isl_multi_aff *slot; /* instance -> killing instance; NULL without a killer; owned */
};

struct dad_need {
  int n;                   /* how many parts */
  struct dad_place *place; /* the parts; those with a killer come first */
};

/* Need instance -> the last write before it to the same cell, or, with "later", the first after it.
   Needs have the domains of their assignments under names of their own; beside the needs there is
   one numbered n_read + 1 for the version that the assignment overwrites. NULL where isl gives up.
 */
__isl_give isl_union_map *dad_flow_compute(const struct dad_nest *nest, bool later);
/* The part of "flow" from need "need" of "from" to instances of "to", on the domain of "from"; NULL
   if there is none. */
__isl_give isl_map *dad_flow_part(__isl_keep isl_union_map *flow, const struct dad_assign *from,
                                  int need, const struct dad_assign *to);
/* Fills in "found" for need "need" of assignment "at". False if it needs more than "most" places or
   isl gives up. */
bool dad_flow_locate(const struct dad_nest *nest, __isl_keep isl_union_map *kills, int at, int need,
                     int most, struct dad_need *found);
/* Releases isl's objects of "need". */
void dad_need_clear(struct dad_need *need);

#endif
