/* affine_plan.h: the reverse sweep of a loop nest: the one entry to the affine engine's
 * mathematics. */
#ifndef DAD_AFFINE_PLAN_H
#define DAD_AFFINE_PLAN_H

#include "affine.h"

/* Plans the reverse sweep of "nest", which must outlive the plan. Where that cannot be done within
   the limits of "options", "refused" of the result says why. The state of "nest"->ctx is to
   continue on error. */
DAD_GIVE struct dad_affine *dad_affine_plan(const struct dad_nest *nest,
                                            const struct dad_affine_options *options);
/* Prints every stage of "plan". */
void dad_affine_print(FILE *out, const struct dad_affine *plan);
/* Releases isl's objects of "plan"; returns NULL. */
struct dad_affine *dad_affine_free(DAD_TAKE struct dad_affine *plan);

#endif
