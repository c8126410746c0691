// CASES: 1-4
// Covers: a tag that does not fit the parameter: a pointer that is to be returned, an integer that
// is to be active, a number with a shadow in reverse mode, a derivative by value in forward mode.
double __dacead_autodiff(void *, ...);
double __dacead_fwddiff(void *, ...);
extern int dacead_dup, dacead_out;

double f(const double *x, int n, double by) {
  double s = by;
  while (n--)
    s *= *x;
  return s;
}

void gradient(const double *x, double *dx, int n) {
#if CASE == 1
  __dacead_autodiff((void *)f, dacead_out, x, n, 1.0); // ERROR(1): DAD-call-bad-tag
#elif CASE == 2
  __dacead_autodiff((void *)f, x, dx, dacead_out, n, 1.0); // ERROR(2): DAD-call-bad-tag
#elif CASE == 3
  __dacead_autodiff((void *)f, x, dx, n, dacead_dup, 1.0, 1.0); // ERROR(3): DAD-call-bad-tag
#else
  __dacead_fwddiff((void *)f, x, dx, n, dacead_out, 1.0); // ERROR(4): DAD-call-bad-tag
#endif
}
