/* reverse_statements.h: the statements of the reverse sweep. */
#ifndef DAD_REVERSE_STATEMENTS_H
#define DAD_REVERSE_STATEMENTS_H

#include "affine.h"

/* Makes the reverse statements of every assignment: for each read one accumulation, or for reads of
   the written cell itself a scaling, cut by where the needs are found. False with "plan"->refused
   set. */
bool dad_reverse_make(struct dad_affine *plan);
/* Prints the reverse statements. */
void dad_reverse_print(FILE *out, const struct dad_affine *plan);

#endif
