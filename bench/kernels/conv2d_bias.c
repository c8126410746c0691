/* Convolution of images with several channels, and a bias. */
#include "kernel.h"

void conv2d_bias(int h, int w, int in, int out, int k, double image[h + k][w + k][in],
                 double weight[k][k][in][out], double bias[out], double result[h][w][out]) {
  for (int i = 0; i < h; i++)
    for (int j = 0; j < w; j++) {
      for (int o = 0; o < out; o++)
        result[i][j][o] = bias[o];
      for (int p = 0; p < k; p++)
        for (int q = 0; q < k; q++)
          for (int c = 0; c < in; c++)
            for (int o = 0; o < out; o++)
              result[i][j][o] += image[i + p][j + q][c] * weight[p][q][c][o];
    }
}

#define ARGUMENTS(A) n[0], n[1], n[2], n[3], n[4], A(0), A(1), A(2), A(3)
KERNEL_CALLS(conv2d_bias)

static void shape(const int *n, size_t *cells) {
  cells[0] = (size_t)(n[0] + n[4]) * (n[1] + n[4]) * n[2];
  cells[1] = (size_t)n[4] * n[4] * n[2] * n[3];
  cells[2] = (size_t)n[3];
  cells[3] = (size_t)n[0] * n[1] * n[3];
}

/* Arguments: sizes. */
int main(int argc, char **argv) {
  struct kernel kernel = {.name = "conv2d_bias",
                          .small = {4, 5, 2, 3, 2},
                          .large = {64, 64, 3, 16, 5},
                          .shape = shape,
                          .primal = primal,
                          .gradient = gradient,
                          .tangent = tangent};
  return kernel_main(&kernel, argc, argv);
}
