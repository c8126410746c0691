// CASES: 1-4
// Covers: operations on active numbers that have no derivative: formats of 16 and 128 bits,
// intrinsics of the processor and of strict rounding.
#include <immintrin.h>

double __dacead_autodiff(void *, ...);

double f(double *x, int n) {
#if CASE == 1
  _Float16 h = (_Float16)x[0];
  return (double)(h * h) * n; // ERROR(1): DAD-no-instruction
#elif CASE == 2
  __float128 q = x[0];
  return (double)(q * q) * n; // ERROR(2): DAD-no-instruction
#elif CASE == 3
  __m128d a = {x[0], x[1]};
  a = _mm_max_pd(a, _mm_set1_pd(n)); // ERROR(3): DAD-no-rule
  return a[0] * a[1];
#else
#pragma STDC FENV_ACCESS ON
  return x[0] * n; // ERROR(4): DAD-no-rule
#endif
}

void gradient(double *x, double *dx, int n) {
  __dacead_autodiff((void *)f, x, dx, n);
}
