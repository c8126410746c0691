/* Horizontal diffusion with a flux limiter, of a weather model. */
#include "kernel.h"

void hdiff(int ni, int nj, int nk, double in[ni + 4][nj + 4][nk], double out[ni][nj][nk],
           double c[ni][nj][nk], double lap[ni + 2][nj + 2][nk], double fx[ni + 1][nj][nk],
           double fy[ni][nj + 1][nk]) {
  for (int i = 0; i < ni + 2; i++)
    for (int j = 0; j < nj + 2; j++)
      for (int k = 0; k < nk; k++)
        lap[i][j][k] = 4 * in[i + 1][j + 1][k] - (in[i + 2][j + 1][k] + in[i][j + 1][k] +
                                                  in[i + 1][j + 2][k] + in[i + 1][j][k]);
  for (int i = 0; i < ni + 1; i++)
    for (int j = 0; j < nj; j++)
      for (int k = 0; k < nk; k++) {
        double r = lap[i + 1][j + 1][k] - lap[i][j + 1][k];
        fx[i][j][k] = r * (in[i + 2][j + 2][k] - in[i + 1][j + 2][k]) > 0 ? 0 : r;
      }
  for (int i = 0; i < ni; i++)
    for (int j = 0; j < nj + 1; j++)
      for (int k = 0; k < nk; k++) {
        double r = lap[i + 1][j + 1][k] - lap[i + 1][j][k];
        fy[i][j][k] = r * (in[i + 2][j + 2][k] - in[i + 2][j + 1][k]) > 0 ? 0 : r;
      }
  for (int i = 0; i < ni; i++)
    for (int j = 0; j < nj; j++)
      for (int k = 0; k < nk; k++)
        out[i][j][k] = in[i + 2][j + 2][k] -
                       c[i][j][k] * (fx[i + 1][j][k] - fx[i][j][k] + fy[i][j + 1][k] - fy[i][j][k]);
}

#define ARGUMENTS(A) n[0], n[1], n[2], A(0), A(1), A(2), A(3), A(4), A(5)
KERNEL_CALLS(hdiff)

static void shape(const int *n, size_t *cells) {
  cells[0] = (size_t)(n[0] + 4) * (n[1] + 4) * n[2];
  cells[1] = (size_t)n[0] * n[1] * n[2];
  cells[2] = (size_t)n[0] * n[1] * n[2];
  cells[3] = (size_t)(n[0] + 2) * (n[1] + 2) * n[2];
  cells[4] = (size_t)(n[0] + 1) * n[1] * n[2];
  cells[5] = (size_t)n[0] * (n[1] + 1) * n[2];
}

/* Arguments: sizes. */
int main(int argc, char **argv) {
  struct kernel kernel = {.name = "hdiff",
                          .small = {4, 5, 3},
                          .large = {64, 64, 60},
                          .shape = shape,
                          .primal = primal,
                          .gradient = gradient,
                          .tangent = tangent,
                          .step = 1e-6};
  return kernel_main(&kernel, argc, argv);
}
