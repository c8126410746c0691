/* exhaustive.h: the fastest of all plans of a small problem, for comparison. */
#ifndef EXHAUSTIVE_H
#define EXHAUSTIVE_H

#include "problem.h"

/* The most items that may matter in a problem. */
#define EXHAUSTIVE_MOST 16

/* The extra seconds of the fastest plan of "problem": recomputations in any order, any number of
   times. INFINITY if there is none under the limit. At most EXHAUSTIVE_MOST of its items may
   matter. */
double exhaustive_time(const struct dilp_problem *problem, struct dilp_room *room);

#endif
