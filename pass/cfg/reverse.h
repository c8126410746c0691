/* reverse.h: the reverse sweep of one unit. */
#ifndef DAD_REVERSE_H
#define DAD_REVERSE_H

#include "unit.h"

/* Builds the reverse sweep of "u", whose forward function is augmented: behind the forward sweep in a combined function, in
   u->reverse otherwise. */
void dad_reverse_build(struct dad_unit *u);

#endif
