// CASES: 1-2
// Covers: the differentiated function computes derivatives itself, at once or further down.
double __dacead_autodiff(void *, ...);
double __dacead_fwddiff(void *, ...);

double cube(double x) {
  return x * x * x;
}

double slope(double x) {
  return __dacead_autodiff((void *)cube, x); // ERROR: DAD-nested
}

double f(double x) {
  return slope(x) * x;
}

double gradient(double x) {
#if CASE == 1
  return __dacead_fwddiff((void *)slope, x, 1.0);
#else
  return __dacead_autodiff((void *)f, x);
#endif
}
