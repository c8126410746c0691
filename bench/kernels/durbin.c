/* Solves a symmetric Toeplitz system, the recursion of Levinson and Durbin. */
#include "kernel.h"

void durbin(int n, double r[n], double y[n], double z[n]) {
  y[0] = -r[0];
  double beta = 1, alpha = -r[0];
  for (int k = 1; k < n; k++) {
    beta = (1 - alpha * alpha) * beta;
    double sum = 0;
    for (int i = 0; i < k; i++)
      sum += r[k - i - 1] * y[i];
    alpha = -(r[k] + sum) / beta;
    for (int i = 0; i < k; i++)
      z[i] = y[i] + alpha * y[k - i - 1];
    for (int i = 0; i < k; i++)
      y[i] = z[i];
    y[k] = alpha;
  }
}

#define ARGUMENTS(A) n[0], A(0), A(1), A(2)
KERNEL_CALLS(durbin)

static void shape(const int *n, size_t *cells) {
  cells[0] = (size_t)n[0];
  cells[1] = (size_t)n[0];
  cells[2] = (size_t)n[0];
}

/* Correlations that decay, of a positive definite system. */
static void fill(const int *n, double **x) {
  for (int i = 0; i < n[0]; i++)
    x[0][i] *= 0.5 / (1 + i * (1 + i));
}

/* Arguments: sizes. */
int main(int argc, char **argv) {
  struct kernel kernel = {.name = "durbin",
                          .small = {9},
                          .large = {4000},
                          .shape = shape,
                          .fill = fill,
                          .primal = primal,
                          .gradient = gradient,
                          .tangent = tangent};
  return kernel_main(&kernel, argc, argv);
}
