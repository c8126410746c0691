// Covers: memory from malloc, calloc, realloc, aligned_alloc, posix_memalign and from functions
// around them; when it is freed.
// ALSO: -O1 -g -fsanitize=undefined -fno-sanitize-recover=all
// ALSO: -O2 -mllvm -dacead-no-inline
#include "check_gradient.h"

/* A block per iteration, freed in it; a conditional one, freed late; one that is never freed. */
static double per_iteration(double *x, int n) {
  double s = 0, *late = NULL;
  static double *kept;
  for (int i = 0; i < n; i++) {
    double *t = malloc((i + 1) * sizeof *t);
    for (int k = 0; k <= i; k++)
      t[k] = x[k] * x[i] + (late ? *late : 0);
    if (i == 3) {
      late = malloc(sizeof *late);
      *late = t[2];
    }
    s += t[i] * t[0];
    free(t);
  }
  free(kept);
  kept = malloc(sizeof *kept);
  *kept = s * *late;
  free(late);
  return *kept;
}

/* Zeroed memory that is only written in part. */
static double zeroed(double *x, int n) {
  double *t = calloc(n, 2 * sizeof *t), s = 0;
  for (int i = 0; i < n; i += 2)
    t[2 * i] = x[i] * x[i + 1 < n ? i + 1 : 0];
  for (int i = 0; i < 2 * n; i++)
    s += t[i] * x[i / 2];
  free(t);
  return s;
}

/* A stack that grows by realloc and shrinks; free(NULL) and realloc(NULL). */
static double reallocated(double *x, int n) {
  double *t = NULL, s = 0;
  int room = 0;
  free(t);
  for (int i = 0; i < 2 * n; i++) {
    if (i >= room) {
      room += 1 + room / 2;
      t = realloc(t, room * sizeof *t);
    }
    t[i] = x[i % n] * (i ? t[i - 1] : 1) + 0.5;
  }
  t = realloc(t, n * sizeof *t);
  for (int i = 0; i < n; i++)
    s += t[i] * x[i];
  free(t);
  return s;
}

/* Aligned memory. */
static double aligned(double *x, int n) {
  double *a = aligned_alloc(64, 16 * sizeof *a);
  void *block = NULL;
  if (posix_memalign(&block, 32, n * sizeof *a))
    return 0;
  double *b = block, s = 0;
  for (int i = 0; i < n; i++) {
    a[i] = x[i] * x[i];
    b[i] = a[i] * x[n - 1 - i];
  }
  for (int i = 0; i < n; i++)
    s += a[i] * b[n - 1 - i];
  free(a);
  free(b);
  return s + ((uintptr_t)a % 64 || (uintptr_t)block % 32);
}

/* A wrapper that checks; tables of pointers, of integers and of numbers come from it. */
static NOINLINE void *checked(size_t n, const char *file, int line) {
  void *p = malloc(n);
  if (!p) {
    fprintf(stderr, "%s:%d: no memory\n", file, line);
    exit(1);
  }
  return p;
}

#define CHECKED(n) checked(n, __FILE__, __LINE__)

static double wrapped(double *x, int n) {
  double **rows = CHECKED(n * sizeof *rows);
  int *length = CHECKED(n * sizeof *length);
  uint64_t *order = CHECKED(n * sizeof *order);
  double s = 0;
  for (int i = 0; i < n; i++) {
    length[i] = i + 1;
    order[i] = (uint64_t)(n - 1 - i);
    rows[i] = CHECKED(length[i] * sizeof(double));
    for (int k = 0; k < length[i]; k++)
      rows[i][k] = x[k] * x[i];
  }
  for (int i = 0; i < n; i++) {
    double *row = rows[order[i]];
    for (int k = 0; k < length[order[i]]; k++)
      s += row[k] * sin(x[i]) / (k + 1);
  }
  for (int i = 0; i < n; i++)
    free(rows[i]);
  free(rows);
  free(length);
  free(order);
  return s;
}

/* A matrix as pointers to rows, built and freed by functions. */
static NOINLINE double **matrix(int rows, int columns) {
  double **m = malloc(rows * sizeof *m);
  for (int i = 0; i < rows; i++)
    m[i] = calloc(columns, sizeof **m);
  return m;
}

static NOINLINE void destroy(double **m, int rows) {
  for (int i = 0; i < rows; i++)
    free(m[i]);
  free(m);
}

static double matrices(double *x, int n) {
  double **a = matrix(n, n), **b = matrix(n, 2), s = 0;
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < n; k++)
      a[i][k] = x[i] + k * x[k];
    b[i][i & 1] = x[i] * x[0];
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < 2; j++)
      for (int k = 0; k < n; k++)
        s += a[i][k] * b[k][j] * b[i][1 - j];
  destroy(a, n);
  destroy(b, n);
  return s;
}

/* Buffers that change places: pointers to pointers are swapped through memory. */
static double buffers(double *x, int n) {
  double *buffer[3], s = 0;
  for (int b = 0; b < 3; b++) {
    buffer[b] = malloc(n * sizeof(double));
    for (int i = 0; i < n; i++)
      buffer[b][i] = x[(i + b) % n];
  }
  for (int t = 0; t < 7; t++) {
    double **p = &buffer[t % 3], **q = &buffer[(t + 1) % 3];
    for (int i = 1; i < n; i++)
      (*p)[i] = (*p)[i] * (*q)[i - 1] + (*q)[i];
    double *h = *p;
    *p = *q;
    *q = h;
  }
  for (int b = 0; b < 3; b++) {
    for (int i = 0; i < n; i++)
      s += buffer[b][i] * (b + 1);
    free(buffer[b]);
  }
  return s;
}

int main(void) {
  CHECK(per_iteration);
  CHECK(zeroed);
  CHECK(reallocated);
  CHECK(aligned);
  CHECK(wrapped);
  CHECK(matrices);
  CHECK(buffers);
  return check_done();
}
