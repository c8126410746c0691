// CASES: 1-3
// Covers: the shadow of a pointer is missing: at the end, before a tag, in forward mode that of a
// number.
double __dacead_autodiff(void *, ...);
double __dacead_fwddiff(void *, ...);
extern int dacead_const, dacead_dup;

double first(const double *x) {
  return x[0];
}

double f(const double *x, double by) {
  return x[0] * by;
}

void gradient(const double *x) {
#if CASE == 1
  __dacead_autodiff((void *)first, x); // ERROR(1): DAD-call-no-shadow
#elif CASE == 2
  __dacead_autodiff((void *)f, dacead_dup, x, dacead_const, 2.0); // ERROR(2): DAD-call-no-shadow
#else
  __dacead_fwddiff((void *)f, x, x, 2.0); // ERROR(3): DAD-call-no-shadow
#endif
}
