// Covers: arrays on the stack: of fixed and variable length, in loops, by alloca, in two
// dimensions, with windows that slide.
// ALSO: -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all
// ALSO: -O2 -mllvm -dacead-no-inline
#include "check_gradient.h"
#include <alloca.h>

/* Arrays of variable length, of one size more each time. */
static double variable_length(double *x, int n) {
  double s = 0;
  for (int m = 1; m <= n; m++) {
    double t[m][2];
    for (int i = 0; i < m; i++) {
      t[i][0] = x[i] * x[m - 1];
      t[i][1] = i ? t[i - 1][0] * t[i][0] : 1;
    }
    for (int i = 0; i < m; i++)
      s += t[i][1] * t[i][0];
  }
  return s;
}

/* Arrays of variable length as parameters, two of their dimensions at run time. */
static NOINLINE double trace(int n, double a[n][n], double b[n][n]) {
  double s = 0;
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++)
      s += a[i][k] * b[k][i];
  return s;
}

static double parameters(double *x, int n) {
  int m = n / 2;
  double a[m][m], b[m][m];
  for (int i = 0; i < m; i++)
    for (int j = 0; j < m; j++) {
      a[i][j] = x[i] * x[j + m];
      b[j][i] = x[i + 1] - x[j] * x[i];
    }
  return trace(m, a, b) * trace(m, b, b);
}

/* alloca in a loop: all blocks live until the function returns. */
static double by_alloca(double *x, int n) {
  double *last = NULL, s = 0;
  for (int i = 1; i < n; i++) {
    double *t = alloca(i * sizeof *t);
    for (int k = 0; k < i; k++)
      t[k] = x[k] * (last && k < i - 1 ? last[k] : x[i]);
    last = t;
    s += t[i - 1] * t[i / 2];
  }
  return s;
}

/* A callee's own array, different at each depth. */
static NOINLINE double fold(const double *x, int n) {
  double t[n];
  if (n == 1)
    return x[0];
  for (int i = 0; i + 1 < n; i++)
    t[i] = x[i] * x[i + 1] + 0.5 * x[i];
  return fold(t, n - 1) + t[0];
}

static double pyramid(double *x, int n) {
  return fold(x, n);
}

/* A window of four that slides over the numbers. */
static double window(double *x, int n) {
  double w[4] = {0}, s = 0;
  for (int i = 0; i < n; i++) {
    memmove(w, w + 1, 3 * sizeof(double));
    w[3] = x[i] * x[i];
    s += w[0] * w[3] + w[1] * w[2] * w[3];
  }
  return s;
}

/* A small array that is set anew in every iteration, and a ring that is not. */
static double rewritten(double *x, int n) {
  double ring[3] = {1, 1, 1}, s = 0;
  for (int i = 0; i < 4 * n; i++) {
    double t[4] = {x[i % n], x[(i + 1) % n], ring[i % 3]};
    for (int k = 1; k < 4; k++)
      t[k] = t[k] * 0.5 + t[k - 1] * t[0];
    ring[i % 3] = t[3];
    s += ring[(i + 1) % 3] * t[2];
  }
  return s;
}

/* Initialisers, whole and in part, of numbers that are used again. */
static double initialised(double *x, int n) {
  double a[5] = {[1] = x[0], [3] = x[1] * x[2]}, b[2][2] = {{x[3], x[4]}, {x[5]}};
  for (int i = 0; i < 5; i++)
    a[i] += b[i & 1][i >> 1 & 1] * i;
  double c[5];
  memcpy(c, a, sizeof c);
  return c[1] * c[2] + c[3] * c[4] + a[0] * x[n - 1];
}

int main(void) {
  CHECK(variable_length);
  CHECK(parameters);
  CHECK(by_alloca);
  CHECK(pyramid);
  CHECK(window);
  CHECK(rewritten);
  CHECK(initialised);
  return check_done();
}
