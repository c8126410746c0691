/* menu.h: the points of a loop that may be checkpointed: what it can keep, and what that costs. */
#ifndef DILP_MENU_H
#define DILP_MENU_H

#include "problem.h"

/* The word for "way" in texts, and how many there are. */
#define DILP_WAYS 4
const char *dilp_way_word(enum dilp_way way);

/* Makes the menu of "loop" from its "steps", in memory of "room": points with no better one, at
   most DILP_MENU of them. Points that need the first state only if "loop" has one. Returns false if
   "room" is too small or no point is within DILP_MOST_BYTES. */
bool dilp_menu(struct dilp_loop *loop, struct dilp_room *room);

/* The same for a loop "outer" whose step is the loop "inner": each point of that is a tape of
   one step, "steps.tape" and "steps.step" of "outer" apart, which is a plain run of "inner". */
bool dilp_menu_nest(struct dilp_loop *outer, const struct dilp_loop *inner, struct dilp_room *room);

#endif
