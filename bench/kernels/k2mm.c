/* Two products: D = beta D + alpha A B C. */
#include "kernel.h"

void k2mm(int ni, int nj, int nk, int nl, double d[ni][nl], double t[ni][nj], double a[ni][nk],
          double b[nk][nj], double c[nj][nl]) {
  for (int i = 0; i < ni; i++)
    for (int j = 0; j < nj; j++) {
      t[i][j] = 0;
      for (int k = 0; k < nk; k++)
        t[i][j] += 1.5 * a[i][k] * b[k][j];
    }
  for (int i = 0; i < ni; i++)
    for (int j = 0; j < nl; j++) {
      d[i][j] *= 1.2;
      for (int k = 0; k < nj; k++)
        d[i][j] += t[i][k] * c[k][j];
    }
}

#define ARGUMENTS(A) n[0], n[1], n[2], n[3], A(0), A(1), A(2), A(3), A(4)
KERNEL_CALLS(k2mm)

static void shape(const int *n, size_t *cells) {
  cells[0] = (size_t)n[0] * n[3];
  cells[1] = (size_t)n[0] * n[1];
  cells[2] = (size_t)n[0] * n[2];
  cells[3] = (size_t)n[2] * n[1];
  cells[4] = (size_t)n[1] * n[3];
}

/* Arguments: sizes. */
int main(int argc, char **argv) {
  struct kernel kernel = {.name = "k2mm",
                          .small = {5, 6, 7, 8},
                          .large = {300, 320, 340, 360},
                          .shape = shape,
                          .primal = primal,
                          .gradient = gradient,
                          .tangent = tangent};
  return kernel_main(&kernel, argc, argv);
}
