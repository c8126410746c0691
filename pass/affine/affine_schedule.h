/* affine_schedule.h: when reverse statements run. A schedule (struct dad_schedule) is a vector

     0 tau_0 0 tau_1 ... side place number | own dimensions

   of which tau is minus a time of the nest: that of the assignment (push) or that of the producer
   of the version that receives (pull). Where only the first dimensions of tau are used, side -1 or
   1 puts the statement before or after everything else of that iteration. */
#ifndef DAD_AFFINE_SCHEDULE_H
#define DAD_AFFINE_SCHEDULE_H

#include "affine.h"

/* The schedule of "r" at its whole time, pushed or pulled. */
struct dad_schedule dad_schedule_plain(const struct dad_affine *plan, const struct dad_reverse *r,
                                       bool pull);
/* "s" for "r" as a map; NULL if isl gives up. */
__isl_give isl_map *dad_schedule_map(const struct dad_affine *plan, const struct dad_reverse *r,
                                     const struct dad_schedule *s);
/* Gives every reverse statement its pushed schedule, which is right by construction. */
bool dad_schedule_push(struct dad_affine *plan);

/* Drops the dimensions that are the same for all instances of all statements. */
void dad_schedule_compress(struct dad_affine *plan);

#endif
