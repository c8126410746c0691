// Covers: recursion of one and of several functions, addresses of locals that go down with it, and
// callees that do next to nothing.
// ALSO: -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all
// ALSO: -O2 -mllvm -dacead-no-inline
#include "check_gradient.h"

/* A product by halves: two recursive calls. */
static NOINLINE double product(const double *x, int n) {
  if (n == 1)
    return sin(x[0]) + 0.5;
  return product(x, n / 2) * product(x + n / 2, n - n / 2) + 0.1 * x[0];
}

static double halves(double *x, int n) {
  return product(x, n);
}

/* A power by squaring. */
static NOINLINE double power(double a, int k) {
  if (k == 0)
    return 1;
  double half = power(a, k / 2);
  return k % 2 ? half * half * a : half * half;
}

static double powers(double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++)
    s += power(x[i], i) * x[n - 1 - i];
  return s;
}

/* Two functions that call each other and change their caller's numbers. */
static double odd(double *p, int k);

static NOINLINE double even(double *p, int k) {
  if (!k)
    return p[0];
  double t[2] = {p[0] * 0.5, p[1] * 0.3 + p[0] * p[1] * 0.2};
  return odd(t, k - 1) + t[0] * t[1];
}

static NOINLINE double odd(double *p, int k) {
  if (!k)
    return p[1] * p[1];
  p[0] = p[0] * p[1] * 0.3;
  double r = even(p, k - 1);
  p[1] += r * 0.1;
  return r * p[1];
}

static double mutual(double *x, int n) {
  double s = 0;
  for (int i = 0; i + 1 < n; i++) {
    double t[2] = {x[i], x[i + 1]};
    s += even(t, i) + t[0];
  }
  return s;
}

/* A struct that leads to a local of each caller in turn. */
struct descent {
  double *out;      /* where the callee adds its number */
  const double *in; /* the numbers */
  int left;         /* how deep it goes yet */
};

static NOINLINE void down(struct descent *d, double carry) {
  double mine = carry * d->in[d->left];
  double *saved = d->out;
  if (d->left-- == 0) {
    *d->out += mine;
    return;
  }
  d->out = &mine;
  down(d, mine + 0.3);
  d->out = saved;
  *saved += mine * mine;
}

static double escaping(double *x, int n) {
  double r = 0;
  struct descent d = {&r, x, n - 1};
  down(&d, 1.2);
  return r;
}

/* Ackermann's shape: the depth of one call is the result of another. */
static NOINLINE int depth(double *x, int m, int k, double *acc) {
  *acc = *acc * 0.9 + x[(m + k) % CHECK_N] * *acc * 0.05 + x[m];
  if (m == 0)
    return k + 1;
  if (k == 0)
    return depth(x, m - 1, 1, acc);
  return depth(x, m - 1, depth(x, m, k - 1, acc), acc);
}

static double nested_calls(double *x, int n) {
  double acc = x[n - 1];
  int d = depth(x, 2, 2, &acc);
  return acc * d;
}

/* Adaptive integration: the recursion goes where the numbers send it. */
static NOINLINE double simpson(const double *x, double a, double b, int fuel) {
  double m = (a + b) / 2;
  double fa = exp(-a * a * x[0]) + x[1] * a, fm = exp(-m * m * x[0]) + x[1] * m;
  double fb = exp(-b * b * x[0]) + x[1] * b;
  double coarse = (b - a) * (fa + fb) / 2, fine = (b - a) * (fa + 4 * fm + fb) / 6;
  if (fuel == 0 || fabs(fine - coarse) < 1e-3)
    return fine;
  return simpson(x, a, m, fuel - 1) + simpson(x, m, b, fuel - 1);
}

static double adaptive(double *x, int n) {
  return simpson(x, 0, 1 + x[2] * x[n - 1], 8);
}

/* Callees that only pass on what they get, or ignore it. */
struct box {
  double v;
};

static NOINLINE double same(double a) {
  return a;
}

static NOINLINE struct box boxed(double a, double unused) {
  struct box b = {a};
  (void)unused;
  return b;
}

static NOINLINE double second(const double *a, const double *b) {
  (void)a;
  return *b;
}

static NOINLINE const double *either(const double *a, const double *b, int which) {
  return which ? a : b;
}

static double passing_on(double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) {
    struct box b = boxed(same(x[i]), s);
    s += b.v * b.v + same(second(&s, &x[n - 1 - i])) * *either(&x[0], &s, i & 1);
  }
  return same(s);
}

int main(void) {
  CHECK(passing_on);
  CHECK(halves);
  CHECK(powers);
  CHECK(mutual);
  CHECK(escaping);
  CHECK(nested_calls);
  CHECK(adaptive);
  return check_done();
}
