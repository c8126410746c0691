/* nest_scop.c: a statement with several writes becomes as many assignments at consecutive times. */
#include "nest_scop.h"

#include "../base/map.h"
#include "expr_adjoint.h"

#include <llvm-c/Core.h>

/* One region being translated. */
struct translation {
  const struct dad_scop *scop;
  struct dad_nest *nest;
  struct dad_map outside;           /* number from outside -> index of its array + 1 */
  const struct dad_scop_stmt *stmt; /* the statement at hand ... */
  int write;                        /* ... and which of its accesses writes */
  struct dad_assign *assign;        /* what is made of it */
  struct dad_map made;              /* value of the statement -> expression */
  const char *why;                  /* what cannot be said, or NULL */
};

static bool is_number(LLVMTypeRef type) {
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  return kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind;
}

static const struct dad_expr *refuse(struct translation *t, const char *why) {
  if (!t->why)
    t->why = why;
  return dad_expr_number(&t->assign->pool, 0);
}

static void add_array(struct dad_nest *nest, const char *name, int n_dim, LLVMTypeRef type,
                      const void *origin) {
  struct dad_nest_array *array = &nest->array[nest->n_array++];
  *array = (struct dad_nest_array){.name = name, .n_dim = n_dim, .origin = origin};
  array->active = is_number(type);
  array->bytes = LLVMGetTypeKind(type) == LLVMFloatTypeKind ? 4 : 8;
}

/* ---- reads */

/* The read "access" of the assignment at hand. */
static const struct dad_expr *add_read(struct translation *t, struct dad_nest_access access) {
  struct dad_assign *a = t->assign;
  for (int k = 0; k < a->n_read; k++)
    if (a->read[k].array == access.array &&
        dad_isl_yes(isl_map_is_equal(a->read[k].map, access.map))) {
      isl_map_free(access.map);
      return dad_expr_leaf(&a->pool, DAD_EXPR_READ, k);
    }
  if (a->n_read == DAD_READS) {
    isl_map_free(access.map);
    return refuse(t, "an assignment has too many reads");
  }
  a->read[a->n_read] = access;
  return dad_expr_leaf(&a->pool, DAD_EXPR_READ, a->n_read++);
}

static struct dad_nest_access translate_access(struct translation *t,
                                               const struct dad_scop_access *access) {
  isl_map *map = isl_map_intersect_domain(isl_map_copy(access->map), isl_set_copy(t->stmt->domain));
  map = isl_map_set_tuple_name(map, isl_dim_in, t->assign->name);
  map = isl_map_set_tuple_name(map, isl_dim_out, t->nest->array[access->container].name);
  return (struct dad_nest_access){access->container, map};
}

/* Is the cell that access "read" of the statement at hand sees set again before the write at hand?
 */
static bool is_overtaken(const struct translation *t, int read) {
  const struct dad_scop_access *r = &t->stmt->access[read];
  bool overtaken = false;
  for (int k = read + 1; k < t->write && !overtaken; k++) {
    const struct dad_scop_access *w = &t->stmt->access[k];
    if (w->direction == DAD_SCOP_READ || w->container != r->container)
      continue;
    isl_map *both = isl_map_intersect(isl_map_copy(r->map), isl_map_copy(w->map));
    both = isl_map_intersect_domain(both, isl_set_copy(t->stmt->domain));
    overtaken = !dad_isl_yes(isl_map_is_empty(both));
    isl_map_free(both);
  }
  return overtaken;
}

/* The number "value" that comes from outside of the region: a scalar that nobody writes. */
static const struct dad_expr *from_outside(struct translation *t, LLVMValueRef value) {
  int array = (int)dad_map_int(&t->outside, value) - 1;
  if (array < 0) {
    array = t->nest->n_array;
    add_array(t->nest, dad_arena_printf(t->nest->arena, "in%d", array), 0, LLVMTypeOf(value),
              value);
    dad_map_set_int(&t->outside, value, array + 1);
  }
  isl_map *map = isl_map_from_domain(isl_set_copy(t->assign->domain));
  map = isl_map_set_tuple_name(map, isl_dim_out, t->nest->array[array].name);
  return add_read(t, (struct dad_nest_access){array, map});
}

/* ---- expressions */

static const struct dad_expr *translate(struct translation *t, LLVMValueRef value);

static bool is_inside(const struct translation *t, LLVMValueRef value) {
  for (int i = 0; i < t->stmt->n_instruction; i++)
    if (t->stmt->instruction[i] == value)
      return true;
  return false;
}

