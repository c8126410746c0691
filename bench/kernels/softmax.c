/* Exponentials of rows, over their sum. */
#include "kernel.h"

void softmax(int rows, int n, double x[rows][n], double y[rows][n]) {
  for (int i = 0; i < rows; i++) {
    double most = x[i][0], sum = 0;
    for (int j = 0; j < n; j++)
      most = fmax(most, x[i][j]);
    for (int j = 0; j < n; j++) {
      y[i][j] = exp(x[i][j] - most);
      sum += y[i][j];
    }
    for (int j = 0; j < n; j++)
      y[i][j] /= sum;
  }
}

#define ARGUMENTS(A) n[0], n[1], A(0), A(1)
KERNEL_CALLS(softmax)

static void shape(const int *n, size_t *cells) {
  cells[0] = (size_t)n[0] * n[1];
  cells[1] = (size_t)n[0] * n[1];
}

/* Arguments: sizes. */
int main(int argc, char **argv) {
  struct kernel kernel = {.name = "softmax",
                          .small = {5, 9},
                          .large = {2000, 512},
                          .shape = shape,
                          .primal = primal,
                          .gradient = gradient,
                          .tangent = tangent,
                          .step = 1e-6};
  return kernel_main(&kernel, argc, argv);
}
