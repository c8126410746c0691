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

static int64_t reach(const struct dad_dim *d) {
  return times(d->stride, d->count - 1);
}

static void drop_dim(struct dad_pattern *p, unsigned k) {
  memmove(&p->dim[k], &p->dim[k + 1], (p->n - k - 1) * sizeof p->dim[0]);
  p->n--;
}

/* A dimension that covers the sums of both. */
static struct dad_dim fuse(const struct dad_dim *x, const struct dad_dim *y) {
  int64_t stride = dad_gcd(x->stride, y->stride), count = plus(reach(x), reach(y)) / stride + 1;
  return (struct dad_dim){stride, smaller(count, DAD_ENDLESS), dad_mod(y->in, stride),
                          x->part || y->part};
}

/* Dimensions in the making: one more than a pattern has. */
struct dims {
  struct dad_dim at[DAD_DIMS + 1];
  unsigned n;
};

/* If a dimension in "d" reaches as far as the next larger one steps, the two become one. True if
 * that was so. */
static bool fuse_overlapping(struct dims *d) {
  for (unsigned k = 1; k < d->n; k++) {
    if (reach(&d->at[k]) < d->at[k - 1].stride && d->n <= DAD_DIMS)
      continue;
    k = d->n > DAD_DIMS ? d->n - 1 : k;
    d->at[k - 1] = fuse(&d->at[k - 1], &d->at[k]);
    memmove(&d->at[k], &d->at[k + 1], (d->n - k - 1) * sizeof d->at[0]);
    d->n--;
    return true;
  }
  return false;
}

/* Drops dimensions that a repetition with "step" holds; a dimension that reaches over a whole step
 * changes the step instead. */
static int64_t drop_repeated(struct dims *d, int64_t step) {
  for (unsigned k = 0; step && k < d->n;) {
    if (d->at[k].stride < step && reach(&d->at[k]) < step) {
      k++;
      continue;
    }
    int64_t smaller_step = dad_gcd(step, d->at[k].stride);
    memmove(&d->at[k], &d->at[k + 1], (d->n - k - 1) * sizeof d->at[0]);
    d->n--;
    k = smaller_step == step ? k : 0;
    step = smaller_step;
  }
  return step;
}

/* Sets the dimensions of "p" to those of "d", which are sorted by descending stride, in the form
   that the rest relies on: few, and each within a step of the next larger one. */
static void set_dims(struct dad_pattern *p, struct dims *d) {
  do
    p->step = drop_repeated(d, p->step);
  while (fuse_overlapping(d));
  memcpy(p->dim, d->at, d->n * sizeof d->at[0]);
  p->n = d->n;
}

static void add_dim(struct dad_pattern *p, struct dad_dim d) {
  struct dims all = {.n = 0};
  unsigned k = 0;
  if (d.count < 2)
    return;
  for (; k < p->n && p->dim[k].stride > d.stride; k++)
    all.at[all.n++] = p->dim[k];
  all.at[all.n++] = d;
  for (; k < p->n; k++)
    all.at[all.n++] = p->dim[k];
  set_dims(p, &all);
}

/* Repeats "p" at all multiples of "step" too. */
static void repeat(struct dad_pattern *p, int64_t step) {
  struct dims all = {.n = p->n};
  memcpy(all.at, p->dim, p->n * sizeof p->dim[0]);
  p->step = dad_gcd(p->step, step);
  set_dims(p, &all);
}

/* Takes out of "p" a dimension with the given stride and at least as many elements. */
static bool take_dim(struct dad_pattern *p, struct dad_dim d) {
  for (unsigned k = 0; k < p->n; k++)
    if (p->dim[k].stride == d.stride && p->dim[k].count >= d.count) {
      drop_dim(p, k);
      return true;
    }
  return false;
}

/* Do the places of "a", with "slack" bytes behind each, hold all places of "b"? The answer may be
 * no although they do. */
