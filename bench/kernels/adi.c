/* Alternating directions: implicit along columns, then along rows. */
#include "kernel.h"

void adi(int steps, int n, double u[n][n], double v[n][n], double p[n][n], double q[n][n]) {
  const double a = -0.3, b = 1.6, c = -0.3, d = -0.2, e = 1.4, f = -0.2;
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++) {
      v[0][i] = 1;
      p[i][0] = 0;
      q[i][0] = v[0][i];
      for (int j = 1; j < n - 1; j++) {
        p[i][j] = -c / (a * p[i][j - 1] + b);
        q[i][j] = (-d * u[j][i - 1] + (1 + 2 * d) * u[j][i] - f * u[j][i + 1] - a * q[i][j - 1]) /
                  (a * p[i][j - 1] + b);
      }
      v[n - 1][i] = 1;
      for (int j = n - 2; j >= 1; j--)
        v[j][i] = p[i][j] * v[j + 1][i] + q[i][j];
    }
    for (int i = 1; i < n - 1; i++) {
      u[i][0] = 1;
      p[i][0] = 0;
      q[i][0] = u[i][0];
      for (int j = 1; j < n - 1; j++) {
        p[i][j] = -f / (d * p[i][j - 1] + e);
        q[i][j] = (-a * v[i - 1][j] + (1 + 2 * a) * v[i][j] - c * v[i + 1][j] - d * q[i][j - 1]) /
                  (d * p[i][j - 1] + e);
      }
      u[i][n - 1] = 1;
      for (int j = n - 2; j >= 1; j--)
        u[i][j] = p[i][j] * u[i][j + 1] + q[i][j];
    }
  }
}

#define ARGUMENTS(A) n[0], n[1], A(0), A(1), A(2), A(3)
KERNEL_CALLS(adi)

static void shape(const int *n, size_t *cells) {
  cells[0] = (size_t)n[1] * n[1];
  cells[1] = (size_t)n[1] * n[1];
  cells[2] = (size_t)n[1] * n[1];
  cells[3] = (size_t)n[1] * n[1];
}

/* Arguments: sizes. */
int main(int argc, char **argv) {
  struct kernel kernel = {.name = "adi",
                          .small = {3, 8},
                          .large = {20, 200},
                          .shape = shape,
                          .primal = primal,
                          .gradient = gradient,
                          .tangent = tangent};
  return kernel_main(&kernel, argc, argv);
}
