/* needs.h: which primal values the adjoint reads, in the form that costs the least memory. */
#ifndef DAD_NEEDS_H
#define DAD_NEEDS_H

#include "affine.h"

/* Finds out where every need of every assignment is, and chooses for each assignment between
   operands and result, and whether comparisons are kept. False with "plan"->refused set. */
bool dad_needs_choose(struct dad_affine *plan);
/* Prints for every need of every assignment whether it is reloaded or where it is kept. */
void dad_needs_print(FILE *out, const struct dad_affine *plan);

#endif
