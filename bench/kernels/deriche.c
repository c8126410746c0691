/* A recursive filter along rows and columns, both ways. */
#include "kernel.h"

void deriche(int w, int h, double in[w][h], double out[w][h], double y1[w][h], double y2[w][h]) {
  const double a1 = 0.2, a2 = 0.1, a3 = 0.15, a4 = -0.05, b1 = 0.7, b2 = -0.12;
  for (int i = 0; i < w; i++) {
    double x1 = 0, s1 = 0, s2 = 0;
    for (int j = 0; j < h; j++) {
      y1[i][j] = a1 * in[i][j] + a2 * x1 + b1 * s1 + b2 * s2;
      x1 = in[i][j];
      s2 = s1;
      s1 = y1[i][j];
    }
  }
  for (int i = 0; i < w; i++) {
    double x1 = 0, x2 = 0, s1 = 0, s2 = 0;
    for (int j = h - 1; j >= 0; j--) {
      y2[i][j] = a3 * x1 + a4 * x2 + b1 * s1 + b2 * s2;
      x2 = x1;
      x1 = in[i][j];
      s2 = s1;
      s1 = y2[i][j];
    }
  }
  for (int i = 0; i < w; i++)
    for (int j = 0; j < h; j++)
      out[i][j] = y1[i][j] + y2[i][j];
  for (int j = 0; j < h; j++) {
    double x1 = 0, s1 = 0, s2 = 0;
    for (int i = 0; i < w; i++) {
      y1[i][j] = a1 * out[i][j] + a2 * x1 + b1 * s1 + b2 * s2;
      x1 = out[i][j];
      s2 = s1;
      s1 = y1[i][j];
    }
  }
}

#define ARGUMENTS(A) n[0], n[1], A(0), A(1), A(2), A(3)
KERNEL_CALLS(deriche)

static void shape(const int *n, size_t *cells) {
  cells[0] = (size_t)n[0] * n[1];
  cells[1] = (size_t)n[0] * n[1];
  cells[2] = (size_t)n[0] * n[1];
  cells[3] = (size_t)n[0] * n[1];
}

/* Arguments: sizes. */
int main(int argc, char **argv) {
  struct kernel kernel = {.name = "deriche",
                          .small = {7, 8},
                          .large = {400, 200},
                          .shape = shape,
                          .primal = primal,
                          .gradient = gradient,
                          .tangent = tangent};
  return kernel_main(&kernel, argc, argv);
}
