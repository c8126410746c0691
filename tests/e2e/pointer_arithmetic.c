// Covers: pointers computed from the bits of one address: aligned by hand, with a tag, in halves.
// ALSO: -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all
// ALSO: -O3 -mavx2
#include "check_gradient.h"
#include <stdint.h>

typedef double four __attribute__((vector_size(32), may_alias));

static void *aligned(void *p, uintptr_t to) {
  return (void *)(((uintptr_t)p + to - 1) & ~(to - 1));
}

/* A block that is aligned by hand, and then accessed by vectors. */
static double aligned_block(double *x, int n) {
  char *block = malloc(12 * sizeof(double) + 64);
  double *p = aligned(block + 8, 64), s = 0;
  for (int i = 0; i < 12; i++)
    p[i] = x[i % n] * x[(i + 1) % n];
  four sum = {0};
  for (int i = 0; i < 12; i += 4) {
    four v = *(four *)&p[i];
    sum += v * v;
    *(four *)&p[i] = v * sum;
  }
  for (int i = 0; i < 12; i++)
    s += p[i] * (i + 1);
  free(block);
  return s + sum[1];
}

/* The address before the aligned block leads back to what is to be freed. */
static NOINLINE double *take(size_t n) {
  char *block = malloc(n * sizeof(double) + 128);
  double *p = aligned(block + sizeof block, 64);
  memcpy((char *)p - sizeof block, &block, sizeof block);
  return p;
}

static NOINLINE void give(double *p) {
  char *block;
  memcpy(&block, (char *)p - sizeof block, sizeof block);
  free(block);
}

static double aligned_allocator(double *x, int n) {
  double *a = take(n), *b = take(n), s = 0;
  for (int i = 0; i < n; i++) {
    a[i] = x[i] * x[i];
    b[n - 1 - i] = a[i] * x[0];
  }
  for (int i = 0; i < n; i++)
    s += a[i] * b[i];
  give(a);
  give(b);
  return s;
}

/* The lowest bit of an address is a flag, in registers. */
static double tagged(double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) {
    uintptr_t p = (uintptr_t)&x[i] | (x[i] > 0.55);
    double *q = (double *)(p & ~(uintptr_t)1);
    s += p & 1 ? *q * *q : *q * x[0];
    *q *= 1.5;
  }
  return s;
}

/* An address that is taken apart and put together, and one that is hidden. */
static double halves(double *x, int n) {
  uint32_t low = (uint32_t)(uintptr_t)x, high = (uint32_t)((uintptr_t)x >> 32);
  double *y = (double *)((uintptr_t)high << 32 | low), s = 0;
  uintptr_t hidden = ~(uintptr_t)(x + 1);
  for (int i = 0; i < n; i++)
    s += y[i] * y[(i + 2) % n];
  return s * *(double *)~hidden;
}

int main(void) {
  CHECK(aligned_block);
  CHECK(aligned_allocator);
  CHECK(tagged);
  CHECK(halves);
  return check_done();
}
