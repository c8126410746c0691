// Covers: differentiated functions that take and return structs by value, small and large.
// ALSO: -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all
#include <dacead.h>

#include "../programs/check.h"
#include <string.h>

struct pair {
  double x, y;
};
struct triple {
  double x, y, z;
};
struct span {
  const double *at;
  int n;
};
struct pair __dacead_autodiff_pair(void *, ...);
struct triple __dacead_autodiff_triple(void *, ...);
struct triple __dacead_fwddiff_triple(void *, ...);
struct pair __dacead_fwddiff_pair(void *, ...);

/* Two numbers travel in registers: each is an argument of its own. */
static double area(struct pair p) {
  return p.x * p.x * p.y;
}

static double distance(struct pair p, double scale) {
  return scale * (p.x * p.x + p.y * p.y);
}

static void check_small_argument(void) {
  struct pair p = {3, 5}, d = __dacead_autodiff_pair((void *)area, p);
  check_close("by x", d.x, 30, 1e-15);
  check_close("by y", d.y, 9, 1e-15);
  struct triple t = __dacead_autodiff_triple((void *)distance, p, 2.0);
  check_close("distance by x", t.x, 12, 1e-15);
  check_close("distance by y", t.y, 20, 1e-15);
  check_close("distance by scale", t.z, 34, 1e-15);
}

/* A struct that travels in memory is a pointer to the copy: its shadow follows. */
static double box(struct triple t, double scale) {
  t.x *= scale;
  return t.x * t.y * t.z;
}

static void check_large_argument(void) {
  struct triple t = {2, 3, 5}, dt = {0, 0, 0};
  double d = __dacead_autodiff((void *)box, t, &dt, 7.0);
  check_close("by scale", d, 30, 1e-15);
  check_close("by x", dt.x, 105, 1e-15);
  check_close("by z", dt.z, 42, 1e-15);
  check_true("the caller's struct is as it was", t.x == 2 && t.y == 3 && t.z == 5);
  check_close("with the struct constant", __dacead_autodiff((void *)box, dacead_const, t, 7.0), 30,
              1e-15);
}

/* A struct that holds a pointer beside an integer: its registers are a pointer and an integer. */
static double sum_of_squares(struct span s) {
  double r = 0;
  for (int i = 0; i < s.n; i++)
    r += s.at[i] * s.at[i];
  return r;
}

static void check_span(void) {
  double x[3] = {1, 2, 3}, dx[3] = {0};
  struct span s = {x, 3};
  __dacead_autodiff((void *)sum_of_squares, s.at, dx, s.n);
  check_close("by x", dx[2], 6, 1e-15);
}

/* A small struct as result: each of its numbers is seeded with one. */
static struct pair polar(double r, double angle) {
  struct pair p = {r * cos(angle), r * sin(angle)};
  return p;
}

static void check_small_result(void) {
  struct pair d = __dacead_autodiff_pair((void *)polar, 2.0, 0.5);
  check_close("by r", d.x, cos(0.5) + sin(0.5), 1e-15);
  check_close("by angle", d.y, 2 * (cos(0.5) - sin(0.5)), 1e-15);
  struct pair t = __dacead_fwddiff_pair((void *)polar, 2.0, 1.0, 0.5, 0.0);
  check_close("tangent of x", t.x, cos(0.5), 1e-15);
  check_close("tangent of y", t.y, sin(0.5), 1e-15);
}

/* A large struct as result lies in memory: its shadow, the seeds, is the first operand after the
 * function. In forward mode the tangent is returned as the struct. */
static struct triple cube(const double *x, double scale) {
  struct triple t = {x[0] * scale, x[0] * x[1], x[1] * x[1] * scale};
  return t;
}

static void check_large_result(void) {
  double x[2] = {3, 4}, dx[2] = {0}, along[2] = {1, 0};
  struct triple seed = {1, 10, 100};
  double d = __dacead_autodiff((void *)cube, &seed, x, dx, 2.0);
  check_close("by scale", d, 3 + 1600, 1e-15);
  check_close("by first", dx[0], 2 + 40, 1e-15);
  check_close("by second", dx[1], 30 + 1600, 1e-15);
  struct triple t = __dacead_fwddiff_triple((void *)cube, x, along, 2.0, 1.0);
  check_close("tangent of x", t.x, 3 + 2, 1e-15);
  check_close("tangent of y", t.y, 4, 1e-15);
  check_close("tangent of z", t.z, 16, 1e-15);
}

/* Behind a pointer, a struct has a shadow of the same layout. */
struct series {
  int n;
  double *data;
  double scale;
};

static double total(const struct series *s) {
  double r = 0;
  for (int i = 0; i < s->n; i++)
    r += s->data[i] * s->data[i] * s->scale;
  return r;
}

static void check_pointed(void) {
  double x[2] = {1, 2}, dx[2] = {0};
  struct series s = {2, x, 3}, ds = {0, dx, 0};
  __dacead_autodiff((void *)total, &s, &ds);
  check_close("by scale", ds.scale, 5, 1e-15);
  check_close("by data", dx[1], 12, 1e-15);
  check_true("shadow's other members", ds.n == 0 && ds.data == dx && s.data == x);
}

int main(void) {
  check_small_argument();
  check_large_argument();
  check_span();
  check_small_result();
  check_large_result();
  check_pointed();
  return check_done();
}
