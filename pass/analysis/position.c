/* position.c: arithmetic on patterns. What cannot be told exactly becomes larger, never smaller. */
#include "position.h"

#include <string.h>

/* ---- numbers */

/* Far beyond any object, and safe to add a few times. */
static const int64_t FAR = INT64_MAX / 16;

static int64_t clamp(__int128 x) {
  return x > FAR ? FAR : x < -FAR ? -FAR : (int64_t)x;
}

static int64_t plus(int64_t a, int64_t b) {
  return clamp((__int128)a + b);
}

static int64_t times(int64_t a, int64_t b) {
  return clamp((__int128)a * b);
}

static int64_t floor_div(int64_t a, int64_t b) {
  return a / b - (a % b < 0);
}

int64_t dad_gcd(int64_t a, int64_t b) {
  a = a < 0 ? -a : a;
  b = b < 0 ? -b : b;
  while (b) {
    int64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

int64_t dad_mod(int64_t a, int64_t b) {
  return a - floor_div(a, b) * b;
}

static int64_t smaller(int64_t a, int64_t b) {
  return a < b ? a : b;
}

static int64_t larger(int64_t a, int64_t b) {
  return a > b ? a : b;
}

/* ---- patterns */

static bool pattern_equal(const struct dad_pattern *a, const struct dad_pattern *b) {
  if (a->lo != b->lo || a->step != b->step || a->n != b->n)
    return false;
  for (unsigned k = 0; k < a->n; k++)
    if (a->dim[k].stride != b->dim[k].stride || a->dim[k].count != b->dim[k].count ||
        a->dim[k].in != b->dim[k].in)
      return false;
  return true;
}

/* How far the last place of "p" lies behind its first, repetitions apart. */
static int64_t extent(const struct dad_pattern *p) {
  int64_t sum = 0;
  for (unsigned k = 0; k < p->n; k++)
    sum = plus(sum, times(p->dim[k].stride, p->dim[k].count - 1));
  return sum;
}

/* A number that divides every distance within "p" (0: there is only one place). */
static int64_t grid(const struct dad_pattern *p) {
  int64_t g = p->step;
  for (unsigned k = 0; k < p->n; k++)
    g = dad_gcd(g, p->dim[k].stride);
  return g;
}

static void drop_dim(struct dad_pattern *p, unsigned k) {
  memmove(&p->dim[k], &p->dim[k + 1], (p->n - k - 1) * sizeof p->dim[0]);
  p->n--;
}

/* Repeats "p" at all multiples of "step" too. */
static void repeat(struct dad_pattern *p, int64_t step) {
  p->step = dad_gcd(p->step, step);
  for (unsigned k = 0; k < p->n;)
    if (p->dim[k].stride % p->step == 0)
      drop_dim(p, k);
    else
      k++;
}

/* Adds the dimension "d"; equal strides add up, and too many dimensions are fused from the smallest
 * on. */
static void add_dim(struct dad_pattern *p, struct dad_dim d) {
  if (d.count < 2 || (p->step && d.stride % p->step == 0))
    return;
  struct dad_pattern wide = *p;
  struct dad_dim all[DAD_DIMS + 1];
  unsigned n = 0, k = 0;
  for (; k < p->n && p->dim[k].stride > d.stride; k++)
    all[n++] = p->dim[k];
  if (k < p->n && p->dim[k].stride == d.stride) {
    p->dim[k].count = smaller(p->dim[k].count + d.count - 1, DAD_ENDLESS);
    return;
  }
  all[n++] = d;
  for (; k < p->n; k++)
    all[n++] = p->dim[k];
  if (n > DAD_DIMS) {
    struct dad_dim *x = &all[n - 2], *y = &all[n - 1];
    int64_t reach = plus(times(x->stride, x->count - 1), times(y->stride, y->count - 1));
    int64_t stride = dad_gcd(x->stride, y->stride);
    *x = (struct dad_dim){stride, smaller(reach / stride + 1, DAD_ENDLESS), dad_mod(y->in, stride)};
    n--;
  }
  memcpy(wide.dim, all, n * sizeof all[0]);
  wide.n = n;
  *p = wide;
}

/* ---- shapes */

bool dad_shape_equal(const struct dad_shape *a, const struct dad_shape *b) {
  return a->type == b->type && (!a->type || a->at == b->at) && pattern_equal(&a->p, &b->p);
}

bool dad_shape_covers(const struct dad_shape *a, const struct dad_shape *b) {
  if (dad_shape_equal(a, b))
    return true;
  if (a->type || a->p.n || !a->p.step)
    return false;
  return dad_mod(a->p.lo - b->p.lo, a->p.step) == 0 && grid(&b->p) % a->p.step == 0;
}

/* The place inside the element moves along with the pattern. */
static void move_inside(struct dad_pattern *p, int64_t bytes) {
  p->lo = plus(p->lo, bytes);
  for (unsigned k = 0; k < p->n; k++)
    p->dim[k].in = dad_mod(p->dim[k].in + bytes, p->dim[k].stride);
}

void dad_shape_move(struct dad_shape *s, int64_t bytes) {
  move_inside(&s->p, bytes);
}

unsigned dad_shape_offset(const struct dad_shape *s, int64_t bytes, bool plain,
                          struct dad_shape *out) {
  unsigned n = 0;
  for (unsigned k = s->p.n; k-- > 0 && (plain || !n);) {
    const struct dad_dim *d = &s->p.dim[k];
    int64_t inside = d->in + bytes, far = bytes < 0 ? -bytes : bytes;
    if ((inside >= 0 && inside < d->stride) || far > times(d->stride, d->count))
      continue;
    out[n] = *s;
    move_inside(&out[n++].p, bytes - floor_div(inside, d->stride) * d->stride);
  }
  if (plain || !n) {
    out[n] = *s;
    move_inside(&out[n++].p, bytes);
  }
  return n;
}

/* The shape whose place in "region" is moved by multiples of "step". False if "s" reaches out of
   the region in a way that is not that of an array around it. */
static bool index_region(const struct dad_shape *s, int64_t step, const struct dad_region *region,
                         struct dad_shape *out) {
  int64_t rest = s->p.lo - region->lo, inner = 0, stride = step;
  struct dad_shape r = *s;
  if (rest < 0 || rest > region->bytes)
    return false;
  for (unsigned k = 0; k < r.p.n;) {
    struct dad_dim d = r.p.dim[k];
    int64_t reach = times(d.stride, d.count - 1);
    if (d.stride >= region->bytes) {
      k++; /* an array around the region */
    } else if (rest + reach < region->bytes && dad_mod(rest, step) + reach >= step) {
      stride = dad_gcd(stride, d.stride); /* in the region: all of it, from now on */
      drop_dim(&r.p, k);
    } else {
      inner += reach;
      k++;
    }
  }
  if (rest + inner > region->bytes || (inner && dad_mod(rest, stride) + inner >= stride))
    return false;
  move_inside(&r.p, dad_mod(rest, stride) - rest);
  int64_t room = region->bytes - dad_mod(rest, stride);
  int64_t count = region->bytes >= DAD_ENDLESS ? DAD_ENDLESS : (room + stride - 1) / stride;
  add_dim(&r.p, (struct dad_dim){stride, count, dad_mod(rest, stride)});
  *out = r;
  return true;
}

struct dad_shape dad_shape_index(const struct dad_shape *s, int64_t step,
                                 const struct dad_region *region) {
  struct dad_shape out;
  if (region && index_region(s, step, region, &out))
    return out;
  out = *s;
  for (unsigned k = s->p.n; !region && k-- > 0;)
    if (step % s->p.dim[k].stride == 0 && step <= times(s->p.dim[k].stride, s->p.dim[k].count - 1))
      return out;
  repeat(&out.p, step);
  out.type = NULL;
  return out;
}

struct dad_shape dad_shape_anywhere(void) {
  return (struct dad_shape){.p = {.step = 1}};
}

/* ---- sets */

static void push_shape(struct dad_positions *set, const struct dad_shape *s,
                       struct dad_arena *arena) {
  if (set->n == set->capacity) {
    unsigned more = set->capacity ? 2 * set->capacity : 1;
    set->shape = dad_arena_grow(arena, set->shape, set->n * sizeof *s, more * sizeof *s);
    set->capacity = more;
  }
  set->shape[set->n++] = *s;
}

bool dad_positions_add(struct dad_positions *set, const struct dad_shape *s,
                       struct dad_arena *arena, bool *full) {
  unsigned kept = 0;
  for (unsigned k = 0; k < set->n; k++)
    if (dad_shape_covers(&set->shape[k], s))
      return false;
  for (unsigned k = 0; k < set->n; k++)
    if (!dad_shape_covers(s, &set->shape[k]))
      set->shape[kept++] = set->shape[k];
  set->n = kept;
  if (kept == DAD_SHAPES)
    *full = true;
  else
    push_shape(set, s, arena);
  return !*full;
}

int64_t dad_positions_grid(const struct dad_positions *set, const struct dad_shape *more) {
  int64_t g = grid(&more->p);
  for (unsigned k = 0; k < set->n; k++)
    g = dad_gcd(g, dad_gcd(grid(&set->shape[k].p), set->shape[k].p.lo - more->p.lo));
  return g;
}

void dad_positions_widen(struct dad_positions *set, const struct dad_shape *more) {
  int64_t g = dad_positions_grid(set, more);
  struct dad_shape all = {.p = {.lo = more->p.lo}};
  for (unsigned k = 0; k < set->n; k++)
    all.p.lo = smaller(all.p.lo, set->shape[k].p.lo);
  all.p.step = g ? g : 1;
  all.p.lo = dad_mod(all.p.lo, all.p.step);
  set->shape[0] = all;
  set->n = 1;
}

void dad_positions_shift(struct dad_positions *set, int64_t delta) {
  for (unsigned k = 0; k < set->n; k++) {
    set->shape[k].p.lo = plus(set->shape[k].p.lo, delta);
    set->shape[k].at = plus(set->shape[k].at, delta);
  }
}

/* ---- differences of two patterns */

/* A summand stride * k with k in [from, to]. */
struct term {
  int64_t stride, from, to;
};

struct difference {
  int64_t base;                       /* the constant part */
  struct term term[2 * DAD_DIMS + 1]; /* the first is unlimited if "endless" */
  unsigned n;
  bool endless; /* is the first term that of a repetition? */
};

static void add_term(struct difference *d, int64_t stride, int64_t from, int64_t to) {
  for (unsigned k = d->endless; k < d->n; k++)
    if (d->term[k].stride == stride) {
      d->term[k].from = plus(d->term[k].from, from);
      d->term[k].to = plus(d->term[k].to, to);
      return;
    }
  d->term[d->n++] = (struct term){stride, from, to};
}

/* All values of (a place of "b") - (a place of "a"). */
static struct difference subtract(const struct dad_pattern *b, const struct dad_pattern *a) {
  struct difference d = {.base = b->lo - a->lo};
  int64_t step = dad_gcd(a->step, b->step);
  for (unsigned pass = 0; step && pass < 2 * DAD_DIMS; pass++) {
    for (unsigned k = 0; k < a->n; k++)
      if (a->dim[k].stride > step)
        step = dad_gcd(step, a->dim[k].stride);
    for (unsigned k = 0; k < b->n; k++)
      if (b->dim[k].stride > step)
        step = dad_gcd(step, b->dim[k].stride);
  }
  if (step) {
    d.base = dad_mod(d.base, step);
    d.endless = true;
    d.term[d.n++] = (struct term){step, -FAR / step, FAR / step};
  }
  for (unsigned k = 0; k < b->n; k++)
    if (!step || b->dim[k].stride % step)
      add_term(&d, b->dim[k].stride, 0, b->dim[k].count - 1);
  for (unsigned k = 0; k < a->n; k++)
    if (!step || a->dim[k].stride % step)
      add_term(&d, a->dim[k].stride, 1 - a->dim[k].count, 0);
  return d;
}

/* Limits the terms to what can lie in [lo, hi]. False if nothing can. */
static bool limit(struct difference *d, int64_t lo, int64_t hi) {
  for (unsigned pass = 0; pass < 3; pass++)
    for (unsigned i = 0; i < d->n; i++) {
      int64_t least = d->base, most = d->base;
      for (unsigned k = 0; k < d->n; k++)
        if (k != i) {
          least = plus(least, times(d->term[k].stride, d->term[k].from));
          most = plus(most, times(d->term[k].stride, d->term[k].to));
        }
      struct term *t = &d->term[i];
      t->from = larger(t->from, -floor_div(plus(most, -lo), t->stride));
      t->to = smaller(t->to, floor_div(plus(hi, -least), t->stride));
      if (t->from > t->to)
        return false;
    }
  return true;
}

/* Can the terms meet [lo, hi], judged by what they all are multiples of? */
static bool congruent(const struct difference *d, int64_t lo, int64_t hi) {
  int64_t g = 0, first = d->base;
  for (unsigned k = 0; k < d->n; k++) {
    first = plus(first, times(d->term[k].stride, d->term[k].from));
    if (d->term[k].from != d->term[k].to)
      g = dad_gcd(g, d->term[k].stride);
  }
  return g ? dad_mod(first - lo, g) <= hi - lo : first >= lo && first <= hi;
}

/* ---- spans */

struct dad_span dad_span_of(const struct dad_shape *s, int64_t offset, int64_t width) {
  struct dad_span span = {s->p, width};
  span.p.lo = plus(span.p.lo, offset);
  for (unsigned k = 0; k < span.p.n; k++)
    span.p.dim[k].in = 0;
  if (span.p.step)
    span.p.lo = dad_mod(span.p.lo, span.p.step);
  return span;
}

bool dad_span_overlaps(const struct dad_span *a, const struct dad_span *b) {
  struct difference d = subtract(&b->p, &a->p);
  return limit(&d, 1 - b->width, a->width - 1) && congruent(&d, 1 - b->width, a->width - 1);
}

/* Takes out of "p" a dimension with the given stride and at least "count" elements. */
static bool take_dim(struct dad_pattern *p, struct dad_dim d) {
  for (unsigned k = 0; k < p->n; k++)
    if (p->dim[k].stride == d.stride && p->dim[k].count >= d.count) {
      drop_dim(p, k);
      return true;
    }
  return false;
}

bool dad_span_covers(const struct dad_span *a, const struct dad_span *b) {
  struct dad_pattern p = a->p;
  int64_t rest = b->p.lo - p.lo;
  if (p.step && grid(&b->p) % p.step == 0 && dad_mod(rest, p.step) + b->width <= a->width)
    return true;
  if (p.step != b->p.step)
    return false;
  for (unsigned k = 0; k < b->p.n; k++)
    if (!take_dim(&p, b->p.dim[k]))
      return false;
  for (unsigned k = 0; k < p.n;
       k++) { /* the other dimensions: the element that holds the first byte */
    int64_t index = rest < 0 ? 0 : smaller(rest / p.dim[k].stride, p.dim[k].count - 1);
    rest -= index * p.dim[k].stride;
  }
  return rest >= 0 && rest + b->width <= a->width;
}

struct dad_span dad_span_join(const struct dad_span *a, const struct dad_span *b) {
  int64_t g = dad_gcd(dad_gcd(grid(&a->p), grid(&b->p)), a->p.lo - b->p.lo);
  struct dad_span all = {.p = {.lo = smaller(a->p.lo, b->p.lo)},
                         .width = larger(a->width, b->width)};
  if (!g)
    return all;
  if (a->p.step || b->p.step) {
    all.p.step = g;
    all.p.lo = dad_mod(all.p.lo, g);
    return all;
  }
  int64_t last = larger(plus(a->p.lo, extent(&a->p)), plus(b->p.lo, extent(&b->p)));
  add_dim(&all.p, (struct dad_dim){g, smaller((last - all.p.lo) / g + 1, DAD_ENDLESS), 0});
  return all;
}

bool dad_span_seen_from(const struct dad_span *cell, const struct dad_shape *from, int64_t bytes,
                        struct dad_span *out) {
  struct difference d = subtract(&cell->p, &from->p);
  int64_t last = bytes < 0 ? FAR / 2 : bytes - 1;
  if (!limit(&d, 1 - cell->width, last) || (bytes >= 0 && !congruent(&d, 1 - cell->width, last)))
    return false;
  *out = (struct dad_span){.p = {.lo = d.base}, .width = cell->width};
  for (unsigned k = 0; k < d.n; k++) {
    out->p.lo = plus(out->p.lo, times(d.term[k].stride, d.term[k].from));
    int64_t count = smaller(d.term[k].to - d.term[k].from + 1, DAD_ENDLESS);
    add_dim(&out->p, (struct dad_dim){d.term[k].stride, count, 0});
  }
  return true;
}

struct dad_span dad_span_placed(const struct dad_span *relative, const struct dad_shape *to) {
  struct dad_span span = dad_span_of(to, relative->p.lo, relative->width);
  for (unsigned k = 0; k < relative->p.n; k++)
    add_dim(&span.p, relative->p.dim[k]);
  return span;
}
