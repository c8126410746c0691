// Covers: memcpy, memmove, memset: of numbers, of mixed structs, of computed length, overlapping.
// ALSO: -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all
// ALSO: -O2 -mllvm -dacead-no-inline
#include "check_gradient.h"

/* Copies of constant and of computed length, over old numbers. */
static double copies(double *x, int n) {
  double a[CHECK_N], b[CHECK_N] = {0}, s = 0;
  memcpy(a, x, sizeof a);
  for (int i = 0; i < n; i++)
    b[i] = a[i] * x[0];
  memcpy(b + 1, a + 2, (n - 3) * sizeof *a);
  memcpy(a, b, n / 2 * sizeof *a);
  memcpy(x, b + 2, 2 * sizeof *x);
  for (int i = 0; i < n; i++)
    s += a[i] * b[n - 1 - i] * x[i];
  return s;
}

/* Moves within one array, up and down, by computed distances. */
static double moves(double *x, int n) {
  double s = 0;
  for (int i = 1; i < n - 1; i++) {
    int by = (int)(x[i] * 4) % 3;
    memmove(x + by, x, (n - by) * sizeof *x);
    x[n - 1] *= x[i];
    memmove(x, x + 1, i * sizeof *x);
    s += x[i] * x[0];
  }
  memmove(x, x, n * sizeof *x);
  return s;
}

/* Zeroes over numbers, whole arrays and parts. */
static double sets(double *x, int n) {
  double a[CHECK_N];
  for (int i = 0; i < n; i++)
    a[i] = x[i] * x[i];
  double s = a[2] * a[5];
  memset(a + 1, 0, 3 * sizeof *a);
  s += a[2] * x[0] + a[0] * a[5];
  memset(a + n / 2, 0, (n - n / 2 - 1) * sizeof *a);
  for (int i = 0; i < n; i++)
    s += a[i] * x[n - 1 - i];
  memset(a, 0x3f, sizeof a);
  return s + a[0] * x[1];
}

/* Structs of numbers and pointers, copied and cleared in arrays. */
struct mixed {
  float f;
  int k;
  double *at;
  double d[2];
};

static double structs(double *x, int n) {
  struct mixed a[CHECK_N], b[CHECK_N];
  memset(a, 0, sizeof a);
  for (int i = 0; i < n; i++) {
    a[i].f = 0.5f;
    a[i].k = i;
    a[i].at = &x[(i + 1) % n];
    a[i].d[i % 2] = x[i] * x[0];
  }
  memcpy(b, a + 1, (n - 1) * sizeof *b);
  b[n - 1] = a[0];
  memmove(b + 2, b, 4 * sizeof *b);
  memset(&b[1].d, 0, sizeof b[1].d);
  memset(&a[3], 0, sizeof a[3]);
  double s = 0;
  for (int i = 0; i < n; i++)
    s += (b[i].d[0] + b[i].d[1] * b[i].f) * *b[i].at * b[i].k +
         (a[i].at ? *a[i].at * a[i].d[i % 2] : 1);
  return s;
}

/* Pointers to rows, moved as a block. */
static double pointer_rows(double *x, int n) {
  double *rows[CHECK_N], *kept[CHECK_N];
  for (int i = 0; i < n; i++)
    rows[i] = &x[i];
  memcpy(kept, rows, sizeof kept);
  memmove(rows, rows + 3, (n - 3) * sizeof *rows);
  double s = 0;
  for (int i = 0; i < n; i++)
    s += *rows[i] * *kept[n - 1 - i] * (i + 1);
  return s;
}

/* Floats in blocks, and memcpy as an expression that gives its first argument. */
static double floats(double *x, int n) {
  float a[CHECK_N], b[CHECK_N];
  for (int i = 0; i < n; i++)
    a[i] = (float)x[i];
  float *p = memcpy(b, a, sizeof b);
  memmove(p + 1, p, 3 * sizeof *p);
  memset(a, 0, 2 * sizeof *a);
  double s = 0;
  for (int i = 0; i < n; i++)
    s += p[i] * p[i] * a[i] + b[i] * x[0];
  return s;
}

int main(void) {
  CHECK(copies);
  CHECK(moves);
  CHECK(sets);
  CHECK(structs);
  CHECK(pointer_rows);
  CHECK_FLOAT(floats);
  return check_done();
}
