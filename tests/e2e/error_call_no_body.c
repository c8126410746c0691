// Covers: the function to differentiate is only declared here.
double __dacead_autodiff(void *, ...);
double elsewhere(double x);

double gradient(double x) {
  return __dacead_autodiff((void *)elsewhere, x); // ERROR: DAD-call-no-body
}
