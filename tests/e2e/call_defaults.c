// Covers: marker calls without tags: numbers by value, pointers, integers; results as a number, a
// small and a large struct.
// ALSO: -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all
#include <dacead.h>

#include "../programs/check.h"
#include <stdbool.h>

struct two {
  double x, y;
};
struct three {
  double x, y, z;
};
struct two __dacead_autodiff_two(void *, ...);
struct three __dacead_autodiff_three(void *, ...);
double __dacead_fwddiff_typed(double (*)(double, double), double, double, double, double);

/* A number by value: its derivative is the result. */
static double cube(double x) {
  return x * x * x;
}

static double product(double x, double y) {
  return x * x * y;
}

static double volume(double x, double y, double z) {
  return x * sin(y) * z * z;
}

static void check_numbers(void) {
  check_close("cube", __dacead_autodiff((void *)cube, 3.0), 27, 1e-15);
  struct two d = __dacead_autodiff_two((void *)product, 3.0, 5.0);
  check_close("product by x", d.x, 30, 1e-15);
  check_close("product by y", d.y, 9, 1e-15);
  struct three v = __dacead_autodiff_three((void *)volume, 2.0, 0.5, 3.0);
  check_close("volume by x", v.x, 9 * sin(0.5), 1e-15);
  check_close("volume by y", v.y, 18 * cos(0.5), 1e-15);
  check_close("volume by z", v.z, 12 * sin(0.5), 1e-15);
  check_close("cube along 2", __dacead_fwddiff((void *)cube, 3.0, 2.0), 54, 1e-15);
  check_close("product along 1, 2", __dacead_fwddiff((void *)product, 3.0, 1.0, 5.0, 2.0), 48,
              1e-15);
  check_close("the same, declared with types", __dacead_fwddiff_typed(product, 3, 1, 5, 2), 48,
              1e-15);
}

/* Pointers have shadows; integers of every size and truth values are constants. */
static double weighted(const double *x, int n, short step, bool squared, unsigned char power) {
  double s = 0;
  for (int i = 0; i < n; i += step)
    s += squared ? x[i] * x[i] : x[i] * power;
  return s;
}

/* Numbers, pointers and integers in turn. */
static double mixed(double a, const double *x, long n, double b) {
  double s = a * b;
  for (long i = 0; i < n; i++)
    s += x[i] * a;
  return s * b;
}

static void check_pointers(void) {
  double x[5] = {1, 2, 3, 4, 5}, dx[5] = {0}, ones[5] = {1, 1, 1, 1, 1};
  __dacead_autodiff((void *)weighted, x, dx, 5, 2, true, 7);
  check_close("2 x[2]", dx[2], 6, 1e-15);
  check_true("skipped", dx[1] == 0 && dx[3] == 0);
  __dacead_autodiff((void *)weighted, x, dx, 5, 2, false, 7);
  check_close("the shadow is added to", dx[2], 13, 1e-15);
  check_close("along ones", __dacead_fwddiff((void *)weighted, x, ones, 5, 2, true, 7), 18, 1e-15);
  double dm[5] = {0};
  struct two d = __dacead_autodiff_two((void *)mixed, 3.0, x, dm, 5L, 2.0);
  check_close("by a", d.x, 2 * (2 + 15), 1e-15);
  check_close("by b", d.y, 2 * 3 * 2 + 15 * 3, 1e-15);
  check_close("by x", dm[4], 6, 1e-15);
  check_close("mixed along a and b",
              __dacead_fwddiff((void *)mixed, 3.0, 1.0, x, (double[5]){0}, 5L, 2.0, 1.0), 91,
              1e-15);
}

/* A function without result: what it leaves in memory is seeded through the shadow. */
static void scale(double *x, double *y, double by) {
  for (int i = 0; i < 2; i++)
    y[i] = by * x[i] * x[i];
}

static void check_procedure(void) {
  double x[2] = {3, 4}, dx[2] = {0}, y[2], dy[2] = {1, 10};
  double by = __dacead_autodiff((void *)scale, x, dx, y, dy, 0.5);
  check_close("by the factor", by, 9 + 160, 1e-15);
  check_close("first", dx[0], 3, 1e-15);
  check_close("second", dx[1], 40, 1e-15);
  check_close("the primal is computed", y[1], 8, 1e-15);
  check_true("an overwritten array has no derivative left", dy[0] == 0 && dy[1] == 0);
  __dacead_fwddiff((void *)scale, x, dx, y, dy, 0.5, 1.0);
  check_close("forward", dy[1], 16 + 0.5 * 2 * 4 * 40, 1e-15);
}

/* No argument is active: the gradient is zero, and nothing else happens twice. */
static int calls;

static double constant(int n) {
  calls++;
  return n;
}

static void check_constant(void) {
  __dacead_autodiff((void *)constant, 3);
  check_true("called once", calls == 1);
  check_true("no tangent", __dacead_fwddiff((void *)constant, 3) == 0 && calls == 2);
}

int main(void) {
  check_numbers();
  check_pointers();
  check_procedure();
  check_constant();
  return check_done();
}
