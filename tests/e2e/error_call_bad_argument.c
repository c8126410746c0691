// CASES: 1-3
// Covers: an argument whose type is not the parameter's: a pointer for a number, a number for an
// integer, an integer for a pointer.
double __dacead_autodiff(void *, ...);

double power(const double *x, int n, double by) {
  double s = by;
  while (n--)
    s *= *x;
  return s;
}

double gradient(const double *x, double *dx, int n) {
#if CASE == 1
  return __dacead_autodiff((void *)power, x, dx, n, x); // ERROR(1): DAD-call-bad-argument
#elif CASE == 2
  return __dacead_autodiff((void *)power, x, dx, 2.0, 1.0); // ERROR(2): DAD-call-bad-argument
#else
  return __dacead_autodiff((void *)power, n, dx, n, 1.0) + *x; // ERROR(3): DAD-call-bad-argument
#endif
}
