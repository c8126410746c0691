// Covers: whole numbers copied and swapped byte by byte, by hand.
// ALSO: -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all
#include "check_gradient.h"

/* A copy as memcpy's is written in textbooks. */
static NOINLINE void copy(void *to, const void *from, size_t n) {
  char *t = to;
  const char *f = from;
  for (size_t i = 0; i < n; i++)
    t[i] = f[i];
}

static double copied(double *x, int n) {
  double y[CHECK_N];
  copy(y, x, sizeof y);
  double s = 0;
  for (int i = 0; i < n; i++)
    s += y[i] * x[n - 1 - i] * i;
  copy(&s, y, sizeof s);
  copy(x, y + 1, sizeof(double));
  return s * x[0];
}

/* A swap byte by byte, as qsort's is written. */
static NOINLINE void swap(char *a, char *b, size_t n) {
  while (n--) {
    char t = *a;
    *a++ = *b;
    *b++ = t;
  }
}

static double swapped(double *x, int n) {
  for (int i = 0; i < n / 2; i++)
    swap((char *)&x[i], (char *)&x[n - 1 - i], sizeof *x);
  double s = 0;
  for (int i = 0; i < n; i++)
    s += x[i] * x[i] * i;
  return s;
}

int main(void) {
  CHECK(copied);
  CHECK(swapped);
  return check_done();
}
