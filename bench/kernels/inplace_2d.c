/* A nonlinear stencil in place: old values on two sides, new ones on the others. */
#include "kernel.h"

void inplace_2d(int steps, int n, double a[n][n]) {
  for (int t = 0; t < steps; t++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        a[i][j] = 0.5 * a[i][j] + 0.2 * a[i - 1][j] * a[i + 1][j] + 0.2 * a[i][j - 1] * a[i][j + 1];
}

#define ARGUMENTS(A) n[0], n[1], A(0)
KERNEL_CALLS(inplace_2d)

static void shape(const int *n, size_t *cells) {
  cells[0] = (size_t)n[1] * n[1];
}

/* Arguments: sizes. */
int main(int argc, char **argv) {
  struct kernel kernel = {.name = "inplace_2d",
                          .small = {3, 9},
                          .large = {50, 400},
                          .shape = shape,
                          .primal = primal,
                          .gradient = gradient,
                          .tangent = tangent};
  return kernel_main(&kernel, argc, argv);
}
