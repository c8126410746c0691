// CASES: 1-12
// Covers: arithmetic on the bits of active numbers whose result becomes a number again.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

double __dacead_autodiff(void *, ...);

union bits {
  double d;
  uint64_t u;
};

static float inverse_root(float a) {
  int32_t i;
  float y;
  memcpy(&i, &a, sizeof i);
  i = 0x5f3759df - (i >> 1); // ERROR(1): DAD-bits
  memcpy(&y, &i, sizeof y);
  return y * (1.5f - 0.5f * a * y * y);
}

static void exchange(uint64_t *a, uint64_t *b) {
  *a ^= *b; // ERROR(5): DAD-bits
  *b ^= *a;
  *a ^= *b;
}

double f(double *x, int n) {
  double s = 0, y[16] = {0};
  uint64_t w[16] = {0};
#if CASE == 1 /* the fast inverse square root */
  for (int i = 0; i < n; i++)
    s += inverse_root((float)x[i]) * y[i & 15];
#elif CASE == 2 /* the words of a copied array are encrypted and decrypted */
  memcpy(w, x, 9 * sizeof *w);
  for (int i = 0; i < n; i++)
    w[i] ^= 0x5bd1e995u * (uint64_t)i; // ERROR(2): DAD-bits
  for (int i = 0; i < n; i++)
    w[i] ^= 0x5bd1e995u * (uint64_t)i;
  memcpy(y, w, 9 * sizeof *y);
#elif CASE == 3 /* the absolute value by a mask */
  for (int i = 0; i < n; i++) {
    union bits b = {x[i]};
    b.u &= 0x7fffffffffffffff; // ERROR(3): DAD-bits
    y[i] = b.d;
  }
#elif CASE == 4 /* twice the number by its exponent */
  for (int i = 0; i < n; i++) {
    union bits b = {x[i]};
    b.u += (uint64_t)1 << 52; // ERROR(4): DAD-bits
    y[i] = b.d;
  }
#elif CASE == 5 /* two numbers swapped by three exclusive ors, in memory */
  exchange((uint64_t *)&x[0], (uint64_t *)&x[n - 1]);
  y[1] = x[0];
#elif CASE == 6 /* the leading bits alone: a number is rounded */
  for (int i = 0; i < n; i++) {
    union bits b = {x[i] * x[i]};
    b.u &= ~(uint64_t)0xffffffff; // ERROR(6): DAD-bits
    y[i] = b.d;
  }
#elif CASE == 7 /* the words of the argument itself, through a pointer */
  uint64_t *p = (uint64_t *)x;
  p[n - 1] |= 1; // ERROR(7): DAD-bits
  y[1] = x[n - 1];
#elif CASE == 8 /* the sign is moved from one number to another */
  union bits a = {x[0]}, b = {x[1]};
  a.u = (a.u & 0x7fffffffffffffff) | (b.u & 0x8000000000000000); // ERROR(8): DAD-bits
  y[1] = a.d;
#elif CASE == 9 /* a checksum that is subtracted again */
  uint64_t sum = 0;
  for (int i = 0; i < n; i++) {
    memcpy(&w[i], &x[i], sizeof *w);
    sum += w[i]; // ERROR(9): DAD-bits
  }
  for (int i = 1; i < n; i++)
    sum -= w[i];
  memcpy(&y[0], &sum, sizeof sum);
#elif CASE == 11 /* an exponential function: the value, rounded, becomes the bits */
  for (int i = 0; i < n; i++) {
    union bits b = {0};
    b.u = (uint64_t)(6497320848556798.0 * x[i] + 4606853616395542500.0); // ERROR(11): DAD-bits
    y[i] = b.d;
  }
#elif CASE == 12 /* the same with the upper half alone */
  for (int i = 0; i < n; i++) {
    int32_t half[2] = {0, (int32_t)(1512775 * x[i] + 1072632447)}; // ERROR(12): DAD-bits
    memcpy(&y[i], half, sizeof half);
  }
#else           /* bits that are shifted by less than a number */
  for (int i = 0; i < n; i++) {
    union bits b = {x[i]};
    b.u = b.u >> 4 << 4; // ERROR(10): DAD-bits
    y[i] = b.d;
  }
#endif
  for (int i = 0; i < n; i++)
    s += y[i] * x[i];
  return s;
}

void gradient(double *x, double *dx, int n) {
  __dacead_autodiff((void *)f, x, dx, n);
}
