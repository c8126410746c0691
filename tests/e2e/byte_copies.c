// Covers: numbers and structs that are copied byte by byte by functions of the program.
#include "check_gradient.h"

static void copy(void *to, const void *from, size_t n) {
  char *t = to;
  const char *f = from;
  for (size_t i = 0; i < n; i++)
    t[i] = f[i];
}

static NOINLINE void copy_down(char *to, const char *from, int n) {
  while (n-- > 0)
    *to++ = *from++;
}

static double whole_array(double *x, int n) {
  double y[16], *z = malloc(n * sizeof *z), s = 0;
  copy(y, x, n * sizeof *y);
  copy_down((char *)z, (char *)y, n * (int)sizeof *z);
  for (int i = 0; i < n; i++)
    s += y[i] * y[i] * x[i] * z[n - 1 - i];
  free(z);
  return s;
}

static double single_numbers(double *x, int n) {
  double y[16], s = 0;
  for (int i = 0; i < n; i++)
    copy(&y[i], &x[n - 1 - i], sizeof *y);
  for (int i = 0; i < n; i++)
    s += y[i] * y[i] * x[i];
  return s;
}

struct part {
  double a;
  int k;
  float b;
  const double *rest;
};

static double structs(double *x, int n) {
  struct part a = {x[0], 3, (float)2.5, x + 1}, b, all[4];
  double s = 0;
  copy(&b, &a, sizeof a);
  for (int i = 0; i < 4; i++)
    copy(&all[i], &b, sizeof b);
  for (int i = 0; i + 1 < n; i++)
    s += all[i % 4].a * all[i % 4].rest[i] * all[1].k * all[2].b;
  return s;
}

/* Text beside numbers stays text. */
static double labelled(double *x, int n) {
  char label[8];
  double s = 0;
  copy(label, "gravity", sizeof label);
  for (int i = 0; i < n; i++)
    s += label[i % 8] == 'a' ? x[i] * x[i] : 2 * x[i];
  return s;
}

int main(void) {
  CHECK(whole_array);
  CHECK(single_numbers);
  CHECK(structs);
  CHECK(labelled);
  return check_done();
}
