// Covers: constant and active memory meet: pointers that lead to one or the other, structs that
// hold both.
// ALSO: -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all
#include <dacead.h>

#include "../programs/check.h"
#include <string.h>

/* The pointer leads to constant numbers in every other step. */
static double alternating(const double *x, const double *c, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) {
    const double *p = i % 2 ? c : x;
    s += p[i] * p[i] * x[0];
  }
  return s;
}

/* A callee that sees both. */
static __attribute__((noinline)) double dot(const double *a, const double *b, int n) {
  double s = 0;
  for (int i = 0; i < n; i++)
    s += a[i] * b[i];
  return s;
}

static double callee(const double *x, const double *c, int n) {
  return dot(x, c, n) * dot(c, c, n) + dot(x, x, n);
}

/* A struct that leads to an array of each kind; the constant one is an array of the function's own
 * caller. */
struct problem {
  const double *x, *c;
  const int *at;
  int n;
};

static __attribute__((noinline)) double solve(const struct problem *p) {
  double s = 0;
  for (int i = 0; i < p->n; i++)
    s += p->x[p->at[i]] * p->c[i] * p->x[i];
  return s;
}

static double members(const double *x, const double *c, const int *at, int n) {
  struct problem p = {x, c, at, n}, q = p;
  q.c = x;
  return solve(&p) + solve(&q);
}

int main(void) {
  double x[4] = {1, 2, 3, 4}, c[4] = {5, 6, 7, 8}, dx[4];
  int at[4] = {3, 2, 1, 0}, dat[4] = {0};

  memset(dx, 0, sizeof dx);
  __dacead_autodiff((void *)alternating, x, dx, dacead_const, c, 4);
  check_close("alternating, first", dx[0], 1 + 36 + 9 + 64 + 2, 1e-15);
  check_true("alternating, second", dx[1] == 0);
  check_close("alternating, third", dx[2], 6, 1e-15);
  check_true("c is as it was", c[1] == 6 && c[3] == 8);

  memset(dx, 0, sizeof dx);
  __dacead_autodiff((void *)callee, x, dx, dacead_const, c, 4);
  check_close("callee", dx[1], 6 * 174 + 4, 1e-15);

  memset(dx, 0, sizeof dx);
  __dacead_autodiff((void *)members, x, dx, dacead_const, c, dacead_const, at, 4);
  check_close("members", dx[0], 4 * (5 + 8) + 2 * 4 + 16, 1e-15);
  memset(dx, 0, sizeof dx);
  __dacead_autodiff((void *)members, x, dx, dacead_const, c, at, dat, 4);
  check_close("members, with a shadow of indices", dx[0], 4 * (5 + 8) + 2 * 4 + 16, 1e-15);
  return check_done();
}
