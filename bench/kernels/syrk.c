/* The lower triangle of C = beta C + alpha A A^T. */
#include "kernel.h"

void syrk(int m, int n, double c[n][n], double a[n][m]) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j <= i; j++)
      c[i][j] *= 1.2;
    for (int k = 0; k < m; k++)
      for (int j = 0; j <= i; j++)
        c[i][j] += 1.5 * a[i][k] * a[j][k];
  }
}

#define ARGUMENTS(A) n[0], n[1], A(0), A(1)
KERNEL_CALLS(syrk)

static void shape(const int *n, size_t *cells) {
  cells[0] = (size_t)n[1] * n[1];
  cells[1] = (size_t)n[1] * n[0];
}

/* Arguments: sizes. */
int main(int argc, char **argv) {
  struct kernel kernel = {.name = "syrk",
                          .small = {8, 9},
                          .large = {300, 350},
                          .shape = shape,
                          .primal = primal,
                          .gradient = gradient,
                          .tangent = tangent};
  return kernel_main(&kernel, argc, argv);
}