static const struct dad_expr *compare(struct translation *t, LLVMValueRef i, enum dad_operator op,
                                      bool swap) {
  const struct dad_expr *a = translate(t, LLVMGetOperand(i, swap));
  const struct dad_expr *b = translate(t, LLVMGetOperand(i, !swap));
  struct dad_expr like = {.kind = DAD_EXPR_OPERATOR, .index = op, .arg = {a, b}};
  return dad_expr_intern(&t->assign->pool, &like);
}

/* A selection by a comparison of numbers. An unordered comparison is the opposite of an ordered
 * one. */
static const struct dad_expr *selection(struct translation *t, LLVMValueRef i) {
  LLVMValueRef test = LLVMGetOperand(i, 0);
  const struct dad_expr *condition;
  bool opposite = false;
  if (!LLVMIsAFCmpInst(test))
    return refuse(t, "a selection by something else than a comparison of numbers");
  switch (LLVMGetFCmpPredicate(test)) {
  case LLVMRealOLT: condition = compare(t, test, DAD_OP_LT, false); break;
  case LLVMRealOGT: condition = compare(t, test, DAD_OP_LT, true); break;
  case LLVMRealOLE: condition = compare(t, test, DAD_OP_LE, false); break;
  case LLVMRealOGE: condition = compare(t, test, DAD_OP_LE, true); break;
  case LLVMRealOEQ: condition = compare(t, test, DAD_OP_EQ, false); break;
  case LLVMRealUGE: condition = compare(t, test, DAD_OP_LT, false), opposite = true; break;
  case LLVMRealULE: condition = compare(t, test, DAD_OP_LT, true), opposite = true; break;
  case LLVMRealUGT: condition = compare(t, test, DAD_OP_LE, false), opposite = true; break;
  case LLVMRealULT: condition = compare(t, test, DAD_OP_LE, true), opposite = true; break;
  case LLVMRealUNE: condition = compare(t, test, DAD_OP_EQ, false), opposite = true; break;
  default: return refuse(t, "a comparison that asks whether there is an order");
  }
  const struct dad_expr *a = translate(t, LLVMGetOperand(i, opposite ? 2 : 1));
  const struct dad_expr *b = translate(t, LLVMGetOperand(i, opposite ? 1 : 2));
  struct dad_expr like = {.kind = DAD_EXPR_OPERATOR, .index = DAD_OP_SEL, .arg = {condition, a, b}};
  return dad_expr_intern(&t->assign->pool, &like);
}

static const struct dad_expr *operation(struct translation *t, LLVMValueRef i) {
  const struct dad_rule *rule = dad_rule_of(i);
  const struct dad_expr *arg[3] = {NULL, NULL, NULL};
  if (LLVMIsASelectInst(i))
    return selection(t, i);
  if (!rule)
    return refuse(t, "an operation without a rule");
  for (unsigned k = 0; k < DAD_RULE_OPERANDS && rule->operands[k] && rule->operands[k] != '_'; k++)
    arg[k] = translate(t, LLVMGetOperand(i, k));
  return dad_expr_rule(&t->assign->pool, rule, arg[0], arg[1], arg[2]);
}

/* The access of the statement at hand that reads "value", or -1. */
static int read_of(const struct translation *t, LLVMValueRef value) {
  for (int k = 0; k < t->stmt->n_access; k++) {
    const struct dad_scop_access *a = &t->stmt->access[k];
    if (a->direction == DAD_SCOP_READ && (a->value == value || a->instruction == value))
      return k;
  }
  return -1;
}

static const struct dad_expr *translate_new(struct translation *t, LLVMValueRef value) {
  int read = read_of(t, value);
  LLVMBool lossy = false;
  if (read >= 0 && (read > t->write || is_overtaken(t, read)))
    return refuse(t, "a value that is read before another store of its statement");
  if (read >= 0)
    return add_read(t, translate_access(t, &t->stmt->access[read]));
  if (LLVMIsAConstantFP(value)) {
    double number = LLVMConstRealGetDouble(value, &lossy);
    return lossy ? refuse(t, "a constant that is no double")
                 : dad_expr_number(&t->assign->pool, number);
  }
  if (is_inside(t, value) && is_number(LLVMTypeOf(value)))
    return operation(t, value);
  if (is_number(LLVMTypeOf(value)))
    return from_outside(t, value);
  return LLVMIsAConstantInt(value)
             ? dad_expr_value(&t->assign->pool, "constant", value)
             : refuse(t, "arithmetic on something else than float and double");
}

static const struct dad_expr *translate(struct translation *t, LLVMValueRef value) {
  const struct dad_expr *e = dad_map_get(&t->made, value);
  if (e)
    return e;
  e = translate_new(t, value);
  dad_map_set(&t->made, value, e);
  return e;
}

