/* bodies.h: bodies for library functions that hide theirs. */
#ifndef DAD_BODIES_H
#define DAD_BODIES_H

#include "context.h"

/* Gives the functions of pass/bodies a body, internal to the module, where the module declares
   them. The rest of the program goes on using the library's: both keep to the same layout. */
void dad_bodies_link(struct dad_context *ctx);

#endif
