/* B = alpha A^T B with a unit lower triangle A, in place. */
#include "kernel.h"

void trmm(int m, int n, double a[m][m], double b[m][n]) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      for (int k = i + 1; k < m; k++)
        b[i][j] += a[k][i] * b[k][j];
      b[i][j] *= 1.5;
    }
}

#define ARGUMENTS(A) n[0], n[1], A(0), A(1)
KERNEL_CALLS(trmm)

static void shape(const int *n, size_t *cells) {
  cells[0] = (size_t)n[0] * n[0];
  cells[1] = (size_t)n[0] * n[1];
}

/* Arguments: sizes. */
int main(int argc, char **argv) {
  struct kernel kernel = {.name = "trmm",
                          .small = {8, 9},
                          .large = {300, 350},
                          .shape = shape,
                          .primal = primal,
                          .gradient = gradient,
                          .tangent = tangent};
  return kernel_main(&kernel, argc, argv);
}
