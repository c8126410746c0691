/* activity.c: a graph of the moves of numbers between values and cells; varied is what can be
   reached from the inputs, useful what the outputs can be reached from. The order of instructions
   plays no part. */
#include "activity.h"

#include "../rules/rule.h"
#include "memory.h"

struct dad_edge {
  struct dad_point *from, *to;
  struct dad_edge *next_out, *next_in; /* of the same source, of the same destination */
};

/* ---- the graph */

static struct dad_point *point_of(struct dad_memory *m, const void *key) {
  struct dad_point *p = dad_map_get(&m->points, key);
  if (!p) {
    p = DAD_NEW(m->heap.arena, struct dad_point);
    dad_map_set(&m->points, key, p);
  }
  return p;
}

static void add_edge(struct dad_memory *m, struct dad_point *from, struct dad_point *to) {
  if (!from || !to || from == to)
    return;
  struct dad_edge *e = DAD_NEW(m->heap.arena, struct dad_edge);
  *e = (struct dad_edge){from, to, from->out, to->in};
  from->out = to->in = e;
}

/* The point of the SSA value "v"; NULL if it carries no numbers that could vary. */
static struct dad_point *value_point(struct dad_memory *m, LLVMValueRef v) {
  if (LLVMIsConstant(v) || !dad_adjoint_type(m->req, v))
    return NULL;
  return point_of(m, v);
}

/* The point of a cell; NULL if nobody uses what it holds as floating point. */
static struct dad_point *cell_point(struct dad_memory *m, struct dad_node *content) {
  content = dad_node_find(content);
  return dad_node_kinds(content) & DAD_FP ? point_of(m, content) : NULL;
}

unsigned dad_activity_flags(struct dad_memory *m, const void *key) {
  struct dad_point *p = dad_map_get(&m->points, key);
  return p ? p->flags : 0;
}

bool dad_activity_in_cell(struct dad_memory *m, struct dad_node *n) {
  n = dad_node_find(n);
  return dad_activity_flags(m, n) == (DAD_VARIED | DAD_USEFUL) && dad_node_kinds(n) & DAD_FP;
}

static void move(struct dad_memory *m, LLVMValueRef from, LLVMValueRef to) {
  add_edge(m, value_point(m, from), value_point(m, to));
}

/* ---- instructions */

static bool moves_operands(LLVMValueRef i) {
  switch (LLVMGetInstructionOpcode(i)) {
  case LLVMFNeg:
  case LLVMFAdd:
  case LLVMFSub:
  case LLVMFMul:
  case LLVMFDiv:
  case LLVMFRem:
  case LLVMFPExt:
  case LLVMFPTrunc:
  case LLVMPHI:
  case LLVMSelect:
  case LLVMFreeze:
  case LLVMBitCast:
  case LLVMInsertValue:
  case LLVMExtractValue:
  case LLVMInsertElement:
  case LLVMExtractElement:
  case LLVMShuffleVector: return true;
  default: return dad_moves_lanes(i);
  }
}

/* Arguments to parameters, the result back. */
static void through_unit(struct dad_memory *m, LLVMValueRef call, struct dad_unit *u) {
  for (unsigned k = 0; k < LLVMGetNumArgOperands(call) && k < u->n_params; k++)
    move(m, LLVMGetOperand(call, k), LLVMGetParam(u->primal, k));
  LLVMValueRef result = dad_unit_result(u->primal);
  if (result)
    move(m, result, call);
}

static void through_pointer(struct dad_memory *m, LLVMValueRef call) {
  struct dad_signature *s = dad_map_get(&m->signatures, LLVMGetCalledFunctionType(call));
  for (unsigned k = 0; s && k < LLVMGetNumArgOperands(call) && k < s->n; k++)
    add_edge(m, value_point(m, LLVMGetOperand(call, k)), point_of(m, s->param[k]));
  if (s && value_point(m, call))
    add_edge(m, point_of(m, s->result), value_point(m, call));
}

