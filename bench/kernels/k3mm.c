/* Three products: G = (A B) (C D). */
#include "kernel.h"

void k3mm(int ni, int nj, int nk, int nl, int nm, double e[ni][nj], double f[nj][nl],
          double g[ni][nl], double a[ni][nk], double b[nk][nj], double c[nj][nm],
          double d[nm][nl]) {
  for (int i = 0; i < ni; i++)
    for (int j = 0; j < nj; j++) {
      e[i][j] = 0;
      for (int k = 0; k < nk; k++)
        e[i][j] += a[i][k] * b[k][j];
    }
  for (int i = 0; i < nj; i++)
    for (int j = 0; j < nl; j++) {
      f[i][j] = 0;
      for (int k = 0; k < nm; k++)
        f[i][j] += c[i][k] * d[k][j];
    }
  for (int i = 0; i < ni; i++)
    for (int j = 0; j < nl; j++) {
      g[i][j] = 0;
      for (int k = 0; k < nj; k++)
        g[i][j] += e[i][k] * f[k][j];
    }
}

#define ARGUMENTS(A) n[0], n[1], n[2], n[3], n[4], A(0), A(1), A(2), A(3), A(4), A(5), A(6)
KERNEL_CALLS(k3mm)

static void shape(const int *n, size_t *cells) {
  cells[0] = (size_t)n[0] * n[1];
  cells[1] = (size_t)n[1] * n[3];
  cells[2] = (size_t)n[0] * n[3];
  cells[3] = (size_t)n[0] * n[2];
  cells[4] = (size_t)n[2] * n[1];
  cells[5] = (size_t)n[1] * n[4];
  cells[6] = (size_t)n[4] * n[3];
}

/* Arguments: sizes. */
int main(int argc, char **argv) {
  struct kernel kernel = {.name = "k3mm",
                          .small = {5, 6, 7, 8, 4},
                          .large = {200, 220, 240, 260, 280},
                          .shape = shape,
                          .primal = primal,
                          .gradient = gradient,
                          .tangent = tangent};
  return kernel_main(&kernel, argc, argv);
}
