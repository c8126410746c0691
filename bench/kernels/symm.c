/* C = beta C + alpha A B with the lower triangle of the symmetric A. */
#include "kernel.h"

void symm(int m, int n, double c[m][n], double a[m][m], double b[m][n]) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      double t = 0;
      for (int k = 0; k < i; k++) {
        c[k][j] += 1.5 * b[i][j] * a[i][k];
        t += b[k][j] * a[i][k];
      }
      c[i][j] = 1.2 * c[i][j] + 1.5 * b[i][j] * a[i][i] + 1.5 * t;
    }
}

#define ARGUMENTS(A) n[0], n[1], A(0), A(1), A(2)
KERNEL_CALLS(symm)

static void shape(const int *n, size_t *cells) {
  cells[0] = (size_t)n[0] * n[1];
  cells[1] = (size_t)n[0] * n[0];
  cells[2] = (size_t)n[0] * n[1];
}

/* Arguments: sizes. */
int main(int argc, char **argv) {
  struct kernel kernel = {.name = "symm",
                          .small = {8, 9},
                          .large = {300, 350},
                          .shape = shape,
                          .primal = primal,
                          .gradient = gradient,
                          .tangent = tangent};
  return kernel_main(&kernel, argc, argv);
}
