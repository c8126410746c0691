/* y = A^T (A x). */
#include "kernel.h"

void atax(int m, int n, double a[m][n], double x[n], double y[n]) {
  for (int j = 0; j < n; j++)
    y[j] = 0;
  for (int i = 0; i < m; i++) {
    double t = 0;
    for (int j = 0; j < n; j++)
      t += a[i][j] * x[j];
    for (int j = 0; j < n; j++)
      y[j] += a[i][j] * t;
  }
}

#define ARGUMENTS(A) n[0], n[1], A(0), A(1), A(2)
KERNEL_CALLS(atax)

static void shape(const int *n, size_t *cells) {
  cells[0] = (size_t)n[0] * n[1];
  cells[1] = (size_t)n[1];
  cells[2] = (size_t)n[1];
}

/* Arguments: sizes. */
int main(int argc, char **argv) {
  struct kernel kernel = {.name = "atax",
                          .small = {9, 8},
                          .large = {4000, 4000},
                          .shape = shape,
                          .primal = primal,
                          .gradient = gradient,
                          .tangent = tangent};
  return kernel_main(&kernel, argc, argv);
}
