/* random_problem.h: planning problems by chance, like those of array programs. */
#ifndef RANDOM_PROBLEM_H
#define RANDOM_PROBLEM_H

#include "problem.h"

#include <stdint.h>

/* What problems are like. */
struct random_kind {
  int items; /* each made by a region of its own */
  int loops; /* checkpointed ones */
  bool mild; /* most operands are arguments of the program, so that chains are short */
};

/* The next random number of "*state". */
uint64_t random_next(uint64_t *state);

/* A random number from 0 to "n" - 1. */
int random_below(uint64_t *state, int n);

/* Makes "problem" number "seed" of "kind", in memory of "room". */
void random_problem(struct dilp_problem *problem, struct random_kind kind, uint64_t seed,
                    struct dilp_room *room);

#endif
