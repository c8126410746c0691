/* Three layers of a perceptron with rectifiers; the last one without. */
#include "kernel.h"

void mlp(int rows, int c0, int c1, int c2, double x[rows][c0], double w1[c0][c1], double b1[c1],
         double h1[rows][c1], double w2[c1][c2], double b2[c2], double h2[rows][c2]) {
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < c1; j++)
      h1[i][j] = b1[j];
  for (int i = 0; i < rows; i++)
    for (int k = 0; k < c0; k++)
      for (int j = 0; j < c1; j++)
        h1[i][j] += x[i][k] * w1[k][j];
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < c1; j++)
      h1[i][j] = h1[i][j] > 0 ? h1[i][j] : 0;
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < c2; j++)
      h2[i][j] = b2[j];
  for (int i = 0; i < rows; i++)
    for (int k = 0; k < c1; k++)
      for (int j = 0; j < c2; j++)
        h2[i][j] += h1[i][k] * w2[k][j];
}

#define ARGUMENTS(A) n[0], n[1], n[2], n[3], A(0), A(1), A(2), A(3), A(4), A(5), A(6)
KERNEL_CALLS(mlp)

static void shape(const int *n, size_t *cells) {
  cells[0] = (size_t)n[0] * n[1];
  cells[1] = (size_t)n[1] * n[2];
  cells[2] = (size_t)n[2];
  cells[3] = (size_t)n[0] * n[2];
  cells[4] = (size_t)n[2] * n[3];
  cells[5] = (size_t)n[3];
  cells[6] = (size_t)n[0] * n[3];
}

/* Weights of both signs, so that some units are off. */
static void fill(const int *n, double **x) {
  for (int i = 0; i < n[1] * n[2]; i++)
    x[1][i] -= 0.5;
}

/* Arguments: sizes. */
int main(int argc, char **argv) {
  struct kernel kernel = {.name = "mlp",
                          .small = {4, 5, 6, 7},
                          .large = {128, 512, 512, 256},
                          .shape = shape,
                          .fill = fill,
                          .primal = primal,
                          .gradient = gradient,
                          .tangent = tangent,
                          .step = 1e-6};
  return kernel_main(&kernel, argc, argv);
}
