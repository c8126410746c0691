// Covers: arguments that are overwritten, arguments that alias, bounds in memory that change.
// ALSO: -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all
// ALSO: -O2 -mllvm -dacead-no-undo
// ALSO: -O2 -mllvm -dacead-no-inline
#include "check_gradient.h"

/* A sweep of Gauss and Seidel: new values are read beside old ones. */
static double smooth(double *x, int n) {
  for (int t = 0; t < 4; t++)
    for (int i = 1; i + 1 < n; i++)
      x[i] = (x[i - 1] + x[i] * x[i] + x[i + 1]) / 3;
  double s = 0;
  for (int i = 0; i < n; i++)
    s += x[i] * x[i];
  return s;
}

/* Every element is overwritten with a constant after its last use. */
static double consume(double *x, int n) {
  double s = 1;
  for (int i = 0; i < n; i++) {
    s = s * x[i] + x[(i + 1) % n];
    x[i] = 0.25 * i;
  }
  return s;
}

/* A recurrence over the array, and its last element set from outside of the loop. */
static double prefix(double *x, int n) {
  for (int i = 1; i < n; i++)
    x[i] += x[i - 1] * x[i];
  x[0] = x[n - 1] * x[n - 1];
  x[n - 1] = 3;
  return x[0] + x[1];
}

/* Adds to "out" the products of "a" and of "b" in reverse; any of them may be the same. */
static NOINLINE void mulacc(double *out, const double *a, const double *b, int n) {
  for (int i = 0; i < n; i++)
    out[i] += a[i] * b[n - 1 - i];
}

static double aliasing(double *x, int n) {
  double t[CHECK_N];
  memset(t, 0, sizeof t);
  mulacc(t, x, x, n);
  mulacc(t, t, x, n);
  mulacc(t + 1, t, t, n - 1);
  mulacc(x, x, t, n / 2);
  double s = 0;
  for (int i = 0; i < n; i++)
    s += t[i] + x[i];
  return s;
}

/* The bound is read through a pointer and is overwritten inside of the loop. */
static NOINLINE double bounded(double *x, int *bound) {
  double s = 0;
  for (int i = 0; i < *bound; i++) {
    s += x[i] * x[i] * i;
    if (i == 2)
      *bound -= 3;
    x[i] = s;
  }
  *bound = -1;
  return s;
}

static double moving_bound(double *x, int n) {
  int bound = n;
  double s = bounded(x, &bound);
  return s * s + bound * x[n - 1];
}

/* Indices are read from an array that the loop permutes. */
static double moving_indices(double *x, int n) {
  int at[CHECK_N];
  double s = 0;
  for (int i = 0; i < n; i++)
    at[i] = (4 * i + 1) % n;
  for (int i = 0; i < n; i++) {
    x[at[i]] *= x[at[(i + 1) % n]];
    s += x[at[i]];
    int swap = at[i];
    at[i] = at[n - 1 - i];
    at[n - 1 - i] = swap;
  }
  return s;
}

/* A rotation of two elements at a time, as in a fast Fourier transform. */
static double butterflies(double *x, int n) {
  for (int half = 1; half < n - 1; half *= 2)
    for (int start = 0; start + half < n - 1; start += 2 * half)
      for (int k = 0; k < half; k++) {
        double *a = &x[start + k], *b = &x[start + k + half];
        double t = *b * cos(k + 1.0) * *a;
        *b = *a - t;
        *a += t;
      }
  double s = 0;
  for (int i = 0; i < n; i++)
    s += (i + 1) * x[i] * x[i];
  return s;
}

/* Insertion sort of the numbers themselves. */
static double insertion(double *x, int n) {
  for (int i = 1; i < n; i++) {
    double v = x[i];
    int j = i - 1;
    while (j >= 0 && x[j] > v) {
      x[j + 1] = x[j];
      j--;
    }
    x[j + 1] = v;
  }
  double s = 0;
  for (int i = 0; i < n; i++)
    s = s * 0.5 + x[i] * x[i] * i;
  return s;
}

int main(void) {
  CHECK(smooth);
  CHECK(consume);
  CHECK(prefix);
  CHECK(aliasing);
  CHECK(moving_bound);
  CHECK(moving_indices);
  CHECK(butterflies);
  CHECK(insertion);
  return check_done();
}
