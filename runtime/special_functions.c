/* special_functions.c: functions that derivatives need and the C library lacks.

   The digamma function, the derivative of the logarithm of gamma. Large x: the asymptotic
   series
     log x - 1/2x - sum over k of B(2k) / (2k x^2k);
   smaller positive x: digamma(x) = digamma(x + 1) - 1/x until x is large; negative x: the
   reflection
     digamma(x) = digamma(1 - x) - pi / tan(pi x). */
#include "abi.h"

#include <math.h>

#define PI 3.14159265358979323846264338327950288L

/* B(2k) / 2k for k = 1, 2, ... */
static const long double bernoulli[] = {
    1.0L / 12,        -1.0L / 120,       1.0L / 252,     -1.0L / 240,
    1.0L / 132,       -691.0L / 32760,   1.0L / 12,      -3617.0L / 8160,
    43867.0L / 14364, -174611.0L / 6600, 77683.0L / 276, -236364091.0L / 65520,
};

/* The function "name" for "type", whose logarithm, tangent and rounding are "log", "tan" and
   "round": the series has "terms" terms where x is at least "large", and is then exact to the
   last bit. */
#define DIGAMMA(name, type, log, tan, round, large, terms)                                         \
  type name(type x) {                                                                              \
    type below = 0, inverse, sum = 0;                                                              \
                                                                                                   \
    if (x == 0)                                                                                    \
      return -1 / x;                                                                               \
    if (x < 0) {                                                                                   \
      type fraction = x - round(x);                                                                \
                                                                                                   \
      if (fraction == 0 || isinf(x))                                                               \
        return (type)NAN;                                                                          \
      return name(1 - x) - (type)PI / tan((type)PI * fraction);                                    \
    }                                                                                              \
    for (; x < (large); x += 1)                                                                    \
      below += 1 / x;                                                                              \
    inverse = 1 / (x * x);                                                                         \
    for (int k = (terms); k-- > 0;)                                                                \
      sum = (sum + (type)bernoulli[k]) * inverse;                                                  \
    return log(x) - (type)0.5 / x - sum - below;                                                   \
  }

DIGAMMA(drt_digamma, double, log, tan, round, 10, 8)
DIGAMMA(drt_digammal, long double, logl, tanl, roundl, 20, 12)

float drt_digammaf(float x) {
  return (float)drt_digamma(x);
}
