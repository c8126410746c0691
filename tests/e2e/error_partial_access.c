// CASES: 1-8
// Covers: accesses to part of an active number in memory; overlapping copies and swaps of numbers
// byte by byte.
#include <stdint.h>
#include <string.h>

double __dacead_autodiff(void *, ...);

static void copy(void *to, const void *from, size_t n) {
  char *t = to;
  const char *f = from;
  for (size_t i = 0; i < n; i++)
    t[i] = f[i]; // ERROR(6): DAD-partial-access
}

static void swap(char *a, char *b, size_t n) {
  while (n--) {
    char t = *a; // ERROR(7): DAD-partial-access
    *a++ = *b;
    *b++ = t;
  }
}

double f(double *x, int n) {
  double y[16] = {0}, s = 0;
  memcpy(y, x, 9 * sizeof *y);
#if CASE == 1 /* the low half of each number is cleared */
  for (int i = 0; i < n; i++)
    ((uint32_t *)y)[2 * i] = 0; // ERROR(1): DAD-partial-access
#elif CASE == 2                 /* the order of the bytes is turned */
  for (int i = 0; i < n; i++) {
    unsigned char *b = (unsigned char *)&y[i];
    for (int k = 0; k < 4; k++) {
      unsigned char t = b[k]; // ERROR(2): DAD-partial-access
      b[k] = b[7 - k];
      b[7 - k] = t;
    }
  }
#elif CASE == 3                 /* the exponent by 16 bits */
  for (int i = 0; i < n; i++)
    ((uint16_t *)&y[i])[3] += 0x10; // ERROR(3): DAD-partial-access
#elif CASE == 4                 /* five of eight bytes are copied */
  for (int i = 0; i < n; i++)
    for (int k = 3; k < 8; k++)
      ((char *)&y[n - 1 - i])[k] = ((char *)&x[i])[k]; // ERROR(4): DAD-partial-access
#elif CASE == 5                 /* a word that lies across two numbers */
  uint64_t across;
  memcpy(&across, (char *)x + 4, sizeof across); // ERROR(5): DAD-partial-access
  memcpy((char *)y + 12, &across, sizeof across);
#elif CASE == 6                 /* byte by byte, into what is still to be copied */
  copy(x + 1, x, (n - 1) * sizeof *y);
#elif CASE == 8                 /* the low half of each number again */
  for (int i = 0; i < n; i++)
    memset(&y[i], 0, 4); // ERROR(8): DAD-partial-access
#else                           /* swapped as qsort does it */
  for (int i = 0; i < n / 2; i++)
    swap((char *)&y[i], (char *)&y[n - 1 - i], sizeof *y);
#endif
  for (int i = 0; i < n; i++)
    s += y[i] * x[i];
  return s;
}

void gradient(double *x, double *dx, int n) {
  __dacead_autodiff((void *)f, x, dx, n);
}
