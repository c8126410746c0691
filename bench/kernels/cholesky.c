/* Cholesky factorisation of a positive definite matrix, in place. */
#include "kernel.h"

void cholesky(int n, double a[n][n]) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i; j++) {
      for (int k = 0; k < j; k++)
        a[i][j] -= a[i][k] * a[j][k];
      a[i][j] /= a[j][j];
    }
    for (int k = 0; k < i; k++)
      a[i][i] -= a[i][k] * a[i][k];
    a[i][i] = sqrt(a[i][i]);
  }
}

#define ARGUMENTS(A) n[0], A(0)
KERNEL_CALLS(cholesky)

static void shape(const int *n, size_t *cells) {
  cells[0] = (size_t)n[0] * n[0];
}

/* A well-conditioned matrix: the diagonal is large. */
static void fill(const int *n, double **x) {
  for (int i = 0; i < n[0]; i++)
    x[0][i * n[0] + i] += n[0];
}

/* Arguments: sizes. */
int main(int argc, char **argv) {
  struct kernel kernel = {.name = "cholesky",
                          .small = {9},
                          .large = {500},
                          .shape = shape,
                          .fill = fill,
                          .primal = primal,
                          .gradient = gradient,
                          .tangent = tangent};
  return kernel_main(&kernel, argc, argv);
}
