// Covers: structs of numbers and pointers, and arrays, carved out of one static buffer of
// characters: which of its bytes are numbers cannot be told.
#include "check_gradient.h"

static _Alignas(16) char pool[1 << 14];
static size_t used;

static NOINLINE void *take(size_t n) {
  void *p = pool + used;
  used += (n + 15) & ~(size_t)15;
  return p;
}

struct series {
  int n;
  double *d;
  double last;
};

static double arena(double *x, int n) { // ERROR: DAD-layout
  used = 0;
  struct series *a = take(sizeof *a), *b = take(sizeof *b);
  double s = 0;
  a->n = b->n = n;
  a->d = take(n * sizeof(double));
  b->d = take(n * sizeof(double));
  for (int i = 0; i < n; i++) {
    a->d[i] = x[i] * x[i];
    b->d[i] = a->d[i] * x[n - 1 - i];
  }
  a->last = a->d[n - 1];
  b->last = b->d[0] * a->last;
  for (int i = 0; i < n; i++)
    s += b->d[i] * a->d[(i + 3) % n];
  return s + b->last;
}

int main(void) {
  CHECK(arena);
  return check_done();
}
