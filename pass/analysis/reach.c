/* reach.c: what follows along pointers: objects that lead to something active, objects that code
   outside may have filled, units without anything to differentiate. */
#include "../driver/registry.h"
#include "activity.h"
#include "memory.h"

/* ---- walks */

void dad_reach_reset(struct dad_memory *m) {
  for (unsigned k = 0; k < m->heap.objects.n; k++)
    ((struct dad_object *)m->heap.objects.at[k])->seen = false;
}

static void push_unseen(struct dad_vec *work, struct dad_object *o) {
  if (o && !o->seen) {
    o->seen = true;
    dad_vec_push(work, o);
  }
}

static void push_targets(struct dad_memory *m, struct dad_vec *work, struct dad_node *n) {
  unsigned count;
  const struct dad_target *t = dad_node_targets(&m->heap, n, &count);
  for (unsigned k = 0; k < count; k++)
    push_unseen(work, t[k].object);
}

static void reach_all(struct dad_memory *m, struct dad_vec *work, dad_visit_object *visit) {
  while (work->n) {
    struct dad_object *o = dad_vec_pop(work);
    visit(m, o);
    for (unsigned k = 0; k < o->n; k++)
      push_targets(m, work, o->cell[k]->content);
  }
}

void dad_reach(struct dad_memory *m, struct dad_node *n, dad_visit_object *visit) {
  struct dad_vec work = DAD_VEC(m->heap.arena);
  push_targets(m, &work, n);
  reach_all(m, &work, visit);
}

/* ---- objects that unknown code may have exchanged */

static void mark_external(struct dad_memory *m, struct dad_object *o) {
  (void)m;
  o->external = true;
}

static void mark_exposed(struct dad_memory *m, struct dad_object *o) {
  (void)m;
  o->exposed = o->external = true;
}

static bool holds_pointers(const struct dad_object *o) {
  for (unsigned k = 0; k < o->n; k++)
    if (dad_node_kinds(o->cell[k]->content) & DAD_PTR)
      return true;
  return false;
}

/* What unknown code has seen, if there is a place among it where another pointer can be put. */
void dad_find_exposed(struct dad_memory *m) {
  struct dad_vec work = DAD_VEC(m->heap.arena);
  bool places = false;
  dad_reach_reset(m);
  for (unsigned k = 0; k < m->constraints.n; k++) {
    struct dad_constraint *c = m->constraints.at[k];
    if (c->kind == DAD_EXPOSED)
      push_targets(m, &work, c->from);
  }
  for (unsigned k = 0; k < m->heap.objects.n; k++) {
    struct dad_object *o = m->heap.objects.at[k];
    places |= o->seen && holds_pointers(o);
  }
  reach_all(m, &work, places ? mark_exposed : mark_external);
}

/* ---- objects that lead to something active */

/* One object, and another that leads to it. */
struct link {
  struct dad_object *from;
  struct link *next;
};

static void add_link(struct dad_memory *m, struct dad_map *links, struct dad_object *to,
                     struct dad_object *from) {
  if (to == from)
    return;
  struct link *l = DAD_NEW(m->heap.arena, struct link);
  *l = (struct link){from, dad_map_get(links, to)};
  dad_map_set(links, to, l);
}

/* Pointers in "from" lead to what "n" points to. */
static void link_targets(struct dad_memory *m, struct dad_map *links, struct dad_node *n,
                         struct dad_object *from) {
  unsigned count;
  const struct dad_target *t = dad_node_targets(&m->heap, n, &count);
  for (unsigned k = 0; k < count; k++)
    add_link(m, links, t[k].object, from);
}

/* Pointers lead to objects. What a function hands out is as live as what its callers make of it. */
static void collect_links(struct dad_memory *m, struct dad_map *links) {
  for (unsigned k = 0; k < m->heap.objects.n; k++) {
    struct dad_object *o = m->heap.objects.at[k];
    for (unsigned i = 0; !o->up && i < o->n; i++)
      link_targets(m, links, o->cell[i]->content, o);
  }
  for (unsigned k = 0; k < m->handouts.n; k++) {
    struct dad_handout *h = m->handouts.at[k];
    struct dad_node *call = dad_node_known(m, h->call), *result = dad_node_known(m, h->result);
    unsigned count = 0;
    const struct dad_target *t = call && result ? dad_node_targets(&m->heap, result, &count) : NULL;
    for (unsigned i = 0; i < count; i++)
      link_targets(m, links, call, t[i].object);
  }
}

/* The objects of the "n" targets "t" lead to each other, those apart that lead to no number: no
   derivative is added to what they hold, and every pointer in them is its own shadow. */
