/* solve.c: looks at all constraints until nothing changes. Sets of positions only grow and objects
   only merge, so there is an end; when it is long in coming, sets widen at once, and at last all
   objects collapse. */
#include "constraint.h"

enum { HASTY_ROUNDS = 200, COLLAPSE_ROUNDS = 600, MOST_ROUNDS = 3000 };

/* ---- accesses */

/* The cells that an access touches. */
struct touched {
  struct dad_node *content[DAD_TOUCHED];
  unsigned n;
};

/* The cells that "c" touches. */
static struct touched touch(struct dad_heap *h, const struct dad_constraint *c) {
  struct touched t;
  t.n = 0;
  unsigned n;
  const struct dad_target *target = dad_node_targets(h, c->from, &n);
  for (unsigned i = 0; i < n; i++)
    for (unsigned k = 0; k < target[i].at.n; k++) {
      struct dad_span span = dad_span_of(&target[i].at.shape[k], c->offset, c->bytes);
      if (target[i].object->align >= c->align)
        span = dad_span_aligned(&span, c->align);
      t.content[t.n++] = dad_object_touch(h, target[i].object, &span)->content;
    }
  dad_heap_settle(h);
  return t;
}

static void written_outside(struct dad_heap *h, struct dad_node *p) {
  unsigned n;
  const struct dad_target *target = dad_node_targets(h, p, &n);
  for (unsigned k = 0; k < n; k++)
    target[k].object->written_outside = true;
}

static void run_flow(struct dad_heap *h, struct dad_constraint *c) {
  if (c->integers)
    dad_node_alike(c->from, c->to);
  dad_node_flow(h, c->from, c->to);
}

/* The load "c" has touched "t". */
static void remember(struct dad_heap *h, struct dad_constraint *c, const struct touched *t) {
  if (t->n > c->capacity) {
    c->capacity = t->n;
    c->content = DAD_ARRAY(h->arena, struct dad_node *, t->n);
  }
  c->n_content = t->n;
  for (unsigned k = 0; k < t->n; k++)
    c->content[k] = t->content[k];
}

/* Bytes of the smallest number: what is moved in smaller pieces says nothing about formats. */
enum { LEAST_NUMBER = 4 };

static void run_access(struct dad_heap *h, struct dad_constraint *c) {
  struct touched t = touch(h, c);
  if (c->kind == DAD_LOAD && c->to)
    remember(h, c, &t);
  for (unsigned k = 0; k < t.n; k++) {
    dad_node_add_kinds(t.content[k], c->kinds);
    if (c->to && c->integers && c->bytes >= LEAST_NUMBER)
      dad_node_alike(t.content[k], c->to);
    if (c->to && c->kind == DAD_LOAD)
      dad_node_flow(h, t.content[k], c->to);
    else if (c->to)
      dad_node_flow(h, c->to, t.content[k]);
  }
  if (c->kind == DAD_STORE && c->outside)
    written_outside(h, c->from);
}

static void run_anywhere(struct dad_heap *h, struct dad_constraint *c) {
  struct dad_shape any = dad_shape_anywhere();
  struct dad_object *object[DAD_TARGETS];
  unsigned n;
  const struct dad_target *target = dad_node_targets(h, c->from, &n);
  for (unsigned k = 0; k < n; k++)
    object[k] = target[k].object;
  for (unsigned k = 0; k < n; k++)
    dad_node_point(h, c->to, object[k], &any);
}

/* ---- copies */

/* A copy of unknown length from or to a member array ends with the array. */
static int64_t copy_limit(struct dad_heap *h, const struct dad_shape *from,
                          const struct dad_shape *to) {
  const struct dad_shape *both[2] = {from, to};
  int64_t limit = -1;
  for (unsigned k = 0; k < 2; k++) {
    struct dad_region r;
    const struct dad_shape *s = both[k];
    if (!dad_declared_stretch(&h->declared, (LLVMTypeRef)s->type, s->at, s->p.lo, &r) ||
        r.bytes >= DAD_ENDLESS)
      continue;
    int64_t left = r.lo + r.bytes - s->p.lo;
    limit = limit < 0 || left < limit ? left : limit;
  }
  return limit;
}

/* A place that a copy reads or writes. */
struct place {
  struct dad_object *object;
  struct dad_shape shape;
};

struct places {
  struct place at[DAD_TOUCHED];
  unsigned n;
};

static struct places places_of(struct dad_heap *h, struct dad_node *p) {
  struct places out;
  out.n = 0;
  unsigned n;
  const struct dad_target *target = dad_node_targets(h, p, &n);
  for (unsigned i = 0; i < n; i++)
    for (unsigned k = 0; k < target[i].at.n; k++)
      out.at[out.n++] = (struct place){target[i].object, target[i].at.shape[k]};
  return out;
}

