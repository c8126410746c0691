/* The heat equation in three dimensions, from A to B and back. */
#include "kernel.h"

static inline double spread(double before, double at, double after) {
  return 0.125 * (after - 2 * at + before);
}

void heat_3d(int steps, int n, double a[n][n][n], double b[n][n][n]) {
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        for (int k = 1; k < n - 1; k++)
          b[i][j][k] = a[i][j][k] + spread(a[i - 1][j][k], a[i][j][k], a[i + 1][j][k]) +
                       spread(a[i][j - 1][k], a[i][j][k], a[i][j + 1][k]) +
                       spread(a[i][j][k - 1], a[i][j][k], a[i][j][k + 1]);
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        for (int k = 1; k < n - 1; k++)
          a[i][j][k] = b[i][j][k] + spread(b[i - 1][j][k], b[i][j][k], b[i + 1][j][k]) +
                       spread(b[i][j - 1][k], b[i][j][k], b[i][j + 1][k]) +
                       spread(b[i][j][k - 1], b[i][j][k], b[i][j][k + 1]);
  }
}

#define ARGUMENTS(A) n[0], n[1], A(0), A(1)
KERNEL_CALLS(heat_3d)

static void shape(const int *n, size_t *cells) {
  cells[0] = (size_t)n[1] * n[1] * n[1];
  cells[1] = (size_t)n[1] * n[1] * n[1];
}

/* Arguments: sizes. */
int main(int argc, char **argv) {
  struct kernel kernel = {.name = "heat_3d",
                          .small = {3, 6},
                          .large = {50, 80},
                          .shape = shape,
                          .primal = primal,
                          .gradient = gradient,
                          .tangent = tangent};
  return kernel_main(&kernel, argc, argv);
}
