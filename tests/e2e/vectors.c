// Covers: vector types of the compiler: arithmetic, elements, comparisons, shuffles, in memory and
// by value.
// ALSO: -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all
// ALSO: -O2 -mavx2 -mfma
// FLAGS: -Wno-psabi
#include "check_gradient.h"

typedef double four __attribute__((vector_size(32)));
typedef float quad __attribute__((vector_size(16)));

static double arithmetic(double *x, int n) {
  four a = {1, 2, 3, 4}, b = {x[0], x[1], x[2], x[3]};
  for (int i = 0; i < n; i++) {
    four c = {x[i], x[i] * 2, 1, x[i] * x[i]};
    a = a * c + b;
    b = b - c / (a + 3.0);
  }
  return a[0] * b[3] + a[1] + a[2] * a[3] + b[n & 3];
}

/* Loads and stores of whole vectors, elements by a variable index. */
static double memory(double *x, int n) {
  four rows[3], s = {0};
  for (int i = 0; i < 3; i++)
    memcpy(&rows[i], x + 2 * i, sizeof rows[i]);
  for (int i = 0; i < n; i++) {
    rows[i % 3] *= rows[(i + 1) % 3];
    rows[i % 3][i & 3] += x[i];
    s += rows[i % 3];
  }
  return s[0] * s[1] + s[2] - s[3] * s[n & 1];
}

static NOINLINE four lerp(four a, four b, double t) {
  return a + (b - a) * t;
}

/* Vectors as arguments and results; the larger of each two; shuffles. */
static double by_value(double *x, int n) {
  four a = {x[0], x[1], x[2], x[3]}, b = {x[4], x[5], x[6], x[7]};
  for (int i = 0; i < n; i++) {
    a = lerp(a, b, x[i]);
    b = __builtin_elementwise_max(a * b, b + 0.25);
    b = __builtin_shufflevector(b, a, 1, 2, 4, 0);
  }
  return a[0] * a[1] + b[2] * b[3] + b[0];
}

static double single(double *x, int n) {
  quad a = {1, 2, 3, 4}, s = {0};
  for (int i = 0; i < n; i++) {
    float f = (float)x[i];
    quad c = {f, f * f, 1 - f, 2};
    s += a * c;
    a = a * 0.5f + s;
  }
  return s[0] * s[1] + a[2] * a[3];
}

int main(void) {
  CHECK(arithmetic);
  CHECK(memory);
  CHECK(by_value);
  CHECK_FLOAT(single);
  return check_done();
}
