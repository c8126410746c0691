/* Calls the gradient of a function that is written in Rust. */
#include <dacead.h>

#include "../../programs/check.h"

double residual(const double *p, const double *data, double *work, size_t n);

/* The library core names it for programs that unwind; this one does not. */
void rust_eh_personality(void);
void rust_eh_personality(void) {
  abort();
}

enum { N = 20, P = 3 };

int main(void) {
  double p[P] = {0.7, 0.2, 1.1}, dp[P] = {0}, data[N], work[N], dwork[N] = {0};
  for (int i = 0; i < N; i++)
    data[i] = 1 + 0.3 * i + sin(i);
  __dacead_autodiff((void *)residual, p, dp, dacead_const, data, work, dwork, (size_t)N);
  for (int k = 0; k < P; k++) {
    double up[P] = {p[0], p[1], p[2]}, down[P] = {p[0], p[1], p[2]}, h = 1e-5;
    up[k] += h;
    down[k] -= h;
    check_close("parameter", dp[k],
                (residual(up, data, work, N) - residual(down, data, work, N)) / (2 * h), 1e-8);
  }
  return check_done();
}
