/* solve.c: looks at all constraints until nothing changes. Sets of positions only grow and objects
   only merge, so there is an end; when it is long in coming, sets widen at once, and at last all
   objects collapse. */
#include "constraint.h"
#include <stdio.h>
#include <stdlib.h>

enum { HASTY_ROUNDS = 40, COLLAPSE_ROUNDS = 120, MOST_ROUNDS = 1000 };

/* The cells that an access touches. */
struct touched {
  struct dad_node *content[DAD_SHAPES];
  unsigned n;
};

/* The cells at bytes [offset, offset + bytes) behind "p". */
static struct touched touch(struct dad_heap *h, struct dad_node *p, int64_t offset, int64_t bytes) {
  struct touched t = {.n = 0};
  struct dad_object *o = dad_node_object(p);
  const struct dad_positions *at = dad_node_positions(p);
  for (unsigned k = 0; o && k < at->n; k++) {
    struct dad_span span = dad_span_of(&at->shape[k], offset, bytes);
    t.content[t.n++] = dad_object_touch(h, o, &span)->content;
  }
  dad_heap_settle(h);
  return t;
}

static void run_flow(struct dad_heap *h, struct dad_constraint *c) {
  if (c->integers)
    dad_node_alike(c->from, c->to);
  dad_node_flow(h, c->from, c->to);
}

static void run_access(struct dad_heap *h, struct dad_constraint *c) {
  struct touched t = touch(h, c->from, c->offset, c->bytes);
  struct dad_object *o = dad_node_object(c->from);
  for (unsigned k = 0; k < t.n; k++) {
    dad_node_add_kinds(t.content[k], c->kinds);
    if (c->to && c->integers)
      dad_node_alike(t.content[k], c->to);
    if (c->to && c->kind == DAD_LOAD)
      dad_node_flow(h, t.content[k], c->to);
    else if (c->to)
      dad_node_flow(h, c->to, t.content[k]);
  }
  if (o && c->kind == DAD_STORE && c->outside)
    dad_object_find(o, NULL)->written_outside = true;
}

static void run_anywhere(struct dad_heap *h, struct dad_constraint *c) {
  struct dad_shape any = dad_shape_anywhere();
  dad_node_share(h, c->from, c->to);
  if (dad_node_positions(c->from)->n)
    dad_node_place(h, c->to, &any);
}

static void run_opaque(struct dad_heap *h, struct dad_constraint *c) {
  struct dad_object *o = dad_node_object(c->from);
  struct dad_shape any = dad_shape_anywhere();
  if (!o)
    return;
  dad_object_collapse(h, o);
  struct dad_span byte = dad_span_of(&any, 0, 1);
  struct dad_node *content = dad_object_touch(h, o, &byte)->content;
  o->written_outside = o->external = true;
  dad_heap_settle(h);
  dad_node_flow(h, c->from, content);
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

/* A place of a cell of one side, and the cell of the other side that holds the same. */
struct twin {
  struct dad_node *content;
  struct dad_span there;
};

/* The twins of the cells of "a" in [from, from + bytes) at the place "to" of the other side. */
static unsigned find_twins(struct dad_object *a, const struct dad_shape *from,
                           const struct dad_shape *to, int64_t bytes, struct twin *twin) {
  unsigned n = 0;
  for (unsigned k = 0; k < a->n; k++)
    for (unsigned i = 0; i < a->cell[k]->n; i++) {
      struct dad_span relative;
      if (dad_span_seen_from(&a->cell[k]->piece[i], from, bytes, &relative))
        twin[n++] = (struct twin){a->cell[k]->content, dad_span_placed(&relative, to)};
    }
  return n;
}

/* Room for the twins of all places of the cells of "a": used until the next call. */
static struct twin *twins_of(struct dad_heap *h, struct dad_object *a) {
  unsigned need = a->n * DAD_PIECES;
  if (need > h->n_scratch) {
    h->scratch = DAD_ARRAY(h->arena, struct twin, 2 * need);
    h->n_scratch = 2 * need;
  }
  return h->scratch;
}

/* Cells of "p" from "from" on have a counterpart behind "q" from "to" on; what is in them moves
 * there ("forward") or comes from there. */
static void copy_side(struct dad_heap *h, struct dad_node *p, struct dad_node *q,
                      const struct dad_shape *from, const struct dad_shape *to, int64_t bytes,
                      bool forward) {
  struct dad_object *a = dad_node_object(p), *b = dad_node_object(q);
  struct twin *twin = twins_of(h, a);
  unsigned n = find_twins(a, from, to, bytes, twin);
  for (unsigned k = 0; k < n; k++) {
    b = dad_object_find(b, NULL);
    struct dad_node *other = dad_object_touch(h, b, &twin[k].there)->content;
    dad_heap_settle(h);
    dad_node_alike(twin[k].content, other);
    dad_node_flow(h, forward ? twin[k].content : other, forward ? other : twin[k].content);
  }
}

static void run_copy(struct dad_heap *h, struct dad_constraint *c) {
  struct dad_positions from = *dad_node_positions(c->from), to = *dad_node_positions(c->to);
  struct dad_shape s[DAD_SHAPES], d[DAD_SHAPES];
  unsigned n = from.n, m = to.n;
  for (unsigned k = 0; k < n; k++)
    s[k] = from.shape[k];
  for (unsigned k = 0; k < m; k++)
    d[k] = to.shape[k];
  uint64_t start = h->clock;
  for (unsigned i = 0; i < n; i++)
    for (unsigned k = 0; k < m; k++) {
      int64_t bytes = c->bytes < 0 ? copy_limit(h, &s[i], &d[k]) : c->bytes;
      struct dad_object *a = dad_node_object(c->from), *b = dad_node_object(c->to);
      copy_side(h, c->from, c->to, &s[i], &d[k], bytes, true);
      copy_side(h, c->to, c->from, &d[k], &s[i], bytes, false);
      if (a->up || b->up) { /* laid on another object: the places above are no longer right */
        c->ran = start;
        return;
      }
    }
  struct dad_object *o = dad_node_object(c->to);
  if (o && c->outside && m)
    o->written_outside = true;
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
  case DAD_OPAQUE: run_opaque(h, c); break;
  }
}

