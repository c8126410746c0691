// Covers: every tag, by value and by address, in front of numbers and pointers.
// ALSO: -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all
#include <dacead.h>

#include "../programs/check.h"

struct two {
  double first, second;
};
struct three {
  double first, second, third;
};
struct two __dacead_autodiff_two(void *, ...);
struct three __dacead_autodiff_three(void *, ...);
struct two __dacead_fwddiff_two(void *, ...);

static double product(double x, double y) {
  return x * x * y;
}

static double dot(const double *x, const double *y, int n, double scale) {
  double s = 0;
  for (int i = 0; i < n; i++)
    s += x[i] * y[i];
  return s * scale;
}

static void check_const(void) {
  double x[2] = {1, 2}, y[2] = {3, 4}, dy[2] = {0}, dx[2] = {0};
  check_close("constant x", __dacead_autodiff((void *)product, dacead_const, 3.0, 5.0), 9, 1e-15);
  check_close("constant y", __dacead_autodiff((void *)product, 3.0, dacead_const, 5.0), 30, 1e-15);
  check_close("by address",
              __dacead_autodiff((void *)product, &dacead_const, 3.0, &dacead_out, 5.0), 9, 1e-15);
  double d = __dacead_autodiff((void *)dot, dacead_const, x, dacead_dup, y, dy, dacead_const, 2,
                               dacead_out, 2.0);
  check_close("by scale", d, 11, 1e-15);
  check_close("by y", dy[1], 4, 1e-15);
  __dacead_autodiff((void *)dot, dacead_dup, x, dx, dacead_const, y, 2, dacead_const, 2.0);
  check_close("by x", dx[1], 8, 1e-15);
  check_true("y is as it was", y[0] == 3 && y[1] == 4);
  check_close("forward, x constant", __dacead_fwddiff((void *)product, dacead_const, 3.0, 5.0, 1.0),
              9, 1e-15);
  check_close("forward, tagged",
              __dacead_fwddiff((void *)product, dacead_dup, 3.0, 1.0, dacead_const, 5.0), 30,
              1e-15);
  check_close("forward, pointer constant",
              __dacead_fwddiff((void *)dot, dacead_const, x, dacead_dup, y, (double[]){1, 1}, 2,
                               dacead_const, 2.0),
              6, 1e-15);
}

/* The function may write to a constant array and read what it wrote: still no derivative flows. */
static double through_buffer(const double *x, double *buffer, int n) {
  double s = 0;
  for (int i = 0; i < n; i++)
    s += buffer[i] * x[i];
  for (int i = 0; i < n; i++)
    buffer[i] = i;
  return s + buffer[n - 1] * x[0];
}

static void check_constant_buffer(void) {
  double x[2] = {1, 2}, dx[2] = {0}, buffer[2] = {5, 6};
  __dacead_autodiff((void *)through_buffer, x, dx, dacead_const, buffer, 2);
  check_close("first", dx[0], 6, 1e-15);
  check_close("second", dx[1], 6, 1e-15);
  check_true("the buffer is written", buffer[0] == 0 && buffer[1] == 1);
}

/* dupnoneed: the shadow counts, what the primal leaves in the array does not. */
static void square(const double *x, double *y, int n) {
  for (int i = 0; i < n; i++)
    y[i] = x[i] * x[i];
}

static void check_dupnoneed(void) {
  double x[2] = {3, 4}, dx[2] = {0}, y[2] = {0}, dy[2] = {1, 10};
  __dacead_autodiff((void *)square, dacead_dup, x, dx, dacead_dupnoneed, y, dy, 2);
  check_close("first", dx[0], 6, 1e-15);
  check_close("second", dx[1], 80, 1e-15);
  double along[2] = {1, 2};
  __dacead_fwddiff((void *)square, x, along, dacead_dupnoneed, y, dy, 2);
  check_close("forward", dy[1], 16, 1e-15);
}

/* primal_return: the function's own result comes first. */
static void check_primal_return(void) {
  double x[2] = {1, 2}, y[2] = {3, 4}, dx[2] = {0}, dy[2] = {0};
  struct three t = __dacead_autodiff_three((void *)product, dacead_primal_return, 3.0, 5.0);
  check_close("result", t.first, 45, 1e-15);
  check_close("by x", t.second, 30, 1e-15);
  check_close("by y", t.third, 9, 1e-15);
  struct two s = __dacead_autodiff_two((void *)dot, dacead_primal_return, x, dx, y, dy, 2, 2.0);
  check_close("result", s.first, 22, 1e-15);
  check_close("by scale", s.second, 11, 1e-15);
  check_close(
      "alone",
      __dacead_autodiff((void *)dot, dacead_primal_return, x, dx, y, dy, 2, dacead_const, 2.0), 22,
      1e-15);
  struct two f = __dacead_fwddiff_two((void *)product, dacead_primal_return, 3.0, 1.0, 5.0, 0.0);
  check_close("forward, result", f.first, 45, 1e-15);
  check_close("forward, tangent", f.second, 30, 1e-15);
  check_close("not needed",
              __dacead_autodiff((void *)product, dacead_noret, 3.0, dacead_const, 5.0), 30, 1e-15);
}

int main(void) {
  check_const();
  check_constant_buffer();
  check_dupnoneed();
  check_primal_return();
  return check_done();
}
