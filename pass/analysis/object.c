/* object.c: union-find over objects, classes and cells. */
#include "object.h"

/* More cells than this in one object, and it collapses: a limit on time. */
enum { MOST_CELLS = 2048 };
/* After so many times, sets of positions that are too large are no longer widened within what is
 * declared. */
enum { PATIENCE = 4 };

static uint64_t tick(struct dad_heap *h) {
  return ++h->clock;
}

/* ---- objects */

struct dad_object *dad_object_new(struct dad_heap *h, LLVMValueRef site) {
  struct dad_object *o = DAD_NEW(h->arena, struct dad_object);
  o->site = site;
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
  if (c->n == DAD_PIECES) {
    for (unsigned k = 0; k < c->n; k++)
      wide = dad_span_join(&wide, &c->piece[k]);
    c->n = 0;
  }
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

/* "b" becomes part of "a": its offset x is x + "shift" there. */
static void merge_objects(struct dad_heap *h, struct dad_object *a, struct dad_object *b,
                          int64_t shift) {
  b->up = a;
  b->shift = shift;
  a->function |= b->function;
  a->written_outside |= b->written_outside;
  a->external |= b->external;
  a->unknown |= b->unknown;
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
  n->class = DAD_NEW(h->arena, struct dad_class);
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

struct dad_class *dad_node_class(struct dad_node *n) {
  struct dad_class *c = dad_node_find(n)->class;
  for (; c->up; c = c->up)
    if (c->up->up)
      c->up = c->up->up;
  return c;
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

struct dad_object *dad_node_object(struct dad_node *n) {
  struct dad_class *c = dad_node_class(n);
  if (c->object)
    c->object = dad_object_find(c->object, NULL);
  return c->object;
}

static void node_changed(struct dad_heap *h, struct dad_node *n) {
  n->changed = tick(h);
  object_changed(h, n->owner);
}

const struct dad_positions *dad_node_positions(struct dad_node *n) {
  n = dad_node_find(n);
  if (n->frame && n->frame->up) {
    int64_t shift = 0;
    n->frame = dad_object_find(n->frame, &shift);
    dad_positions_shift(&n->at, shift);
  }
  return &n->at;
}

/* Do all shapes of "set" lie in "all"? */
static bool within(const struct dad_shape *all, const struct dad_positions *set) {
  struct dad_span wide = dad_span_of(all, 0, 1);
  for (unsigned k = 0; k < set->n; k++) {
    struct dad_span one = dad_span_of(&set->shape[k], 0, 1);
    if (!dad_span_covers(&wide, &one) || set->shape[k].type != all->type ||
        set->shape[k].at != all->at)
      return false;
  }
  return true;
}

/* The set is too large: if all of it lies in one array or run of members it may be anywhere there,
   which is what a pointer does that walks through an array. Else it may be anywhere on the grid of
   all places. */
static void widen(struct dad_heap *h, struct dad_positions *set, const struct dad_shape *more) {
  int64_t step = dad_positions_grid(set, more);
  struct dad_region region;
  bool declared = dad_declared_region(&h->declared, (LLVMTypeRef)more->type, more->at, more->p.lo,
                                      step, &region);
  if (declared && set->widened < PATIENCE) {
    struct dad_shape all = dad_shape_index(more, step, &region);
    if (all.type && within(&all, set)) {
      set->shape[0] = all;
      set->n = 1;
      set->widened++;
      return;
    }
  }
  dad_positions_widen(set, more);
  set->widened++;
}

/* Adds "shape" to the positions of the root node "n". */
static void add_shape(struct dad_heap *h, struct dad_node *n, const struct dad_shape *shape) {
  bool full = h->hasty && n->at.n;
  if (h->hasty)
    for (unsigned k = 0; k < n->at.n; k++)
      if (dad_shape_covers(&n->at.shape[k], shape))
        return;
  if (!full && dad_positions_add(&n->at, shape, h->arena, &full)) {
    node_changed(h, n);
  } else if (full) {
    widen(h, &n->at, shape);
    node_changed(h, n);
  }
}

/* How "b" is to be laid on "a", to which the nodes "na" and "nb" point: declared types on each
 * other, else the places of the nodes. */
static int64_t choose_shift(struct dad_object *a, struct dad_object *b, struct dad_node *na,
                            struct dad_node *nb) {
  if (a->type && a->type == b->type)
    return a->type_at - b->type_at;
  const struct dad_positions *pa = dad_node_positions(na), *pb = dad_node_positions(nb);
  return pa->n && pb->n ? pa->shape[0].p.lo - pb->shape[0].p.lo : 0;
}

/* The classes of "a" and "b" become one, and so do the objects that they point to. */
static void merge_classes(struct dad_heap *h, struct dad_node *a, struct dad_node *b) {
  struct dad_class *ca = dad_node_class(a), *cb = dad_node_class(b);
  if (ca == cb)
    return;
  struct dad_object *oa = dad_node_object(a), *ob = dad_node_object(b);
  if (oa && ob && oa != ob) {
    int64_t shift = choose_shift(oa, ob, a, b);
    if (oa->n >= ob->n)
      merge_objects(h, oa, ob, shift);
    else
      merge_objects(h, ob, oa, -shift);
  }
  if ((oa && !ob) || (ob && !oa)) {
    node_changed(h, dad_node_find(a));
    node_changed(h, dad_node_find(b));
  }
  cb->up = ca;
  if (!ca->object)
    ca->object = ob;
}

void dad_node_place(struct dad_heap *h, struct dad_node *n, const struct dad_shape *shape) {
  dad_node_positions(n);
  n = dad_node_find(n);
  if (!n->frame)
    n->frame = dad_node_object(n);
  add_shape(h, n, shape);
}

/* "to" may be where "from" is. */
static void join_positions(struct dad_heap *h, struct dad_node *from, struct dad_node *to) {
  const struct dad_positions *more = dad_node_positions(from);
  for (unsigned k = 0; k < more->n; k++)
    dad_node_place(h, to, &more->shape[k]);
}

void dad_heap_settle(struct dad_heap *h) {
  while (h->n_pending) {
    struct dad_pair p = h->pending[--h->n_pending];
    struct dad_node *a = dad_node_find(p.a), *b = dad_node_find(p.b);
    if (a == b)
      continue;
    merge_classes(h, a, b);
    dad_node_alike(a, b);
    join_positions(h, b, a);
    b->up = a;
    a->given |= b->given;
    if (!a->owner)
      a->owner = b->owner;
    node_changed(h, a);
  }
}

void dad_node_share(struct dad_heap *h, struct dad_node *a, struct dad_node *b) {
  merge_classes(h, a, b);
  dad_heap_settle(h);
}

void dad_node_flow(struct dad_heap *h, struct dad_node *from, struct dad_node *to) {
  from = dad_node_find(from);
  to = dad_node_find(to);
  if (from == to)
    return;
  merge_classes(h, from, to);
  dad_heap_settle(h);
  from = dad_node_find(from);
  to = dad_node_find(to);
  if (from != to)
    join_positions(h, from, to);
}

void dad_node_point(struct dad_heap *h, struct dad_node *n, struct dad_object *o,
                    const struct dad_shape *shape) {
  struct dad_class *c = dad_node_class(n);
  struct dad_object *root = dad_object_find(o, NULL);
  if (!c->object)
    c->object = root;
  if (dad_node_object(n) == root) {
    int64_t shift = 0;
    struct dad_shape moved = *shape;
    dad_object_find(o, &shift);
    moved.p.lo += shift;
    moved.at += shift;
    dad_node_place(h, n, &moved);
    return;
  }
  struct dad_node *probe = dad_node_new(h, NULL);
  probe->class->object = probe->frame = o;
  dad_node_place(h, probe, shape);
  dad_node_flow(h, probe, n);
}
