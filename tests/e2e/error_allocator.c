// Covers: a pointer to active data comes from a function that is only declared.
double __dacead_autodiff(void *, ...);
void *pool_take(unsigned long bytes);

double f(const double *x, int n) {
  double *t = pool_take((unsigned long)n * sizeof *t), s = 0; // ERROR: DAD-allocator
  for (int i = 0; i < n; i++)
    t[i] = x[i] * x[i];
  for (int i = 0; i < n; i++)
    s += t[i] * t[n - 1 - i];
  return s;
}

void gradient(const double *x, double *dx, int n) {
  __dacead_autodiff((void *)f, x, dx, n);
}
