// Covers: stores that add to what they overwrite, and stores that only look like it.
// ALSO: -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all
// ALSO: -O2 -mllvm -dacead-no-inline
// ALSO: -O2 -mllvm -dacead-collapse
#include "check_gradient.h"

/* Sum of i times the squares of "x". */
static double weigh(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++)
    s += (i + 1) * x[i] * x[i];
  return s;
}

/* Elements are added to in an order that depends on "i"; some twice, one to itself. */
static double scattered(double *x, int n) {
  for (int i = 0; i < n; i++) {
    x[(4 * i + 1) % n] += 0.3 * x[i] * x[i];
    x[(2 * i + 3) % n] -= x[i] - sin(x[(i + 1) % n]);
  }
  return weigh(x, n);
}

/* The old value is the last of several terms, and is subtracted from. */
static double terms(double *x, int n) {
  for (int i = 1; i < n; i++) {
    x[i] = (x[i - 1] * 0.5 + (x[i] - sin(x[i - 1]))) + 2;
    x[i] = fma(x[i - 1], 0.25, x[i]);
  }
  return weigh(x, n);
}

/* The old value with another sign, twice, or read twice. */
static double others(double *x, int n) {
  for (int i = 1; i < n; i++) {
    x[i] = cos(x[i - 1]) - x[i];
    x[i] = x[i] + x[i] * cos(x[i - 1]);
    x[i] = sin(x[i - 1]) + x[i] + x[i];
  }
  return weigh(x, n);
}

/* Between the old value and the new one, "between" may write the same element. */
static NOINLINE void add_around(double *a, double *between, double by) {
  double old = *a;
  *between = by * by;
  *a = old + by;
}

static double around(double *x, int n) {
  for (int i = 0; i < n; i++)
    add_around(&x[i], &x[(i * i) % n], 0.3 + x[(i + 2) % n]);
  return weigh(x, n);
}

/* A call writes the element between the two. */
static NOINLINE double halve(double *x) {
  *x *= 0.5;
  return *x;
}

static double through_call(double *x, int n) {
  for (int i = 0; i < n; i++)
    x[i] += halve(&x[(3 * i) % n]);
  return weigh(x, n);
}

/* The new value is used as well as stored. */
static double running(double *x, int n) {
  double s = 0;
  for (int i = 1; i < n; i++) {
    x[i % 3] += x[i] * 0.7;
    s += x[i % 3] * x[i];
    double sum = x[0] + cos(x[i]);
    x[0] = sum;
    s += sum * sum;
  }
  return s;
}

/* Sums in memory of another precision. */
static double in_float(double *x, int n) {
  float sum[2] = {0, 1};
  for (int i = 0; i < n; i++)
    sum[i % 2] += x[i] * x[(i + 1) % n];
  return sum[0] * sum[1];
}

/* What a loop adds to stays the same, beside fields that it changes. */
struct body {
  double place[2], force[2], mass;
};

static double attraction(double *x, int n) {
  struct body body[CHECK_N];
  for (int i = 0; i < n; i++)
    body[i] = (struct body){{x[i], x[(i + 1) % n] * 2}, {0, x[i]}, 1 + x[(i + 2) % n]};
  for (int i = 0; i < n; i++)
    for (int j = i + 1; j < n; j++) {
      double square = 0.1;
      for (int c = 0; c < 2; c++)
        square += pow(body[j].place[c] - body[i].place[c], 2);
      for (int c = 0; c < 2; c++) {
        double pull = (body[j].place[c] - body[i].place[c]) / (square * sqrt(square));
        body[i].force[c] += body[j].mass * pull;
        body[j].force[c] -= body[i].mass * pull;
      }
    }
  double s = 0;
  for (int i = 0; i < n; i++)
    s += body[i].force[0] * body[i].force[1];
  return s;
}

int main(void) {
  CHECK(scattered);
  CHECK(terms);
  CHECK(others);
  CHECK(around);
  CHECK(through_call);
  CHECK(running);
  CHECK_FLOAT(in_float);
  CHECK(attraction);
  return check_done();
}
