// Covers: calls that carry no derivative: output, text, sorting of integers through a callback,
// time, variadic functions.
// ALSO: -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all
// ALSO: -O2 -mllvm -dacead-no-inline
#include "check_gradient.h"
#include <assert.h>
#include <stdarg.h>
#include <time.h>

/* Active numbers are printed, to the terminal and into text. */
static double printed(double *x, int n) {
  char line[64];
  double s = 0;
  for (int i = 0; i < n; i++) {
    s += x[i] * x[i];
    if (i % 8 == 7)
      printf("%d: %.3f of %s\n", i, s, "printed");
    snprintf(line, sizeof line, "%g", s);
    s += (double)strlen(line) * 0;
    fputs("", stderr);
  }
  fflush(stdout);
  return s;
}

/* Integers are sorted through a callback; so are indices, by numbers that are not active. */
static int descending(const void *a, const void *b) {
  return *(const int *)b - *(const int *)a;
}

static double sorted_indices(double *x, int n) {
  int at[CHECK_N];
  for (int i = 0; i < n; i++)
    at[i] = (i * 4 + 3) % n;
  qsort(at, n, sizeof *at, descending);
  int key = 5, *found = bsearch(&key, at, n, sizeof *at, descending);
  double s = 0;
  for (int i = 0; i < n; i++)
    s += x[at[i]] * x[i] * (i + 1);
  return s * x[*found];
}

/* A variadic function that works on integers. */
static NOINLINE int sum_of(int count, ...) {
  va_list list;
  int s = 0;
  va_start(list, count);
  while (count--)
    s += va_arg(list, int);
  va_end(list);
  return s;
}

static double variadic(double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++)
    s += x[i] * x[sum_of(2, i, 1) % n] * sum_of(3, 1, i, 2);
  return s;
}

/* A logger of numbers, as programs have their own. */
static NOINLINE void log_line(const char *format, ...) {
  char line[80];
  va_list list;
  va_start(list, format);
  vsnprintf(line, sizeof line, format, list);
  va_end(list);
  if (line[0] == '!')
    fprintf(stderr, "%s\n", line);
}

static double logged(double *x, int n) {
  double s = 1;
  for (int i = 0; i < n; i++) {
    s = s * x[i] + 0.5;
    log_line("step %d: %f", i, s);
  }
  return s;
}

/* Assertions, time, the environment, random numbers that only choose. */
static double surroundings(double *x, int n) {
  time_t start = time(NULL);
  double s = 0;
  srand(7);
  for (int i = 0; i < n; i++) {
    assert(isfinite(x[i]));
    s += x[rand() % 2 ? i : i] * x[0] + (clock() < 0);
  }
  return time(NULL) < start || getenv("no such variable") ? 0 : s;
}

/* Text decides what is computed; numbers come from text that is constant. */
static double parsed(double *x, int n) {
  static const char program[] = "a1.5m2a0.25m3";
  double s = x[0];
  for (const char *p = program; *p;) {
    char op = *p++, *end;
    double number = strtod(p, &end);
    p = end;
    s = op == 'a' ? s + number * x[1] : s * number * x[n - 1];
  }
  return s;
}

int main(void) {
  CHECK(printed);
  CHECK(sorted_indices);
  CHECK(variadic);
  CHECK(logged);
  CHECK(surroundings);
  CHECK(parsed);
  return check_done();
}
