// CASES: 1-3
// LEVELS(3): -O0
// Covers: library functions with callbacks, on active data: sorting of numbers and of structs,
// searching.
#include <stdlib.h>

double __dacead_autodiff(void *, ...);

struct item {
  int key;
  double value;
};

static int by_value(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static int by_key(const void *a, const void *b) {
  return ((const struct item *)a)->key - ((const struct item *)b)->key;
}

double f(double *x, int n) {
  double s = 0;
#if CASE == 1
  qsort(x, (size_t)n, sizeof *x, by_value); // ERROR(1): DAD-library-callback
#elif CASE == 2
  struct item items[16];
  for (int i = 0; i < n; i++) {
    items[i].key = i * 5 % n;
    items[i].value = x[i];
  }
  qsort(items, (size_t)n, sizeof *items, by_key); // ERROR(2): DAD-library-callback
  s = items[0].value * items[1].value + (by_value(x, x + 1) > 0);
#else
  struct item items[16], key = {3, 0};
  for (int i = 0; i < n; i++) {
    items[i].key = i;
    items[i].value = x[i];
  }
  struct item *found;
  found = bsearch(&key, items, (size_t)n, sizeof *items, by_key); // ERROR(3): DAD-library-callback
  s = found->value * by_value(x, x + 1);
#endif
  for (int i = 0; i < n; i++)
    s += x[i] * i;
  return s + by_key(&(struct item){1, 0}, &(struct item){2, 0});
}

void gradient(double *x, double *dx, int n) {
  __dacead_autodiff((void *)f, x, dx, n);
}
