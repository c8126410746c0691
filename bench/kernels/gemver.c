/* A += u1 v1^T + u2 v2^T; x += beta A^T y + z; w += alpha A x. */
#include "kernel.h"

void gemver(int n, double a[n][n], double u1[n], double v1[n], double u2[n], double v2[n],
            double w[n], double x[n], double y[n], double z[n]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[i][j] += u1[i] * v1[j] + u2[i] * v2[j];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      x[i] += 1.2 * a[j][i] * y[j];
  for (int i = 0; i < n; i++)
    x[i] += z[i];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      w[i] += 1.5 * a[i][j] * x[j];
}

#define ARGUMENTS(A) n[0], A(0), A(1), A(2), A(3), A(4), A(5), A(6), A(7), A(8)
KERNEL_CALLS(gemver)

static void shape(const int *n, size_t *cells) {
  cells[0] = (size_t)n[0] * n[0];
  cells[1] = (size_t)n[0];
  cells[2] = (size_t)n[0];
  cells[3] = (size_t)n[0];
  cells[4] = (size_t)n[0];
  cells[5] = (size_t)n[0];
  cells[6] = (size_t)n[0];
  cells[7] = (size_t)n[0];
  cells[8] = (size_t)n[0];
}

/* Arguments: sizes. */
int main(int argc, char **argv) {
  struct kernel kernel = {.name = "gemver",
                          .small = {9},
                          .large = {2000},
                          .shape = shape,
                          .primal = primal,
                          .gradient = gradient,
                          .tangent = tangent};
  return kernel_main(&kernel, argc, argv);
}
