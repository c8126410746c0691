// Covers: goto, switch, irreducible loops, early and missing returns.
// ALSO: -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all
// ALSO: -O2 -mllvm -dacead-passes=none
// ALSO: -O2 -mllvm -dacead-passes=large
#include "check_gradient.h"

/* A state machine that enters two cycles in the middle; a counted loop lies inside. */
static double irreducible(double *x, int n) {
  double acc = 1;
  int i = 0, start = (int)(x[0] * 10) & 1;
  if (start)
    goto second;
first:
  acc = acc * x[i] + 0.5;
  i++;
  if (i >= n)
    goto end;
second:
  for (int k = 0; k < 3; k++)
    acc += 0.1 * acc * x[i] * k;
  i++;
  if (i >= n)
    goto end;
  if (acc > 1.5)
    goto third;
  goto first;
third:
  acc = sqrt(acc) + x[i];
  i++;
  if (i >= n)
    goto end;
  goto second;
end:
  return acc;
}

/* A loop made of two gotos that share their tail. */
static double goto_loop(double *x, int n) {
  double s = x[0];
  int i = 1;
again:
  if (i >= n)
    return s;
  if (s > 1)
    goto shrink;
  s += x[i] * s;
  goto next;
shrink:
  s = s * x[i] / 3;
next:
  i++;
  goto again;
}

/* Duff's device: a switch into a loop. */
static double duff(double *x, int n) {
  double s = 1;
  int i = 0, rounds = (n + 3) / 4;
  switch (n & 3) {
  case 0:
    do {
      s += x[i] * s * 0.2;
      i++;
      __attribute__((fallthrough));
    case 3:
      s += sin(x[i]);
      i++;
      __attribute__((fallthrough));
    case 2:
      s *= 1 + x[i];
      i++;
      __attribute__((fallthrough));
    case 1: s -= x[i] * x[i]; i++;
    } while (--rounds > 0);
  }
  return s;
}

/* A switch with cases that fall through, a default in the middle and ranges of labels. */
static double switches(double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) {
    switch (i * i % 11) {
    case 0: s += x[i]; __attribute__((fallthrough));
    case 1: s *= x[i]; break;
    case 4:
      if (s > 0.5)
        continue;
      s += 2 * x[i];
      break;
    default: s += sqrt(x[i]); __attribute__((fallthrough));
    case 3:
    case 5: s += x[i] * x[(i + 1) % n]; break;
    case 9: s -= x[i] * s;
    }
  }
  return s;
}

/* Several returns, some of them inside of loops. */
static double early(double *x, int n) {
  if (x[0] > 5)
    return x[1];
  double s = 0;
  for (int i = 0; i < n; i++) {
    s += x[i] * x[i];
    if (s > 1.1)
      return s * x[i] + x[0];
  }
  return s;
}

/* What cannot be reached: after abort, and where the compiler was told so. */
static NOINLINE double scale(double a, int kind) {
  switch (kind) {
  case 0: return a * a;
  case 1: return 1 / a;
  case 2: abort();
  default: __builtin_unreachable();
  }
}

static double unreachable(double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++)
    s += scale(x[i], i & 1) * x[n - 1 - i];
  return s;
}

/* A chain of choices, made by ?: on active numbers. */
static double choices(double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) {
    double m = x[i] > 0.6 ? x[i] * x[i] : x[i] > 0.4 ? -x[i] : 3 * x[i];
    double k = (i & 1) && m > 0 ? m * x[0] : !i || m < -0.5 ? m / x[0] : m;
    s += k * fabs(m - 0.3);
  }
  return s;
}

int main(void) {
  CHECK(irreducible);
  CHECK(goto_loop);
  CHECK(duff);
  CHECK(switches);
  CHECK(early);
  CHECK(unreachable);
  CHECK(choices);
  return check_done();
}
