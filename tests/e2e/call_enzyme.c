// Covers: the other spelling of everything: a program written for Enzyme compiles unchanged.
// ALSO: -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern int enzyme_const, enzyme_dup, enzyme_dupnoneed, enzyme_out, enzyme_primal_return;

struct gradient {
  double value, dx, dy;
};
double __enzyme_autodiff(void *, ...);
struct gradient __enzyme_autodiff_with_value(void *, ...);
double __enzyme_fwddiff(void *, ...);
void *__enzyme_augmentfwd(void *, ...);
double __enzyme_reverse(void *, ...);

static int failures;

static void expect(const char *what, double got, double want) {
  if (fabs(got - want) <= 1e-14 * fabs(want))
    return;
  failures++;
  printf("%s: %.17g instead of %.17g\n", what, got, want);
}

static double power(double x, double y) {
  return pow(x, y);
}

static double norm(const double *x, size_t n) {
  double s = 0;
  for (size_t i = 0; i < n; i++)
    s += x[i] * x[i];
  return sqrt(s);
}

static void matvec(const double *a, const double *x, double *y, int n) {
  for (int i = 0; i < n; i++) {
    y[i] = 0;
    for (int j = 0; j < n; j++)
      y[i] += a[i * n + j] * x[j];
  }
}

static double gamma_like(double x) {
  return exp(lgamma(x));
}

void *__enzyme_function_like_gamma[] = {(void *)gamma_like, (void *)"tgamma"};

static double limited(double x) {
  return x > 1 ? 1 : x;
}

struct augmented {
  void *tape;
  double result;
};

static struct augmented limited_augmented(double x) {
  struct augmented a = {NULL, limited(x)};
  return a;
}

static double limited_reverse(double x, double seed, void *tape) {
  return seed * (x > 1 ? 0.5 : 1) + (tape != NULL);
}

void *__enzyme_register_gradient_limited[] = {(void *)limited, (void *)limited_augmented,
                                              (void *)limited_reverse};

static int counter;

static void count(const double *x) {
  counter += *x > 0;
}

void *__enzyme_inactivefn_count[] = {(void *)count};

static double everything(double x) {
  count(&x);
  return limited(x) * x + gamma_like(x);
}

int main(void) {
  struct gradient g = __enzyme_autodiff_with_value((void *)power, enzyme_primal_return, 2.0, 3.0);
  expect("value", g.value, 8);
  expect("by x", g.dx, 12);
  expect("by y", g.dy, 8 * log(2));
  expect("constant exponent", __enzyme_autodiff((void *)power, enzyme_out, 2.0, enzyme_const, 3.0),
         12);
  expect("forward", __enzyme_fwddiff((void *)power, enzyme_dup, 2.0, 1.0, enzyme_const, 3.0), 12);

  double x[2] = {3, 4}, dx[2] = {0};
  __enzyme_autodiff((void *)norm, x, dx, (size_t)2);
  expect("norm", dx[1], 0.8);

  double a[4] = {1, 2, 3, 4}, da[4] = {0}, y[2], dy[2] = {1, 1};
  memset(dx, 0, sizeof dx);
  __enzyme_autodiff((void *)matvec, enzyme_dup, a, da, enzyme_dup, x, dx, enzyme_dupnoneed, y, dy,
                    enzyme_const, 2);
  expect("matrix", da[3], 4);
  expect("vector", dx[0], 4);

  double t[2] = {3, 4}, dt[2] = {0};
  void *tape = __enzyme_augmentfwd((void *)norm, t, dt, (size_t)2);
  __enzyme_reverse((void *)norm, t, dt, (size_t)2, 10.0, tape);
  expect("split", dt[0], 6);

  double h = 2, digamma = 0.42278433509846713;
  expect("registered", __enzyme_autodiff((void *)everything, h), 0.5 * h + 1 + digamma);
  expect("counted", counter, 1);
  puts(failures ? "wrong" : "ok");
  return failures != 0;
}
