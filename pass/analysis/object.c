/* object.c: union-find over objects, classes and cells. */
#include "object.h"

#include <string.h>

/* More cells than this in one object, and it collapses: a limit on time. */
enum { MOST_CELLS = 2048 };
/* After so many times, sets of positions that are too large are no longer widened within what is
 * declared. */
enum { PATIENCE = 4 };
/* A cell that has grown so often grows for ever, by a copy from an array to its next element. */
enum { MOST_GROWTH = 50 };
/* A pointer that moves on by the same distance in so many rounds walks through an array. */
enum { WALK = 5 };

static uint64_t tick(struct dad_heap *h) {
  return ++h->clock;
}

/* ---- objects */

struct dad_object *dad_object_new(struct dad_heap *h, LLVMValueRef site) {
  struct dad_object *o = DAD_NEW(h->arena, struct dad_object);
  o->site = site;
  o->align = 1;
  o->one = h->collapse;
  dad_vec_push(&h->objects, o);
  return o;
}

struct dad_object *dad_object_find(struct dad_object *o, int64_t *offset) {
  int64_t shift = 0;
  struct dad_object *root = o;
  for (; root->up; root = root->up)
    shift += root->shift;
  if (offset)
    *offset += shift;
  while (o->up && o->up != root) { /* the path becomes short, the sums stay */
    struct dad_object *next = o->up;
    int64_t step = o->shift;
    o->up = root;
    o->shift = shift;
    shift -= step;
    o = next;
  }
  return root;
}

static void object_changed(struct dad_heap *h, struct dad_object *o) {
  if (o)
    dad_object_find(o, NULL)->changed = tick(h);
}

void dad_object_declare(struct dad_heap *h, struct dad_object *o, LLVMTypeRef type, int64_t at) {
  if (!o->type || dad_size_of(h->ctx, type) > dad_size_of(h->ctx, o->type)) {
    o->type = type;
    o->type_at = at;
  }
}

/* ---- cells */

static void bring_together(struct dad_heap *h, struct dad_node *a, struct dad_node *b) {
  if (h->n_pending == h->capacity) {
    unsigned more = h->capacity ? 2 * h->capacity : 64;
    h->pending = dad_arena_grow(h->arena, h->pending, h->n_pending * sizeof *h->pending,
                                more * sizeof *h->pending);
    h->capacity = more;
  }
  h->pending[h->n_pending++] = (struct dad_pair){a, b};
}

/* Adds the bytes of "span" to "c". True if they were not all there. */
static bool grow_cell(struct dad_cell *c, const struct dad_span *span) {
  struct dad_span wide = *span;
  for (unsigned k = 0; k < c->n; k++)
    if (dad_span_covers(&c->piece[k], span))
      return false;
  for (unsigned k = 0; k < c->n;)
    if (dad_span_covers(&wide, &c->piece[k]))
      c->piece[k] = c->piece[--c->n];
    else
      k++;
  if (c->n == DAD_PIECES || c->grown > MOST_GROWTH) {
    struct dad_span all[DAD_PIECES + 1] = {wide};
    memcpy(all + 1, c->piece, c->n * sizeof wide);
    wide = dad_span_join(all, c->n + 1);
    c->n = 0;
  }
  if (c->grown++ > MOST_GROWTH)
    wide = dad_span_repeated(&wide);
  c->piece[c->n++] = wide;
  return true;
}

static bool cell_overlaps(const struct dad_cell *c, const struct dad_span *span) {
  for (unsigned k = 0; k < c->n; k++)
    if (dad_span_overlaps(&c->piece[k], span))
      return true;
  return false;
}

static bool cells_overlap(const struct dad_cell *a, const struct dad_cell *b) {
  for (unsigned k = 0; k < b->n; k++)
    if (cell_overlaps(a, &b->piece[k]))
      return true;
  return false;
}

static struct dad_cell *new_cell(struct dad_heap *h, struct dad_object *o) {
  struct dad_cell *c = DAD_NEW(h->arena, struct dad_cell);
  c->content = dad_node_new(h, NULL);
  c->content->owner = o;
  if (o->n == o->capacity) {
    unsigned more = o->capacity ? 2 * o->capacity : 1;
    o->cell = dad_arena_grow(h->arena, o->cell, o->n * sizeof *o->cell, more * sizeof *o->cell);
    o->capacity = more;
  }
  o->cell[o->n++] = c;
  object_changed(h, o);
  return c;
}

