/* nest_scop.h: from the model of an affine region (region/scop.h) to assignments. */
#ifndef DAD_NEST_SCOP_H
#define DAD_NEST_SCOP_H

#include "../region/scop.h"
#include "nest.h"

/* The assignments of "scop", one for each write, in the arena of "scop". "origin" of arrays is
   their container's index + 1 or, for numbers that come from outside as values, the value itself;
   "origin" of assignments is the struct dad_scop_access that writes. NULL, with "*why" set, if
   there is something that assignments cannot say. */
DAD_GIVE struct dad_nest *dad_nest_of_scop(const struct dad_scop *scop, const char **why);

#endif
