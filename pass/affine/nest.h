/* nest.h: what the affine engine differentiates: a nest of loops as assignments, each of which
   writes one cell. A statement with several stores is several assignments at consecutive times. */
#ifndef DAD_NEST_H
#define DAD_NEST_H

#include "../base/ownership.h"
#include "expr.h"
#include "isl_tools.h"

/* A container: an array, or a scalar as an array without dimensions. */
struct dad_nest_array {
  const char *name;   /* tuple name of every access to it */
  int n_dim;          /* its dimensions */
  unsigned bytes;     /* of a cell */
  bool active;        /* has it adjoints? */
  const void *origin; /* what it stands for in the program, or NULL */
};

/* An access: the cell that each instance touches. */
struct dad_nest_access {
  int array;    /* index into dad_nest.array */
  isl_map *map; /* instance -> cell; owned by the nest */
};

struct dad_assign {
  const char *name;             /* tuple name of its instances */
  isl_set *domain;              /* its instances; owned */
  isl_map *time;                /* instance -> when, as many dimensions as dad_nest.n_time; owned */
  struct dad_nest_access write; /* the cell that it sets, in every instance */
  struct dad_nest_access *read; /* the cells that it reads, without duplicates */
  int n_read;                   /* how many */
  const struct dad_expr *value; /* what it writes, in terms of the reads */
  struct dad_expr_pool pool;    /* the expressions of it and of its adjoint */
  const void *origin;           /* what it stands for in the program, or NULL */
};

struct dad_nest {
  struct dad_arena *arena; /* where it lives, but for isl's objects */
  isl_ctx *ctx;            /* of isl's objects; the caller's */
  isl_set *context;        /* what is known about the parameters, all of which it names; owned */
  struct dad_nest_array *array; /* the containers */
  int n_array;                  /* how many */
  struct dad_assign *assign;    /* the assignments */
  int n_assign;                 /* how many */
  int n_time;                   /* dimensions of time */
  const char *window[2];        /* the parameters that bound the outermost loop, or NULL */
};

/* Releases isl's objects of "nest"; returns NULL. */
struct dad_nest *dad_nest_free(DAD_TAKE struct dad_nest *nest);
/* The access behind need "need" of "a": read "need", or for n_read the cell that it writes. */
static inline const struct dad_nest_access *dad_assign_access(const struct dad_assign *a,
                                                              int need) {
  return need < a->n_read ? &a->read[need] : &a->write;
}
/* The cells of array "array" that "nest" writes. */
__isl_give isl_set *dad_nest_written(const struct dad_nest *nest, int array);
/* Prints "nest" in the form that tests read. */
void dad_nest_print(FILE *out, const struct dad_nest *nest);

#endif
