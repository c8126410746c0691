// Covers: globals that code outside of the differentiated function has set: pointers, functions,
// numbers, tables.
// ALSO: -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all
// ALSO: -O2 -mllvm -dacead-no-inline
#include "check_gradient.h"

static NOINLINE double square(double a) {
  return a * a;
}

static NOINLINE double twice(double a) {
  return 2 * a;
}

static double (*operation)(double) = square;
static double first[4], second[4], *current = first;

/* The sum of operation(x)^2 where "current" leads to "second", else of nothing. */
static double through_pointers(double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) {
    current[i] = operation(x[i]);
    s += second[i] * current[i];
  }
  return s;
}

/* The gradient at 3, 1, 2, 1. */
static void gradient(double *dx) {
  double x[4] = {3, 1, 2, 1};
  memset(dx, 0, 4 * sizeof *dx);
  __dacead_autodiff((void *)through_pointers, x, dx, 4);
}

static void check_through_pointers(void) {
  double dx[4];
  operation = twice;
  current = second;
  gradient(dx);
  check_close("2x squared, at 3", dx[0], 24, 1e-15);
  check_close("2x squared, at 1", dx[1], 8, 1e-15);
  operation = square;
  gradient(dx);
  check_close("x^4, at 3", dx[0], 108, 1e-15);
  check_close("x^4, at 2", dx[2], 32, 1e-15);
  current = first;
  memset(second, 0, sizeof second);
  gradient(dx);
  check_true("a product with zero", dx[0] == 0 && dx[2] == 0);
  second[0] = 5;
  gradient(dx);
  check_close("5 x^2, at 3", dx[0], 30, 1e-15);
}

/* Numbers that main sets between two gradients. */
static double scale = 1;
static struct {
  double *data;
  int n;
} input;

static double with_settings(const double *x) {
  double s = 0;
  for (int i = 0; i < input.n; i++)
    s += scale * x[i] * x[i] * input.data[i];
  return s;
}

static void check_settings(void) {
  double x[3] = {1, 2, 3}, dx[3] = {0}, data[3] = {1, 10, 100};
  input.data = data;
  input.n = 3;
  scale = 0.5;
  __dacead_autodiff((void *)with_settings, x, dx);
  check_close("x", dx[0], 1, 1e-15);
  check_close("100 x", dx[2], 300, 1e-15);
  scale = 2;
  input.n = 2;
  memset(dx, 0, sizeof dx);
  __dacead_autodiff((void *)with_settings, x, dx);
  check_close("40 x", dx[1], 80, 1e-15);
  check_true("not counted", dx[2] == 0);
}

/* A table of functions, filled by main. */
static double (*table[3])(double);

static double by_table(double *x, int n) {
  double s = 1;
  for (int i = 0; i < n; i++)
    s = s * 0.9 + table[i % 3](x[i]) * x[0];
  return s;
}

int main(void) {
  check_through_pointers();
  check_settings();
  table[0] = table[2] = square;
  table[1] = twice;
  CHECK(by_table);
  table[1] = square;
  CHECK(by_table);
  return check_done();
}
