// Covers: float, long double, and conversions between them, doubles and integers.
// ALSO: -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all
// ALSO: -O2 -mllvm -dacead-no-inline
#include "check_gradient.h"

/* long double in the middle of double. */
static double extended(double *x, int n) {
  long double a = 1;
  double s = 0;
  for (int i = 0; i < n; i++) {
    double m = x[i] > 0.6 ? x[i] * x[i] : x[i] > 0.4 ? -x[i] : 3 * x[i];
    a = a * (1 + m * 0.1L) + expl(-m);
    s += fmod(m * 3, 1.37) * fabs(m - 0.3);
  }
  return s + (double)a;
}

/* Arrays and structs of long double, on the heap and through pointers. */
struct exact {
  long double value;
  int count;
  double rounded;
};

static NOINLINE long double dot(const long double *a, const long double *b, int n) {
  long double s = 0;
  for (int i = 0; i < n; i++)
    s += a[i] * b[i];
  return s;
}

static double extended_memory(double *x, int n) {
  long double *a = malloc(n * sizeof *a), b[CHECK_N];
  struct exact e = {1, 0, 0}, f;
  for (int i = 0; i < n; i++) {
    a[i] = sinl(x[i]);
    b[i] = a[i] * x[n - 1 - i];
    e.value = e.value * 0.5L + b[i];
    e.count++;
    e.rounded = (double)e.value * x[i];
  }
  memcpy(&f, &e, sizeof f);
  memmove(a + 1, a, (n - 1) * sizeof *a);
  double s = (double)(dot(a, b, n) * f.value) * f.count + f.rounded;
  free(a);
  return s;
}

/* float throughout. */
static NOINLINE float horner(const float *c, int n, float a) {
  float s = 0;
  for (int i = n; i-- > 0;)
    s = s * a + c[i];
  return s;
}

static double single(double *x, int n) {
  float c[CHECK_N], s = 0;
  for (int i = 0; i < n; i++)
    c[i] = (float)x[i];
  for (int i = 0; i < n; i++)
    s += horner(c, n, c[i] * 0.5f) * sqrtf(c[i]);
  return s;
}

/* Sums of floats in double, of doubles in float. */
static double mixed(double *x, int n) {
  float f[CHECK_N], small = 0;
  double wide = 0;
  for (int i = 0; i < n; i++) {
    f[i] = (float)(x[i] * 0.5);
    wide += f[i] * x[i];
    small += (float)wide * f[i];
  }
  return wide * small;
}

/* Numbers become integers and integers numbers: what is between does not depend smoothly on them.
 */
static double integers(double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) {
    int whole = (int)(x[i] * 10);
    unsigned char byte = (unsigned char)(x[i] * 100);
    long rounded = lround(x[i] * 10), nearest = lrint(x[i] * 7);
    s += (x[i] * 10 - whole) * (double)rounded * x[0] + byte * x[i] + (float)nearest * x[n - 1];
  }
  return s;
}

/* The sign, the integral part and the neighbours of numbers. */
static double pieces(double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) {
    double a = (x[i] - 0.55) * 7;
    s += copysign(a * a, x[(i + 1) % n] - 0.5) + floor(a) * x[i] + ceil(a) * a + trunc(a) * x[0];
    s += round(a) * x[1] + rint(a) * x[2] + signbit(a) * x[i] + (isnan(a) ? 1 : x[i] * a);
    s += (a - floor(a)) * a;
  }
  return s;
}

int main(void) {
  CHECK(extended);
  CHECK(extended_memory);
  CHECK_FLOAT(single);
  CHECK_FLOAT(mixed);
  CHECK(integers);
  CHECK(pieces);
  return check_done();
}
