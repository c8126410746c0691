/* rule_eval.c: the value of code for given operands, in long double. Tests compare partial
 * derivatives with differences of values. */
#include "rule_code.h"

#include <math.h>

/* The derivative of the logarithm of gamma for positive "a", from its asymptotic series far out and
   the recurrence before; by reflection for negative "a". */
static long double digamma(long double a) {
  static const long double term[] = {1.0L / 12, -1.0L / 120, 1.0L / 252, -1.0L / 240, 1.0L / 132};
  long double sum = 0, below = 0;
  if (a < 0)
    return digamma(1 - a) - M_PIl / tanl(M_PIl * a);
  for (; a < 60; a += 1)
    below += 1 / a;
  for (int k = 4; k >= 0; k--)
    sum = (sum + term[k]) / (a * a);
  return logl(a) - 1 / (2 * a) - sum - below;
}

/* The value of the expression at "*at", which moves behind it. */
static long double evaluate(const unsigned char **at, const long double *v) {
  unsigned char code = *(*at)++;
  unsigned arity = dad_operator_rows[code].arity;
  long double a = arity > 0 ? evaluate(at, v) : 0;
  long double b = arity > 1 ? evaluate(at, v) : 0;
  long double c = arity > 2 ? evaluate(at, v) : 0;
  /* clang-format off */
  switch (code) {
#define OPERATOR(name, text, arity, cost, how, evaluation) case DAD_OP_##name: return evaluation;
#include "operator.def"
  default: return NAN;
  }
  /* clang-format on */
}

long double dad_code_evaluate(const unsigned char *code, const long double values[4]) {
  return evaluate(&code, values);
}
