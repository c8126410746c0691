// Covers: a variadic function is to be differentiated.
#include <stdarg.h>

double __dacead_autodiff(void *, ...);

double sum(int n, ...) {
  va_list list;
  double s = 0;
  va_start(list, n);
  while (n--)
    s += va_arg(list, double);
  va_end(list);
  return s;
}

double gradient(double x) {
  return __dacead_autodiff((void *)sum, 2, x, x); // ERROR: DAD-call-variadic
}
