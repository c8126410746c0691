/* Prints "ok" if the derivatives through the other file's functions and globals equal differences.
 */
#include "potential.h"

#include "../../programs/check.h"
#include <dacead.h>
#include <string.h>

enum { N = 5 };

/* The energy of a chain, with what the other file left in its globals. */
static double energy(const double *x, int n) {
  double sum = 0, places = 0;
  depth = x[0] * 0.5 + 1;
  virial = 0;
  last_place = &places;
  for (int i = 0; i + 1 < n; i++)
    sum += pair_energy(x[i + 1] - x[i]);
  last_place = NULL;
  return sum + virial * x[1] + history[(pair_count + 2) % 4] * places;
}

static double along(void *context, double step) {
  const double *x = context, *v = x + N;
  double y[N];
  for (int i = 0; i < N; i++)
    y[i] = x[i] + step * v[i];
  return energy(y, N);
}

int main(void) {
  double x[2 * N] = {0.1, 1.3, 2.2, 3.5, 4.6}, dx[N] = {0}, tangent;
  for (int i = 0; i < N; i++)
    x[N + i] = 0.3 + 0.2 * i;
  __dacead_autodiff((void *)energy, x, dx, N);
  tangent = check_dot(dx, x + N, N);
  check_close("gradient along a line", tangent, check_difference(along, x, 1e-3), 1e-7);
  check_close("a gradient in the other file", pair_force(1.2),
              4 * depth * (12 * pow(1.2, -13) - 6 * pow(1.2, -7)), 1e-13);
  return check_done();
}
