/* rank.h: dense numbering of the points of a set: point -> how many points come before it. */
#ifndef DAD_RANK_H
#define DAD_RANK_H

#include "polynomial.h"

struct dad_rank {
  int n;      /* dimensions of the set */
  bool exact; /* no cell is without a point; otherwise the bounding box is numbered */
  struct dad_polynomial
      *size; /* how many cells there are, in the parameters; where there is no point
                it may be any number, below 0 too. NULL without a closed form */
  struct dad_polynomial *
      *step;                /* with a size: the rank is the sum of these, one for each dimension, in
                               the parameters and dimensions; the last one is affine */
  isl_pw_aff **low, **high; /* without a size: bounds of each dimension of the box, in the
                               parameters; owned */
};

/* A numbering of the points of "set". False if isl gives up. */
bool dad_rank_make(struct dad_arena *arena, __isl_keep isl_set *set, struct dad_rank *rank);
/* Releases isl's objects of "rank". */
void dad_rank_clear(struct dad_rank *rank);
/* Prints the number of cells. */
void dad_rank_print(FILE *out, const struct dad_rank *rank);

#endif
