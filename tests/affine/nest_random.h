/* nest_random.h: random loop nests as text. */
#ifndef DAD_NEST_RANDOM_H
#define DAD_NEST_RANDOM_H

#include "base/arena.h"

/* The nest that "seed" determines, with the parameters N >= 8 and T >= 3. */
char *nest_random(struct dad_arena *arena, unsigned long seed);

#endif
