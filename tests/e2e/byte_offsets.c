// Covers: numbers that are found by offsets in bytes: a constant, and a multiple of an index, from
// the beginning of a struct.
#include "check_gradient.h"
#include <stddef.h>

struct table {
  double first[16];
  int n;
  double second[16];
};

static const size_t offset_of[2] = {offsetof(struct table, first), offsetof(struct table, second)};

static void fill(struct table *t, const double *x, int n) {
  t->n = n;
  for (int i = 0; i < n; i++) {
    t->first[i] = x[i] * x[i];
    t->second[i] = 0;
  }
}

static double sum(const struct table *t) {
  double s = 0;
  for (int i = 0; i < t->n; i++)
    s += t->first[i] * t->second[i];
  return s;
}

static double constant_and_index(double *x, int n) {
  struct table t;
  fill(&t, x, n);
  for (int i = 0; i < n; i++) {
    size_t at = sizeof(double) * (size_t)i + offsetof(struct table, second);
    *(double *)((char *)&t + at) = x[i] * x[n - 1 - i];
  }
  return sum(&t);
}

static double in_elements(double *x, int n) {
  struct table t;
  fill(&t, x, n);
  for (int i = 0; i < n; i++)
    *(double *)((char *)&t + 8 * (i + 17)) = x[i] * x[n - 1 - i];
  return sum(&t);
}

static double from_table(double *x, int n) {
  struct table t;
  fill(&t, x, n);
  for (int i = 0; i < n; i++)
    *(double *)((char *)&t + offset_of[1] + 8 * i) = x[i] * x[n - 1 - i];
  return sum(&t);
}

/* An index that begins behind the member it is added to. */
static double backward(double *x, int n) {
  struct table t;
  fill(&t, x, n);
  for (int i = 1; i <= n; i++)
    *(double *)((char *)t.second + 8 * i - 8) = x[i - 1] * x[n - i];
  return sum(&t);
}

int main(void) {
  CHECK(constant_and_index);
  CHECK(in_elements);
  CHECK(from_table);
  CHECK(backward);
  return check_done();
}
