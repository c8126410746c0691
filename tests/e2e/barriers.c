// Covers: assembly without instructions, as programs use it to hold the optimiser back.
#include "check_gradient.h"

static double keep(double v) {
  __asm__ volatile("" : "+x"(v));
  return v;
}

static double barriers(double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) {
    x[i] = keep(x[i] * x[n - 1 - i]);
    __asm__ volatile("" ::: "memory");
    s += keep(s) * x[i] + x[i];
  }
  __asm__ volatile("" : : "r"(x), "x"(s) : "memory");
  double *p = x + n / 2;
  __asm__("" : "=r"(p) : "0"(p));
  __asm__ volatile("" : "+m"(*p));
  return s * *p;
}

int main(void) {
  CHECK(barriers);
  return check_done();
}
