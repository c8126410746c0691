/* LU factorisation without pivots, in place. */
#include "kernel.h"

void lu(int n, double a[n][n]) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i; j++) {
      for (int k = 0; k < j; k++)
        a[i][j] -= a[i][k] * a[k][j];
      a[i][j] /= a[j][j];
    }
    for (int j = i; j < n; j++)
      for (int k = 0; k < i; k++)
        a[i][j] -= a[i][k] * a[k][j];
  }
}

#define ARGUMENTS(A) n[0], A(0)
KERNEL_CALLS(lu)

static void shape(const int *n, size_t *cells) {
  cells[0] = (size_t)n[0] * n[0];
}

/* A well-conditioned matrix: the diagonal is large. */
static void fill(const int *n, double **x) {
  for (int i = 0; i < n[0]; i++)
    x[0][i * n[0] + i] += n[0];
}

/* Arguments: sizes. */
int main(int argc, char **argv) {
  struct kernel kernel = {.name = "lu",
                          .small = {9},
                          .large = {500},
                          .shape = shape,
                          .fill = fill,
                          .primal = primal,
                          .gradient = gradient,
                          .tangent = tangent};
  return kernel_main(&kernel, argc, argv);
}
