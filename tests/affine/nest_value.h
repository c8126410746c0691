/* nest_value.h: the numbers that expressions are. */
#ifndef DAD_NEST_VALUE_H
#define DAD_NEST_VALUE_H

#include "affine/expr_adjoint.h"

/* What leaves of an expression are at one instance. */
struct value_scope {
  const long double *read, *tangent; /* values and tangents of the reads; tangents may be NULL */
  long double result, seed;
  const struct dad_marks *marks; /* comparisons that are known, or NULL */
  unsigned marked;               /* their outcomes, a bit each */
  const char *const *name;       /* of parameters */
  const long *param;             /* their values */
  int n_param;                   /* how many */
};

/* The value of "e". */
long double value_of(const struct dad_expr *e, const struct value_scope *scope);
/* The tangent of "e". */
long double tangent_of(const struct dad_expr *e, const struct value_scope *scope);

#endif