/* A function whose address is taken is at the other end. */
static void target(struct dad_memory *m, struct dad_unit *u) {
  struct dad_signature *s = dad_map_get(&m->signatures, LLVMGlobalGetValueType(u->original));
  LLVMValueRef result = dad_unit_result(u->primal);
  for (unsigned k = 0; s && k < u->n_params && k < s->n; k++)
    add_edge(m, point_of(m, s->param[k]), value_point(m, LLVMGetParam(u->primal, k)));
  if (s && result)
    add_edge(m, value_point(m, result), point_of(m, s->result));
}

static void through_rule(struct dad_memory *m, LLVMValueRef call) {
  const struct dad_rule *rule = dad_rule_of(call);
  for (unsigned k = 0; k < LLVMGetNumArgOperands(call); k++)
    if (!rule || k >= DAD_RULE_OPERANDS || !dad_rule_is_zero(rule, k))
      move(m, LLVMGetOperand(call, k), call);
}

/* The cells of "o" are connected to m->hub both ways. */
static void connect_object(struct dad_memory *m, struct dad_object *o) {
  for (unsigned k = 0; k < o->n; k++) {
    struct dad_point *p = cell_point(m, o->cell[k]->content);
    add_edge(m, p, m->hub);
    add_edge(m, m->hub, p);
  }
}

/* A derivative of the user's: everything that the call can reach may depend on everything. */
static void through_custom(struct dad_memory *m, LLVMValueRef call) {
  m->hub = DAD_NEW(m->heap.arena, struct dad_point);
  dad_reach_reset(m);
  for (unsigned k = 0; k < LLVMGetNumArgOperands(call); k++) {
    LLVMValueRef a = LLVMGetOperand(call, k);
    struct dad_node *n = dad_node_known(m, a);
    add_edge(m, value_point(m, a), m->hub);
    if (n)
      dad_reach(m, n, connect_object);
  }
  add_edge(m, m->hub, value_point(m, call));
}

static void add_call(struct dad_memory *m, LLVMValueRef call) {
  switch (dad_call_kind(m->req, call)) {
  case DAD_CALL_UNIT: through_unit(m, call, dad_unit_of(m->req, dad_callee(call))); break;
  case DAD_CALL_INDIRECT: through_pointer(m, call); break;
  case DAD_CALL_RULE:
  case DAD_CALL_SPECIAL: through_rule(m, call); break;
  case DAD_CALL_CUSTOM: through_custom(m, call); break;
  default: break;
  }
}

static void add_instruction(struct dad_memory *m, LLVMValueRef i) {
  if (dad_is_call(i)) {
    add_call(m, i);
  } else if (moves_operands(i) && value_point(m, i)) {
    for (int k = 0; k < LLVMGetNumOperands(i); k++) {
      LLVMValueRef operand = LLVMGetOperand(i, (unsigned)k);
      if (!LLVMValueIsBasicBlock(operand))
        move(m, operand, i);
    }
  }
}

/* ---- memory */

/* What a store writes. */
static LLVMValueRef stored_value(LLVMValueRef i) {
  return LLVMGetOperand(i, LLVMIsAStoreInst(i) ? 0 : LLVMIsAAtomicRMWInst(i) ? 1 : 2);
}

static void add_access(struct dad_memory *m, const struct dad_constraint *c) {
  struct dad_node *content[DAD_TOUCHED];
  if (dad_is_call(c->at))
    return;
  unsigned n = dad_touched_cells(m, c, content);
  struct dad_point *value = value_point(m, c->kind == DAD_LOAD ? c->at : stored_value(c->at));
  for (unsigned k = 0; value && k < n; k++) {
    struct dad_point *cell = cell_point(m, content[k]);
    add_edge(m, c->kind == DAD_LOAD ? cell : value, c->kind == DAD_LOAD ? value : cell);
  }
}

static void add_copy(struct dad_memory *m, const struct dad_constraint *c) {
  struct dad_vec pairs = DAD_VEC(m->heap.arena);
  dad_copied_cells(m, c, &pairs);
  for (unsigned k = 0; k < pairs.n; k += 2)
    add_edge(m, cell_point(m, pairs.at[k]), cell_point(m, pairs.at[k + 1]));
}

