/* vec.h: a growing array of pointers in an arena. A zeroed vector with its arena set is empty. */
#ifndef DAD_VEC_H
#define DAD_VEC_H

#include "arena.h"
#include <stdbool.h>

struct dad_vec {
  struct dad_arena *arena; /* where "at" lives */
  void **at;               /* the elements */
  unsigned n, capacity;    /* how many are used, and how many fit */
};

#define DAD_VEC(in_arena) ((struct dad_vec){.arena = (in_arena)})

static inline void dad_vec_push(struct dad_vec *v, const void *x) {
  if (v->n == v->capacity) {
    unsigned more = v->capacity ? 2 * v->capacity : 8;
    v->at = dad_arena_grow(v->arena, v->at, v->n * sizeof *v->at, more * sizeof *v->at);
    v->capacity = more;
  }
  v->at[v->n++] = (void *)x;
}

static inline void *dad_vec_pop(struct dad_vec *v) {
  return v->at[--v->n];
}

#endif
