// CASES: 1-2
// Covers: globals that another file defines and that carry derivatives: a number, an array, a
// pointer.
double __dacead_autodiff(void *, ...);

extern double numbers[16], *place;

double f(double *x, int n) {
  double s = 0;
#if CASE == 1
  for (int i = 0; i < n; i++)
    numbers[i] = x[i]; // ERROR(1): DAD-global-elsewhere
  s = numbers[1] * numbers[2];
#else
  place = x; // ERROR(2): DAD-global-elsewhere
  s = place[1] * place[n - 1];
#endif
  return s * x[2];
}

void gradient(double *x, double *dx, int n) {
  __dacead_autodiff((void *)f, x, dx, n);
}
