/* Jacobi sweeps with three points, from A to B and back. */
#include "kernel.h"

void jacobi_1d(int steps, int n, double a[n], double b[n]) {
  for (int t = 1; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      b[i] = 0.33333 * (a[i - 1] + a[i] + a[i + 1]);
    for (int i = 1; i < n - 1; i++)
      a[i] = 0.33333 * (b[i - 1] + b[i] + b[i + 1]);
  }
}

#define ARGUMENTS(A) n[0], n[1], A(0), A(1)
KERNEL_CALLS(jacobi_1d)

static void shape(const int *n, size_t *cells) {
  cells[0] = (size_t)n[1];
  cells[1] = (size_t)n[1];
}

/* Arguments: sizes. */
int main(int argc, char **argv) {
  struct kernel kernel = {.name = "jacobi_1d",
                          .small = {6, 20},
                          .large = {800, 3200},
                          .shape = shape,
                          .primal = primal,
                          .gradient = gradient,
                          .tangent = tangent};
  return kernel_main(&kernel, argc, argv);
}
