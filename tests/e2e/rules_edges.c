// Covers: edge points of the rule table in programs, and functions that an optimiser evaluates
// although the program branches around them.
// ALSO: -O2 -fno-math-errno
// ALSO: -O3 -fno-builtin
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "../programs/check.h"

#include <complex.h>
#include <stdbool.h>

/* ---- points where a derivative is infinite or does not exist: see the head of rules.def */

static double root(double *v) {
  return sqrt(v[0]) + cbrt(v[1]);
}
static double norm(double *v) {
  return hypot(v[0], v[1]);
}
static double distance(double *v) {
  return fabs(v[0]) + 3 * fabs(v[1] - v[0]);
}
static double largest(double *v) {
  return fmax(v[0], v[1]);
}
static double smallest(double *v) {
  return fmin(v[1], v[0]);
}
static double excess(double *v) {
  return fdim(v[0], v[1]);
}
static double power(double *v) {
  return pow(v[0], v[1]);
}
static double whole_power(double *v) {
  return __builtin_powi(v[0], (int)v[1]);
}
static double quotient(double *v) {
  return v[0] / v[1];
}
static double rest(double *v) {
  return fmod(v[0], v[1]);
}
static double angle(double *v) {
  return atan2(v[0], v[1]);
}
static double arc(double *v) {
  return asin(v[0]) + acos(v[1]);
}
static double logarithms(double *v) {
  return log(v[0]) + log1p(v[1]);
}
static double bessel(double *v) {
  return j1(v[0]) + y1(v[1]);
}

/* ---- the program goes around the point: its derivative is that of the way taken */

static double division(double *v) {
  double q = 0;
  if (v[1] != 0)
    q = v[0] / v[1];
  return q + v[0] * v[1];
}
static double guarded_root(double *v) {
  double s = v[0] > 0 ? sqrt(v[0]) : 0;
  return s + v[1];
}
static double guarded_functions(double *v) {
  double s = v[0] * v[1];
  if (v[0] > 0)
    s += log(v[0]) + pow(v[0], .5) + 1 / v[0] + asin(v[0]) / v[0];
  return s;
}
static double clamped(double *v) {
  return fmin(exp(v[0]), 1e300) + fmax(log(v[1]), -5);
}
/* Nothing depends on these in the end. */
static double unused(double *v) {
  return 0 * sqrt(v[0]) + 0 * pow(v[1], .5) + 0 * acosh(v[0] + 1) + 0 * cbrt(v[1]) + 2 * v[0] +
         3 * v[1];
}
static double complex_unused(double *v) {
  double complex z = v[0] + v[1] * I;
  double s = creal(csqrt(z)) * 0 + cimag(clog(z)) * 0;
  return s + v[0] * 5 + v[1] * 7;
}

/* The functions, and calls that differentiate them. */
#define FUNCTIONS(DO)                                                                              \
  DO(root)                                                                                         \
  DO(norm)                                                                                         \
  DO(distance)                                                                                     \
  DO(largest)                                                                                      \
  DO(smallest)                                                                                     \
  DO(excess)                                                                                       \
  DO(power)                                                                                        \
  DO(whole_power)                                                                                  \
  DO(quotient)                                                                                     \
  DO(rest)                                                                                         \
  DO(angle)                                                                                        \
  DO(arc)                                                                                          \
  DO(logarithms)                                                                                   \
  DO(bessel)                                                                                       \
  DO(division)                                                                                     \
  DO(guarded_root)                                                                                 \
  DO(guarded_functions)                                                                            \
  DO(clamped)                                                                                      \
  DO(unused)                                                                                       \
  DO(complex_unused)

#define DERIVE(name)                                                                               \
  static void derive_##name(double *v, double *d) {                                                \
    __dacead_autodiff((void *)name, v, d);                                                         \
  }
FUNCTIONS(DERIVE)

static const struct edge {
  const char *name;
  void (*derive)(double *v, double *d);
  double v[2], d[2];
} edges[] = {
#define AT(name, x, y, by_x, by_y) {#name, derive_##name, {x, y}, {by_x, by_y}},
    AT(root, 0, 0, INFINITY, INFINITY) AT(root, 4, 8, .25, 1. / 12) AT(norm, 0, 0, 0, 0)
        AT(norm, 0, -2, 0, -1) AT(norm, 3e200, 4e200, .6, .8) AT(distance, 0, 0, 0, 0) AT(
            distance, 2, 2, 1, 0) AT(distance, -2, 1, -4, 3) AT(largest, 1, 1, .5, .5)
            AT(largest, 0., -0., .5, .5) AT(largest, 1, 2, 0, 1) AT(smallest, 1, 1, .5, .5) AT(
                smallest, 1, 2, 1, 0) AT(excess, 1, 1, .5, -.5) AT(excess, 2, 1, 1, -1)
                AT(excess, 1, 2, 0, 0) AT(power, 0, 0, 0, 0) AT(power, 0, 1, 1, 0)
                    AT(power, 0, 2, 0, 0) AT(power, 0, .5, INFINITY, 0)
                        AT(power, 0, -1, -INFINITY, -INFINITY) AT(power, -2, 3, 12, NAN)
                            AT(whole_power, 0, 0, 0, 0) AT(whole_power, 0, 1, 1, 0) AT(whole_power,
                                                                                       -2, 3, 12, 0)
                                AT(quotient, 1, 0, INFINITY, -INFINITY) AT(quotient, 0, 2, .5, -0.)
                                    AT(rest, 7, 2, 1, -3) AT(rest, -7, 2, 1, 3)
                                        AT(rest, 1, .1, 1, -9) AT(angle, 0, 0, NAN, NAN)
                                            AT(angle, 0, 2, .5, 0) AT(angle, 2, 0, 0, -.5)
                                                AT(angle, 1e-200, 1e-200, 5e199,
                                                   -5e199) AT(arc, 1, -1, INFINITY, -INFINITY)
                                                    AT(logarithms, 0, -1, INFINITY,
                                                       INFINITY) AT(bessel, 0, 0, .5, INFINITY)
                                                        AT(division, 3, 0, 0,
                                                           3) AT(division, 3, 2, 2.5,
                                                                 2.25) AT(guarded_root, 0, 1, 0, 1)
                                                            AT(guarded_root, -4, 1, 0,
                                                               1) AT(guarded_root, 4, 1, .25, 1)
                                                                AT(guarded_functions, 0, 2, 2, 0)
                                                                    AT(guarded_functions, -3, 2, 2,
                                                                       -3) AT(clamped, 800, 0, 0, 0)
                                                                        AT(clamped, 0, 1, 1, 1)
                                                                            AT(unused, 0, 0, 2, 3)
                                                                                AT(complex_unused,
                                                                                   0, 0, 5, 7)};

static bool agrees(double is, double should) {
  if (isnan(should))
    return isnan(is);
  return is == should || fabs(is - should) <= 1e-13 * fabs(should);
}

int main(void) {
  for (unsigned i = 0; i < sizeof edges / sizeof *edges; i++) {
    const struct edge *e = &edges[i];
    double v[2] = {e->v[0], e->v[1]}, d[2] = {0, 0};
    e->derive(v, d);
    for (int k = 0; k < 2; k++)
      if (!agrees(d[k], e->d[k])) {
        printf("%s at %g, %g by %d: %.15g instead of %.15g\n", e->name, e->v[0], e->v[1], k, d[k],
               e->d[k]);
        check_failures++;
      }
  }
  puts(check_failures ? "failed" : "ok");
  return check_failures != 0;
}
