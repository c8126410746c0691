/* Electric and magnetic fields on a staggered grid. */
#include "kernel.h"

void fdtd_2d(int steps, int nx, int ny, double ex[nx][ny], double ey[nx][ny], double hz[nx][ny],
             double source[steps]) {
  for (int t = 0; t < steps; t++) {
    for (int j = 0; j < ny; j++)
      ey[0][j] = source[t];
    for (int i = 1; i < nx; i++)
      for (int j = 0; j < ny; j++)
        ey[i][j] -= 0.5 * (hz[i][j] - hz[i - 1][j]);
    for (int i = 0; i < nx; i++)
      for (int j = 1; j < ny; j++)
        ex[i][j] -= 0.5 * (hz[i][j] - hz[i][j - 1]);
    for (int i = 0; i < nx - 1; i++)
      for (int j = 0; j < ny - 1; j++)
        hz[i][j] -= 0.7 * (ex[i][j + 1] - ex[i][j] + ey[i + 1][j] - ey[i][j]);
  }
}

#define ARGUMENTS(A) n[0], n[1], n[2], A(0), A(1), A(2), A(3)
KERNEL_CALLS(fdtd_2d)

static void shape(const int *n, size_t *cells) {
  cells[0] = (size_t)n[1] * n[2];
  cells[1] = (size_t)n[1] * n[2];
  cells[2] = (size_t)n[1] * n[2];
  cells[3] = (size_t)n[0];
}

/* Arguments: sizes. */
int main(int argc, char **argv) {
  struct kernel kernel = {.name = "fdtd_2d",
                          .small = {3, 7, 8},
                          .large = {20, 200, 220},
                          .shape = shape,
                          .primal = primal,
                          .gradient = gradient,
                          .tangent = tangent};
  return kernel_main(&kernel, argc, argv);
}