static void link_each_other(struct dad_memory *m, struct dad_map *links, const struct dad_target *t,
                            unsigned n) {
  struct dad_object *first = NULL;
  for (unsigned k = 0; k < n; k++) {
    if (!t[k].object->numbers)
      continue;
    if (first) {
      add_link(m, links, first, t[k].object);
      add_link(m, links, t[k].object, first);
    }
    first = t[k].object;
  }
}

/* Where one pointer may point to several objects, all of them that lead to numbers have shadows or
   none: the shadow of an object without is the object itself, and must not be taken for memory of
   derivatives. */
static void link_alternatives(struct dad_memory *m, struct dad_map *links) {
  struct dad_map primal = DAD_MAP(m->heap.arena);
  DAD_FOR_UNITS(u, m->req) dad_map_set(&primal, u->primal, u);
  for (unsigned k = 0; k < m->node.n; k++) {
    LLVMValueRef v = (LLVMValueRef)m->node.key[k];
    LLVMValueRef f = LLVMIsAArgument(v)      ? LLVMGetParamParent(v)
                     : LLVMIsAInstruction(v) ? LLVMGetBasicBlockParent(LLVMGetInstructionParent(v))
                                             : NULL;
    unsigned count;
    const struct dad_target *t = dad_node_targets(&m->heap, m->node.value[k], &count);
    if (f && dad_map_has(&primal, f))
      link_each_other(m, links, t, count);
  }
}

static bool holds_active(struct dad_memory *m, struct dad_object *o) {
  for (unsigned k = 0; k < o->n; k++)
    if (dad_activity_in_cell(m, o->cell[k]->content))
      return true;
  return false;
}

static bool holds_numbers(struct dad_memory *m, struct dad_object *o) {
  (void)m;
  for (unsigned k = 0; k < o->n; k++)
    if (dad_node_kinds(o->cell[k]->content) & DAD_FP)
      return true;
  return false;
}

static bool *numbers_flag(struct dad_object *o) {
  return &o->numbers;
}

static bool *live_flag(struct dad_object *o) {
  return &o->live;
}

/* Sets "flag" in all objects for which "test" holds, in functions, and in what leads to them along
 * "links". */
static void spread(struct dad_memory *m, struct dad_map *links,
                   bool (*test)(struct dad_memory *, struct dad_object *),
                   bool *(*flag)(struct dad_object *)) {
  struct dad_vec work = DAD_VEC(m->heap.arena);
  for (unsigned k = 0; k < m->heap.objects.n; k++) {
    struct dad_object *o = m->heap.objects.at[k];
    *flag(o) = !o->up && (o->function || test(m, o));
    if (*flag(o))
      dad_vec_push(&work, o);
  }
  while (work.n)
    for (struct link *l = dad_map_get(links, dad_vec_pop(&work)); l; l = l->next)
      if (!*flag(l->from)) {
        *flag(l->from) = true;
        dad_vec_push(&work, l->from);
      }
}

static void find_live(struct dad_memory *m) {
  struct dad_map links = DAD_MAP(m->heap.arena);
  collect_links(m, &links);
  spread(m, &links, holds_numbers, numbers_flag);
  link_alternatives(m, &links);
  spread(m, &links, holds_active, live_flag);
}

/* ---- objects that code outside may have filled */

static void find_external(struct dad_memory *m) {
  struct dad_vec work = DAD_VEC(m->heap.arena);
  dad_reach_reset(m);
  for (unsigned k = 0; k < m->heap.objects.n; k++) {
    struct dad_object *o = m->heap.objects.at[k];
    if (!o->up && (o->external || o->unknown || o->written_outside))
      push_unseen(&work, o);
  }
  for (unsigned k = 0; k < m->req->n_args; k++) {
    struct dad_node *n = dad_node_known(m, LLVMGetParam(m->req->root->primal, k));
    if (n)
      push_targets(m, &work, n);
  }
  reach_all(m, &work, mark_external);
}

/* ---- constant arguments */

static void mark_constant(struct dad_memory *m, struct dad_object *o) {
  (void)m;
  o->constant = true;
}

/* The global variables that the user said hold nothing active. */
static void find_inactive_globals(struct dad_memory *m) {
  struct dad_context *ctx = m->req->ctx;
  for (unsigned k = 0; k < ctx->registered.n; k++) {
    LLVMValueRef g = (LLVMValueRef)ctx->registered.key[k];
    struct dad_node *n =
        LLVMIsAGlobalVariable(g) && dad_is_inactive_global(ctx, g) ? dad_node_known(m, g) : NULL;
    unsigned count = 0;
    const struct dad_target *t = n ? dad_node_targets(&m->heap, n, &count) : NULL;
    for (unsigned j = 0; j < count; j++)
      t[j].object->constant = true;
  }
}

/* What a constant argument leads to has no shadow of its own. Where such memory is used as active
   memory is, the two are told apart at run time. */
