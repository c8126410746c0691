// Covers: complex numbers of C, and their library functions that compute by parts.
// ALSO: -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all
// ALSO: -O2 -ffast-math
#include "check_gradient.h"
#include <complex.h>

static double polynomial(double *x, int n) {
  double complex z = x[0] + x[1] * I, s = 1;
  for (int i = 0; i < n; i++)
    s = s * z + x[i];
  return creal(s) * cimag(s);
}

/* Division, conjugates, arrays and structs of complex numbers. */
struct wave {
  double complex amplitude;
  double frequency;
};

static double waves(double *x, int n) {
  struct wave w[CHECK_N];
  double complex sum = 0;
  for (int i = 0; i < n; i++) {
    w[i].amplitude = x[i] - x[n - 1 - i] * x[0] * I;
    w[i].frequency = x[i] * i;
  }
  for (int i = 0; i < n; i++) {
    double phase = w[i].frequency;
    sum += w[i].amplitude / (2 + w[(i + 1) % n].amplitude) * (cos(phase) + sin(phase) * I);
    sum += conj(w[i].amplitude) * w[n - 1 - i].amplitude;
  }
  return creal(sum) + 2 * cimag(sum);
}

/* The discrete Fourier transform by definition; the power of its parts. */
static double transform(double *x, int n) {
  double s = 0;
  for (int k = 0; k < n; k++) {
    double complex sum = 0;
    for (int i = 0; i < n; i++) {
      double angle = 2 * 3.141592653589793 * i * k / n;
      sum += x[i] * (cos(angle) - sin(angle) * I);
    }
    s += (creal(sum) * creal(sum) + cimag(sum) * cimag(sum)) * k;
  }
  return s;
}

static NOINLINE float complex rotate(float complex a, float complex b) {
  return a * b;
}

static double single(double *x, int n) {
  float complex z = 1;
  for (int i = 0; i < n; i++)
    z = rotate(z, (float)x[i] + 0.5f * I) + 0.1f;
  return crealf(z) * cimagf(z);
}

int main(void) {
  CHECK(polynomial);
  CHECK(waves);
  CHECK(transform);
  CHECK_FLOAT(single);
  return check_done();
}
