/* pad.h: cells that are never written, kept on tapes beside those that are, so that the core of a
   loop is one piece. */
#ifndef DAD_PAD_H
#define DAD_PAD_H

#include "affine.h"

/* Reads of cells that the nest never writes, such as the border of a stencil, stand beside reads of
   versions that are kept. Where the slots of those extend to them without touching a slot in use,
   copies the cells to these slots before the nest begins ("pads" of the tape) and reads them there:
   one place instead of several. */
void dad_pad_tapes(struct dad_affine *plan);

#endif
