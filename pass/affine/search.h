/* search.h: better schedules for the reverse sweep than reversed time. */
#ifndef DAD_SEARCH_H
#define DAD_SEARCH_H

#include "affine.h"

/* Moves reverse statements to where they cost less: to the reversed time of the producer of what
   they add to (pull), so that all that a version receives meets in one place and loops are parallel
   without atomics; out of loops; and loops forwards. Every move is proven legal; where the quota
   runs out, those made so far stand. */
void dad_search_improve(struct dad_affine *plan);

#endif
