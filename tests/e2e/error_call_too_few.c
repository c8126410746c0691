// CASES: 1-3
// Covers: arguments are missing: all, the last, the one behind a tag.
double __dacead_autodiff(void *, ...);
extern int dacead_const;

double product(double x, double y) {
  return x * y;
}

double gradient(double x) {
#if CASE == 1
  return __dacead_autodiff((void *)product) + x; // ERROR(1): DAD-call-too-few
#elif CASE == 2
  return __dacead_autodiff((void *)product, x); // ERROR(2): DAD-call-too-few
#else
  return __dacead_autodiff((void *)product, x, dacead_const); // ERROR(3): DAD-call-too-few
#endif
}