static bool changed_since(struct dad_node *n, bool memory, uint64_t when) {
  n = dad_node_find(n);
  if (n->changed > when)
    return true;
  struct dad_object *o = memory ? dad_node_object(n) : NULL;
  return o && o->changed > when;
}

static bool is_stale(struct dad_constraint *c) {
  bool memory = c->kind >= DAD_LOAD, both = c->kind == DAD_STORE || c->kind == DAD_COPY;
  if (!c->ran)
    return true;
  return changed_since(c->from, memory, c->ran) ||
         (both && c->to && changed_since(c->to, c->kind == DAD_COPY, c->ran));
}

/* One look at all of them; true if anything changed. */
static bool one_round(struct dad_memory *m) {
  struct dad_heap *h = &m->heap;
  uint64_t before = h->clock;
  for (unsigned k = 0; k < m->constraints.n; k++) {
    struct dad_constraint *c = m->constraints.at[k];
    if (is_stale(c)) {
      uint64_t was = h->clock;
      run(h, c);
      if (was != h->clock && getenv("DBG") && m->rounds > 300 && m->rounds < 303) { fprintf(stderr, "round %u kind %d bytes %d: ", m->rounds, c->kind, (int)c->bytes); if (c->at) LLVMDumpValue(c->at); fprintf(stderr,"\n"); }
    }
  }
  return h->clock != before;
}

/* ---- pointers that nobody in this module has set */

/* "n", a pointer that is used as one, has no place to point to: it gets a new object. */
static bool assume(struct dad_heap *h, struct dad_node *n, LLVMValueRef site) {
  struct dad_shape start = {.type = NULL};
  n = dad_node_find(n);
  if (dad_node_positions(n)->n)
    return false;
  struct dad_object *o = dad_node_object(n);
  if (!o) {
    o = dad_object_new(h, site);
    o->unknown = true;
  }
  n->given = true;
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
    if (c->kind != DAD_LOAD || !(c->kinds & DAD_PTR) || !dad_node_positions(c->from)->n ||
        dad_node_positions(c->to)->n)
      continue;
    struct touched t = touch(h, c->from, c->offset, c->bytes);
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
  struct touched t = touch(&m->heap, c->from, c->offset, c->bytes);
  for (unsigned k = 0; k < t.n; k++)
    content[k] = dad_node_find(t.content[k]);
  return t.n;
}

void dad_copied_cells(struct dad_memory *m, const struct dad_constraint *c, struct dad_vec *pairs) {
  const struct dad_positions *from = dad_node_positions(c->from), *to = dad_node_positions(c->to);
  struct dad_object *a = dad_node_object(c->from), *b = dad_node_object(c->to);
  for (unsigned i = 0; a && b && i < from->n; i++)
    for (unsigned k = 0; k < to->n; k++) {
      int64_t bytes =
          c->bytes < 0 ? copy_limit(&m->heap, &from->shape[i], &to->shape[k]) : c->bytes;
      struct twin *twin = twins_of(&m->heap, a);
      unsigned n = find_twins(a, &from->shape[i], &to->shape[k], bytes, twin);
      for (unsigned j = 0; j < n; j++) {
        dad_vec_push(pairs, dad_node_find(twin[j].content));
        dad_vec_push(pairs, dad_node_find(dad_object_touch(&m->heap, b, &twin[j].there)->content));
      }
    }
}