static bool pattern_covers(struct dad_pattern a, const struct dad_pattern *b, int64_t slack) {
  int64_t rest = b->lo - a.lo, g = grid(b);
  if (a.step && g % a.step == 0 && dad_mod(rest, a.step) <= slack)
    return true;
  if (a.step != b->step)
    return false;
  if (a.n == 1 && g % a.dim[0].stride == 0 && rest >= 0 && rest % a.dim[0].stride <= slack &&
      (a.dim[0].count >= DAD_ENDLESS || plus(rest, extent(b)) / a.dim[0].stride < a.dim[0].count))
    return true;
  for (unsigned k = 0; k < b->n; k++)
    if (!take_dim(&a, b->dim[k]))
      return false;
  for (unsigned k = 0; k < a.n; k++) { /* the other dimensions: the element that holds the place */
    int64_t index = rest < 0 ? 0 : smaller(rest / a.dim[k].stride, a.dim[k].count - 1);
    rest -= index * a.dim[k].stride;
  }
  return rest >= 0 && rest <= slack;
}

/* ---- shapes */

bool dad_shape_equal(const struct dad_shape *a, const struct dad_shape *b) {
  return a->type == b->type && (!a->type || a->at == b->at) && pattern_equal(&a->p, &b->p);
}

bool dad_shape_covers(const struct dad_shape *a, const struct dad_shape *b) {
  bool same = a->type == b->type && (!a->type || a->at == b->at),
       anywhere = !a->type && !a->p.n && a->p.step;
  return dad_shape_equal(a, b) || ((same || anywhere) && pattern_covers(a->p, &b->p, 0));
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
    plain |= d->part;
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
    int64_t far = reach(&d);
    if (d.stride >= region->bytes) {
      k++; /* an array around the region */
    } else if (rest + far < region->bytes && dad_mod(rest, step) + far >= step) {
      stride = dad_gcd(stride, d.stride); /* in the region: all of it, from now on */
      drop_dim(&r.p, k);
    } else {
      inner += far;
      k++;
    }
  }
  if (rest + inner > region->bytes || (inner && dad_mod(rest, stride) + inner >= stride))
    return false;
  move_inside(&r.p, dad_mod(rest, stride) - rest);
  int64_t room = region->bytes - dad_mod(rest, stride);
  int64_t count = region->bytes >= DAD_ENDLESS ? DAD_ENDLESS : (room + stride - 1) / stride;
  add_dim(&r.p, (struct dad_dim){stride, count, dad_mod(rest, stride), false});
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

