// Covers: words of memory that hold numbers and pointers alike are moved as integers.
#include <stdint.h>

double __dacead_autodiff(void *, ...);

union word {
  double number;
  const double *place;
  uint64_t bits;
};

double f(const double *x, const int *code, int n) {
  union word stack[16], kept[16];
  double s = 0;
  for (int i = 0; i < n; i++)
    if (code[i])
      stack[i].number = x[i] * x[i];
    else
      stack[i].place = &x[n - 1 - i];
  for (int i = 0; i < n; i++)
    kept[n - 1 - i].bits = stack[i].bits; // ERROR: DAD-integer-or-pointer
  for (int i = 0; i < n; i++)
    s += code[n - 1 - i] ? kept[i].number : *kept[i].place;
  return s;
}

void gradient(const double *x, double *dx, const int *code, int *shadow, int n) {
  __dacead_autodiff((void *)f, x, dx, code, shadow, n);
}
