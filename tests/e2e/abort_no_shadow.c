// CASES: 1-5
// Covers: memory that other code allocated, and that nobody gave a shadow, carries derivatives: the
// program stops, and names the pointer and the place.
// FLAGS: -gline-tables-only
// ABORTS(1): 'scratch' points to memory that has no shadow
// ABORTS(2): abort_no_shadow.c:37
// ABORTS(3): abort_no_shadow.c:41
// ABORTS(4): 'state' points to memory that has no shadow
// ABORTS(5): 'rows' points to memory that has no shadow
#include <dacead.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double *scratch;
static struct {
  int n;
  double *work;
} state;
static double **rows;

struct context {
  double *work;
};

/* Each case reads and writes memory that main has allocated. */
static double f(const double *x, struct context *c, int n) {
  double s = 0;
#if CASE == 1 /* a global pointer */
  for (int i = 0; i < n; i++)
    scratch[i] = x[i] * x[i];
  for (int i = 0; i < n; i++)
    s += scratch[i] * x[0];
#elif CASE == 2 /* a member of an argument whose shadow has no pointer there */
  for (int i = 0; i < n; i++)
    c->work[i] = x[i] * x[i];
  for (int i = 0; i < n; i++)
    s += c->work[i] * x[0];
#elif CASE == 3 /* a copy */
  memcpy(scratch, x, (size_t)n * sizeof *x);
  s = scratch[0] * scratch[1];
#elif CASE == 4 /* a global struct */
  for (int i = 0; i < n; i++)
    state.work[i] = x[i] * x[i];
  for (int i = 0; i < n; i++)
    s += state.work[i] * x[0];
#else           /* a table of rows */
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++)
      rows[i][k] = x[i] * x[k];
  for (int i = 0; i < n; i++)
    s += rows[i][n - 1 - i] * x[0];
#endif
  return s + (c->work == scratch);
}

int main(void) {
  double x[3] = {1, 2, 3}, dx[3] = {0};
  struct context c = {malloc(sizeof x)}, dc = {NULL};
  scratch = malloc(sizeof x);
  state.work = malloc(sizeof x);
  rows = malloc(3 * sizeof *rows);
  for (int i = 0; i < 3; i++)
    rows[i] = malloc(sizeof x);
  __dacead_autodiff((void *)f, x, dx, &c, &dc, 3);
  printf("%g %g %g\n", dx[0], dx[1], dx[2]);
  return 0;
}