static void add_memory(struct dad_memory *m) {
  for (unsigned k = 0; k < m->constraints.n; k++) {
    struct dad_constraint *c = m->constraints.at[k];
    if (c->outside || !c->at)
      continue;
    if (c->kind == DAD_LOAD || c->kind == DAD_STORE)
      add_access(m, c);
    else if (c->kind == DAD_COPY)
      add_copy(m, c);
  }
}

/* Pointers that no code in this module has set may point to any memory that other modules know, and
   pointers that unknown code has seen may have changed places: what the arguments lead to apart. */
static void add_elsewhere(struct dad_memory *m) {
  bool unknown = false;
  for (unsigned k = 0; k < m->heap.objects.n; k++) {
    struct dad_object *o = m->heap.objects.at[k];
    unknown |= !o->up && o->unknown && !o->seen;
  }
  m->hub = DAD_NEW(m->heap.arena, struct dad_point);
  for (unsigned k = 0; k < m->heap.objects.n; k++) {
    struct dad_object *o = m->heap.objects.at[k];
    if (!o->up && !o->seen && (o->exposed || (unknown && (o->unknown || o->external))))
      connect_object(m, o);
  }
}

/* ---- inputs and outputs */

static void raise(struct dad_point *p, unsigned flags) {
  if (p)
    p->flags |= flags;
}

static void raise_object(struct dad_memory *m, struct dad_object *o) {
  for (unsigned k = 0; k < o->n; k++)
    raise(cell_point(m, o->cell[k]->content), DAD_VARIED | DAD_USEFUL);
}

static void ignore_object(struct dad_memory *m, struct dad_object *o) {
  (void)m;
  (void)o;
}

/* Everything behind a pointer that has a shadow is input and output. */
static void add_arguments(struct dad_memory *m) {
  struct dad_request *req = m->req;
  dad_reach_reset(m);
  for (unsigned k = 0; k < req->n_args; k++) {
    LLVMValueRef p = LLVMGetParam(req->root->primal, k);
    struct dad_node *n = dad_node_known(m, p);
    if (req->args[k].activity == DAD_CONST)
      continue;
    raise(value_point(m, p), DAD_VARIED);
    if (n)
      dad_reach(m, n, raise_object);
  }
  for (unsigned k = 0; k < req->n_args; k++) {
    struct dad_node *n = dad_node_known(m, LLVMGetParam(req->root->primal, k));
    if (n && req->args[k].activity == DAD_CONST)
      dad_reach(m, n, ignore_object);
  }
}

static void add_result(struct dad_memory *m) {
  LLVMValueRef result = dad_unit_result(m->req->root->primal);
  struct dad_node *n = result ? dad_node_known(m, result) : NULL;
  if (!result)
    return;
  raise(value_point(m, result), DAD_USEFUL);
  dad_reach_reset(m);
  if (n)
    dad_reach(m, n, raise_object);
}

/* Spreads "flag" along the edges: forward if varied, backward if useful. */
static void spread(struct dad_memory *m, unsigned flag) {
  struct dad_vec work = DAD_VEC(m->heap.arena);
  for (unsigned k = 0; k < m->points.n; k++)
    if (((struct dad_point *)m->points.value[k])->flags & flag)
      dad_vec_push(&work, m->points.value[k]);
  while (work.n) {
    struct dad_point *p = dad_vec_pop(&work);
    for (struct dad_edge *e = flag == DAD_VARIED ? p->out : p->in; e;
         e = flag == DAD_VARIED ? e->next_out : e->next_in) {
      struct dad_point *next = flag == DAD_VARIED ? e->to : e->from;
      if (next->flags & flag)
        continue;
      next->flags |= flag;
      dad_vec_push(&work, next);
    }
  }
}

void dad_activity_solve(struct dad_memory *m) {
  m->points = DAD_MAP(m->heap.arena);
  dad_find_exposed(m);
  DAD_FOR_UNITS(u, m->req) {
    DAD_FOR_BLOCKS(block, u->primal)
    DAD_FOR_INSTRUCTIONS(i, block)
    add_instruction(m, i);
    if (u->address_taken)
      target(m, u);
  }
  add_memory(m);
  add_arguments(m);
  add_elsewhere(m);
  add_result(m);
  spread(m, DAD_VARIED);
  spread(m, DAD_USEFUL);
}
