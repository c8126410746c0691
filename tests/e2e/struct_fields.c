// Covers: structs that hold a program's state: sizes, tables, blocks carved out of one allocation,
// struct of arrays, arrays of variable length.
// ALSO: -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all
// ALSO: -O2 -mllvm -dacead-no-inline
#include "check_gradient.h"

/* Sizes, tables of indices and number blocks in one struct. */
struct parts {
  double *a, *b, *c;
};

struct model {
  int n, m;
  struct parts parts;
  size_t length[3];
  double *block;
  int *order;
  double out;
};

/* One block for all parts; the table holds the addresses of the members that lead to them. */
static double *carve(struct parts *parts, const size_t *length) {
  size_t sum = 0;
  for (int i = 0; i < 3; i++)
    sum += length[i];
  double *block = malloc(sum * sizeof *block), *it = block;
  double **members[] = {&parts->a, &parts->b, &parts->c};
  for (int i = 0; i < 3; i++) {
    *members[i] = it;
    it += length[i];
  }
  return block;
}

static NOINLINE void run(struct model *m, const int *order) {
  if (!m->order)
    m->order = malloc(m->n * sizeof(int));
  memcpy(m->order, order, m->n * sizeof(int));
  struct parts *p = &m->parts;
  for (int i = 0; i < m->n; i++) {
    p->b[i] = p->a[m->order[i]] * p->a[i];
    p->c[i] = sin(p->b[i]) + p->a[i];
  }
  m->out = 0;
  for (int i = 0; i < m->n; i++)
    m->out += p->c[i] * p->b[(i + 1) % m->n];
}

static double carved(double *x, int n) {
  struct model m;
  int order[CHECK_N];
  memset(&m, 0, sizeof m);
  m.n = n;
  for (int i = 0; i < 3; i++)
    m.length[i] = n;
  m.block = carve(&m.parts, m.length);
  for (int i = 0; i < n; i++)
    order[i] = (i * 4 + 1) % n;
  memcpy(m.parts.a, x, n * sizeof(double));
  run(&m, order);
  double r = m.out;
  free(m.block);
  free(m.order);
  return r;
}

/* The data follow their header: the last member is longer than declared. */
struct flexible {
  int n;
  double scale;
  double data[];
};

static double flexible_member(double *x, int n) {
  struct flexible *f = malloc(sizeof *f + n * sizeof(double));
  f->n = n;
  f->scale = x[0];
  for (int i = 0; i < n; i++)
    f->data[i] = x[i] * f->scale;
  double s = f->data[3] * f->data[5] + f->data[0];
  for (int i = 0; i < f->n; i++)
    s += f->data[i] * i;
  f->data[2] = 7;
  s += f->data[2] * x[2];
  free(f);
  return s;
}

/* Arrays in structs in static arrays, copied whole and in part; pointers into neighbours. */
struct block {
  int c;
  double x[40];
  double *p;
  double y[40];
};

static double struct_of_arrays(double *x, int n) {
  static struct block a[3], b[3];
  struct block *h = malloc(3 * sizeof *h);
  double s = 0;
  for (int q = 0; q < 3; q++) {
    for (int i = 0; i < 40; i++) {
      a[q].x[i] = x[i % n] * (q + 1);
      a[q].y[i] = x[(i + q) % n] * x[0];
    }
    a[q].p = &a[(q + 1) % 3].y[q];
    a[q].c = q;
  }
  memcpy(b, a, sizeof a);
  h[0] = b[1];
  h[1] = b[2];
  h[2] = a[0];
  memcpy(h[0].x + 3, h[1].y, 20 * sizeof(double));
  for (int q = 0; q < 3; q++)
    for (int i = 0; i < 40; i += 7)
      s += h[q].x[i] * h[q].y[39 - i] * (h[q].c + 1) + *h[q].p;
  free(h);
  return s;
}

/* A context copied by value and by memcpy: both lead to the same arrays. */
struct context {
  const int *next;
  const double *in;
  double *work;
  float tolerance;
  int n;
};

static NOINLINE double apply(struct context c, int times) {
  double s = 0;
  while (times--)
    for (int i = 0; i < c.n; i++) {
      c.work[i] = c.work[c.next[i]] * c.in[i] + c.tolerance;
      s += c.work[i];
    }
  return s;
}

static double copied_context(double *x, int n) {
  int next[CHECK_N];
  double work[CHECK_N];
  for (int i = 0; i < n; i++) {
    next[i] = (i + 2) % n;
    work[i] = i;
  }
  struct context c = {next, x, work, 0.25f, n}, d;
  memcpy(&d, &c, sizeof d);
  d.in = work;
  return apply(c, 2) + apply(d, 1) + apply(c, 1);
}

int main(void) {
  CHECK(carved);
  CHECK(flexible_member);
  CHECK(struct_of_arrays);
  CHECK(copied_context);
  return check_done();
}
