/* A = Q R by the modified method of Gram and Schmidt. */
#include "kernel.h"

void gramschmidt(int m, int n, double a[m][n], double q[m][n], double r[n][n]) {
  for (int k = 0; k < n; k++) {
    double norm = 0;
    for (int i = 0; i < m; i++)
      norm += a[i][k] * a[i][k];
    r[k][k] = sqrt(norm);
    for (int i = 0; i < m; i++)
      q[i][k] = a[i][k] / r[k][k];
    for (int j = k + 1; j < n; j++) {
      r[k][j] = 0;
      for (int i = 0; i < m; i++)
        r[k][j] += q[i][k] * a[i][j];
      for (int i = 0; i < m; i++)
        a[i][j] -= q[i][k] * r[k][j];
    }
  }
}

#define ARGUMENTS(A) n[0], n[1], A(0), A(1), A(2)
KERNEL_CALLS(gramschmidt)

static void shape(const int *n, size_t *cells) {
  cells[0] = (size_t)n[0] * n[1];
  cells[1] = (size_t)n[0] * n[1];
  cells[2] = (size_t)n[1] * n[1];
}

/* Columns that are far from dependent. */
static void fill(const int *n, double **x) {
  for (int i = 0; i < n[1]; i++)
    x[0][i * n[1] + i] += 3;
}

/* Arguments: sizes. */
int main(int argc, char **argv) {
  struct kernel kernel = {.name = "gramschmidt",
                          .small = {10, 6},
                          .large = {240, 200},
                          .shape = shape,
                          .fill = fill,
                          .primal = primal,
                          .gradient = gradient,
                          .tangent = tangent};
  return kernel_main(&kernel, argc, argv);
}
