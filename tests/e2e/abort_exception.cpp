// Covers: an exception that is thrown while derivatives are computed ends the program with a
// message.
// ABORTS: exception
#include <cmath>
#include <cstdio>
#include <stdexcept>

extern "C" double __dacead_autodiff(void *, ...);

static double root(double x) {
  if (x < 0)
    throw std::domain_error("exception: root of a negative number");
  return std::sqrt(x);
}

static double f(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++)
    s += root(x[i]) * x[0];
  return s;
}

int main() {
  double x[2] = {4, 9}, dx[2] = {0, 0};
  __dacead_autodiff(reinterpret_cast<void *>(f), x, dx, 2);
  if (std::fabs(dx[1] - 4.0 / 6) > 1e-15)
    return std::puts("wrong"), 0;
  x[1] = -9;
  __dacead_autodiff(reinterpret_cast<void *>(f), x, dx, 2);
  std::printf("%g %g\n", dx[0], dx[1]);
  return 0;
}
