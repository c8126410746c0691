/* y = alpha A x + beta B x. */
#include "kernel.h"

void gesummv(int n, double a[n][n], double b[n][n], double x[n], double y[n]) {
  for (int i = 0; i < n; i++) {
    double s = 0, t = 0;
    for (int j = 0; j < n; j++) {
      s += a[i][j] * x[j];
      t += b[i][j] * x[j];
    }
    y[i] = 1.5 * s + 1.2 * t;
  }
}

#define ARGUMENTS(A) n[0], A(0), A(1), A(2), A(3)
KERNEL_CALLS(gesummv)

static void shape(const int *n, size_t *cells) {
  cells[0] = (size_t)n[0] * n[0];
  cells[1] = (size_t)n[0] * n[0];
  cells[2] = (size_t)n[0];
  cells[3] = (size_t)n[0];
}

/* Arguments: sizes. */
int main(int argc, char **argv) {
  struct kernel kernel = {.name = "gesummv",
                          .small = {9},
                          .large = {4000},
                          .shape = shape,
                          .primal = primal,
                          .gradient = gradient,
                          .tangent = tangent};
  return kernel_main(&kernel, argc, argv);
}
