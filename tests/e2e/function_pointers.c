// Covers: functions called through pointers: in tables, in structs, as arguments, as results.
// ALSO: -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all
// ALSO: -O2 -mllvm -dacead-no-inline
#include "check_gradient.h"

typedef double (*step)(double a, double *total);

static NOINLINE double wave(double a, double *total) {
  *total += a * a;
  return sin(a);
}

static NOINLINE double cube(double a, double *total) {
  *total *= a;
  return a * a * a;
}

/* A constant table of structs that hold functions beside numbers. */
struct operation {
  int weight;
  step run;
};

static const struct operation operations[] = {{3, wave}, {5, cube}, {7, wave}};

static NOINLINE step pick(int i) {
  return operations[i % 3].run;
}

static NOINLINE double twice(step run, double a, double *total) {
  return run(a, total) + run(a * 0.5, total);
}

static double table(double *x, int n) {
  double s = 0, total = 1;
  for (int i = 0; i < n; i++) {
    step run = i & 1 ? pick(i) : operations[i % 3].run;
    s += twice(run, x[i], &total) * operations[i % 3].weight;
  }
  return s * total;
}

/* A struct with its operations, as objects in C are written. */
struct shape {
  double size;
  double (*area)(const struct shape *self);
  void (*grow)(struct shape *self, double by);
};

static double disk_area(const struct shape *self) {
  return 3.14 * self->size * self->size;
}

static double tile_area(const struct shape *self) {
  return self->size * 2;
}

static void add(struct shape *self, double by) {
  self->size += by;
}

static void scale(struct shape *self, double by) {
  self->size *= 1 + by;
}

static double methods(double *x, int n) {
  struct shape shapes[CHECK_N];
  double s = 0;
  for (int i = 0; i < n; i++) {
    shapes[i].size = x[i];
    shapes[i].area = i % 2 ? disk_area : tile_area;
    shapes[i].grow = i % 3 ? add : scale;
  }
  for (int round = 0; round < 2; round++)
    for (int i = 0; i < n; i++) {
      struct shape *it = &shapes[i];
      it->grow(it, it->area(&shapes[(i + 1) % n]) * 0.1);
    }
  for (int i = 0; i < n; i++)
    s += shapes[i].area(&shapes[i]);
  return s;
}

/* The function is chosen by the data and changes on the way. */
static double switching(double *x, int n) {
  step now = wave;
  double s = 0.2, total = 0.5;
  for (int i = 0; i < n; i++) {
    s += now(x[i] + s * 0.1, &total);
    now = s > 0.8 ? (now == wave ? cube : wave) : now;
  }
  return s + total;
}

/* A callback with a context behind void pointers. */
struct weights {
  const double *at;
  double sum;
};

static void visit(void *context, int i) {
  struct weights *w = context;
  w->sum += w->at[i] * w->at[i] * (i + 1);
}

static NOINLINE void for_each(int n, void (*call)(void *context, int i), void *context) {
  for (int i = 0; i < n; i++)
    call(context, i);
}

static double callback(double *x, int n) {
  struct weights w = {x, x[0]};
  for_each(n, visit, &w);
  return w.sum * w.sum;
}

/* A function that takes itself as argument, and one that returns a function that returns one. */
typedef struct chooser {
  struct chooser (*next)(double a);
  double (*apply)(double a);
} chooser;

static double half(double a) {
  return a / 2 + 0.1;
}

static double square(double a) {
  return a * a;
}

static chooser large(double a);

static chooser small(double a) {
  chooser c = {a > 0.5 ? large : small, square};
  return c;
}

static chooser large(double a) {
  chooser c = {a < 0.4 ? small : large, half};
  return c;
}

static double chain(double *x, int n) {
  chooser c = small(x[0]);
  double s = 1;
  for (int i = 0; i < n; i++) {
    s = s * 0.5 + c.apply(x[i] * s);
    c = c.next(x[i]);
  }
  return s;
}

int main(void) {
  CHECK(table);
  CHECK(methods);
  CHECK(switching);
  CHECK(callback);
  CHECK(chain);
  return check_done();
}
