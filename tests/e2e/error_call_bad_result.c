// CASES: 1-3
// Covers: the result of the marker call holds too few or too many numbers, or another type.
struct two {
  double x, y;
};
struct four {
  double a, b, c, d;
};
double __dacead_autodiff(void *, ...);
struct two __dacead_autodiff_two(void *, ...);
struct four __dacead_autodiff_four(void *, ...);
char *__dacead_autodiff_text(void *, ...);

double volume(double x, double y, double z) {
  return x * y * z;
}

double gradient(double x) {
#if CASE == 1
  return __dacead_autodiff_two((void *)volume, x, x, x).x; // ERROR(1): DAD-call-bad-result
#elif CASE == 2
  return __dacead_autodiff_four((void *)volume, x, x, x).a; // ERROR(2): DAD-call-bad-result
#else
  return *__dacead_autodiff_text((void *)volume, x, x, x); // ERROR(3): DAD-call-bad-result
#endif
}
