// Covers: stores that the reverse sweep undoes, to cells that the caller sees: all must hold the
// final values afterwards. Elements with gaps that hold the shadow, backward loops, conditional
// stores, blocks that are known elsewhere and freed, stack memory of loops.
// ALSO: -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all
// ALSO: -O2 -mllvm -dacead-no-undo
#include "check_gradient.h"

/* Every product reads an element that a later one overwrites, through another pointer. */
static NOINLINE void multiply(double *out, const double *a, const double *b, int rows, int n) {
  for (int r = 0; r < rows; r++) {
    double sum = 0;
    for (int i = 0; i < n; i++)
      sum += a[r + i] * b[i];
    out[r] = sum;
  }
}

static double layers(double *x, int n) {
  for (int l = 0; l < 3; l++) {
    multiply(x + 4, x, x + 6, 2, 3);
    multiply(x, x + 3, x + 5, 3, n / 2);
  }
  return x[0] * x[1] + x[4];
}

/* The same element is overwritten in each step, upward and downward, and by some iterations only.
 */
static double there_and_back(double *x, int n) {
  for (int t = 0; t < 3; t++) {
    for (int i = 1; i < n; i++)
      x[i] = sin(x[i]) + x[i - 1] * x[i];
    for (int i = n - 2; i >= 0; i--)
      x[i] += 0.1 * x[i] * x[i + 1];
    for (int i = 0; i < n; i++)
      if (i % 3 != t)
        x[i] *= 0.5 + 0.1 * x[n - 1 - i];
  }
  return x[0] + x[n - 1];
}

/* Elements of eight bytes in steps of 24, and integers and floats that decide. */
static double strides(double *x, int n) {
  static int order[CHECK_N];
  static float weight[3 * CHECK_N];
  static unsigned char used[CHECK_N];
  double s = 0;
  for (int i = 0; i < n; i++) {
    order[i] = i * 4 % n;
    used[i] = i % 2;
    for (int k = 0; k < 3; k++)
      weight[3 * i + k] = (float)(i + k) / 8;
  }
  for (int t = 0; t < 4; t++)
    for (int i = 0; i + 2 < n; i += 3) {
      x[i] = x[i] * x[i + t % 3] * weight[3 * i + 1];
      x[i + 1] += x[order[i]] * x[i] * used[i];
      weight[3 * i + 1] += 0.5f;
      used[i] ^= 1;
      order[i] = order[n - 1 - i];
    }
  for (int i = 0; i < n; i++)
    s += x[i] * x[i];
  return s;
}

/* Weights that all read, of which each step changes one: where, says an array that changes as well.
 */
static double moving_places(double *x, int n) {
  static float weight[CHECK_N];
  static int where[CHECK_N];
  double s = 0;
  for (int i = 0; i < n; i++) {
    where[i] = i * 2 % n;
    weight[i] = (float)(i + 1) / 16;
  }
  for (int t = 0; t < 2; t++)
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++)
        s += weight[j] * x[j] * s * 0.1 + x[i];
      weight[where[i]] += 0.25f;
      where[i] = where[n - 1 - i];
    }
  return s;
}

/* Blocks that a table knows as well, which are freed. */
struct table {
  double *row[3];
};

static NOINLINE void fill(struct table *t, const double *x, int n) {
  for (int k = 0; k < 3; k++) {
    t->row[k] = malloc(n * sizeof(double));
    for (int i = 0; i < n; i++)
      t->row[k][i] = x[(i + k) % n];
  }
}

static double table(double *x, int n) {
  struct table *t = malloc(sizeof *t);
  double s = 0;
  for (int round = 0; round < 3; round++) {
    fill(t, x, n);
    for (int i = 0; i < n; i++) {
      double *from = t->row[i % 3], *to = t->row[(i + round) % 3];
      to[i] = from[i] * from[(i + 1) % n];
      x[i] += to[i] * to[(i + 2) % n];
    }
    for (int k = 0; k < 3; k++) {
      s += t->row[k][round] * t->row[k][round + 1];
      free(t->row[k]);
    }
  }
  free(t);
  return s;
}

/* An array that ends with the iteration, known through memory only. */
struct view {
  double *at;
};

static NOINLINE double *through(struct view *v) {
  return v->at;
}

static double scratch(double *x, int n) {
  struct view *v = malloc(sizeof *v);
  double s = 0;
  for (int t = 1; t < 4; t++) {
    double own[n + t];
    v->at = own;
    double *p = through(v);
    for (int i = 0; i < n; i++)
      p[i] = x[i] * t;
    for (int i = 1; i < n; i++)
      p[i] *= p[i - 1] * p[i];
    x[t] = p[n - 1] + p[1] * x[0];
    s += x[t] * x[t];
  }
  free(v);
  return s;
}

/* A number beside its derivative: the gaps between the numbers are not the gradient's to restore.
 */
struct pair {
  double value, shadow;
};

static double recurrence(double *x, int n) {
  for (int t = 0; t < 2; t++)
    for (int i = 2; i < 2 * n; i += 2)
      x[i] *= x[i - 2] * x[i];
  return x[2 * n - 2] * x[0];
}

static double plain(double *x, int n) {
  double y[2 * CHECK_N];
  for (int i = 0; i < n; i++)
    y[2 * i] = x[i];
  return recurrence(y, n);
}

static void check_pairs(void) {
  struct pair p[CHECK_N];
  double x[CHECK_N], dx[CHECK_N] = {0};
  for (int i = 0; i < CHECK_N; i++) {
    p[i].value = x[i] = 1 + 0.01 * i;
    p[i].shadow = 0;
  }
  __dacead_autodiff((void *)recurrence, &p[0].value, &p[0].shadow, CHECK_N);
  __dacead_autodiff((void *)plain, x, dx, CHECK_N);
  for (int i = 0; i < CHECK_N; i++)
    check_close("derivative beside its number", p[i].shadow, dx[i], 1e-13);
}

int main(void) {
  CHECK(layers);
  CHECK(there_and_back);
  CHECK(strides);
  CHECK(moving_places);
  CHECK(table);
  CHECK(scratch);
  CHECK(plain);
  check_pairs();
  return check_done();
}
