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
  m->node = m->signatures = m->fresh = m->lanes = m->layouts = m->points = m->touched =
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

/* Does the range "bytes" from "from" on touch the cell "c"? */
static bool touches(const struct dad_cell *c, const struct dad_shape *from, uint64_t bytes) {
  struct dad_span seen;
  for (unsigned k = 0; k < c->n; k++)
    if (dad_span_seen_from(&c->piece[k], from, bytes > INT64_MAX ? -1 : (int64_t)bytes, &seen))
      return true;
  return false;
}

typedef void visit_cell(struct dad_request *req, struct dad_cell *c, void *sum);

/* Calls "visit" for the cells that "bytes" bytes from "p" on touch, once or more. */
static void visit_cells(struct dad_request *req, LLVMValueRef p, uint64_t bytes, visit_cell *visit,
                        void *sum) {
  bool anywhere;
  unsigned count = 0;
  struct dad_node *n = pointer_node(req, p, &anywhere);
  const struct dad_target *t = n ? dad_node_targets(&req->memory->heap, n, &count) : NULL;
  struct dad_shape all = dad_shape_anywhere();
  struct dad_positions whole = {.shape = &all, .n = 1};
  for (unsigned j = 0; j < count; j++) {
    const struct dad_positions *at = anywhere ? &whole : &t[j].at;
    for (unsigned k = 0; k < at->n; k++)
      for (unsigned i = 0; i < t[j].object->n; i++)
        if (touches(t[j].object->cell[i], &at->shape[k], bytes))
          visit(req, t[j].object->cell[i], sum);
  }
}

static void add_kinds(struct dad_request *req, struct dad_cell *c, void *sum) {
  (void)req;
  *(unsigned *)sum |= dad_node_kinds(c->content);
}

unsigned dad_kinds_at(struct dad_request *req, LLVMValueRef ptr, uint64_t bytes) {
  unsigned kinds = 0;
  visit_cells(req, ptr, bytes, add_kinds, &kinds);
  return kinds;
}

static void add_active(struct dad_request *req, struct dad_cell *c, void *sum) {
  *(bool *)sum |= dad_activity_in_cell(req->memory, c->content);
}

bool dad_active_at(struct dad_request *req, LLVMValueRef ptr, uint64_t bytes) {
  bool active = false;
  visit_cells(req, ptr, bytes, add_active, &active);
  return active;
}

static bool is_aggregate(LLVMValueRef v) {
  return LLVMIsAConstantStruct(v) || LLVMIsAConstantArray(v) || LLVMIsAConstantVector(v);
}

typedef bool test_object(const struct dad_object *o);

/* Does "test" hold for an object that "ptr" may point to? */
static bool any_target(struct dad_request *req, LLVMValueRef ptr, test_object *test) {
  bool anywhere;
  unsigned count = 0;
  struct dad_node *n = pointer_node(req, ptr, &anywhere);
  const struct dad_target *t = n ? dad_node_targets(&req->memory->heap, n, &count) : NULL;
  for (unsigned k = 0; k < count; k++)
    if (test(t[k].object))
      return true;
  return false;
}

static bool is_live(const struct dad_object *o) {
  return o->live;
}

static bool is_external(const struct dad_object *o) {
  return o->external;
}

static bool is_mixed(const struct dad_object *o) {
  return o->constant && o->live;
}

bool dad_inert(struct dad_request *req, LLVMValueRef ptr) {
  bool known = dad_node_known(req->memory, ptr);
  if (dad_is_plain_constant(ptr))
    return true;
  for (int k = 0; !known && is_aggregate(ptr) && k < LLVMGetNumOperands(ptr); k++)
    if (!dad_inert(req, LLVMGetOperand(ptr, (unsigned)k)))
      return false;
  return !any_target(req, ptr, is_live);
}

bool dad_external(struct dad_request *req, LLVMValueRef ptr) {
  return any_target(req, ptr, is_external);
}

bool dad_mixed(struct dad_request *req, LLVMValueRef ptr) {
  return any_target(req, ptr, is_mixed);
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
