// Covers: memory that holds pointers and floats in an unknown order is copied as a whole.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

double __dacead_autodiff(void *, ...);

/* A stack machine's memory: each place holds a number, or the address of one, as the program has
 * it. */
struct machine {
  char bytes[256];
};

static void put_number(struct machine *m, int at, float a) {
  memcpy(m->bytes + at, &a, sizeof a);
}

static void put_place(struct machine *m, int at, const double *p) {
  memcpy(m->bytes + at, &p, sizeof p);
}

double f(const double *x, const int *code, int n) {
  struct machine m, saved;
  double s = 0;
  memset(&m, 0, sizeof m);
  for (int i = 0; i < n; i++)
    if (code[i] & 1)
      put_number(&m, code[i] / 2 * 8, (float)(x[i] * x[i]));
    else
      put_place(&m, code[i] / 2 * 8, &x[i]);
  memcpy(&saved, &m, sizeof m); // ERROR: DAD-layout
  for (int i = 0; i < n; i++) {
    float a;
    const double *p;
    memcpy(&a, saved.bytes + code[i] / 2 * 8, sizeof a);
    memcpy(&p, saved.bytes + code[i] / 2 * 8, sizeof p);
    s += code[i] & 1 ? a : *p;
  }
  return s;
}

void gradient(const double *x, double *dx, const int *code, int *shadow, int n) {
  __dacead_autodiff((void *)f, x, dx, code, shadow, n);
}
