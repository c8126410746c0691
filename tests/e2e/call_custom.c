// Covers: registered derivatives, which are wrong on purpose to prove that they are used; inactive
// functions and globals.
// ALSO: -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all
#include <dacead.h>

#include "../programs/check.h"

/* A number: the registered derivative of the square is ten times the right one. */
static double square(double x) {
  return x * x;
}

struct kept {
  double *tape;
  double result;
};

static struct kept square_augmented(double x) {
  struct kept k = {malloc(sizeof(double)), x * x};
  *k.tape = x;
  return k;
}

static double square_reverse(double x, double seed, double *tape) {
  double d = 20 * *tape * seed;
  (void)x;
  free(tape);
  return d;
}

static double square_tangent(double x, double dx) {
  return 40 * x * dx;
}

DACEAD_REGISTER_GRADIENT(square, square, square_augmented, square_reverse);
DACEAD_REGISTER_DERIVATIVE(square, square, square_tangent);

static double sum(double x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++)
    s += square(x + i) * i;
  return s;
}

static void check_number(void) {
  check_close("reverse", __dacead_autodiff((void *)sum, 3.0, 3), 10 * (2 * 4 + 4 * 5), 1e-15);
  check_close("forward", __dacead_fwddiff((void *)sum, 3.0, 1.0, 3), 20 * (2 * 4 + 4 * 5), 1e-15);
  check_close("without a derivative", sum(3, 3), 16 + 50, 1e-15);
}

/* Memory: the function has no body here that could be differentiated; its result is void. */
static void solve(const double *x, double *y) {
  __asm__ volatile("" : : "r"(x), "r"(y) : "memory");
  *y = sqrt(*x);
}

static void *solve_augmented(const double *x, double *dx, double *y, double *dy) {
  (void)dx;
  (void)dy;
  solve(x, y);
  return NULL;
}

static void solve_reverse(const double *x, double *dx, double *y, double *dy, void *tape) {
  (void)x;
  (void)tape;
  *dx += *dy * 7 * *y;
  *dy = 0;
}

DACEAD_REGISTER_GRADIENT(solve, solve, solve_augmented, solve_reverse);

static double through_memory(const double *x) {
  double y;
  solve(x, &y);
  return y * *x;
}

static void check_memory(void) {
  double x = 4, dx = 0;
  __dacead_autodiff((void *)through_memory, &x, &dx);
  check_close("7 y x + y", dx, 7 * 2 * 4 + 2, 1e-15);
}

/* Inactive: what the function does with numbers is not differentiated. */
static int seen;

static double measure(double x) {
  seen++;
  return x > 2 ? 10 : 20;
}

DACEAD_INACTIVE_FUNCTION(measure, measure);

static double measured(double x) {
  return measure(x) * x;
}

static double offset = 3;

DACEAD_INACTIVE_GLOBAL(offset, offset);

static double with_offset(double x) {
  offset = x * x;
  return offset * x;
}

static void check_inactive(void) {
  check_close("a constant factor", __dacead_autodiff((void *)measured, 3.0), 10, 1e-15);
  check_true("called", seen == 1);
  check_close("an inactive global", __dacead_autodiff((void *)with_offset, 3.0), 9, 1e-15);
}

/* A function that computes what the library's does, in a way that cannot be differentiated. */
static double my_log1p(double x) {
  double r;
  __asm__("fldln2; fxch; fyl2xp1" : "=t"(r) : "0"(x) : "st(1)");
  return r;
}

DACEAD_FUNCTION_LIKE(my_log1p, my_log1p, "log1p");

static double growth(double x) {
  return my_log1p(x) * x;
}

static void check_like(void) {
  double x = 0.2;
  check_close("by log1p's rule", __dacead_autodiff((void *)growth, x), x / (1 + x) + log1p(x),
              1e-14);
  check_close("forward", __dacead_fwddiff((void *)growth, x, 1.0), x / (1 + x) + log1p(x), 1e-14);
}

/* An allocator of one's own. */
static char pool[1 << 12];
static size_t used;
static int released;

static __attribute__((noinline)) void *take(int kind, size_t bytes) {
  void *p = pool + used;
  used += (bytes + 15) / 16 * 16 + (size_t)kind;
  return p;
}

static __attribute__((noinline)) void give(void *p) {
  released += p != NULL;
}

DACEAD_ALLOCATION_LIKE(take, take, 1, "-1", give);

static double in_pool(const double *x, int n) {
  double *t = take(0, n * sizeof *t), s = 0;
  for (int i = 0; i < n; i++)
    t[i] = x[i] * x[i];
  for (int i = 0; i < n; i++)
    s += t[i] * t[n - 1 - i];
  give(t);
  return s;
}

static void check_allocator(void) {
  double x[3] = {1, 2, 3}, dx[3] = {0};
  __dacead_autodiff((void *)in_pool, x, dx, 3);
  check_close("first", dx[0], 2 * 2 * 1 * 9, 1e-15);
  check_close("middle", dx[1], 4 * 8, 1e-15);
  check_true("released", released >= 1);
}

int main(void) {
  check_number();
  check_memory();
  check_inactive();
  check_like();
  check_allocator();
  return check_done();
}
