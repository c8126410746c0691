/* shadow_registry.h: which memory has which shadow. */
#ifndef DRT_SHADOW_REGISTRY_H
#define DRT_SHADOW_REGISTRY_H

#include <stddef.h>

/* Memory that the caller of a gradient passed. */
struct drt_argument {
  const char *at, *end; /* the range */
  char *shadow;         /* of "at" */
};

/* Those of one gradient call, oldest first. All zeroes is none. */
struct drt_arguments {
  struct drt_argument *argument;
  size_t n, capacity; /* how many there are, and fit */
};

/* Forgets all of "arguments". */
void drt_arguments_forget(struct drt_arguments *arguments);

/* The same, and frees their memory. */
void drt_arguments_clear(struct drt_arguments *arguments);

/* Forgets the heap block that begins at "at" and returns its shadow, NULL if no block is known
   there. */
void *drt_registry_take_block(const void *at);

#endif
