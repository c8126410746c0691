// Covers: structs by value, by pointer, copied and returned, of numbers, integers and pointers;
// out parameters; growing arrays of structs.
// ALSO: -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all
// ALSO: -O2 -mllvm -dacead-no-inline
#include "check_gradient.h"

/* Numbers, a pointer and an integer side by side. */
struct item {
  double weight;
  double *at;
  float factor;
  int index;
};

/* A growing array of them, copied as a whole, then swapped in pairs. */
static double growing(double *x, int n) {
  struct item *a = NULL;
  int room = 0;
  for (int i = 0; i < n; i++) {
    if (i >= room) {
      room = room * 2 + 1;
      a = realloc(a, room * sizeof *a);
    }
    struct item t = {x[i] * x[i], x + (i * 4) % n, (float)(i + 1), i};
    a[i] = t;
  }
  struct item *b = malloc(n * sizeof *b);
  memcpy(b, a, n * sizeof *b);
  for (int i = 0; i + 1 < n; i += 2) {
    struct item t = b[i];
    b[i] = b[i + 1];
    b[i + 1] = t;
  }
  double s = 0;
  for (int i = 0; i < n; i++)
    s += b[i].weight * *b[i].at * b[i].factor + b[i].index * x[i];
  free(a);
  free(b);
  return s;
}

/* Bounds of what was seen so far; the result says what changed. */
struct range {
  double low, high;
  int count;
};

static NOINLINE int update(struct range *r, double a) {
  if (!r->count++) {
    r->low = r->high = a;
    return 0;
  }
  if (a < r->low) {
    r->low = a;
    return -1;
  }
  if (a > r->high) {
    r->high = a;
    return 1;
  }
  return 2;
}

static double out_parameters(double *x, int n) {
  struct range r = {0};
  double s = 0;
  for (int i = 0; i < n; i++) {
    int change = update(&r, x[i] * x[(i + 3) % n]);
    s += copysign(r.high - r.low, change) * x[i];
  }
  return s + r.low * r.high;
}

/* Structs that travel in registers: two doubles; a double and an integer; a double and a pointer.
 */
struct pair {
  double x, y;
};
struct counted {
  double d;
  int k;
};
struct located {
  double d;
  const double *at;
};

static NOINLINE struct pair turn(struct pair a, double c) {
  struct pair r = {a.x * c - a.y, a.y * c + a.x};
  return r;
}

static NOINLINE struct counted count(double d, int k) {
  struct counted r = {d * d * k, k + 1};
  return r;
}

static NOINLINE struct located move(struct located a, int by) {
  a.d = a.d * a.at[by] + 0.5;
  a.at += by;
  return a;
}

static double in_registers(double *x, int n) {
  struct pair p = {1, 2};
  struct located l = {x[0], x};
  double s = 0;
  for (int i = 0; i < n; i++) {
    p = turn(p, x[i] * 0.5);
    struct counted q = count(x[i], i);
    s += q.d * q.k;
    if (i % 2)
      l = move(l, 1);
  }
  return s + p.x * p.y + l.d * *l.at;
}

/* A struct that is too large for registers: passed and returned in memory; nested structs. */
struct particle {
  struct pair place, speed;
  double mass;
  int kind;
};

static NOINLINE struct particle fly(struct particle p, double time) {
  p.place.x += time * p.speed.x;
  p.place.y += time * p.speed.y * p.mass;
  p.kind++;
  return p;
}

static NOINLINE double energy(struct particle p) {
  struct pair s = p.speed;
  p.speed.x = 0;
  return p.mass * (s.x * s.x + s.y * s.y) / 2 + p.place.y * p.kind + p.speed.x;
}

static double in_memory(double *x, int n) {
  struct particle p = {{x[0], x[1]}, {x[2], x[3]}, x[4], 1}, all[4];
  for (int i = 0; i < 4; i++) {
    p = fly(p, x[i + 5]);
    all[i] = p;
    all[i].place = i ? all[i - 1].speed : p.place;
  }
  double s = 0;
  for (int i = 0; i < 4; i++)
    s += energy(all[i]) * energy(fly(all[3 - i], 0.5));
  return s + n;
}

/* One callee for members that lie at different places among other neighbours. */
struct mixed {
  double a;
  int n;
  double b;
  double *p;
  double c;
  int *i;
  double d;
};

static NOINLINE void square(double *a) {
  *a = *a * *a;
}

static NOINLINE void bump(int *i) {
  ++*i;
}

static NOINLINE void exchange(double **a, double **b) {
  double *t = *a;
  *a = *b;
  *b = t;
}

static NOINLINE void add_twice(double *a, const double *b, int n) {
  for (int i = 0; i < n; i++)
    a[i] += 2 * b[i];
}

static double members(double *x, int n) {
  struct mixed s = {x[0], 1, x[1], &x[2], x[3], &n, x[4]}, t = s;
  int z = 1;
  t.i = &z;
  t.p = &x[5];
  square(&s.a);
  square(&s.b);
  square(&t.c);
  square(&t.d);
  bump(&s.n);
  bump(t.i);
  exchange(&s.p, &t.p);
  add_twice(&s.d, &t.b, 1);
  add_twice(&t.a, x, 1);
  struct mixed u[2] = {s, t};
  memcpy(&u[0].b, &t.c, sizeof(double));
  return u[0].a * u[0].b + *u[1].p * u[1].c * *s.p + u[0].d * u[1].a * s.n * z + u[1].d;
}

int main(void) {
  CHECK(growing);
  CHECK(out_parameters);
  CHECK(in_registers);
  CHECK(in_memory);
  CHECK(members);
  return check_done();
}
