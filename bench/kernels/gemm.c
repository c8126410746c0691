/* Matrix product: C = beta C + alpha A B. */
#include "kernel.h"

void gemm(int ni, int nj, int nk, double c[ni][nj], double a[ni][nk], double b[nk][nj]) {
  for (int i = 0; i < ni; i++) {
    for (int j = 0; j < nj; j++)
      c[i][j] *= 1.2;
    for (int k = 0; k < nk; k++)
      for (int j = 0; j < nj; j++)
        c[i][j] += 1.5 * a[i][k] * b[k][j];
  }
}

#define ARGUMENTS(A) n[0], n[1], n[2], A(0), A(1), A(2)
KERNEL_CALLS(gemm)

static void shape(const int *n, size_t *cells) {
  cells[0] = (size_t)n[0] * n[1];
  cells[1] = (size_t)n[0] * n[2];
  cells[2] = (size_t)n[2] * n[1];
}

/* Arguments: sizes. */
int main(int argc, char **argv) {
  struct kernel kernel = {.name = "gemm",
                          .small = {7, 8, 9},
                          .large = {512, 512, 512},
                          .shape = shape,
                          .primal = primal,
                          .gradient = gradient,
                          .tangent = tangent};
  return kernel_main(&kernel, argc, argv);
}
