/* kernels.c: ten loop nests whose gradients are known to need little tape, or none.
 *
 *   kernels             prints their names, and how many bytes of tape one innermost iteration may
 * take kernels NAME SIZE   computes one gradient, and prints the number of innermost iterations
 */
#include <dacead.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Every kernel gets "n" and a block of numbers of at least n * n + 8 * n elements. */

/* Inputs that nobody overwrites are read again. */
static double squares(double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += x[i] * x[i];
  return sum;
}

/* Each factor needs the product of those before it. */
static double product(double *x, int n) {
  double p = 1;
  for (int i = 0; i < n; i++)
    p *= 0.6 + x[i];
  return p;
}

/* A chain: the argument of each sine is the previous result. */
static double sines(double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++)
    s = sin(s + x[i]);
  return s;
}

/* The result is a third array that is not read: nothing is overwritten before the reverse reads it.
 */
static double matrix_product(double *x, int n) {
  double *y = x + n * n, sum = 0;
  for (int i = 0; i < n; i++) {
    double row = 0;
    for (int j = 0; j < n; j++)
      row += x[i * n + j] * y[j];
    sum += row * row;
  }
  return sum;
}

/* Factors a matrix in place: one version of each element is overwritten per step. */
static double lu(double *a, int n) {
  for (int k = 0; k < n; k++)
    for (int i = k + 1; i < n; i++) {
      a[i * n + k] /= a[k * n + k];
      for (int j = k + 1; j < n; j++)
        a[i * n + j] -= a[i * n + k] * a[k * n + j];
    }
  return a[n * n - 1];
}

/* A nonlinear stencil that goes to and fro between two rows. */
static double stencil(double *x, int n) {
  double *u = x, *v = x + n, sum = 0;
  for (int t = 0; t < n; t += 2) {
    for (int i = 1; i < n - 1; i++)
      v[i] = u[i] + 0.1 * sin(u[i - 1] - 2 * u[i] + u[i + 1]);
    for (int i = 1; i < n - 1; i++)
      u[i] = v[i] + 0.1 * sin(v[i - 1] - 2 * v[i] + v[i + 1]);
  }
  for (int i = 0; i < n; i++)
    sum += u[i];
  return sum;
}

/* Which way an iteration went must be known again. */
static double branches(double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) {
    if (s > x[i])
      s = s * x[i];
    else
      s += sqrt(x[i]);
  }
  return s;
}

/* A loop whose length depends on the data. */
static double newton(double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) {
    double root = 1 + x[i];
    while (fabs(root * root - 1 - x[i]) > 1e-13)
      root = (root + (1 + x[i]) / root) / 2;
    sum += root;
  }
  return sum;
}

/* Particles in an array of structs, read only. */
struct particle {
  double place[3], charge;
};
static double pairs(double *x, int n) {
  struct particle *p = (struct particle *)x;
  double energy = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++) {
      double square = 0.01;
      for (int c = 0; c < 3; c++)
        square += (p[i].place[c] - p[j].place[c]) * (p[i].place[c] - p[j].place[c]);
      energy += p[i].charge * p[j].charge / sqrt(square);
    }
  return energy;
}

/* Gathers through an index that is computed, from an array that is not written. */
static double gather(double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) {
    int k = i * 7919 % n;
    sum += x[k] * x[n + i];
  }
  return sum;
}

/* Name, innermost iterations, bytes of tape that one may take at most. What takes long to compute,
   such as a root or a quotient, is kept (8 bytes) rather than computed again. */
#define KERNELS                                                                                    \
  KERNEL(squares, n, 0)                                                                            \
  KERNEL(product, n, 8)                                                                            \
  KERNEL(sines, n, 8)                                                                              \
  KERNEL(matrix_product, n *n, 0.1)                                                                \
  KERNEL(lu, n *n *n / 3, 8.1)                                                                     \
  KERNEL(stencil, n *n, 8)                                                                         \
  KERNEL(branches, n, 9)                                                                           \
  KERNEL(newton, 4 * n, 21)                                                                        \
  KERNEL(pairs, n *n / 2, 16.1)                                                                    \
  KERNEL(gather, n, 0)

/* Calls "f" for the "n" given; unlike a switch, each gradient has a function of its own. */
#define KERNEL(name, iterations, bytes)                                                            \
  static long run_##name(double *x, double *dx, long n) {                                          \
    __dacead_autodiff((void *)name, x, dx, (int)n);                                                \
    return iterations;                                                                             \
  }
KERNELS
#undef KERNEL

static const struct kernel {
  const char *name;
  long (*run)(double *x, double *dx, long n);
  double bytes;
} kernels[] = {
#define KERNEL(name, iterations, bytes) {#name, run_##name, bytes},
    KERNELS};

int main(int argc, char **argv) {
  size_t count = sizeof kernels / sizeof *kernels;
  for (size_t k = 0; k < count && argc == 1; k++)
    printf("%s %g\n", kernels[k].name, kernels[k].bytes);
  for (size_t k = 0; k < count && argc == 3; k++) {
    if (strcmp(argv[1], kernels[k].name))
      continue;
    long n = strtol(argv[2], NULL, 10), elements = n * n + 8 * n;
    double *x = malloc(elements * sizeof *x), *dx = calloc(elements, sizeof *dx);
    if (!x || !dx)
      return 1;
    for (long i = 0; i < elements; i++)
      x[i] = 0.1 + 0.8 * (double)(i * 7919 % 1000) / 1000 + (i % (n + 1) ? 0 : 2);
    printf("%ld\n", kernels[k].run(x, dx, n));
    free(x);
    free(dx);
  }
  return 0;
}
