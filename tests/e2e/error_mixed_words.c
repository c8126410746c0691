// Covers: words of 64 bits that hold a double at one time and two floats at another, moved by a loop.
#include <stdint.h>

double __dacead_autodiff(void *, ...);

struct sample {
  double a, b;
  float f, g;
};

union shared {
  struct sample s;
  uint64_t word[3];
};

double f(double *x, int n) {
  union shared p = {0}, q = {0};
  p.s.a = x[0];
  p.s.b = x[1] * x[0];
  p.s.f = 2;
  for (int k = 0; k < n; k++)
    q.word[k] = p.word[k]; // ERROR: DAD-partial-access
  return q.s.a * q.s.b * q.s.f;
}

void gradient(double *x, double *dx, int n) {
  __dacead_autodiff((void *)f, x, dx, n);
}
