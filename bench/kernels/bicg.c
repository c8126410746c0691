/* s = A^T r and q = A p. */
#include "kernel.h"

void bicg(int m, int n, double a[n][m], double s[m], double q[n], double p[m], double r[n]) {
  for (int j = 0; j < m; j++)
    s[j] = 0;
  for (int i = 0; i < n; i++) {
    q[i] = 0;
    for (int j = 0; j < m; j++) {
      s[j] += r[i] * a[i][j];
      q[i] += a[i][j] * p[j];
    }
  }
}

#define ARGUMENTS(A) n[0], n[1], A(0), A(1), A(2), A(3), A(4)
KERNEL_CALLS(bicg)

static void shape(const int *n, size_t *cells) {
  cells[0] = (size_t)n[1] * n[0];
  cells[1] = (size_t)n[0];
  cells[2] = (size_t)n[1];
  cells[3] = (size_t)n[0];
  cells[4] = (size_t)n[1];
}

/* Arguments: sizes. */
int main(int argc, char **argv) {
  struct kernel kernel = {.name = "bicg",
                          .small = {9, 8},
                          .large = {2000, 2000},
                          .shape = shape,
                          .primal = primal,
                          .gradient = gradient,
                          .tangent = tangent};
  return kernel_main(&kernel, argc, argv);
}
