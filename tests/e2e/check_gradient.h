/* Judges the derivatives of a function double f(double *x, int n) that reads "x" and may change it.
 * C and C++. With CHECK(f), f is compared
 *   with itself: result and x after a gradient are those of a plain call, bit by bit;
 *   reverse mode again: a second gradient equals the first one, bit by bit;
 *   reverse mode with differences, each element for itself;
 *   reverse mode with forward mode: with v a direction, y what f leaves in x, r its result, and w
 *   seeds of y, <gradient of r + <w, y>, v> = <w, derivative of y along v> + derivative of r. */
#ifndef CHECK_GRADIENT_H
#define CHECK_GRADIENT_H

#include "../programs/check.h"
#include <stdbool.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif
double __dacead_fwddiff(void *, ...);
extern int dacead_dupnoneed, dacead_out, dacead_primal_return;
#ifdef __cplusplus
}
#endif

#define NOINLINE __attribute__((noinline))

enum {
  CHECK_N = 9,      /* length of "x" */
  CHECK_FIRST = 0,  /* runs in reverse mode: the result alone is seeded, */
  CHECK_SECOND = 1, /* the same once more, */
  CHECK_SEEDED = 2, /* and "x" on return is seeded too */
  CHECK_RUNS = 3
};

/* How exact a comparison can be. */
struct check_limits {
  double step;       /* of differences */
  double difference; /* tolerance of differences, relative to the largest element */
  double adjoint;    /* tolerance of forward against reverse mode */
};

static const struct check_limits check_double = {2e-4, 2e-8, 1e-11};
static const struct check_limits check_float = {2e-2, 5e-3, 1e-4}; /* where f computes in float */

/* One call of f. */
struct check_call {
  double x[CHECK_N];  /* before the call, then after it */
  double dx[CHECK_N]; /* the shadow of x, before the call and then after it */
  double value;       /* f's result; in forward mode its derivative */
};

/* What is known of one function. */
struct check_gradient {
  const char *name;
  double (*f)(double *x, int n);
  struct check_limits limits;
  double x[CHECK_N];                /* the point */
  double v[CHECK_N];                /* a direction */
  double w[CHECK_N];                /* seeds of x on return */
  double line[CHECK_N];             /* the direction of a difference */
  const struct check_call *plain;   /* f alone */
  const struct check_call *reverse; /* in reverse mode, CHECK_RUNS times */
  const struct check_call *forward; /* in forward mode along v */
};

/* Prepare the calls of "f". */
static inline void check_open(struct check_gradient *c, struct check_call *plain,
                              struct check_call *reverse, struct check_call *forward) {
  for (int i = 0; i < CHECK_N; i++) {
    c->x[i] = 0.3 + 0.55 * fmod(0.7548776662466927 * (i + 2), 1.0);
    c->v[i] = 0.5 + fmod(0.5698402909980532 * (i + 1), 1.0) - (i % 2);
    c->w[i] = reverse[CHECK_SEEDED].dx[i] = 1 - 0.7 * fmod(0.618033988749895 * (i + 3), 1.0);
    plain->x[i] = forward->x[i] = c->x[i];
    forward->dx[i] = c->v[i];
    for (int run = 0; run < CHECK_RUNS; run++)
      reverse[run].x[i] = c->x[i];
  }
  c->plain = plain;
  c->reverse = reverse;
  c->forward = forward;
}

/* f's result at the point "step" along the line; for check_difference. */
static inline double check_along(void *context, double step) {
  struct check_gradient *c = (struct check_gradient *)context;
  double x[CHECK_N];
  for (int i = 0; i < CHECK_N; i++)
    x[i] = c->x[i] + step * c->line[i];
  return c->f(x, CHECK_N);
}

/* Compare the first gradient with differences, element by element. */
static inline void check_differences(struct check_gradient *c) {
  double difference[CHECK_N];
  for (int i = 0; i < CHECK_N; i++) {
    memset(c->line, 0, sizeof c->line);
    c->line[i] = 1;
    difference[i] = check_difference(check_along, c, c->limits.step);
  }
  check_array("gradient against differences", c->reverse[CHECK_FIRST].dx, difference, CHECK_N,
              c->limits.difference);
}

/* Compare x after the call "got", and its result where "value" is set, with the plain call. With
 * -ffast-math they need not be equal. */
static inline void check_primal(const struct check_gradient *c, const char *what,
                                const struct check_call *got, bool value) {
#ifdef __FAST_MATH__
  check_true(what, !value || check_relative_error(got->value, c->plain->value) < 1e-9);
  return;
#endif
  check_true(what, !memcmp(got->x, c->plain->x, sizeof got->x) &&
                       (!value || !memcmp(&got->value, &c->plain->value, sizeof got->value)));
}

/* Compare forward and reverse mode. */
static inline void check_modes(const struct check_gradient *c) {
  const double *gradient = c->reverse[CHECK_SEEDED].dx, *dy = c->forward->dx;
  double left = check_dot(gradient, c->v, CHECK_N);
  double right = check_dot(c->w, dy, CHECK_N) + c->forward->value, scale = fabs(c->forward->value);
  for (int i = 0; i < CHECK_N; i++)
    scale = fmax(scale, fmax(fabs(gradient[i] * c->v[i]), fabs(c->w[i] * dy[i])));
  if (fabs(left - right) <= c->limits.adjoint * scale)
    return;
  check_failures++;
  printf("reverse mode %.17g, forward mode %.17g, scale %.3g\n", left, right, scale);
}

/* Judge the calls. */
static inline void check_close_calls(struct check_gradient *c) {
  int before = check_failures;
  check_primal(c, "the gradient leaves result and x as they are", &c->reverse[CHECK_FIRST], true);
  check_primal(c, "the seeded gradient leaves them", &c->reverse[CHECK_SEEDED], true);
  check_primal(c, "forward mode leaves x", c->forward, false);
  check_true("a second gradient is the first",
             !memcmp(&c->reverse[CHECK_FIRST], &c->reverse[CHECK_SECOND], sizeof *c->forward));
  check_differences(c);
  check_modes(c);
  if (check_failures > before)
    printf("^ %s\n", c->name);
}

/* Check "function" with the tolerances "limits". The markers want its name, hence a macro. */
#define CHECK_WITHIN(function, limits)                                                             \
  do {                                                                                             \
    static struct check_call plain_, reverse_[CHECK_RUNS], forward_;                               \
    struct check_gradient c_ = {                                                                   \
        #function, function, limits, {0}, {0}, {0}, {0}, NULL, NULL, NULL};                        \
    check_open(&c_, &plain_, reverse_, &forward_);                                                 \
    plain_.value = function(plain_.x, CHECK_N);                                                    \
    for (int run_ = 0; run_ < CHECK_RUNS; run_++)                                                  \
      reverse_[run_].value = __dacead_autodiff((void *)function, dacead_primal_return,             \
                                               reverse_[run_].x, reverse_[run_].dx, CHECK_N);      \
    forward_.value = __dacead_fwddiff((void *)function, forward_.x, forward_.dx, CHECK_N);         \
    check_close_calls(&c_);                                                                        \
  } while (0)

#define CHECK(function)       CHECK_WITHIN(function, check_double)
#define CHECK_FLOAT(function) CHECK_WITHIN(function, check_float)

#endif
