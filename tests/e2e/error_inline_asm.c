// CASES: 1-2
// Covers: inline assembly that works on active numbers, in registers and in memory.
double __dacead_autodiff(void *, ...);

double f(double *x, int n) {
  double s = x[n - 1];
#if CASE == 1
  __asm__("addsd %1, %0" : "+x"(s) : "x"(x[0])); // ERROR(1): DAD-inline-asm
#else
  __asm__ volatile("fldl (%0); fstpl (%0)" : : "r"(x) : "memory"); // ERROR(2): DAD-inline-asm
#endif
  return s * x[0];
}

void gradient(double *x, double *dx, int n) {
  __dacead_autodiff((void *)f, x, dx, n);
}
