// Covers: globals: numbers, arrays, structs, pointers, functions; locals that are static;
// variables of the thread.
// ALSO: -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all
// ALSO: -O2 -mllvm -dacead-no-inline
#include "check_gradient.h"

/* A pointer that walks through a global array, and a struct of such pointers. */
static double pool[2 * CHECK_N], *current;
static struct { double *low, *high; } section;

static NOINLINE void put(double a) {
  *current++ = a * a;
}

static double walking(double *x, int n) {
  current = pool;
  for (int i = 0; i < n; i++)
    put(x[i] + 1);
  section.low = pool;
  section.high = current;
  double s = 0;
  for (double *p = section.low; p < section.high; p++) {
    *p *= x[p - section.low];
    s += *p * *p;
  }
  return s;
}

/* State in nested structs, set by one function and read by another. */
static struct {
  struct {
    int n;
    double *p[4];
  } in;
  struct {
    double sum[4];
    double *best;
  } out;
} state;

static NOINLINE void set_up(double *x, int n) {
  state.in.n = n;
  for (int i = 0; i < 4; i++)
    state.in.p[i] = x + i * 2;
}

static NOINLINE void work(void) {
  for (int i = 0; i < 4; i++) {
    state.out.sum[i] = 0;
    for (int k = 0; k < 2; k++)
      state.out.sum[i] += state.in.p[i][k] * state.in.p[(i + 1) % 4][0];
  }
  state.out.best = &state.out.sum[state.in.n % 4];
}

static double nested(double *x, int n) {
  set_up(x, n);
  work();
  return *state.out.best * state.out.sum[0] + state.out.sum[3] * x[8];
}

/* A table in a static local, filled on the way. */
static NOINLINE double memo(int k, double x, bool clear) {
  static double table[CHECK_N + 1];
  static int known[CHECK_N + 1];
  if (clear) {
    memset(known, 0, sizeof known);
    return 0;
  }
  if (k == 0)
    return x;
  if (known[k])
    return table[k];
  double r = memo(k - 1, x, false) * x + memo(k / 2, x, false);
  known[k] = 1;
  return table[k] = r;
}

static double memoized(double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) {
    memo(0, 0, true);
    s += memo(i, x[i], false);
  }
  return s;
}

/* A global number that is overwritten, and constants of which some are never written. */
static double factor;
static double weights[CHECK_N] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
static const double table[3] = {0.5, 0.25, 0.125};

static double numbers(double *x, int n) {
  double s = 0;
  factor = x[0];
  for (int i = 0; i < n; i++) {
    s += factor * x[i] * weights[i] * table[i % 3];
    factor = s * 0.1;
    weights[i] = 9 - i;
  }
  s += factor * weights[n / 2];
  for (int i = 0; i < n; i++)
    weights[i] = i + 1;
  return s;
}

/* A variable of the thread. */
static _Thread_local double total;
static _Thread_local double *where;

static NOINLINE void add(double a) {
  total = total * 0.5 + a * a;
}

static double per_thread(double *x, int n) {
  where = &total;
  total = x[0];
  for (int i = 0; i < n; i++)
    add(x[i] * *where);
  return *where;
}

/* A global that leads to memory of its own, allocated at first use and kept between calls. The
 * first use is in a gradient: what other code has allocated has no shadow. */
static double *scratch;

static double kept_block(const double *x, int n) {
  if (!scratch)
    scratch = malloc(n * sizeof *scratch);
  for (int i = 0; i < n; i++)
    scratch[i] = x[i] * x[n - 1 - i];
  double s = 0;
  for (int i = 0; i < n; i++)
    s += scratch[i] * scratch[(i + 1) % n];
  return s;
}

static void check_kept_block(void) {
  double x[3] = {2, 3, 5}, dx[3], tangent;
  for (int round = 0; round < 3; round++) {
    memset(dx, 0, sizeof dx);
    __dacead_autodiff((void *)kept_block, x, dx, 3);
    check_close("kept block, first", dx[0], 2 * x[1] * x[1] * x[2] + 2 * x[0] * x[2] * x[2], 1e-15);
    check_close("kept block, middle", dx[1], 4 * x[0] * x[1] * x[2], 1e-15);
    x[round] += kept_block(x, 3) / 100;
  }
  memset(dx, 0, sizeof dx);
  dx[0] = 1;
  tangent = __dacead_fwddiff((void *)kept_block, x, dx, 3);
  check_close("forward", tangent, 2 * x[1] * x[1] * x[2] + 2 * x[0] * x[2] * x[2], 1e-15);
}

/* Pointers between globals, in their initialisers. */
static double one[3], two[3];
static struct {
  double *at;
  int n;
} lists[2] = {{one + 1, 2}, {two, 3}};

static double initialised(double *x, int n) {
  double s = 0;
  for (int q = 0; q < 2; q++)
    for (int i = 0; i < lists[q].n; i++)
      lists[q].at[i] = x[i + 3 * q] * x[n - 1];
  for (int i = 0; i < 3; i++)
    s += one[i] * two[i] + two[i];
  return s;
}

int main(void) {
  CHECK(walking);
  CHECK(nested);
  CHECK(memoized);
  CHECK(numbers);
  CHECK(per_thread);
  check_kept_block();
  CHECK(initialised);
  return check_done();
}
