// Covers: a union of a number, an integer and a pointer, told apart by a tag.
// ALSO: -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all
#include "check_gradient.h"

/* What a union holds is told by a tag beside it. */
struct value {
  enum { NUMBER, WORD, PLACE } kind;
  union {
    double number;
    long word;
    double *place;
  } as;
};

static double tagged(double *x, int n) {
  struct value v[CHECK_N];
  for (int i = 0; i < n; i++) {
    v[i].kind = i % 3 == 0 ? NUMBER : i % 3 == 1 ? WORD : PLACE;
    switch (v[i].kind) {
    case NUMBER: v[i].as.number = x[i] * x[i]; break;
    case WORD: v[i].as.word = i; break;
    case PLACE: v[i].as.place = &x[n - 1 - i]; break;
    }
  }
  double s = 1;
  for (int i = 0; i < n; i++)
    switch (v[i].kind) {
    case NUMBER: s *= v[i].as.number; break;
    case WORD: s += v[i].as.word; break;
    case PLACE: s += *v[i].as.place * s; break;
    }
  return s;
}

int main(void) {
  CHECK(tagged);
  return check_done();
}
