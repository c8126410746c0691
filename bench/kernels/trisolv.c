/* Solves L x = b for a lower triangle L. */
#include "kernel.h"

void trisolv(int n, double l[n][n], double x[n], double b[n]) {
  for (int i = 0; i < n; i++) {
    x[i] = b[i];
    for (int j = 0; j < i; j++)
      x[i] -= l[i][j] * x[j];
    x[i] /= l[i][i];
  }
}

#define ARGUMENTS(A) n[0], A(0), A(1), A(2)
KERNEL_CALLS(trisolv)

static void shape(const int *n, size_t *cells) {
  cells[0] = (size_t)n[0] * n[0];
  cells[1] = (size_t)n[0];
  cells[2] = (size_t)n[0];
}

/* A well-conditioned matrix: the diagonal is large. */
static void fill(const int *n, double **x) {
  for (int i = 0; i < n[0]; i++)
    x[0][i * n[0] + i] += n[0];
}

/* Arguments: sizes. */
int main(int argc, char **argv) {
  struct kernel kernel = {.name = "trisolv",
                          .small = {9},
                          .large = {2000},
                          .shape = shape,
                          .fill = fill,
                          .primal = primal,
                          .gradient = gradient,
                          .tangent = tangent};
  return kernel_main(&kernel, argc, argv);
}
