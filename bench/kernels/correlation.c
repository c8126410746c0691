/* Correlation of the columns of a matrix of data. */
#include "kernel.h"

void correlation(int m, int n, double data[n][m], double corr[m][m], double mean[m],
                 double deviation[m]) {
  for (int j = 0; j < m; j++) {
    mean[j] = 0;
    for (int i = 0; i < n; i++)
      mean[j] += data[i][j];
    mean[j] /= n;
    deviation[j] = 0;
    for (int i = 0; i < n; i++)
      deviation[j] += (data[i][j] - mean[j]) * (data[i][j] - mean[j]);
    deviation[j] = sqrt(deviation[j] / n);
    deviation[j] = deviation[j] <= 0.1 ? 1 : deviation[j];
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      data[i][j] = (data[i][j] - mean[j]) / (sqrt(n) * deviation[j]);
  for (int i = 0; i < m - 1; i++) {
    corr[i][i] = 1;
    for (int j = i + 1; j < m; j++) {
      corr[i][j] = 0;
      for (int k = 0; k < n; k++)
        corr[i][j] += data[k][i] * data[k][j];
      corr[j][i] = corr[i][j];
    }
  }
  corr[m - 1][m - 1] = 1;
}

#define ARGUMENTS(A) n[0], n[1], A(0), A(1), A(2), A(3)
KERNEL_CALLS(correlation)

static void shape(const int *n, size_t *cells) {
  cells[0] = (size_t)n[1] * n[0];
  cells[1] = (size_t)n[0] * n[0];
  cells[2] = (size_t)n[0];
  cells[3] = (size_t)n[0];
}

/* Arguments: sizes. */
int main(int argc, char **argv) {
  struct kernel kernel = {.name = "correlation",
                          .small = {6, 9},
                          .large = {240, 260},
                          .shape = shape,
                          .primal = primal,
                          .gradient = gradient,
                          .tangent = tangent};
  return kernel_main(&kernel, argc, argv);
}
