/* A nonlinear stencil, from A to B and back: the gradient needs every version of every cell. */
#include "kernel.h"

void stencil_2d(int steps, int n, double a[n][n], double b[n][n]) {
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        b[i][j] = 0.25 * a[i][j] * (a[i][j - 1] + a[i][j + 1] + a[i - 1][j] + a[i + 1][j]);
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        a[i][j] = 0.25 * b[i][j] * (b[i][j - 1] + b[i][j + 1] + b[i - 1][j] + b[i + 1][j]) + 0.5;
  }
}

#define ARGUMENTS(A) n[0], n[1], A(0), A(1)
KERNEL_CALLS(stencil_2d)

static void shape(const int *n, size_t *cells) {
  cells[0] = (size_t)n[1] * n[1];
  cells[1] = (size_t)n[1] * n[1];
}

/* Arguments: sizes. */
int main(int argc, char **argv) {
  struct kernel kernel = {.name = "stencil_2d",
                          .small = {3, 9},
                          .large = {50, 1000},
                          .shape = shape,
                          .primal = primal,
                          .gradient = gradient,
                          .tangent = tangent};
  return kernel_main(&kernel, argc, argv);
}
