// CASES: 1-2
// Covers: setjmp and longjmp inside of a differentiated function, and a longjmp out of it.
#include <setjmp.h>

double __dacead_autodiff(void *, ...);

static jmp_buf back;

__attribute__((noinline)) static void leave(double *s, double a) {
  *s = a * a;
  longjmp(back, 1); // ERROR(2): DAD-nonlocal-jump
}

double f(double *x, int n) {
  volatile int round = 0;
  double s = 0;
#if CASE == 1
  if (setjmp(back)) // ERROR(1): DAD-nonlocal-jump
    return s * x[0] + round;
#endif
  round = n;
  leave(&s, x[1]);
  return x[2];
}

double gradient(double *x, double *dx, int n) {
  return setjmp(back) ? 0 : __dacead_autodiff((void *)f, x, dx, n);
}
