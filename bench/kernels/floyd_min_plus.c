/* Shortest paths between all pairs: the minimum of sums, in place. */
#include "kernel.h"

void floyd_min_plus(int n, double path[n][n]) {
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        path[i][j] = path[i][j] < path[i][k] + path[k][j] ? path[i][j] : path[i][k] + path[k][j];
}

#define ARGUMENTS(A) n[0], A(0)
KERNEL_CALLS(floyd_min_plus)

static void shape(const int *n, size_t *cells) {
  cells[0] = (size_t)n[0] * n[0];
}

/* Arguments: sizes. */
int main(int argc, char **argv) {
  struct kernel kernel = {.name = "floyd_min_plus",
                          .small = {9},
                          .large = {400},
                          .shape = shape,
                          .primal = primal,
                          .gradient = gradient,
                          .tangent = tangent,
                          .step = 1e-6};
  return kernel_main(&kernel, argc, argv);
}