static void find_constant(struct dad_memory *m) {
  struct dad_request *req = m->req;
  dad_reach_reset(m);
  for (unsigned k = 0; k < req->n_args; k++) {
    LLVMValueRef p = LLVMGetParam(req->root->primal, k);
    struct dad_node *n = dad_node_known(m, p);
    if (n && req->args[k].activity == DAD_CONST && dad_has_pointer(LLVMTypeOf(p)))
      dad_reach(m, n, mark_constant);
  }
  find_inactive_globals(m);
}

void dad_reach_solve(struct dad_memory *m) {
  find_live(m);
  find_external(m);
  find_constant(m);
}

/* ---- units */

static bool any_pointer_lives(struct dad_request *req, LLVMValueRef call) {
  for (unsigned k = 0; k < LLVMGetNumArgOperands(call); k++) {
    LLVMValueRef a = LLVMGetOperand(call, k);
    if (dad_has_pointer(LLVMTypeOf(a)) && !dad_inert(req, a))
      return true;
  }
  return false;
}

/* Is there anything to do for "call", calls of units apart? */
static bool call_is_busy(struct dad_request *req, LLVMValueRef call) {
  switch (dad_call_kind(req, call)) {
  case DAD_CALL_INDIRECT: return !dad_inert(req, LLVMGetCalledValue(call));
  case DAD_CALL_ALLOC:
  case DAD_CALL_REALLOC: return !dad_inert(req, call);
  case DAD_CALL_FREE:
  case DAD_CALL_COPY:
  case DAD_CALL_SET: return !dad_inert(req, LLVMGetOperand(call, 0));
  case DAD_CALL_RULE:
  case DAD_CALL_SPECIAL:
  case DAD_CALL_CUSTOM:
  case DAD_CALL_ALLOC_AT:
  case DAD_CALL_UNKNOWN:
  case DAD_CALL_ASM:
  case DAD_CALL_CALLBACK:
  case DAD_CALL_JUMP: return any_pointer_lives(req, call);
  default: return false;
  }
}

static bool is_busy(struct dad_request *req, LLVMValueRef i) {
  if (dad_active(req, i))
    return true;
  if (dad_is_call(i))
    return call_is_busy(req, i);
  switch (LLVMGetInstructionOpcode(i)) {
  case LLVMLoad: return dad_has_shadow(req, i);
  case LLVMStore: {
    LLVMValueRef v = LLVMGetOperand(i, 0);
    return !dad_inert(req, LLVMGetOperand(i, 1)) &&
           (dad_adjoint_type(req, v) || dad_has_pointer(LLVMTypeOf(v)) || dad_has_shadow(req, v));
  }
  case LLVMAtomicRMW:
  case LLVMAtomicCmpXchg: return !dad_inert(req, LLVMGetOperand(i, 0));
  case LLVMRet: {
    LLVMValueRef v = LLVMGetNumOperands(i) ? LLVMGetOperand(i, 0) : NULL;
    return v && (dad_has_shadow(req, v) || dad_active(req, v));
  }
  default: return false;
  }
}

static bool unit_is_busy(struct dad_unit *u) {
  if (u == u->req->root ||
      u->address_taken) /* a call through a pointer always goes through a pair */
    return true;
  DAD_FOR_BLOCKS(block, u->primal)
  DAD_FOR_INSTRUCTIONS(i, block)
  if (is_busy(u->req, i))
    return true;
  return false;
}

/* The units that call "u", as a map from callee to a list of callers. */
struct caller {
  struct dad_unit *unit;
  struct caller *next;
};

static void collect_callers(struct dad_unit *u, struct dad_map *callers) {
  DAD_FOR_BLOCKS(block, u->primal)
  DAD_FOR_INSTRUCTIONS(i, block) {
    struct dad_unit *callee =
        dad_is_call(i) && dad_callee(i) ? dad_unit_of(u->req, dad_callee(i)) : NULL;
    if (!callee)
      continue;
    struct caller *c = DAD_NEW(u->req->arena, struct caller);
    *c = (struct caller){u, dad_map_get(callers, callee)};
    dad_map_set(callers, callee, c);
  }
}

void dad_find_inert_units(struct dad_memory *m) {
  struct dad_map callers = DAD_MAP(m->heap.arena);
  struct dad_vec work = DAD_VEC(m->heap.arena);
  DAD_FOR_UNITS(u, m->req) {
    collect_callers(u, &callers);
    u->inert = !unit_is_busy(u);
    if (!u->inert)
      dad_vec_push(&work, u);
  }
  while (work.n)
    for (struct caller *c = dad_map_get(&callers, dad_vec_pop(&work)); c; c = c->next)
      if (c->unit->inert) {
        c->unit->inert = false;
        dad_vec_push(&work, c->unit);
      }
}
