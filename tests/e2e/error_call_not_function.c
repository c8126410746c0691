// CASES: 1-3
// Covers: the first argument of a marker call is no function: a pointer to one, a number's address,
// nothing.
double __dacead_autodiff(void *, ...);

double id(double x) {
  return x;
}

double numbers[3];

double gradient(double (*f)(double), double x) {
#if CASE == 1
  return __dacead_autodiff((void *)f, x); // ERROR(1): DAD-call-not-function
#elif CASE == 2
  return f ? __dacead_autodiff(numbers, x) : 0; // ERROR(2): DAD-call-not-function
#else
  return __dacead_autodiff(x > 0 ? (void *)f : (void *)id, x); // ERROR(3): DAD-call-not-function
#endif
}
