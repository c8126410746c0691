// CASES: 1-3
// Covers: tags that do not exist, or that ask for what is not supported.
double __dacead_autodiff(void *, ...);
extern int dacead_fix, enzyme_width, enzyme_dupv;

double f(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++)
    s += x[i];
  return s;
}

void gradient(const double *x, double *dx, int n) {
#if CASE == 1
  __dacead_autodiff((void *)f, x, dx, dacead_fix, n); // ERROR(1): DAD-call-unknown-tag
#elif CASE == 2
  __dacead_autodiff((void *)f, enzyme_width, 2, x, dx, dx, n); // ERROR(2): DAD-call-unknown-tag
#else
  __dacead_autodiff((void *)f, &enzyme_dupv, 8L, x, dx, n); // ERROR(3): DAD-call-unknown-tag
#endif
}
