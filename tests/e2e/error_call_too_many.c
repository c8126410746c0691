// CASES: 1-2
// Covers: arguments are left over: a seed that the call does not take, a second shadow.
double __dacead_autodiff(void *, ...);

double sum(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++)
    s += x[i];
  return s;
}

void gradient(const double *x, double *dx, int n) {
#if CASE == 1
  __dacead_autodiff((void *)sum, x, dx, n, 1.0); // ERROR(1): DAD-call-too-many
#else
  __dacead_autodiff((void *)sum, x, dx, n, dx, n); // ERROR(2): DAD-call-too-many
#endif
}
