// CASES: 1-4
// Covers: atomic operations on active numbers.
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

double __dacead_autodiff(void *, ...);

static _Atomic double total;
static double plain;

double f(double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) {
#if CASE == 1             /* an atomic variable is added to */
    total += x[i] * x[i]; // ERROR(1): DAD-atomic
    s = total;
#elif CASE == 2 /* numbers are exchanged as words */
    uint64_t w;
    memcpy(&w, &x[i], sizeof w);
    w = __atomic_exchange_n((uint64_t *)&plain, w, __ATOMIC_SEQ_CST); // ERROR(2): DAD-atomic
    double before;
    memcpy(&before, &w, sizeof before);
    s += before * x[i];
#elif CASE == 3 /* a number is exchanged as such */
    double before, now = x[i];
    __atomic_exchange(&plain, &now, &before, __ATOMIC_RELAXED); // ERROR(3): DAD-atomic
    s += before * x[i];
#else           /* compare and swap until it succeeds */
    double old = plain, sum;
    bool done = false;
    while (!done) {
      sum = old + x[i];
      done = __atomic_compare_exchange(&plain, &old, &sum, 0, 5, 5); // ERROR(4): DAD-atomic
    }
    s = plain;
#endif
  }
  return s * x[0];
}

void gradient(double *x, double *dx, int n) {
  __dacead_autodiff((void *)f, x, dx, n);
}
