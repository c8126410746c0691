// CASES: 1-3
// Covers: calls with active data of functions that are only declared: by value, through memory,
// through a struct.
double __dacead_autodiff(void *, ...);
double transformed(double x);
void sort_numbers(double *x, int n);
struct state {
  int step;
  double *x;
};
void advance(struct state *s);

double f(double *x, int n) {
#if CASE == 1
  return x[0] * transformed(x[n - 1]); // ERROR(1): DAD-no-body
#elif CASE == 2
  sort_numbers(x, n); // ERROR(2): DAD-no-body
  return x[0];
#else
  struct state s = {n, x};
  advance(&s); // ERROR(3): DAD-no-body
  return s.x[0];
#endif
}

void gradient(double *x, double *dx, int n) {
  __dacead_autodiff((void *)f, x, dx, n);
}
