/* polynomial.h: polynomials in parameters and dimensions, as integers over one denominator: how
   large a tape is and which of its cells an instance has. */
#ifndef DAD_POLYNOMIAL_H
#define DAD_POLYNOMIAL_H

#include "../base/arena.h"
#include "isl_tools.h"

#include <isl/polynomial.h>
#include <stdio.h>

struct dad_monomial {
  long factor;          /* integer */
  unsigned char *power; /* of each variable */
};

struct dad_polynomial {
  int n_param, n_dim;        /* variables: parameters, then dimensions */
  const char *const *name;   /* of each */
  long denominator;          /* of the sum */
  int n;                     /* how many summands */
  struct dad_monomial *term; /* the summands */
};

/* The number of integers in lo <= x_d <= hi, weighed with "q" which is a polynomial in x_d. NULL
   where no closed form is known. */
__isl_give isl_qpolynomial *dad_polynomial_sum(__isl_take isl_qpolynomial *q, int d,
                                               __isl_take isl_qpolynomial *lo,
                                               __isl_take isl_qpolynomial *hi);
/* "q" as integers; NULL if it has divisions or too large numbers. */
struct dad_polynomial *dad_polynomial_make(struct dad_arena *arena, __isl_take isl_qpolynomial *q);
/* The value for "value", of parameters and then of dimensions. */
long dad_polynomial_evaluate(const struct dad_polynomial *p, const long *value);
void dad_polynomial_print(FILE *out, const struct dad_polynomial *p);

#endif
