/* affine_tape.h: what is kept from the forward to the reverse sweep. */
#ifndef DAD_AFFINE_TAPE_H
#define DAD_AFFINE_TAPE_H

#include "affine.h"

/* Makes a tape for every assignment that destroys what a need reads, with a cell for each instance
   that does, and one for every assignment that keeps comparisons. False with "plan"->refused set.
 */
bool dad_tape_make(struct dad_affine *plan);
/* The bytes of "tape" for the parameters "param"; -1 for a box whose bounds need isl. */
long dad_tape_bytes(const struct dad_tape *tape, const long *param);
/* Prints each tape, how large it is and who saves when. */
void dad_tape_print(FILE *out, const struct dad_affine *plan);

#endif
