/* kernel.h: the driver of the affine kernels. Every array of a kernel is input and output: the
   gradient takes random weights of all final values back to all initial ones, and is compared with
   forward mode and with differences. */
#ifndef KERNEL_H
#define KERNEL_H

#include "../../tests/programs/check.h"
#include <string.h>

double __dacead_fwddiff(void *, ...);

enum { KERNEL_ARRAYS = 12, KERNEL_SIZES = 6 };

struct kernel {
  const char *name;
  int small[KERNEL_SIZES], large[KERNEL_SIZES]; /* sizes for checks, and for times */
  void (*shape)(const int *n, size_t *cells);   /* how many numbers each array has; 0: no array */
  void (*fill)(const int *n, double **x); /* changes the inputs, which are in (0, 1); or NULL */
  void (*primal)(const int *n, double **x);
  void (*gradient)(const int *n, double **x, double **dx);
  void (*tangent)(const int *n, double **x, double **dx);
  double step; /* of differences; 0: one that does well where the kernel is smooth */
};

/* The three calls of the kernel "f", whose arguments ARGUMENTS(A) lists: sizes n[0], n[1], ...,
 * arrays A(0), A(1), ... */
#define KERNEL_VALUE(i) (void *)x[i]
#define KERNEL_PAIR(i)  (void *)x[i], (void *)dx[i]
#define KERNEL_CALLS(f)                                                                            \
  static void primal(const int *n, double **x) {                                                   \
    f(ARGUMENTS(KERNEL_VALUE));                                                                    \
  }                                                                                                \
  static void gradient(const int *n, double **x, double **dx) {                                    \
    __dacead_autodiff((void *)f, ARGUMENTS(KERNEL_PAIR));                                          \
  }                                                                                                \
  static void tangent(const int *n, double **x, double **dx) {                                     \
    __dacead_fwddiff((void *)f, ARGUMENTS(KERNEL_PAIR));                                           \
  }

/* A run of a kernel: all arrays one after the other, "total" numbers. */
struct kernel_run {
  const struct kernel *kernel;
  const int *n;                       /* sizes */
  size_t cells[KERNEL_ARRAYS], total; /* numbers in each array and in all */
  double *start, *now, *shadow;       /* initial values, current ones, adjoints or tangents */
  double *weight, *direction;         /* of final values; in which inputs move */
  double *x[KERNEL_ARRAYS], *dx[KERNEL_ARRAYS]; /* the arrays in "now" and "shadow" */
};

/* Current values and shadows as before the call. */
static void kernel_reset(void *context) {
  struct kernel_run *run = context;
  memcpy(run->now, run->start, run->total * sizeof(double));
  memcpy(run->shadow, run->weight, run->total * sizeof(double));
}

static double kernel_primal(void *context) {
  struct kernel_run *run = context;
  run->kernel->primal(run->n, run->x);
  return run->now[0];
}

static void kernel_gradient(void *context) {
  struct kernel_run *run = context;
  run->kernel->gradient(run->n, run->x, run->dx);
}

/* The weighted final values with all inputs moved by "step". */
static double kernel_along(void *context, double step) {
  struct kernel_run *run = context;
  for (size_t i = 0; i < run->total; i++)
    run->now[i] = run->start[i] + step * run->direction[i];
  kernel_primal(run);
  return check_dot(run->now, run->weight, run->total);
}

static void kernel_open(struct kernel_run *run) {
  double **all[] = {&run->start, &run->now, &run->shadow, &run->weight, &run->direction};
  run->kernel->shape(run->n, run->cells);
  for (int a = 0; a < KERNEL_ARRAYS; a++)
    run->total += run->cells[a];
  for (int k = 0; k < 5; k++)
    *all[k] = check_alloc(run->total * sizeof(double));
  for (size_t i = 0; i < run->total; i++) {
    run->start[i] = check_random(0.01, 0.99);
    run->weight[i] = check_random(-1, 1);
    run->direction[i] = check_random(-0.5, 0.5);
  }
  size_t at = 0;
  for (int a = 0; a < KERNEL_ARRAYS; at += run->cells[a++]) {
    run->x[a] = run->start + at;
    run->dx[a] = run->shadow + at;
  }
  if (run->kernel->fill)
    run->kernel->fill(run->n, run->x);
  for (int a = 0; a < KERNEL_ARRAYS; a++)
    run->x[a] += run->now - run->start;
}

/* Results are those of the plain kernel; gradient, forward mode and differences agree. */
static void kernel_check(struct kernel_run *run) {
  size_t bytes = run->total * sizeof(double);
  double *plain = check_alloc(bytes), h = run->kernel->step;
  kernel_reset(run);
  kernel_primal(run);
  memcpy(plain, run->now, bytes);
  kernel_reset(run);
  kernel_gradient(run);
  check_true("the results are those of the plain kernel", !memcmp(plain, run->now, bytes));
  double reverse = check_dot(run->shadow, run->direction, run->total);
  kernel_reset(run);
  memcpy(run->shadow, run->direction, bytes);
  run->kernel->tangent(run->n, run->x, run->dx);
  check_true("the results of forward mode are, too", !memcmp(plain, run->now, bytes));
  check_close("forward mode", check_dot(run->shadow, run->weight, run->total), reverse, 1e-9);
  check_close("difference", check_difference(kernel_along, run, h ? h : 1e-4), reverse,
              h ? 1e-4 : 1e-6);
  free(plain);
}

/* The program: sizes on the command line replace those of "kernel". */
static int kernel_main(const struct kernel *kernel, int argc, char **argv) {
  int n[KERNEL_SIZES];
  const char *bench = getenv("BENCH");
  for (int i = 0; i < KERNEL_SIZES; i++) {
    int size = bench && bench[0] == '1' ? kernel->large[i] : kernel->small[i];
    n[i] = size ? check_size(argc, argv, i + 1, size) : 0;
  }
  struct kernel_run run = {.kernel = kernel, .n = n};
  kernel_open(&run);
  check_bench(kernel->name, kernel_reset, kernel_primal, kernel_gradient, &run);
  kernel_check(&run);
  free(run.start);
  free(run.now);
  free(run.shadow);
  free(run.weight);
  free(run.direction);
  return check_done();
}

#endif
