/* linear.h: affine functions as plain integers: for cost models, interpreters and code. */
#ifndef DAD_LINEAR_H
#define DAD_LINEAR_H

#include "../base/arena.h"
#include "isl_tools.h"

/* (constant + sum of coefficients times variables) / denominator, exact where it is a value,
   rounded down where it is a quotient. */
struct dad_linear {
  long constant, denominator;
  int n_param, n_in, n_div;    /* variables */
  long *param, *in, *div;      /* their coefficients */
  struct dad_linear *quotient; /* the quotients that "div" multiplies */
};

/* "function", whose parameters are those of "context", as integers, one for each output. */
struct dad_linear *dad_linear_make(struct dad_arena *arena, __isl_keep isl_multi_aff *function,
                                   __isl_keep isl_set *context);
/* Its value. */
long dad_linear_evaluate(const struct dad_linear *l, const long *param, const long *in);

#endif
