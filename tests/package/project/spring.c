#include "spring.h"

double spring_energy(const double *x, int n) {
  double energy = 0;
  for (int i = 0; i + 1 < n; i++) {
    double stretch = x[i + 1] - x[i] - 1;
    energy += stretch * stretch / 2;
  }
  return energy;
}
