/* Helpers of the test programs and small benchmarks: random numbers, comparisons, timing. C and
 * C++. */
#ifndef CHECK_H
#define CHECK_H

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#ifdef __cplusplus
extern "C" {
#endif
double __dacead_autodiff(void *, ...);
extern int dacead_const, dacead_dup;
#ifdef __cplusplus
}
#endif

/* Comparisons that failed so far. */
static int check_failures;

/* State of the random numbers: every run of a program sees the same ones. */
static uint64_t check_random_state = 20220101;

/* The next random number, uniform in ["low", "high"). */
static inline double check_random(double low, double high) {
  check_random_state = check_random_state * 6364136223846793005u + 1442695040888963407u;
  return low + (high - low) * ((double)(check_random_state >> 11) * 0x1p-53);
}

/* A standard normal random number: the sum of twelve uniform ones is close enough. */
static inline double check_random_normal(void) {
  double sum = -6;
  for (int i = 0; i < 12; i++)
    sum += check_random(0, 1);
  return sum;
}

/* "bytes" of zeroed memory; a failed allocation ends the program. */
static inline void *check_alloc(size_t bytes) {
  void *memory = calloc(bytes ? bytes : 1, 1);
  if (!memory) {
    fprintf(stderr, "out of memory: %zu bytes\n", bytes);
    exit(2);
  }
  return memory;
}

/* Argument "index" as a positive integer, or "fallback" where the command line is shorter. */
static inline int check_size(int argc, char **argv, int index, int fallback) {
  long value = index < argc ? strtol(argv[index], NULL, 10) : fallback;
  if (value < 1 || value > 100000000) {
    fprintf(stderr, "%s: argument %d is not a size\n", argv[0], index);
    exit(2);
  }
  return (int)value;
}

/* Note a failure unless "holds". */
static inline void check_true(const char *what, int holds) {
  if (holds)
    return;
  check_failures++;
  printf("%s: no\n", what);
}

/* |"got" - "want"| relative to the larger of the two. */
static inline double check_relative_error(double got, double want) {
  double scale = fmax(fabs(got), fabs(want));
  return scale > 0 ? fabs(got - want) / scale : fabs(got - want);
}

/* Compare two numbers. A "want" of zero proves nothing about a derivative and counts as failed,
 * and so does a NaN on either side. */
static inline void check_close(const char *what, double got, double want, double tolerance) {
  double error = check_relative_error(got, want);
  if (want != 0 && error <= tolerance)
    return;
  check_failures++;
  printf("%s: got %.17g, want %.17g, relative error %.3g over %.3g\n", what, got, want, error,
         tolerance);
}

/* Worst difference of two arrays so far, against the largest value seen. */
struct check_worst {
  double difference; /* largest |got - want|, NaN once one was */
  double scale;      /* largest |want| */
  size_t index;      /* where the largest difference is */
};

/* Enter element "index" into "worst". */
static inline void check_enter(struct check_worst *worst, size_t index, double got, double want) {
  double difference = fabs(got - want);
  if (!(difference <= worst->difference) && !isnan(worst->difference)) {
    worst->difference = difference;
    worst->index = index;
  }
  worst->scale = fmax(worst->scale, fabs(want));
}

/* Judge what was entered into "worst": differences up to "tolerance" times the largest element. */
static inline void check_judge(const char *what, const struct check_worst *worst,
                               double tolerance) {
  if (worst->scale > 0 && worst->difference <= tolerance * worst->scale)
    return;
  check_failures++;
  printf("%s: element %zu differs by %.3g, largest element %.3g, tolerance %.3g\n", what,
         worst->index, worst->difference, worst->scale, tolerance);
}

/* Compare "n" elements, differences taken relative to the largest element of "want". */
static inline void check_array(const char *what, const double *got, const double *want, size_t n,
                               double tolerance) {
  struct check_worst worst = {0, 0, 0};
  for (size_t i = 0; i < n; i++)
    check_enter(&worst, i, got[i], want[i]);
  check_judge(what, &worst, tolerance);
}

/* Derivative at 0 of "along", a function of the step along a line through the point of interest:
 * central differences with the steps "h" and "h"/2, extrapolated to h = 0. */
static inline double check_difference(double (*along)(void *context, double step), void *context,
                                      double h) {
  double wide = (along(context, h) - along(context, -h)) / (2 * h);
  double narrow = (along(context, h / 2) - along(context, -h / 2)) / h;
  return (4 * narrow - wide) / 3;
}

/* Product of the vectors "a" and "b" of "n" elements. */
static inline double check_dot(const double *a, const double *b, size_t n) {
  double sum = 0;
  for (size_t i = 0; i < n; i++)
    sum += a[i] * b[i];
  return sum;
}

/* Processor time in seconds: other load on the machine hardly counts. */
static inline double check_seconds(void) {
  return (double)clock() / CLOCKS_PER_SEC;
}

/* Order of two doubles, for qsort. */
static inline int check_compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Results of timed calls go here, so that the calls stay. */
static volatile double check_sink;

/* With BENCH=1 in the environment, print the median times of "primal" and "gradient" and the time
 * of the first gradient call; "reset" restores their inputs, untimed. To be called before any other
 * gradient. "gradient" computes the same result as "primal" and its derivatives. */
static inline void check_bench(const char *name, void (*reset)(void *), double (*primal)(void *),
                               void (*gradient)(void *), void *context) {
  enum { LEAST = 5, MOST = 101 };
  double plain[MOST], both[MOST], first = 0, total = 0;
  const char *bench = getenv("BENCH");
  int runs = 0;
  if (!bench || bench[0] != '1')
    return;
  while (runs < LEAST || (runs < MOST && total < 2)) {
    reset(context);
    double start = check_seconds();
    check_sink = primal(context);
    plain[runs] = check_seconds() - start;
    reset(context);
    start = check_seconds();
    gradient(context);
    double spent = check_seconds() - start;
    if (!first)
      first = spent; /* pages are touched for the first time: not among the medians */
    else
      both[runs++] = spent;
    total += spent;
  }
  qsort(plain, runs, sizeof plain[0], check_compare);
  qsort(both, runs, sizeof both[0], check_compare);
  printf("%s primal %.6f gradient %.6f first %.6f\n", name, plain[runs / 2], both[runs / 2], first);
}

/* Exit status of the program; says ok if no comparison failed. */
static inline int check_done(void) {
  if (!check_failures)
    printf("ok\n");
  return check_failures ? 1 : 0;
}

#endif
