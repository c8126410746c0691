/* overlap.c: may two accesses touch the same bytes? They may if they touch the same cell: different
   bytes of an object are different bytes in memory, and so are different objects, unless a pointer
   is involved that no code in this module has set. */
#include "constraint.h"

#include "memory.h"

#include <stdlib.h>

/* The cells that an access touches. */
struct touched {
  uint64_t bytes;               /* how many bytes it takes at most */
  const struct dad_cell **cell; /* by ascending address */
  unsigned n, capacity;
  uint64_t signature;              /* a bit for each cell, the same for some */
  bool known;                      /* "cell" is complete */
  bool unknown, external, exposed; /* it may be in memory of that kind (struct dad_object) */
};

static void add_cell(struct dad_arena *arena, struct touched *t, const struct dad_cell *c) {
  if (t->n == t->capacity) {
    unsigned more = t->capacity ? 2 * t->capacity : 4;
    t->cell = dad_arena_grow(arena, t->cell, t->n * sizeof *t->cell, more * sizeof *t->cell);
    t->capacity = more;
  }
  t->cell[t->n++] = c;
  t->signature |= (uint64_t)1 << ((uintptr_t)c / sizeof *c % 64);
}

static bool touches(const struct dad_cell *c, const struct dad_positions *at, int64_t bytes) {
  struct dad_span seen;
  for (unsigned k = 0; k < at->n; k++)
    for (unsigned i = 0; i < c->n; i++)
      if (dad_span_seen_from(&c->piece[i], &at->shape[k], bytes, &seen))
        return true;
  return false;
}

static int by_address(const void *a, const void *b) {
  const struct dad_cell *const *x = a, *const *y = b;
  return (*x > *y) - (*x < *y);
}

static void collect(struct dad_memory *m, struct touched *t, struct dad_node *n) {
  unsigned count;
  const struct dad_target *target = dad_node_targets(&m->heap, n, &count);
  t->known = count > 0;
  for (unsigned k = 0; k < count; k++) {
    struct dad_object *o = target[k].object;
    t->unknown |= o->unknown;
    t->external |= o->external;
    t->exposed |= o->exposed;
    for (unsigned i = 0; i < o->n; i++)
      if (touches(o->cell[i], &target[k].at, t->bytes > INT64_MAX ? -1 : (int64_t)t->bytes))
        add_cell(m->heap.arena, t, o->cell[i]);
  }
  if (t->n)
    qsort(t->cell, t->n, sizeof *t->cell, by_address);
}

/* What "bytes" bytes from "p" on touch; remembered for as many bytes at most. */
static const struct touched *touched_by(struct dad_memory *m, LLVMValueRef p, uint64_t bytes) {
  struct touched *t = dad_map_get(&m->touched, p);
  if (t && bytes <= t->bytes)
    return t;
  t = DAD_NEW(m->heap.arena, struct touched);
  t->bytes = bytes;
  dad_map_set(&m->touched, p, t);
  struct dad_node *n = dad_node_known(m, p);
  if (n)
    collect(m, t, n);
  return t;
}

static bool share_cell(const struct touched *a, const struct touched *b) {
  if (!(a->signature & b->signature))
    return false;
  for (unsigned i = 0, k = 0; i < a->n && k < b->n;) {
    if (a->cell[i] == b->cell[k])
      return true;
    if (a->cell[i] < b->cell[k])
      i++;
    else
      k++;
  }
  return false;
}

bool dad_may_overlap(struct dad_request *req, LLVMValueRef p, uint64_t p_bytes, LLVMValueRef q,
                     uint64_t q_bytes) {
  struct dad_memory *m = req->memory;
  const struct touched *a = touched_by(m, p, p_bytes), *b = touched_by(m, q, q_bytes);
  if (!a->known || !b->known || (a->unknown && b->external) || (b->unknown && a->external) ||
      (a->exposed && b->exposed))
    return true;
  return share_cell(a, b);
}
