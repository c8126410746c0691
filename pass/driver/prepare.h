/* prepare.h: copies of the functions that take part, in the one form that the engine knows. */
#ifndef DAD_PREPARE_H
#define DAD_PREPARE_H

#include "../cfg/unit.h"

/* Makes the root unit of "req" and, transitively, a unit of every function that it may call; each is copied, inlined into and
   brought into the engine's form. False after a reported error. */
bool dad_prepare_units(struct dad_request *req);

#endif
