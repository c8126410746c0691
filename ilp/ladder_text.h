/* ladder_text.h: the text form of ladders: a line "ladder COUNT", and the plans of the rungs, from
   the one with the most bytes on. */
#ifndef DILP_LADDER_TEXT_H
#define DILP_LADDER_TEXT_H

#include "ladder.h"

/* Prints "ladder", with scratch memory from "room". Returns false if that is too small. */
bool dilp_ladder_print(const struct dilp_ladder *ladder, FILE *file, struct dilp_room *room);

/* Makes "ladder" the one of "problem" with all its "cells" that dilp_ladder_print has printed to
   "text", which is changed, in memory of "room". Every plan is replayed. Returns false, with the
   reason in "error", if it is something else. */
bool dilp_ladder_read(struct dilp_ladder *ladder, const struct dilp_problem *problem,
                      const struct dilp_cells *cells, char *text, struct dilp_room *room,
                      struct dilp_error *error);

#endif
