// CASES: 1-2
// Covers: an integer and a number in the place of a shadow.
double __dacead_autodiff(void *, ...);

double sum(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++)
    s += x[i];
  return s;
}

double gradient(const double *x, int n) {
#if CASE == 1
  return __dacead_autodiff((void *)sum, x, n, n); // ERROR(1): DAD-call-bad-shadow
#else
  return __dacead_autodiff((void *)sum, x, 1.0, n); // ERROR(2): DAD-call-bad-shadow
#endif
}
