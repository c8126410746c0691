/* nest_plain.h: executes a nest itself, instance by instance in the order of their times, with
 * tangents. */
#ifndef DAD_NEST_PLAIN_H
#define DAD_NEST_PLAIN_H

#include "affine/linear.h"
#include "nest_run.h"

/* The affine functions of one assignment. */
struct plain_assign {
  struct dad_linear *time, *write; /* each as many as dimensions */
  struct dad_linear **read;        /* for each read */
};

/* The functions of every assignment of "nest". */
struct plain_assign *plain_functions(struct dad_arena *arena, const struct dad_nest *nest);
/* The cell of "access" whose subscripts are "function" of "point". */
struct cell *plain_cell(struct nest_run *run, const struct dad_nest_access *access,
                        const struct dad_linear *function, const long *point);
/* Executes the nest of "run"->plan on the members "plain" and "tangent" of the cells. */
void plain_execute(struct nest_run *run, const struct plain_assign *functions);
/* What expressions of "run" see of parameters. */
struct value_scope plain_scope(const struct nest_run *run);

#endif
