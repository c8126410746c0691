// CASES: 1-2
// Covers: a function that is not differentiated is called through a table, or through a pointer
// that other code has set: the program stops and names the place.
// FLAGS: -gline-tables-only
// ABORTS(1): abort_foreign_function.c:28
// ABORTS(2): 'chosen' points to memory that has no shadow
#include <dacead.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* The C library's: neither a body nor a rule is known. */
double significand(double x);

static double square(double x) {
  return x * x;
}

static double (*const table[])(double) = {square, significand};
static double (*chosen)(double) = square;

static double f(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) {
    double (*call)(double) = CASE == 1 ? table[i % 2] : chosen;
    /* The next line is the place. */
    s += call(x[i]) * x[0];
  }
  return s;
}

int main(int argc, char **argv) {
  double x[2] = {3, 5}, dx[2] = {0};
  __dacead_autodiff((void *)f, x, dx, 1);
  if (dx[0] != 27)
    return puts("wrong"), 0;
  if (argc < 9)
    chosen = significand;
  printf("%s calls a foreign function\n", argv[0]);
  fflush(stdout);
  __dacead_autodiff((void *)f, x, dx, 2);
  printf("%g %g\n", dx[0], dx[1]);
  return 0;
}
