/* gradient_check.c: checks of derivatives that need no second implementation of them. The
   formulas are in dacead.h. */
#include "include/dacead.h"
#include "stop.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

/* The largest step is 2^-FIRST_STEP, others are smaller by 2^-STEP_RATIO each. */
enum { FIRST_STEP = 4, STEP_RATIO = 3, STEPS = 8 };

/* What a check works on. */
struct check {
  double (*f)(const double *x, void *context); /* the function */
  void *context;                               /* its second argument */
  size_t n;                                    /* number of inputs */
  const double *x;                             /* where it is differentiated */
  double *direction;                           /* v */
  double *moved;                               /* x + h v */
};

/* A sum of products, and how large it is where the signs of its terms are random. */
struct product {
  double sum;  /* of a[i] b[i] */
  double size; /* root of the sum of their squares */
};

static struct product product(size_t n, const double *a, const double *b) {
  long double sum = 0, squares = 0;

  for (size_t i = 0; i < n; i++) {
    long double term = (long double)a[i] * b[i];

    sum += term;
    squares += term * term;
  }
  return (struct product){(double)sum, (double)sqrtl(squares)};
}

/* The difference of "a" and "b", relative to the largest of their sizes and "scale". */
static double relative(double a, double b, double scale) {
  double largest = fmax(fmax(fabs(a), fabs(b)), scale);

  if (!isfinite(a) || !isfinite(b) || !isfinite(scale))
    return INFINITY;
  return a == b ? 0 : fabs(a - b) / largest;
}

/* Fills the direction of "c", chosen by "seed". */
static void choose_direction(struct check *c, unsigned seed) {
  uint64_t state = seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
  double mean = 0;

  for (size_t i = 0; i < c->n; i++)
    mean += fabs(c->x[i]) / (double)c->n;
  for (size_t i = 0; i < c->n; i++) {
    double size, scale = mean > 0 ? fmax(fabs(c->x[i]), mean) : 1;

    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    size = 0.5 + (double)(state >> 12) * 0x1p-53;
    c->direction[i] = (state >> 11 & 1 ? size : -size) * scale;
  }
}

/* The central difference of f along the direction with the step "h". */
static double difference(const struct check *c, double h) {
  double at[2];

  for (int side = 0; side < 2; side++) {
    for (size_t i = 0; i < c->n; i++)
      c->moved[i] = c->x[i] + (side ? h : -h) * c->direction[i];
    at[side] = c->f(c->moved, c->context);
  }
  return (at[1] - at[0]) / (2 * h);
}

double dacead_check_gradient(double (*f)(const double *x, void *context), void *context, size_t n,
                             const double *x, const double *gradient, unsigned seed) {
  double *memory =
      n <= PTRDIFF_MAX / (2 * sizeof *memory) ? calloc(2 * n + 1, sizeof *memory) : NULL;
  struct check c = {f, context, n, x, memory, memory + n};
  double best = INFINITY;
  struct product expected;

  if (!memory)
    drt_stop("no memory to check a gradient of %zu numbers. Check a part of it.", n);
  choose_direction(&c, seed);
  expected = product(n, gradient, c.direction);
  for (int k = 0; k < STEPS; k++) {
    double h = ldexp(1, -FIRST_STEP - k * STEP_RATIO);
    double improved = (4 * difference(&c, h / 2) - difference(&c, h)) / 3;

    best = fmin(best, relative(improved, expected.sum, expected.size));
  }
  free(memory);
  return best;
}

double dacead_check_adjoint(size_t m, const double *y, const double *jv, size_t n, const double *v,
                            const double *jty) {
  struct product forward = product(m, y, jv), reverse = product(n, jty, v);

  return relative(forward.sum, reverse.sum, fmax(forward.size, reverse.size));
}
