// Covers: numbers moved as integers, through unions, by memcpy through buffers of bytes, and
// floats as halves of words.
// ALSO: -O2 -mllvm -dacead-no-inline
#include "check_gradient.h"

union bits {
  double d;
  uint64_t u;
  unsigned char c[8];
};

/* Through unions into an array of integers, in reverse order, and through a buffer of bytes. */
static double unions(double *x, int n) {
  uint64_t *store = malloc(n * sizeof *store);
  double s = 0;
  for (int i = 0; i < n; i++) {
    union bits t;
    t.d = x[i] * x[i];
    store[n - 1 - i] = t.u;
  }
  for (int i = 0; i < n; i++) {
    union bits t;
    t.u = store[i];
    s += t.d * (i + 1) * x[i];
  }
  unsigned char buffer[8];
  double back;
  memcpy(buffer, &x[2], 8);
  memcpy(&back, buffer, 8);
  free(store);
  return s + back * back;
}

/* As arguments, results and selected values of integer type. */
static NOINLINE uint64_t to_word(double a) {
  uint64_t u;
  memcpy(&u, &a, sizeof u);
  return u;
}

static NOINLINE double to_number(uint64_t u) {
  double a;
  memcpy(&a, &u, sizeof a);
  return a;
}

static double arguments(double *x, int n) {
  uint64_t kept = to_word(x[0]);
  double s = 0;
  for (int i = 0; i < n; i++) {
    uint64_t now = to_word(x[i] * s + 0.3);
    kept = i % 3 ? now : kept;
    s += to_number(kept) * x[i];
  }
  return s;
}

/* Swapping through a byte buffer of computed size. */
static NOINLINE void swap(void *a, void *b, size_t n) {
  char t[64];
  memcpy(t, a, n);
  memcpy(a, b, n);
  memcpy(b, t, n);
}

static double byte_buffer(double *x, int n) {
  double a[CHECK_N][2];
  for (int i = 0; i < n; i++) {
    a[i][0] = x[i];
    a[i][1] = x[i] * x[(i + 1) % n];
  }
  for (int i = 0; i < n; i++)
    for (int j = i + 1; j < n; j++)
      if (a[j][0] < a[i][0])
        swap(a[i], a[j], sizeof a[i]);
  double s = 0;
  for (int i = 0; i < n; i++)
    s += a[i][1] * (i + 1) + a[i][0] * a[i][0];
  return s;
}

/* The same bytes as struct, as words and as doubles; partial copies. */
struct quintet {
  double a, b, c;
  int n;
};

union shared {
  struct quintet q;
  uint64_t w[3];
  double d[2];
};

static double reinterpreted(double *x, int n) {
  union shared p, q;
  double s = 0;
  for (int i = 0; i + 1 < n; i++) {
    p.q.a = x[i];
    p.q.b = x[i + 1] * x[i];
    p.q.c = 2;
    for (int k = 0; k < 3; k++)
      q.w[k] = p.w[k];
    s += q.d[0] * q.d[1] * q.q.c;
    memcpy((char *)&p + 8, &q, 8);
    s += p.q.b * p.q.a;
  }
  return s;
}

/* Two floats moved as one word, then one by one as 32 bits. */
static double halves(double *x, int n) {
  float pairs[CHECK_N][2], moved[CHECK_N][2];
  double s = 0;
  for (int i = 0; i < n; i++) {
    pairs[i][0] = (float)x[i];
    pairs[i][1] = (float)(x[i] * x[n - 1 - i]);
  }
  for (int i = 0; i < n; i++) {
    uint64_t both;
    uint32_t one;
    memcpy(&both, pairs[n - 1 - i], sizeof both);
    memcpy(moved[i], &both, sizeof both);
    memcpy(&one, &pairs[i][1], sizeof one);
    memcpy(&moved[i][0], &one, sizeof one);
  }
  for (int i = 0; i < n; i++)
    s += moved[i][0] * moved[i][1] * x[i];
  return s;
}

/* Structs of two floats, and of a float and an integer, which travel in one register. */
struct point {
  float x, y;
};
struct labelled {
  int k;
  float w;
};

static NOINLINE struct point rotate(struct point a, float c) {
  struct point r = {a.x * c - a.y, a.y * c + a.x};
  return r;
}

static NOINLINE struct labelled weigh(struct labelled a, float b) {
  a.k += 2;
  a.w = a.w * b + 1;
  return a;
}

static double small_structs(double *x, int n) {
  struct point p = {1, 2};
  struct labelled w = {0, 1};
  double s = 0;
  for (int i = 0; i < n; i++) {
    p = rotate(p, (float)x[i] * 0.5f);
    w = weigh(w, (float)x[i]);
    s += x[i] * x[i] * i * (i + 1);
  }
  return s + p.x * p.y + w.w * w.k;
}

/* Numbers as text of bits decide where to go, but do not carry on: comparing and hashing is
 * harmless. */
static double hashed(double *x, int n) {
  double bucket[4] = {0};
  for (int i = 0; i < n; i++)
    bucket[(to_word(x[i]) >> 50) & 3] += x[i] * x[i];
  double s = to_word(x[0]) == to_word(x[1]) ? 0 : x[0];
  for (int k = 0; k < 4; k++)
    s = s * 0.5 + bucket[k];
  return s;
}

/* The integer part of an exponent becomes the exponent of a number: constant between steps. */
static double exponential(double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) {
    int k = (int)(x[i] * 3 * 1.4426950408889634 + 0.5);
    double r = x[i] * 3 - k * 0.6931471805599453, p = 1, term = 1;
    for (int j = 1; j < 14; j++)
      p += term *= r / j;
    union bits scale;
    scale.u = (uint64_t)(k + 1023) << 52;
    s += p * scale.d;
  }
  return s;
}

int main(void) {
  CHECK(unions);
  CHECK(arguments);
  CHECK(byte_buffer);
  CHECK(reinterpreted);
  CHECK_FLOAT(halves);
  CHECK_FLOAT(small_structs);
  CHECK(hashed);
  CHECK(exponential);
  return check_done();
}
