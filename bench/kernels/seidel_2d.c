/* Gauss-Seidel sweeps with nine points, in place. */
#include "kernel.h"

void seidel_2d(int steps, int n, double a[n][n]) {
  for (int t = 0; t < steps; t++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        a[i][j] = (a[i - 1][j - 1] + a[i - 1][j] + a[i - 1][j + 1] + a[i][j - 1] + a[i][j] +
                   a[i][j + 1] + a[i + 1][j - 1] + a[i + 1][j] + a[i + 1][j + 1]) /
                  9;
}

#define ARGUMENTS(A) n[0], n[1], A(0)
KERNEL_CALLS(seidel_2d)

static void shape(const int *n, size_t *cells) {
  cells[0] = (size_t)n[1] * n[1];
}

/* Arguments: sizes. */
int main(int argc, char **argv) {
  struct kernel kernel = {.name = "seidel_2d",
                          .small = {3, 9},
                          .large = {100, 400},
                          .shape = shape,
                          .primal = primal,
                          .gradient = gradient,
                          .tangent = tangent};
  return kernel_main(&kernel, argc, argv);
}
