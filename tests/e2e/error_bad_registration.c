// CASES: 1-3
// Covers: registered derivatives that do not fit the function, or the mode.
double __dacead_autodiff(void *, ...);
double __dacead_fwddiff(void *, ...);

double square(double x) {
  return x * x;
}

double square_augmented(double x) {
  return x * x;
}

double square_reverse(double x, double seed) {
  return 2 * x * seed;
}

double unlike(int a, const char *b) {
  return a + *b;
}

#if CASE == 1 /* the reverse takes other arguments */
void *__dacead_register_gradient_square[] = {(void *)square, (void *)square_augmented,
                                             (void *)unlike};
#elif CASE == 2 /* the augmented function takes other arguments */
void *__dacead_register_gradient_square[] = {(void *)square, (void *)unlike,
                                             (void *)square_reverse};
#else           /* only for reverse mode, but used in forward mode */
void *__dacead_register_gradient_square[] = {(void *)square, (void *)square_augmented,
                                             (void *)square_reverse};
#endif

double f(double x) {
  return square(x) * x; // ERROR: DAD-bad-registration
}

double gradient(double x) {
#if CASE == 3
  return __dacead_fwddiff((void *)f, x, 1.0);
#else
  return __dacead_autodiff((void *)f, x);
#endif
}
