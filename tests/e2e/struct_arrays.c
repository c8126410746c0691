// Covers: arrays in structs that are passed, changed through variable indices and returned by
// value.
// ALSO: -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all
// ALSO: -O0 -mllvm -dacead-collapse
// ALSO: -O2 -mllvm -dacead-no-inline
#include "check_gradient.h"

struct matrix {
  double v[2][2];
};

static struct matrix plus(struct matrix a, struct matrix b) {
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++)
      a.v[i][j] += b.v[i][j];
  return a;
}

static struct matrix transposed(struct matrix a) {
  struct matrix c = {{{a.v[0][0], a.v[1][0]}, {a.v[0][1], a.v[1][1]}}};
  return c;
}

static struct matrix times(struct matrix a, struct matrix b) {
  struct matrix c;
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++)
      c.v[i][j] = a.v[i][0] * b.v[0][j] + a.v[i][1] * b.v[1][j];
  return c;
}

static double sum_of_product(double *x, int n) {
  struct matrix a = {{{x[0], x[1]}, {.5, 1}}}, b = {{{1, x[2]}, {x[0], 2}}};
  struct matrix c = plus(times(a, b), transposed(a));
  return c.v[0][0] * c.v[1][1] + c.v[0][1] + n;
}

static double transposition(double *x, int n) {
  struct matrix a = {{{x[0], x[1]}, {.5, 1}}};
  struct matrix c = transposed(a);
  return c.v[0][1] * c.v[1][0] + c.v[0][0] + n;
}

static double addition(double *x, int n) {
  struct matrix a = {{{x[0], x[1]}, {.5, 1}}}, b = {{{1, x[2]}, {x[0], 2}}};
  struct matrix c = plus(a, b);
  return c.v[0][1] * c.v[1][0] + c.v[0][0] + n;
}

static double products(double *x, int n) {
  struct matrix a = {{{x[0], x[1]}, {.5, 1}}}, b = {{{1, x[2]}, {x[0], 2}}};
  a = times(a, b);
  a = times(b, a);
  return a.v[0][1] * a.v[1][0] + n;
}

/* The covariance of a Kalman filter of two states over three steps. */
static double filter(double *x, int n) {
  struct matrix a = {{{x[0], x[1]}, {-.2, .9}}}, p = {{{1, 0}, {0, 1}}};
  for (int i = 0; i < 3; i++) {
    p = plus(times(times(a, p), transposed(a)), a);
    double s = p.v[0][0] + .3;
    struct matrix k = {{{1 - 1 / s, 0}, {-p.v[1][0] / s, 1}}};
    p = times(k, p);
  }
  return p.v[0][0] + p.v[1][1] + n;
}

/* Three dimensions, the indices in every order, and an array of structs of arrays. */
struct cube {
  int tag;
  double v[2][3][2];
};

static struct cube spin(struct cube a, const double *x) {
  struct cube b = {a.tag + 1, {{{0}}}};
  for (int k = 0; k < 2; k++)
    for (int j = 0; j < 3; j++)
      for (int i = 0; i < 2; i++)
        b.v[i][j][k] = a.v[k][2 - j][i] * x[i + 2 * j] + a.tag;
  return b;
}

static double cubes(double *x, int n) {
  struct cube all[2];
  for (int q = 0; q < 2; q++) {
    all[q].tag = q;
    for (int i = 0; i < 12; i++)
      all[q].v[i % 2][i / 4][i / 2 % 2] = x[(i + q) % n];
  }
  for (int round = 0; round < 3; round++)
    all[round % 2] = spin(all[(round + 1) % 2], x);
  double s = 0;
  for (int i = 0; i < 12; i++)
    s += all[i % 2].v[i / 6][i % 3][i / 2 % 2] * all[0].v[1][2][i % 2];
  return s;
}

/* x, y, z as an array; rows of a matrix in a struct; a pointer that runs backward. */
struct record {
  int k;
  double x, y, z;
  int j;
  double m[3][3];
  double *at;
};

static double as_array(double *x, int n) {
  struct record r[2];
  for (int q = 0; q < 2; q++) {
    double *p = &r[q].x;
    for (int i = 0; i < 3; i++)
      p[i] = x[i + 3 * q] * (i + 1);
    r[q].k = q;
    r[q].j = n;
    p = &r[q].m[2][2];
    for (int i = 0; i < 9; i++)
      *p-- = x[i] * (q + 1);
    r[q].at = &r[1 - q].y;
  }
  double s = 0;
  for (double *p = &r[0].m[0][0], *end = p + 9; p != end; p++)
    s = s * 0.5 + *p;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      s += r[1].m[i][j] * r[0].m[j][i];
  return s + r[0].x * r[1].z + r[0].y * *r[0].at + *r[1].at * r[r[0].k].z;
}

int main(void) {
  CHECK(sum_of_product);
  CHECK(transposition);
  CHECK(addition);
  CHECK(products);
  CHECK(filter);
  CHECK(cubes);
  CHECK(as_array);
  return check_done();
}