/* Cell number "k" of "o" becomes part of "c". */
static void swallow(struct dad_heap *h, struct dad_object *o, struct dad_cell *c, unsigned k) {
  struct dad_cell *gone = o->cell[k];
  for (unsigned i = 0; i < gone->n; i++)
    grow_cell(c, &gone->piece[i]);
  bring_together(h, c->content, gone->content);
  o->cell[k] = o->cell[--o->n];
  object_changed(h, o);
}

/* Cells that the grown cell "c" of "o" overlaps become part of it. */
static void spread(struct dad_heap *h, struct dad_object *o, struct dad_cell *c) {
  for (bool more = true; more;) {
    more = false;
    for (unsigned k = 0; k < o->n; k++)
      if (o->cell[k] != c && (o->one || cells_overlap(c, o->cell[k]))) {
        swallow(h, o, c, k--);
        more = true;
      }
  }
}

struct dad_cell *dad_object_touch(struct dad_heap *h, struct dad_object *o,
                                  const struct dad_span *span) {
  struct dad_cell *c = o->one && o->n ? o->cell[0] : NULL;
  for (unsigned k = 0; k < o->n && !c; k++)
    if (cell_overlaps(o->cell[k], span))
      c = o->cell[k];
  if (!c && o->n == MOST_CELLS) {
    dad_object_collapse(h, o);
    c = o->cell[0];
  }
  if (!c)
    c = new_cell(h, o);
  if (grow_cell(c, span)) {
    object_changed(h, o);
    spread(h, o, c);
  }
  return c;
}

void dad_object_collapse(struct dad_heap *h, struct dad_object *o) {
  if (o->one)
    return;
  o->one = true;
  object_changed(h, o);
  if (o->n)
    spread(h, o, o->cell[0]);
}

/* The alignment of an object at two places, one "shift" bytes from the other. */
static unsigned common_alignment(unsigned a, unsigned b, int64_t shift) {
  unsigned least = a < b ? a : b;
  while (dad_mod(shift, least))
    least /= 2;
  return least;
}

/* "b" becomes part of "a": its offset x is x + "shift" there. */
static void merge_objects(struct dad_heap *h, struct dad_object *a, struct dad_object *b,
                          int64_t shift) {
  b->up = a;
  b->shift = shift;
  a->function |= b->function;
  a->written_outside |= b->written_outside;
  a->external |= b->external;
  a->unknown |= b->unknown;
  a->exposed |= b->exposed;
  a->align = common_alignment(a->align, b->align, shift);
  if (!a->site)
    a->site = b->site;
  if (b->type)
    dad_object_declare(h, a, b->type, b->type_at + shift);
  if (b->one)
    dad_object_collapse(h, a);
  for (unsigned k = 0; k < b->n; k++) {
    struct dad_cell *c = b->cell[k], *first = NULL;
    for (unsigned i = 0; i < c->n; i++) {
      struct dad_span moved = c->piece[i];
      moved.p.lo = moved.p.step ? dad_mod(moved.p.lo + shift, moved.p.step) : moved.p.lo + shift;
      struct dad_cell *to = dad_object_touch(h, a, &moved);
      if (!first)
        first = to;
      bring_together(h, to->content, c->content);
    }
  }
  b->n = 0;
  object_changed(h, a);
}

/* ---- nodes */

struct dad_node *dad_node_new(struct dad_heap *h, LLVMValueRef value) {
  struct dad_node *n = DAD_NEW(h->arena, struct dad_node);
  n->format = DAD_NEW(h->arena, struct dad_format);
  n->value = value;
  n->changed = tick(h);
  return n;
}

struct dad_node *dad_node_find(struct dad_node *n) {
  for (; n->up; n = n->up)
    if (n->up->up)
      n->up = n->up->up;
  return n;
}

static struct dad_format *node_format(struct dad_node *n) {
  struct dad_format *f = dad_node_find(n)->format;
  for (; f->up; f = f->up)
    if (f->up->up)
      f->up = f->up->up;
  return f;
}

unsigned dad_node_kinds(struct dad_node *n) {
  return node_format(n)->kinds;
}

void dad_node_add_kinds(struct dad_node *n, unsigned kinds) {
  node_format(n)->kinds |= kinds;
}

void dad_node_alike(struct dad_node *a, struct dad_node *b) {
  struct dad_format *fa = node_format(a), *fb = node_format(b);
  if (fa == fb)
    return;
  fa->kinds |= fb->kinds;
  fb->up = fa;
}

static void node_changed(struct dad_heap *h, struct dad_node *n) {
  n->changed = tick(h);
  object_changed(h, n->owner);
}

/* ---- positions */

/* If "a" and "b" lie in one array or run of members: "out" covers them both, and all of the array
 * if "whole" is set. */
