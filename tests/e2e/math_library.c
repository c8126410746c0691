// Covers: functions of math.h that give part of their result through a pointer, take integers, or
// are piecewise.
// ALSO: -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all
// ALSO: -O2 -fno-math-errno
// ALSO: -O3 -fno-builtin
#define _GNU_SOURCE
#include "check_gradient.h"

/* Remainders: fmod, remainder, remquo, fdim. */
static double remainders(double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) {
    double a = x[i] * 7, b = x[(i + 1) % n] + 0.7;
    int quotient;
    s += fmod(a, b) * x[0] + remainder(a, b + 0.1) * a;
    s += remquo(a, b + 0.2, &quotient) * quotient + fdim(a, 2 * b);
  }
  return s;
}

/* The parts of a number: modf, frexp, ldexp, scalbn, ilogb, logb. */
static double parts(double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) {
    double whole, a = x[i] * 5.3;
    int exponent;
    double fraction = modf(a, &whole), mantissa = frexp(a * x[0], &exponent);
    s += fraction * fraction * (whole + 1) + mantissa * exponent * x[i];
    s += ldexp(x[i], i - 3) * a + scalbn(a, exponent) + ilogb(a) * x[i] + logb(a) * x[1];
  }
  return s;
}

/* Sine and cosine at once; the angle of two numbers; the logarithm of gamma with its sign. */
static double pairs(double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) {
    double sine, cosine;
    int sign;
    sincos(x[i] * 2, &sine, &cosine);
    s += sine * cosine * cosine + atan2(sine, cosine + 2) + hypot(sine, x[i]);
    s += lgamma_r(x[i] + 0.5, &sign) * sign + fma(sine, cosine, x[0]);
  }
  return s;
}

/* The largest and the smallest, with ties and zeroes. */
static double extremes(double *x, int n) {
  double most = -1, least = 9, s = 0;
  for (int i = 0; i < n; i++) {
    most = fmax(most, x[i] * x[(i + 3) % n]);
    least = fmin(least, x[i] + x[(i + 2) % n]);
    s += fmax(x[i], 0.5) * fmin(x[i], 0.6) + fabs(x[i] - 0.45) + sqrt(x[i]) * cbrt(x[i]);
  }
  return s + most * least;
}

/* Powers: of variable base and exponent, of integers, of constants. */
static double powers(double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) {
    s += pow(x[i], x[n - 1 - i]) + pow(x[i], i) + pow(2.5, x[i]) + pow(x[i], 0.5) + pow(x[i], -2);
    s += exp2(x[i]) * log2(x[i]) + expm1(x[i]) * log1p(x[i]) + exp(-x[i]) * log10(x[i]);
  }
  return s;
}

/* Everything else at once. */
static double others(double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) {
    double a = x[i];
    s += tan(a) + asin(a) * acos(a) + atan(a) * sinh(a) + cosh(a) * tanh(a);
    s += asinh(a) + acosh(a + 1) + atanh(a / 2) + erf(a) * erfc(a) + tgamma(a + 1) + lgamma(a + 1);
    s += j0(a) * j1(a) + jn(2, a) + y0(a + 1) * y1(a + 1);
  }
  return s;
}

/* Where a derivative does not exist or is infinite, nothing but the number itself goes wrong. */
static double edges(double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) {
    double zero = x[i] - x[i];
    s += sqrt(zero) * 0 + fabs(zero) + hypot(zero, zero) + pow(zero, 2) + x[i] * x[i];
  }
  return s;
}

static void check_edges(void) {
  double x[3] = {1, 2, 3}, dx[3] = {0};
  __dacead_autodiff((void *)edges, x, dx, 3);
  for (int i = 0; i < 3; i++)
    check_close("2 x", dx[i], 2 * x[i], 1e-15);
}

int main(void) {
  CHECK(remainders);
  CHECK(parts);
  CHECK(pairs);
  CHECK(extremes);
  CHECK(powers);
  CHECK(others);
  check_edges();
  return check_done();
}
