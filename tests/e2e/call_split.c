// Covers: the two sweeps as two calls; several handles open at once and consumed in any order;
// seeds.
// ALSO: -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all
#include <dacead.h>

#include "../programs/check.h"
#include <string.h>

/* The loop is left by a goto that depends on the data; x is changed on the way. */
static double wander(double *x, int n) {
  double s = 0;
  int i = 0;
again:
  x[i] = sin(x[i]) * 1.5;
  s += x[i] * x[(i + 1) % n];
  if (s > 2)
    goto out;
  if (++i < n)
    goto again;
out:
  return s * s;
}

/* The same by one call. */
static void at_once(const double *x, double *dx, int n, double seed) {
  double y[5], g[5] = {0};
  memcpy(y, x, sizeof y);
  __dacead_autodiff((void *)wander, y, g, n);
  for (int i = 0; i < n; i++)
    dx[i] = seed * g[i];
}

static void check_order(void) {
  enum { POINTS = 4, N = 5 };
  double x[POINTS][N], start[POINTS][N], dx[POINTS][N], want[N];
  void *tape[POINTS];
  static const int order[POINTS] = {2, 0, 3, 1};
  memset(dx, 0, sizeof dx);
  for (int p = 0; p < POINTS; p++)
    for (int i = 0; i < N; i++)
      start[p][i] = x[p][i] = 0.3 + 0.2 * p + 0.1 * i;
  for (int p = 0; p < POINTS; p++)
    tape[p] = __dacead_augmentfwd((void *)wander, x[p], dx[p], N);
  for (int k = 0; k < POINTS; k++) {
    int p = order[k];
    double seed = 1 + p;
    __dacead_reverse((void *)wander, x[p], dx[p], N, seed, tape[p]);
    at_once(start[p], want, N, seed);
    check_array("gradient", dx[p], want, N, 1e-14);
  }
}

/* Numbers by value: their adjoints are the result of the second call. */
static double product(double x, double y) {
  return exp(x) * y;
}

struct two {
  double x, y;
};
struct two __dacead_reverse_two(void *, ...);

static void check_numbers(void) {
  void *tape = __dacead_augmentfwd((void *)product, 0.5, 3.0);
  struct two d = __dacead_reverse_two((void *)product, 0.5, 3.0, 2.0, tape);
  check_close("by x", d.x, 6 * exp(0.5), 1e-15);
  check_close("by y", d.y, 2 * exp(0.5), 1e-15);
}

/* A function without result has no seed; its outputs are seeded between the sweeps. */
static void square(const double *x, double *y, int n) {
  for (int i = 0; i < n; i++)
    y[i] = x[i] * x[i];
}

static void check_procedure(void) {
  double x[2] = {3, 4}, dx[2] = {0}, y[2], dy[2] = {0};
  void *tape = __dacead_augmentfwd((void *)square, x, dx, y, dy, 2);
  for (int i = 0; i < 2; i++)
    dy[i] = y[i];
  __dacead_reverse((void *)square, x, dx, y, dy, 2, tape);
  check_close("first", dx[0], 54, 1e-15);
  check_close("second", dx[1], 128, 1e-15);
}

int main(void) {
  check_order();
  check_numbers();
  check_procedure();
  return check_done();
}
