// CASES: 1-5
// Covers: pointers to active data as integers: with a tag, hidden, linked by exclusive or, in
// halves, relative to another object.
#include <stddef.h>
#include <stdint.h>

double __dacead_autodiff(void *, ...);

struct node {
  double value;
  uintptr_t link;
};

double f(double *x, int n) {
  double s = 0;
#if CASE == 1 /* the lowest bit is a flag */
  uintptr_t tagged[16];
  for (int i = 0; i < n; i++)
    tagged[i] = (uintptr_t)&x[i] | (unsigned)(i & 1); // ERROR(1): DAD-pointer-bits
  for (int i = 0; i < n; i++)
    s += *(double *)(tagged[i] & ~(uintptr_t)1) * (tagged[i] & 1 ? 2 : 3);
#elif CASE == 2 /* pointers are stored inverted */
  uintptr_t hidden[16];
  for (int i = 0; i < n; i++)
    hidden[i] = ~(uintptr_t)&x[i]; // ERROR(2): DAD-pointer-bits
  for (int i = 0; i < n; i++)
    s += *(double *)~hidden[n - 1 - i] * x[0];
#elif CASE == 3 /* a list in both directions with one word per node */
  struct node nodes[16];
  for (int i = 0; i < n; i++) {
    uintptr_t before = i ? (uintptr_t)&nodes[i - 1] : 0,
              behind = i + 1 < n ? (uintptr_t)&nodes[i + 1] : 0;
    nodes[i].value = x[i] * x[i];
    nodes[i].link = before ^ behind; // ERROR(3): DAD-pointer-bits
  }
  uintptr_t last = 0;
  for (struct node *p = nodes; p;) {
    uintptr_t next = p->link ^ last;
    s += p->value;
    last = (uintptr_t)p;
    p = (struct node *)next;
  }
#elif CASE == 4 /* pointers are stored relative to where they are stored */
  ptrdiff_t distance[16];
  for (int i = 0; i < n; i++)
    distance[i] = (char *)&x[n - 1 - i] - (char *)&distance[i];
  for (int i = 0; i < n; i++)
    s += *(double *)((char *)&distance[i] + distance[i]) * x[i]; // ERROR(4): DAD-pointer-bits
#else           /* pointers are stored as two words */
  uint32_t low[16], high[16];
  for (int i = 0; i < n; i++) {
    low[i] = (uint32_t)(uintptr_t)&x[i]; // ERROR(5): DAD-pointer-bits
    high[i] = (uint32_t)((uintptr_t)&x[i] >> 32);
  }
  for (int i = 0; i < n; i++) {
    double *y = (double *)((uintptr_t)high[n - 1 - i] << 32 | low[n - 1 - i]);
    s += *y * x[i];
  }
#endif
  return s;
}

void gradient(double *x, double *dx, int n) {
  __dacead_autodiff((void *)f, x, dx, n);
}
