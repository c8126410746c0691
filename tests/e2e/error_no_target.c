// Covers: a call through a pointer with active data, where no function of that type is known.
double __dacead_autodiff(void *, ...);

double integral(double (*integrand)(double, int), const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++)
    s += integrand(x[i], i); // ERROR: DAD-no-target
  return s;
}

double gradient(double (*integrand)(double, int), const double *x, double *dx, int n) {
  return __dacead_autodiff((void *)integral, integrand, integrand, x, dx, n);
}
