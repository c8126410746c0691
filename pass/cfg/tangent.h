/* tangent.h: forward mode. */
#ifndef DAD_TANGENT_H
#define DAD_TANGENT_H

#include "unit.h"

/* Builds u->forward, the tangent function of "u": the primal, with tangents of numbers beside shadows of pointers. */
void dad_tangent_build(struct dad_unit *u);

#endif