static bool cover_both(struct dad_heap *h, const struct dad_shape *a, const struct dad_shape *b,
                       bool whole, struct dad_shape *out) {
  struct dad_shape copy = *a;
  struct dad_positions one = {.shape = &copy, .n = 1};
  int64_t step = dad_positions_grid(&one, b);
  struct dad_region region;
  if (!step || a->type != b->type || a->at != b->at ||
      !dad_declared_region(&h->declared, (LLVMTypeRef)a->type, a->at, a->p.lo, step, &region))
    return false;
  struct dad_shape all = dad_shape_index(a, step, &region);
  if (!all.type || !dad_shape_covers(&all, a) || !dad_shape_covers(&all, b))
    return false;
  *out = whole ? all : dad_shape_hull(a, b);
  return true;
}

/* Shape "k" of "set" grows over all others of the set, and "more", that lie in the same array or
 * run of members. */
static bool fill_region(struct dad_heap *h, struct dad_positions *set, unsigned k,
                        const struct dad_shape *more) {
  bool grown = false, whole = set->steps >= WALK || set->widened > PATIENCE / 2;
  for (unsigned i = k + 1; i <= set->n; i++)
    grown |=
        cover_both(h, &set->shape[k], i < set->n ? &set->shape[i] : more, whole, &set->shape[k]);
  return grown;
}

/* Drops the shapes of "set" behind "k" that are part of shape "k". */
static void drop_covered(struct dad_positions *set, unsigned k) {
  for (unsigned i = k + 1; i < set->n;)
    if (dad_shape_covers(&set->shape[k], &set->shape[i]))
      set->shape[i] = set->shape[--set->n];
    else
      i++;
}

/* The set is too large: what lies in one array or run of members may be anywhere there, which is
   what a pointer does that walks through an array. If that is of no use, pointers may be anywhere
   on the grid of all places. */
static void widen(struct dad_heap *h, struct dad_positions *set, const struct dad_shape *more) {
  bool full = false;
  if (set->widened++ < PATIENCE)
    for (unsigned k = 0; k < set->n; k++)
      if (fill_region(h, set, k, more))
        drop_covered(set, k);
  for (unsigned k = 0; k < set->n; k++)
    if (dad_shape_covers(&set->shape[k], more))
      return;
  if (!h->hasty && set->steps < WALK && set->n < DAD_SHAPES &&
      dad_positions_add(set, more, h->arena, &full) && !full)
    return;
  dad_positions_widen(set, more);
}

/* Does the set, to which "shape" is new, grow by one step of an array again? */
static bool is_walk(struct dad_heap *h, struct dad_positions *set, const struct dad_shape *shape) {
  int64_t stride = shape->p.lo - set->last;
  bool again = stride && stride == set->stride;
  set->steps = !again ? 0 : set->steps + (set->round != h->round);
  set->stride = stride;
  set->last = shape->p.lo;
  set->round = h->round;
  return set->steps >= WALK;
}

/* Adds "shape" to "set"; true if that has changed. */
static bool add_shape(struct dad_heap *h, struct dad_positions *set,
                      const struct dad_shape *shape) {
  for (unsigned k = 0; k < set->n; k++)
    if (dad_shape_covers(&set->shape[k], shape))
      return false;
  bool full = (is_walk(h, set, shape) || h->hasty) && set->n;
  if (full || (!dad_positions_add(set, shape, h->arena, &full) && full))
    widen(h, set, shape);
  return true;
}

/* ---- targets */

static bool add_shapes(struct dad_heap *h, struct dad_positions *set,
                       const struct dad_positions *more) {
  bool changed = false;
  for (unsigned k = 0; k < more->n; k++)
    changed |= add_shape(h, set, &more->shape[k]);
  return changed;
}

/* Objects that have become part of others are replaced by those; several targets in one object
 * become one. */
static void refresh_targets(struct dad_heap *h, struct dad_node *n) {
  bool merged = false;
  for (unsigned k = 0; k < n->n; k++) {
    struct dad_target *t = &n->target[k];
    if (!t->object->up)
      continue;
    int64_t shift = 0;
    t->object = dad_object_find(t->object, &shift);
    dad_positions_shift(&t->at, shift);
    merged = true;
  }
  for (unsigned k = 0; merged && k < n->n; k++)
    for (unsigned i = k + 1; i < n->n;) {
      if (n->target[i].object != n->target[k].object) {
        i++;
        continue;
      }
      add_shapes(h, &n->target[k].at, &n->target[i].at);
      n->target[i] = n->target[--n->n];
    }
}

