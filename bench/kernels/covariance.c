/* Covariance of the columns of a matrix of data. */
#include "kernel.h"

void covariance(int m, int n, double data[n][m], double cov[m][m], double mean[m]) {
  for (int j = 0; j < m; j++) {
    mean[j] = 0;
    for (int i = 0; i < n; i++)
      mean[j] += data[i][j];
    mean[j] /= n;
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      data[i][j] -= mean[j];
  for (int i = 0; i < m; i++)
    for (int j = i; j < m; j++) {
      cov[i][j] = 0;
      for (int k = 0; k < n; k++)
        cov[i][j] += data[k][i] * data[k][j];
      cov[i][j] /= n - 1.0;
      cov[j][i] = cov[i][j];
    }
}

#define ARGUMENTS(A) n[0], n[1], A(0), A(1), A(2)
KERNEL_CALLS(covariance)

static void shape(const int *n, size_t *cells) {
  cells[0] = (size_t)n[1] * n[0];
  cells[1] = (size_t)n[0] * n[0];
  cells[2] = (size_t)n[0];
}

/* Arguments: sizes. */
int main(int argc, char **argv) {
  struct kernel kernel = {.name = "covariance",
                          .small = {6, 9},
                          .large = {240, 260},
                          .shape = shape,
                          .primal = primal,
                          .gradient = gradient,
                          .tangent = tangent};
  return kernel_main(&kernel, argc, argv);
}
