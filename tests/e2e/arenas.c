// Covers: structs of numbers and pointers, and arrays, carved out of one static buffer of
// characters: a word of it is a number at one time and a pointer at another.
#include "check_gradient.h"
#include <stdbool.h>
#include <string.h>

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

static double arena(double *x, int n) {
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

/* A stack machine's memory: each place holds a number, or the address of one, as the program has
 * it; it is copied, cleared and moved as a whole. */
struct machine {
  union {
    double number;
    const double *place;
  } word[16];
};

static double value(const struct machine *m, int k, bool is_number) {
  return is_number ? m->word[k].number : *m->word[k].place;
}

static double machines(double *x, int n) {
  struct machine m, saved;
  double s = 0;
  memset(&m, 0, sizeof m);
  for (int i = 0; i < n; i++)
    if (i % 3)
      m.word[i].number = x[i] * x[n - 1 - i];
    else
      m.word[i].place = &x[i];
  memcpy(&saved, &m, sizeof m);
  memset(&m, 0, sizeof m);
  for (int i = 0; i < n; i++)
    s += value(&saved, i, i % 3) * x[i];
  memmove(saved.word, saved.word + 1, (n - 1) * sizeof *saved.word);
  for (int i = 0; i + 1 < n; i++)
    s += value(&saved, i, (i + 1) % 3) * s;
  memset(&saved, 0, sizeof saved);
  for (int i = 0; i < n; i++) /* pointers where numbers were, and the other way round */
    if (i % 2)
      saved.word[i].number = s * x[i];
    else
      saved.word[i].place = &x[n - 1 - i];
  for (int i = 0; i < n; i++)
    s += value(&saved, i, i % 2);
  return s;
}

int main(void) {
  CHECK(arena);
  CHECK(machines);
  return check_done();
}
