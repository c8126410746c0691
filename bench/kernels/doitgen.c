/* A[r][q][:] = A[r][q][:] C4, a product for each pair of the outer dimensions. */
#include "kernel.h"

void doitgen(int nr, int nq, int np, double a[nr][nq][np], double c4[np][np], double sum[np]) {
  for (int r = 0; r < nr; r++)
    for (int q = 0; q < nq; q++) {
      for (int p = 0; p < np; p++) {
        sum[p] = 0;
        for (int s = 0; s < np; s++)
          sum[p] += a[r][q][s] * c4[s][p];
      }
      for (int p = 0; p < np; p++)
        a[r][q][p] = sum[p];
    }
}

#define ARGUMENTS(A) n[0], n[1], n[2], A(0), A(1), A(2)
KERNEL_CALLS(doitgen)

static void shape(const int *n, size_t *cells) {
  cells[0] = (size_t)n[0] * n[1] * n[2];
  cells[1] = (size_t)n[2] * n[2];
  cells[2] = (size_t)n[2];
}

/* Arguments: sizes. */
int main(int argc, char **argv) {
  struct kernel kernel = {.name = "doitgen",
                          .small = {4, 5, 6},
                          .large = {60, 60, 128},
                          .shape = shape,
                          .primal = primal,
                          .gradient = gradient,
                          .tangent = tangent};
  return kernel_main(&kernel, argc, argv);
}