/* ---- statements */

/* What access "write" of the statement at hand writes; NULL if that depends on where it came from.
 */
static LLVMValueRef written_value(const struct dad_scop_access *write) {
  if (write->n_incoming > 0)
    return write->n_incoming == 1 ? write->incoming[0].value : NULL;
  return LLVMIsAStoreInst(write->instruction ? write->instruction : write->value)
             ? LLVMGetOperand(write->instruction, 0)
             : write->value;
}

static void add_assign(struct translation *t, int number, int n_time) {
  const struct dad_scop_access *write = &t->stmt->access[t->write];
  struct dad_arena *arena = t->nest->arena;
  struct dad_assign *a = &t->nest->assign[t->nest->n_assign++];
  const char *name = isl_id_get_name(t->stmt->id);
  *a = (struct dad_assign){.pool = DAD_EXPR_POOL(arena), .origin = write};
  a->name = number ? dad_arena_printf(arena, "%s_%d", name, number) : name;
  a->read = DAD_ARRAY(arena, struct dad_nest_access, DAD_READS + 1);
  a->domain = isl_set_set_tuple_name(isl_set_copy(t->stmt->domain), a->name);
  a->domain = isl_set_intersect_params(a->domain, isl_set_copy(t->nest->context));
  a->time = isl_map_reset_tuple_id(isl_map_copy(t->stmt->time), isl_dim_out);
  a->time = isl_map_intersect_domain(dad_isl_named(a->time, a->name), isl_set_copy(a->domain));
  for (int d = isl_map_dim(a->time, isl_dim_out); d >= 0 && d < n_time; d++)
    a->time = dad_isl_append(a->time, 0);
  a->time = dad_isl_append(a->time, number);
  t->assign = a;
  t->made = DAD_MAP(arena);
  a->write = translate_access(t, write);
  LLVMValueRef value = written_value(write);
  a->value = value ? translate(t, value) : refuse(t, "a value that depends on where it came from");
  if (write->direction != DAD_SCOP_WRITE || !is_number(LLVMTypeOf(value ? value : write->value)))
    refuse(t, "a write of something else than float and double, or one that may not happen");
}

static void add_stmt(struct translation *t, const struct dad_scop_stmt *stmt, int n_time) {
  int number = 0;
  t->stmt = stmt;
  for (t->write = 0; t->write < stmt->n_access && !t->why; t->write++)
    if (stmt->access[t->write].direction != DAD_SCOP_READ)
      add_assign(t, number++, n_time);
}

/* The parameters of all parts of "scop", and what is known about them. */
static __isl_give isl_set *known(const struct dad_scop *scop) {
  isl_set *context = isl_set_copy(scop->context);
  for (int i = 0; i < scop->n_stmt; i++)
    context = isl_set_align_params(context, isl_set_get_space(scop->stmt[i].domain));
  for (int i = 0; i < scop->n_stmt; i++)
    for (int k = 0; k < scop->stmt[i].n_access; k++)
      context = isl_set_align_params(context, isl_map_get_space(scop->stmt[i].access[k].map));
  return context;
}

DAD_GIVE struct dad_nest *dad_nest_of_scop(const struct dad_scop *scop, const char **why) {
  struct dad_nest *nest = DAD_NEW(scop->arena, struct dad_nest);
  struct translation t = {.scop = scop, .nest = nest, .outside = DAD_MAP(scop->arena)};
  int n_write = 0, n_instruction = 0, n_time = 0;
  nest->arena = scop->arena;
  nest->ctx = scop->ctx;
  nest->context = known(scop);
  for (int i = 0; i < scop->n_stmt; i++) {
    isl_size n = isl_map_dim(scop->stmt[i].time, isl_dim_out);
    n_time = n > n_time ? n : n_time;
    n_write += scop->stmt[i].n_access;
    n_instruction += 3 * scop->stmt[i].n_instruction + 1 + scop->stmt[i].n_access;
  }
  nest->n_time = n_time + 1;
  nest->array = DAD_ARRAY(nest->arena, struct dad_nest_array, scop->n_container + n_instruction);
  nest->assign = DAD_ARRAY(nest->arena, struct dad_assign, n_write + 1);
  for (int i = 0; i < scop->n_container; i++) {
    const struct dad_scop_container *c = &scop->container[i];
    add_array(nest, isl_id_get_name(c->id), c->n_dim, c->element, (const void *)(intptr_t)(i + 1));
  }
  for (int i = 0; i < scop->n_stmt && !t.why; i++)
    add_stmt(&t, &scop->stmt[i], n_time);
  *why = t.why;
  return t.why ? dad_nest_free(nest) : nest;
}
