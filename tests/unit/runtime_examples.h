/* runtime_examples.h: what the tests of the runtime share. */
#ifndef RUNTIME_EXAMPLES_H
#define RUNTIME_EXAMPLES_H

#include "abi.h"

#include <assert.h>
#include <stddef.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* A reproducible sequence of random numbers below "limit". */
static inline uint32_t chance(uint64_t *state, uint32_t limit) {
  *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)(*state >> 33) % limit;
}

/* A layout in memory that can be written down as an initialiser. */
struct layout {
  uint32_t stride, count;
  struct drt_field field[5];
};

#define LAYOUT(layout) ((const struct drt_layout *)&(layout))

static_assert(offsetof(struct layout, field) == offsetof(struct drt_layout, field),
              "both are laid out alike");

#endif
