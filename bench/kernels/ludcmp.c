/* LU factorisation and the solution of A x = b. */
#include "kernel.h"

void ludcmp(int n, double a[n][n], double b[n], double x[n], double y[n]) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i; j++) {
      double w = a[i][j];
      for (int k = 0; k < j; k++)
        w -= a[i][k] * a[k][j];
      a[i][j] = w / a[j][j];
    }
    for (int j = i; j < n; j++) {
      double w = a[i][j];
      for (int k = 0; k < i; k++)
        w -= a[i][k] * a[k][j];
      a[i][j] = w;
    }
  }
  for (int i = 0; i < n; i++) {
    double w = b[i];
    for (int j = 0; j < i; j++)
      w -= a[i][j] * y[j];
    y[i] = w;
  }
  for (int i = n - 1; i >= 0; i--) {
    double w = y[i];
    for (int j = i + 1; j < n; j++)
      w -= a[i][j] * x[j];
    x[i] = w / a[i][i];
  }
}

#define ARGUMENTS(A) n[0], A(0), A(1), A(2), A(3)
KERNEL_CALLS(ludcmp)

static void shape(const int *n, size_t *cells) {
  cells[0] = (size_t)n[0] * n[0];
  cells[1] = (size_t)n[0];
  cells[2] = (size_t)n[0];
  cells[3] = (size_t)n[0];
}

/* A well-conditioned matrix: the diagonal is large. */
static void fill(const int *n, double **x) {
  for (int i = 0; i < n[0]; i++)
    x[0][i * n[0] + i] += n[0];
}

/* Arguments: sizes. */
int main(int argc, char **argv) {
  struct kernel kernel = {.name = "ludcmp",
                          .small = {9},
                          .large = {400},
                          .shape = shape,
                          .fill = fill,
                          .primal = primal,
                          .gradient = gradient,
                          .tangent = tangent};
  return kernel_main(&kernel, argc, argv);
}
