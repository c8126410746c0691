// CASES: 1-2
// Covers: active numbers that reach a function without a body only through its memory, and leave it
// only in its result: work arrays that nothing else uses, behind a pointer and behind a struct.
double __dacead_autodiff(void *, ...);
double sum(const double *work, int n);
struct view {
  const double *first;
  long n;
};
double sum_of_view(const struct view *v);

double f(double *x, int n) {
  double work[8];
  for (int i = 0; i < n; i++)
    work[i] = x[i] * x[i];
#if CASE == 1
  return sum(work, n); // ERROR(1): DAD-no-body
#else
  struct view v = {work, n};
  return sum_of_view(&v); // ERROR(2): DAD-no-body
#endif
}

void gradient(double *x, double *dx) {
  __dacead_autodiff((void *)f, x, dx, 8);
}