/* A cell of one side, and where the other side holds the same. */
struct twin {
  struct dad_node *content;
  struct dad_span there;
};

/* Room for the twins of all places of the cells of "a": used until the next call. */
static struct twin *twins_of(struct dad_heap *h, struct dad_object *a) {
  unsigned need = a->n * DAD_PIECES;
  if (need > h->n_scratch) {
    h->scratch = DAD_ARRAY(h->arena, struct twin, 2 * need);
    h->n_scratch = 2 * need;
  }
  return h->scratch;
}

/* The twins of the cells in [from, from + bytes) at "to". */
static unsigned find_twins(const struct place *from, const struct place *to, int64_t bytes,
                           struct twin *twin) {
  unsigned n = 0;
  for (unsigned k = 0; k < from->object->n; k++) {
    struct dad_cell *cell = from->object->cell[k];
    for (unsigned i = 0; i < cell->n; i++) {
      struct dad_span relative;
      if (dad_span_seen_from(&cell->piece[i], &from->shape, bytes, &relative))
        twin[n++] = (struct twin){cell->content, dad_span_placed(&relative, &to->shape)};
    }
  }
  return n;
}

/* Cells at "from" have a counterpart at "to"; what is in them moves there ("forward") or comes from
 * there. */
static void copy_side(struct dad_heap *h, const struct place *from, const struct place *to,
                      int64_t bytes, bool forward) {
  struct twin *twin = twins_of(h, from->object);
  unsigned n = find_twins(from, to, bytes, twin);
  for (unsigned k = 0; k < n && !to->object->up; k++) {
    struct dad_node *other = dad_object_touch(h, to->object, &twin[k].there)->content;
    dad_heap_settle(h);
    dad_node_alike(twin[k].content, other);
    dad_node_flow(h, forward ? twin[k].content : other, forward ? other : twin[k].content);
  }
}

static void run_copy(struct dad_heap *h, struct dad_constraint *c) {
  struct places from = places_of(h, c->from), to = places_of(h, c->to);
  uint64_t start = h->clock;
  for (unsigned i = 0; i < from.n; i++)
    for (unsigned k = 0; k < to.n; k++) {
      struct place *a = &from.at[i], *b = &to.at[k];
      int64_t bytes = c->bytes < 0 ? copy_limit(h, &a->shape, &b->shape) : c->bytes;
      if (!a->object->up && !b->object->up)
        copy_side(h, a, b, bytes, true);
      if (!a->object->up && !b->object->up)
        copy_side(h, b, a, bytes, false);
      if (a->object->up ||
          b->object->up) { /* part of another now: the places above are no longer right */
        c->ran = start;
        return;
      }
    }
  if (c->outside)
    written_outside(h, c->to);
}

/* ---- rounds */

static void run(struct dad_heap *h, struct dad_constraint *c) {
  c->ran = h->clock;
  switch (c->kind) {
  case DAD_FLOW: run_flow(h, c); break;
  case DAD_ADDRESS: dad_path_follow(h, c->from, c->path, c->to); break;
  case DAD_ANYWHERE: run_anywhere(h, c); break;
  case DAD_LOAD:
  case DAD_STORE: run_access(h, c); break;
  case DAD_COPY: run_copy(h, c); break;
  case DAD_EXPOSED: break; /* see reach.c */
  }
}

static bool node_changed(struct dad_node *n, uint64_t when) {
  return dad_node_find(n)->changed > when;
}

/* Has what is in the objects that "n" points to changed after "when"? */
static bool memory_changed(struct dad_heap *h, struct dad_node *n, uint64_t when) {
  unsigned count;
  const struct dad_target *target = dad_node_targets(h, n, &count);
  for (unsigned k = 0; k < count; k++)
    if (target[k].object->changed > when)
      return true;
  return false;
}

/* Cells keep what was touched when they grow together or move to another object: an access is
   looked at again only when its pointer, or what it moves, has changed. */
static bool is_stale(struct dad_heap *h, struct dad_constraint *c) {
  if (!c->ran || node_changed(c->from, c->ran))
    return true;
  if (c->kind == DAD_STORE)
    return c->to && node_changed(c->to, c->ran);
  if (c->kind == DAD_COPY)
    return node_changed(c->to, c->ran) || memory_changed(h, c->from, c->ran) ||
           memory_changed(h, c->to, c->ran);
  for (unsigned k = 0; k < c->n_content; k++)
    if (node_changed(c->content[k], c->ran))
      return true;
  return false;
}