struct dad_shape dad_shape_hull(const struct dad_shape *a, const struct dad_shape *b) {
  int64_t g = dad_gcd(dad_gcd(grid(&a->p), grid(&b->p)), a->p.lo - b->p.lo);
  int64_t last = larger(plus(a->p.lo, extent(&a->p)), plus(b->p.lo, extent(&b->p)));
  struct dad_shape all = *a;
  all.p = (struct dad_pattern){.lo = smaller(a->p.lo, b->p.lo)};
  if (a->p.step || b->p.step)
    repeat(&all.p, g);
  else if (g)
    add_dim(&all.p, (struct dad_dim){g, (last - all.p.lo) / g + 1, 0, true});
  return all;
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

/* The step of the difference: that of both patterns, and of dimensions that reach over it;
   dimensions without an end on both sides make one too. */
static int64_t common_step(const struct dad_pattern *a, const struct dad_pattern *b) {
  const struct dad_pattern *both[2] = {a, b};
  int64_t step = dad_gcd(a->step, b->step), endless = 0;
  for (unsigned i = 0; i < 2; i++)
    for (unsigned k = 0; k < both[i]->n; k++)
      if (both[i]->dim[k].count >= DAD_ENDLESS / 2)
        endless = endless && endless != both[i]->dim[k].stride
                      ? -dad_gcd(endless, both[i]->dim[k].stride)
                      : both[i]->dim[k].stride;
  if (endless < 0)
    step = dad_gcd(step, endless);
  for (bool more = step; more;) {
    int64_t old = step;
    for (unsigned i = 0; i < 2; i++)
      for (unsigned k = 0; k < both[i]->n; k++)
        if (both[i]->dim[k].stride > step || reach(&both[i]->dim[k]) >= step)
          step = dad_gcd(step, both[i]->dim[k].stride);
    more = step != old;
  }
  return step;
}

/* All values of (a place of "b") - (a place of "a"). */
static struct difference subtract(const struct dad_pattern *b, const struct dad_pattern *a) {
  struct difference d = {.base = b->lo - a->lo};
  int64_t step = common_step(a, b);
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

struct dad_span dad_span_aligned(const struct dad_span *s, int64_t align) {
  int64_t g = grid(&s->p);
  struct dad_span out = {.width = s->width};
  if (align < 2 || !g || align % g || g == align || dad_mod(s->p.lo, g))
    return *s;
  if (s->p.step) {
    out.p.step = align;
    return out;
  }
  int64_t first = s->p.lo + dad_mod(-s->p.lo, align), last = plus(s->p.lo, extent(&s->p));
  if (first > last)
    return *s;
  out.p.lo = first;
  add_dim(&out.p,
          (struct dad_dim){align, smaller((last - first) / align + 1, DAD_ENDLESS), 0, false});
  return out;
}

bool dad_span_overlaps(const struct dad_span *a, const struct dad_span *b) {
  struct difference d = subtract(&b->p, &a->p);
  return limit(&d, 1 - b->width, a->width - 1) && congruent(&d, 1 - b->width, a->width - 1);
}

bool dad_span_covers(const struct dad_span *a, const struct dad_span *b) {
  return a->width >= b->width && pattern_covers(a->p, &b->p, a->width - b->width);
}

struct dad_span dad_span_repeated(const struct dad_span *s) {
  int64_t step = grid(&s->p);
  if (!step)
    return *s;
  return (struct dad_span){.p = {.lo = dad_mod(s->p.lo, step), .step = step}, .width = s->width};
}

/* "p" gets the dimension "d", or as many elements in one with the same stride. */
static void widen_dim(struct dad_pattern *p, struct dad_dim d) {
  d.in = 0;
  for (unsigned k = 0; k < p->n; k++)
    if (p->dim[k].stride == d.stride) {
      d.count = larger(d.count, p->dim[k].count);
      drop_dim(p, k);
      break;
    }
  add_dim(p, d);
}

static int64_t count_places(const struct dad_pattern *p) {
  int64_t n = 1;
  for (unsigned k = 0; k < p->n; k++)
    n = times(n, p->dim[k].count);
  return n;
}

/* One span without structure that covers "a" and "b". */
static struct dad_span hull(const struct dad_span *a, const struct dad_span *b) {
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
  add_dim(&all.p, (struct dad_dim){g, smaller((last - all.p.lo) / g + 1, DAD_ENDLESS), 0, false});
  return all;
}

/* Spans in an array of arrays: one that has the dimensions of all "n" in "s". False if it does not
   cover them with less than "most" places. */
static bool join_dims(const struct dad_span *s, unsigned n, int64_t most, struct dad_span *out) {
  *out = s[0];
  for (unsigned k = 0; k < n; k++) {
    out->p.lo = smaller(out->p.lo, s[k].p.lo);
    out->width = larger(out->width, s[k].width);
    for (unsigned i = 0; i < s[k].p.n; i++)
      widen_dim(&out->p, s[k].p.dim[i]);
    if (s[k].p.step)
      return false;
  }
  for (unsigned k = 0; k < n; k++)
    if (!dad_span_covers(out, &s[k]))
      return false;
  return count_places(&out->p) < most;
}

struct dad_span dad_span_join(const struct dad_span *s, unsigned n) {
  struct dad_span all = s[0], joined;
  for (unsigned k = 1; k < n; k++)
    all = hull(&all, &s[k]);
  return join_dims(s, n, count_places(&all.p), &joined) ? joined : all;
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
    add_dim(&out->p, (struct dad_dim){d.term[k].stride, count, 0, false});
  }
  return true;
}

struct dad_span dad_span_placed(const struct dad_span *relative, const struct dad_shape *to) {
  struct dad_span span = dad_span_of(to, relative->p.lo, relative->width);
  for (unsigned k = 0; k < relative->p.n; k++)
    add_dim(&span.p, relative->p.dim[k]);
  return span;
}
