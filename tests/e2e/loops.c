// Covers: loops of every kind, what leaves them early, and what is used after them.
// ALSO: -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all
// ALSO: -O2 -mllvm -dacead-no-reserve -mllvm -dacead-no-reload
// ALSO: -O2 -mllvm -dacead-passes=none
// ALSO: -O2 -mllvm -dacead-passes=large
#include "check_gradient.h"

/* Counted loops: up, down, in steps. */
static double counted(double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++)
    s += x[i] * x[n - 1 - i];
  for (int i = n - 1; i > 0; i -= 2)
    s *= 1 + 0.1 * x[i] * x[i - 1];
  for (int i = 0; i < n; i += 3)
    s += sin(s * x[i]);
  return s;
}

/* An unsigned counter that runs down to zero, and an inner loop that often runs zero times. */
static double downward(double *x, int n) {
  double s = 0;
  for (unsigned k = (unsigned)n; k-- > 0;) {
    s = s * 0.7 + x[k];
    for (int j = 3; j < (int)k - 3; j += 2)
      s += x[j] * s * 0.1;
  }
  return s;
}

/* Loops that never run, with bounds that nobody knows. */
static double zero_trip(double *x, int n) {
  double s = x[0];
  for (int i = n; i < 9; i++)
    s *= x[i];
  while (n > 9)
    s += x[n--];
  for (int i = 0; i < n - 9; i++)
    s = s * s;
  return s * x[1];
}

/* A while loop whose end depends on the data; how often it ran is used afterwards. */
static double halving(double *x, int n) {
  double s = 0;
  int steps = 0;
  for (int i = 0; i < n; i++) {
    double q = x[i] * 3;
    while (q > 0.1) {
      q *= 0.5 + 0.1 * x[(i + 1) % n];
      steps++;
    }
    s += q * steps;
  }
  return s;
}

/* A do loop runs once at least; its last values leave it. */
static double at_least_once(double *x, int n) {
  double a = x[0], b = 1;
  int i = 0;
  do {
    b = a * b + x[i];
    a = cos(b) * x[i];
    i += 2;
  } while (i < n && b < 2.5);
  return a * b * i;
}

/* A loop without a condition, left by break; continue skips its end. */
static double endless(double *x, int n) {
  double s = 1;
  int i = 0;
  for (;;) {
    if (i == n)
      break;
    s *= 1 + 0.01 * x[i];
    if (++i % 4 == 0)
      continue;
    s -= x[i - 1] * s * s * 0.1;
  }
  return s;
}

/* Three loops left at once by goto, at several places; one also by break. */
static double nested_exits(double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double p = 1;
      for (int k = 0; k < n; k++) {
        p *= 0.5 + x[k] * x[i];
        s += p * x[j];
        if (s > 40)
          goto out;
        if (p < 0.02)
          return s * p + x[i];
        if (p < 0.3)
          break;
      }
      s *= 0.99;
    }
out:
  return s * s;
}

/* Values of an inner loop, and its counter, used after it. */
static double used_after(double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) {
    double most = -1;
    int at = 0, j;
    for (j = 0; j <= i; j++)
      if (x[j] * x[i] > most) {
        most = x[j] * x[i];
        at = j;
      }
    s += most * x[at] + j * x[(i + at) % n];
  }
  return s;
}

/* Triangular nests: bounds of inner loops are counters of outer ones. */
static double triangle(double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++)
    for (int j = i; j < n; j++) {
      double t = x[i];
      for (int k = i; k < j; k++)
        t = t * x[k] + x[j];
      s += t * t / (1 + i + j);
    }
  return s;
}

/* The number of iterations is computed from the data. */
static double computed_count(double *x, int n) {
  double s = 1;
  for (int i = 0; i < n; i++) {
    int count = (int)(x[i] * 8) - 3;
    for (int k = 0; k < count; k++)
      s += x[i] * sin(s + k);
  }
  return s;
}

/* Newton's method until it stands still. */
static double newton(double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) {
    double root = 1, last;
    do {
      last = root;
      root = 0.5 * (root + x[i] / root);
    } while (fabs(root - last) > 1e-12);
    s += root * x[(i + 2) % n];
  }
  return s;
}

int main(void) {
  CHECK(counted);
  CHECK(downward);
  CHECK(zero_trip);
  CHECK(halving);
  CHECK(at_least_once);
  CHECK(endless);
  CHECK(nested_exits);
  CHECK(used_after);
  CHECK(triangle);
  CHECK(computed_count);
  CHECK(newton);
  return check_done();
}
