// Covers: float and long double arguments and results: through the promotions of variadic calls,
// and through declared types.
// ALSO: -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all
#include <dacead.h>

#include "../programs/check.h"

struct floats {
  float x, y;
};
struct four_floats {
  float a, b, c, d;
};
struct unequal {
  float f;
  double d;
};
float __dacead_autodiff_float(float (*)(float), float);
struct floats __dacead_autodiff_floats(void *, ...);
struct four_floats __dacead_autodiff_four(void *, ...);
struct unequal __dacead_autodiff_unequal(void *, ...);
long double __dacead_autodiff_long(void *, ...);
float __dacead_fwddiff_float(void *, ...);

static float cube(float x) {
  return x * x * x;
}

static float product(float x, float y) {
  return x * x * y;
}

static float sum(float a, float b, float c, float d) {
  return a * b + c * d;
}

static double both(float f, double d) {
  return f * d * d;
}

static long double extended(long double x) {
  return x * x;
}

/* A struct of floats by value: one vector register. */
static float length(struct floats p) {
  return p.x * p.x + 3 * p.y;
}

/* Arrays of floats with shadows of floats. */
static float dot(const float *x, int n) {
  float s = 0;
  for (int i = 0; i < n; i++)
    s += x[i] * x[i];
  return s;
}

int main(void) {
  check_close("declared", __dacead_autodiff_float(cube, 3), 27, 1e-7);
  check_close("promoted", __dacead_autodiff((void *)cube, 3.0f), 27, 1e-7);
  struct floats p = __dacead_autodiff_floats((void *)product, 3.0f, 5.0f);
  check_close("by x", p.x, 30, 1e-7);
  check_close("by y", p.y, 9, 1e-7);
  struct four_floats q = __dacead_autodiff_four((void *)sum, 2.0f, 3.0f, 5.0f, 7.0f);
  check_true("four", q.a == 3 && q.b == 2 && q.c == 7 && q.d == 5);
  struct unequal u = __dacead_autodiff_unequal((void *)both, 2.0f, 3.0);
  check_close("the float", u.f, 9, 1e-7);
  check_close("the double", u.d, 12, 1e-15);
  check_close("long double", (double)__dacead_autodiff_long((void *)extended, 3.0L), 6, 1e-15);
  struct floats v = {2, 5}, d = __dacead_autodiff_floats((void *)length, v);
  check_close("struct by x", d.x, 4, 1e-7);
  check_close("struct by y", d.y, 3, 1e-7);
  float x[3] = {1, 2, 3}, dx[3] = {0}, ones[3] = {1, 1, 1};
  __dacead_autodiff((void *)dot, x, dx, 3);
  check_close("array", dx[2], 6, 1e-7);
  check_close("forward", __dacead_fwddiff_float((void *)dot, x, ones, 3), 12, 1e-7);
  check_close("forward, promoted", __dacead_fwddiff((void *)product, 3.0f, 1.0f, 5.0f, 1.0f), 39,
              1e-7);
  return check_done();
}