/* One look at all of them; true if anything changed. */
static bool one_round(struct dad_memory *m) {
  struct dad_heap *h = &m->heap;
  uint64_t before = h->clock;
  h->round++;
  for (unsigned k = 0; k < m->constraints.n; k++) {
    struct dad_constraint *c = m->constraints.at[k];
    if (is_stale(h, c))
      run(h, c);
  }
  return h->clock != before;
}

/* ---- pointers that nobody in this module has set */

/* "n", a pointer that is used as one, has no place to point to: it gets a new object. */
static bool assume(struct dad_heap *h, struct dad_node *n, LLVMValueRef site) {
  struct dad_shape start = {.type = NULL};
  if (dad_node_points(n))
    return false;
  struct dad_object *o = dad_object_new(h, site);
  o->unknown = true;
  dad_node_point(h, n, o, &start);
  return true;
}

static bool is_pointer(LLVMValueRef v) {
  return v && LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMPointerTypeKind;
}

/* Pointers come from parameters, calls, memory and integers; all others are made of those. */
static bool is_source(LLVMValueRef v) {
  return LLVMIsAArgument(v) || dad_is_any_call(v) || LLVMIsAIntToPtrInst(v) ||
         LLVMIsAVAArgInst(v) || LLVMIsAExtractValueInst(v) || LLVMIsALandingPadInst(v) ||
         LLVMIsAExtractElementInst(v) || LLVMIsAFreezeInst(v) || LLVMIsAConstantExpr(v);
}

/* Sources of pointers; those to which something flows ("fed") only if that has turned out to lead
 * nowhere. */
static bool assume_sources(struct dad_memory *m, bool fed) {
  bool any = false;
  for (unsigned k = 0, n = m->node.n; k < n; k++) {
    LLVMValueRef v = (LLVMValueRef)m->node.key[k];
    struct dad_node *at = m->node.value[k];
    if (is_pointer(v) && is_source(v) && at->fed <= fed)
      any |= assume(&m->heap, at, v);
  }
  return any;
}

/* Cells from which a pointer is loaded. */
static bool assume_contents(struct dad_memory *m) {
  struct dad_heap *h = &m->heap;
  bool any = false;
  for (unsigned k = 0, n = m->constraints.n; k < n; k++) {
    struct dad_constraint *c = m->constraints.at[k];
    if (c->kind != DAD_LOAD || !(c->kinds & DAD_PTR) || dad_node_points(c->to))
      continue;
    struct touched t = touch(h, c);
    for (unsigned i = 0; i < t.n; i++)
      any |= assume(h, t.content[i], c->at);
  }
  return any;
}

/* Looks at all constraints until nothing changes. */
static bool settle_rounds(struct dad_memory *m) {
  for (unsigned round = 0; one_round(m); round++) {
    m->rounds++;
    m->heap.hasty |= round > HASTY_ROUNDS;
    for (unsigned k = 0; round > COLLAPSE_ROUNDS && k < m->heap.objects.n; k++)
      dad_object_collapse(&m->heap, dad_object_find(m->heap.objects.at[k], NULL));
    dad_heap_settle(&m->heap);
    if (round > MOST_ROUNDS) {
      dad_diag(m->req->ctx, DAD_INTERNAL, m->req->function, "the objects in memory do not settle");
      return false;
    }
  }
  return true;
}

bool dad_solve(struct dad_memory *m) {
  do {
    if (!settle_rounds(m))
      return false;
  } while (assume_sources(m, false) || assume_contents(m) || assume_sources(m, true));
  return true;
}

/* ---- the solution, access by access */

unsigned dad_touched_cells(struct dad_memory *m, const struct dad_constraint *c,
                           struct dad_node **content) {
  struct touched t = touch(&m->heap, c);
  for (unsigned k = 0; k < t.n; k++)
    content[k] = dad_node_find(t.content[k]);
  return t.n;
}

void dad_copied_cells(struct dad_memory *m, const struct dad_constraint *c, struct dad_vec *pairs) {
  struct dad_heap *h = &m->heap;
  struct places from = places_of(h, c->from), to = places_of(h, c->to);
  for (unsigned i = 0; i < from.n; i++)
    for (unsigned k = 0; k < to.n; k++) {
      struct place *a = &from.at[i], *b = &to.at[k];
      int64_t bytes = c->bytes < 0 ? copy_limit(h, &a->shape, &b->shape) : c->bytes;
      struct twin *twin = twins_of(h, a->object);
      unsigned n = find_twins(a, b, bytes, twin);
      for (unsigned j = 0; j < n; j++) {
        dad_vec_push(pairs, dad_node_find(twin[j].content));
        dad_vec_push(pairs, dad_node_find(dad_object_touch(h, b->object, &twin[j].there)->content));
      }
    }
}
