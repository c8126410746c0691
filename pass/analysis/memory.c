/* memory.c: the phases of the analysis, and answers about values and pointers. */
#include "memory.h"

#include "activity.h"

bool dad_memory_analyse(struct dad_request *req) {
  struct dad_memory *m = DAD_NEW(req->arena, struct dad_memory);
  struct dad_arena *arena = req->arena;
  m->req = req;
  m->heap = (struct dad_heap){
      .arena = arena, .ctx = req->ctx, .objects = DAD_VEC(arena), .collapse = dad_options.collapse};
  m->heap.declared = (struct dad_declared){req->ctx, DAD_MAP(arena)};
  m->node = m->signatures = m->variadic = m->fresh = m->lanes = m->layouts = m->points = m->touched =
      DAD_MAP(arena);
  m->constraints = m->handouts = DAD_VEC(arena);
  req->memory = m;
  dad_constrain_module(m);
  if (!dad_solve(m))
    return false;
  dad_activity_solve(m);
  dad_reach_solve(m);
  dad_find_inert_units(m);
  return !dad_failed(req);
}

/* ---- pointers */

/* The global or function that the constant address "c" is made of, or NULL. */
static LLVMValueRef base_of(LLVMValueRef c) {
  while (LLVMIsAConstantExpr(c))
    c = LLVMGetOperand(c, 0);
  return LLVMIsAGlobalValue(c) ? c : NULL;
}

/* The node of the pointer "p". Constant addresses that no instruction uses are those of the whole
 * global: "anywhere" is set. */
static struct dad_node *pointer_node(struct dad_request *req, LLVMValueRef p, bool *anywhere) {
  struct dad_node *n = dad_node_known(req->memory, p);
  *anywhere = !n;
  if (!n && LLVMIsConstant(p) && base_of(p))
    n = dad_node_known(req->memory, base_of(p));
  return n;
}

/* What is in the cells that "bytes" bytes from "p" on touch. */
struct summary {
  unsigned kinds;
  bool active;
};

static void sum_cell(struct dad_memory *m, struct dad_cell *c, const struct dad_shape *from,
                     int64_t bytes, struct summary *sum) {
  for (unsigned k = 0; k < c->n; k++) {
    struct dad_span seen;
    if (!dad_span_seen_from(&c->piece[k], from, bytes, &seen))
      continue;
    sum->kinds |= dad_node_kinds(c->content);
    sum->active |= dad_activity_in_cell(m, c->content);
    return;
  }
}

static struct summary sum_up(struct dad_request *req, LLVMValueRef p, uint64_t bytes) {
  struct summary sum = {0, false};
  bool anywhere;
  struct dad_node *n = pointer_node(req, p, &anywhere);
  struct dad_object *o = n ? dad_node_object(n) : NULL;
  struct dad_shape all = dad_shape_anywhere();
  struct dad_positions whole = {.shape = &all, .n = 1};
  const struct dad_positions *at = !n || anywhere ? &whole : dad_node_positions(n);
  for (unsigned k = 0; o && k < at->n; k++)
    for (unsigned i = 0; i < o->n; i++)
      sum_cell(req->memory, o->cell[i], &at->shape[k], bytes > INT64_MAX ? -1 : (int64_t)bytes,
               &sum);
  return sum;
}

unsigned dad_kinds_at(struct dad_request *req, LLVMValueRef ptr, uint64_t bytes) {
  return sum_up(req, ptr, bytes).kinds;
}

bool dad_active_at(struct dad_request *req, LLVMValueRef ptr, uint64_t bytes) {
  return sum_up(req, ptr, bytes).active;
}

static bool is_aggregate(LLVMValueRef v) {
  return LLVMIsAConstantStruct(v) || LLVMIsAConstantArray(v) || LLVMIsAConstantVector(v);
}

bool dad_inert(struct dad_request *req, LLVMValueRef ptr) {
  bool anywhere;
  if (dad_is_plain_constant(ptr))
    return true;
  struct dad_node *n = pointer_node(req, ptr, &anywhere);
  if (!n && is_aggregate(ptr)) {
    for (int k = 0; k < LLVMGetNumOperands(ptr); k++)
      if (!dad_inert(req, LLVMGetOperand(ptr, (unsigned)k)))
        return false;
    return true;
  }
  struct dad_object *o = n ? dad_node_object(n) : NULL;
  return !o || !o->live;
}

bool dad_external(struct dad_request *req, LLVMValueRef ptr) {
  bool anywhere;
  struct dad_node *n = pointer_node(req, ptr, &anywhere);
  struct dad_object *o = n ? dad_node_object(n) : NULL;
  return o && o->external;
}

/* ---- overlaps */

/* The cells of its object that an access touches. */
struct touched {
  struct dad_object *object; /* NULL: not known, it may be any */
  uint64_t bytes;            /* how many it takes at most */
  uint64_t cells;            /* cell k, and all cells from the last bit on in the last bit */
};

static bool shape_touches(const struct dad_cell *c, const struct dad_shape *from, int64_t bytes) {
  struct dad_span seen;
  for (unsigned k = 0; k < c->n; k++)
    if (dad_span_seen_from(&c->piece[k], from, bytes, &seen))
      return true;
  return false;
}

static const struct touched *touched_by(struct dad_request *req, LLVMValueRef p, uint64_t bytes) {
  enum { LAST = 63 };
  struct touched *t = dad_map_get(&req->memory->touched, p);
  if (t && bytes <= t->bytes)
    return t;
  t = DAD_NEW(req->arena, struct touched);
  t->bytes = bytes;
  dad_map_set(&req->memory->touched, p, t);
  bool anywhere;
  struct dad_node *n = pointer_node(req, p, &anywhere);
  t->object = n && !anywhere ? dad_node_object(n) : NULL;
  const struct dad_positions *at = t->object ? dad_node_positions(n) : NULL;
  for (unsigned k = 0; at && k < at->n; k++)
    for (unsigned i = 0; i < t->object->n; i++)
      if (shape_touches(t->object->cell[i], &at->shape[k], bytes > INT64_MAX ? -1 : (int64_t)bytes))
        t->cells |= (uint64_t)1 << (i < LAST ? i : LAST);
  return t;
}

bool dad_may_overlap(struct dad_request *req, LLVMValueRef p, uint64_t p_bytes, LLVMValueRef q, uint64_t q_bytes) {
  const struct touched *a = touched_by(req, p, p_bytes), *b = touched_by(req, q, q_bytes);
  if (!a->object || !b->object)
    return true;
  return a->object == b->object && (a->cells & b->cells) != 0;
}

bool dad_mixed(struct dad_request *req, LLVMValueRef ptr) {
  bool anywhere;
  struct dad_node *n = pointer_node(req, ptr, &anywhere);
  struct dad_object *o = n ? dad_node_object(n) : NULL;
  return o && o->constant && o->live;
}

/* ---- values */

bool dad_active(struct dad_request *req, LLVMValueRef v) {
  return !LLVMIsConstant(v) && dad_activity_flags(req->memory, v) == (DAD_VARIED | DAD_USEFUL);
}

void dad_memory_inherit(struct dad_request *req, LLVMValueRef from, LLVMValueRef to) {
  struct dad_memory *m = req->memory;
  struct dad_node *n = dad_map_get(&m->node, from);
  struct dad_point *p = dad_map_get(&m->points, from);
  if (n)
    dad_map_set(&m->node, to, n);
  if (p)
    dad_map_set(&m->points, to, p);
}