const struct dad_target *dad_node_targets(struct dad_heap *h, struct dad_node *n, unsigned *count) {
  n = dad_node_find(n);
  refresh_targets(h, n);
  *count = n->n;
  return n->target;
}

bool dad_node_points(struct dad_node *n) {
  return dad_node_find(n)->n;
}

/* How "b" is to be laid on "a": declared types on each other, else places of pointers. */
static int64_t choose_shift(struct dad_object *a, const struct dad_positions *pa,
                            struct dad_object *b, const struct dad_positions *pb) {
  if (a->type && a->type == b->type)
    return a->type_at - b->type_at;
  return pa->n && pb->n ? pa->shape[0].p.lo - pb->shape[0].p.lo : 0;
}

/* The objects "a" and "b", of which pointers point to "pa" and "pb", become one. */
static void merge_by_places(struct dad_heap *h, struct dad_object *a,
                            const struct dad_positions *pa, struct dad_object *b,
                            const struct dad_positions *pb) {
  int64_t shift = choose_shift(a, pa, b, pb);
  if (a->n >= b->n)
    merge_objects(h, a, b, shift);
  else
    merge_objects(h, b, a, -shift);
}

/* A target of "n", which has too many, that is to become one with "o": of the same declared type if
 * there is one, else without any. */
static struct dad_target *choose_target(struct dad_node *n, const struct dad_object *o) {
  struct dad_target *untyped = NULL;
  for (unsigned k = 0; k < n->n; k++) {
    struct dad_target *t = &n->target[k];
    if (t->object->type == o->type && t->object->function == o->function)
      return t;
    if (!t->object->type && !untyped)
      untyped = t;
  }
  return untyped ? untyped : &n->target[0];
}

static void push_target(struct dad_heap *h, struct dad_node *n, struct dad_object *o) {
  if (n->n == n->capacity) {
    unsigned more = n->capacity ? 2 * n->capacity : 1;
    n->target =
        dad_arena_grow(h->arena, n->target, n->n * sizeof *n->target, more * sizeof *n->target);
    n->capacity = more;
  }
  n->target[n->n++] = (struct dad_target){.object = o};
}

/* The target of the root node "n" that is (part of) "o", with the shift from "o" to it; made if
 * need be. "at": where in "o". */
static struct dad_target *find_target(struct dad_heap *h, struct dad_node *n, struct dad_object *o,
                                      const struct dad_positions *at, int64_t *shift) {
  for (;;) {
    *shift = 0;
    struct dad_object *root = dad_object_find(o, shift);
    refresh_targets(h, n);
    for (unsigned k = 0; k < n->n; k++)
      if (n->target[k].object == root)
        return &n->target[k];
    node_changed(h, n);
    if (n->n < DAD_TARGETS) {
      push_target(h, n, root);
    } else {
      struct dad_target *t = choose_target(n, root);
      merge_by_places(h, t->object, &t->at, root, at);
    }
  }
}

/* The root node "n" may point to the places "at" of "o". */
static void add_target(struct dad_heap *h, struct dad_node *n, struct dad_object *o,
                       const struct dad_positions *at) {
  int64_t shift;
  bool changed = false;
  struct dad_target *t = find_target(h, n, o, at, &shift);
  for (unsigned k = 0; k < at->n; k++) {
    struct dad_shape s = at->shape[k];
    s.p.lo += shift;
    s.at += shift;
    changed |= add_shape(h, &t->at, &s);
  }
  if (changed)
    node_changed(h, n);
}

static void flow(struct dad_heap *h, struct dad_node *from, struct dad_node *to) {
  refresh_targets(h, from);
  for (unsigned k = 0; k < from->n && from != to; k++)
    add_target(h, to, from->target[k].object, &from->target[k].at);
}

void dad_heap_settle(struct dad_heap *h) {
  while (h->n_pending) {
    struct dad_pair p = h->pending[--h->n_pending];
    struct dad_node *a = dad_node_find(p.a), *b = dad_node_find(p.b);
    if (a == b)
      continue;
    dad_node_alike(a, b);
    flow(h, b, a);
    b->up = a;
    if (!a->owner)
      a->owner = b->owner;
    node_changed(h, a);
  }
}

void dad_node_flow(struct dad_heap *h, struct dad_node *from, struct dad_node *to) {
  flow(h, dad_node_find(from), dad_node_find(to));
  dad_heap_settle(h);
}

void dad_node_point(struct dad_heap *h, struct dad_node *n, struct dad_object *o,
                    const struct dad_shape *shape) {
  struct dad_shape one = *shape;
  add_target(h, dad_node_find(n), o, &(struct dad_positions){.shape = &one, .n = 1});
  dad_heap_settle(h);
}
