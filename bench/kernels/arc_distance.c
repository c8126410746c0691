/* Angles between pairs of points on a sphere. */
#include "kernel.h"

void arc_distance(int n, double theta1[n], double phi1[n], double theta2[n], double phi2[n],
                  double distance[n]) {
  for (int i = 0; i < n; i++) {
    double s = sin((theta2[i] - theta1[i]) / 2), t = sin((phi2[i] - phi1[i]) / 2);
    double square = s * s + cos(theta1[i]) * cos(theta2[i]) * t * t;
    distance[i] = 2 * atan2(sqrt(square), sqrt(1 - square));
  }
}

#define ARGUMENTS(A) n[0], A(0), A(1), A(2), A(3), A(4)
KERNEL_CALLS(arc_distance)

static void shape(const int *n, size_t *cells) {
  cells[0] = (size_t)n[0];
  cells[1] = (size_t)n[0];
  cells[2] = (size_t)n[0];
  cells[3] = (size_t)n[0];
  cells[4] = (size_t)n[0];
}

/* Points that are not close to each other. */
static void fill(const int *n, double **x) {
  for (int i = 0; i < n[0]; i++)
    x[2][i] += 1.2;
}

/* Arguments: sizes. */
int main(int argc, char **argv) {
  struct kernel kernel = {.name = "arc_distance",
                          .small = {9},
                          .large = {100000},
                          .shape = shape,
                          .fill = fill,
                          .primal = primal,
                          .gradient = gradient,
                          .tangent = tangent};
  return kernel_main(&kernel, argc, argv);
}
