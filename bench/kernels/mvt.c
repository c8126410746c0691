/* x1 += A y1 and x2 += A^T y2. */
#include "kernel.h"

void mvt(int n, double x1[n], double x2[n], double y1[n], double y2[n], double a[n][n]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      x1[i] += a[i][j] * y1[j];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      x2[i] += a[j][i] * y2[j];
}

#define ARGUMENTS(A) n[0], A(0), A(1), A(2), A(3), A(4)
KERNEL_CALLS(mvt)

static void shape(const int *n, size_t *cells) {
  cells[0] = (size_t)n[0];
  cells[1] = (size_t)n[0];
  cells[2] = (size_t)n[0];
  cells[3] = (size_t)n[0];
  cells[4] = (size_t)n[0] * n[0];
}

/* Arguments: sizes. */
int main(int argc, char **argv) {
  struct kernel kernel = {.name = "mvt",
                          .small = {9},
                          .large = {2000},
                          .shape = shape,
                          .primal = primal,
                          .gradient = gradient,
                          .tangent = tangent};
  return kernel_main(&kernel, argc, argv);
}
