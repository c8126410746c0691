/* augment.h: the forward function in reverse mode: the primal with the shadows of its pointers. */
#ifndef DAD_AUGMENT_H
#define DAD_AUGMENT_H

#include "unit.h"

/* Moves the blocks of u->primal into u->forward and adds what keeps shadow memory in step: shadow pointers are stored beside
   pointers and copied with them, calls become calls of augmented functions, frees wait for the reverse sweep. */
void dad_augment(struct dad_unit *u);
/* Does the store "i" put a pointer into memory whose shadow must hold the pointer's shadow? A pointer from which nothing active can be
   reached need not be there, but null must. */
bool dad_augment_takes_along(struct dad_request *req, LLVMValueRef i);
/* The first half of it, for both modes: moves the blocks, binds parameters and twins, replaces calls. */
void dad_augment_move(struct dad_unit *u);

#endif
