/* nest_tree.c: an interpreter of loops, conditions and affine expressions. */
#include "nest_tree.h"

#include <isl/val.h>
#include <string.h>

static long argument(struct tree_run *run, __isl_keep isl_ast_expr *e, int k) {
  return tree_value(run, isl_ast_expr_get_op_arg(e, k));
}

static long floor_div(long a, long b) {
  long q = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? q - 1 : q;
}

static long extreme(struct tree_run *run, __isl_keep isl_ast_expr *e, bool max) {
  isl_size n = isl_ast_expr_get_op_n_arg(e);
  long best = argument(run, e, 0);
  for (int k = 1; k < n; k++) {
    long next = argument(run, e, k);
    best = max == (next > best) ? next : best;
  }
  return best;
}

static long binary(struct tree_run *run, __isl_keep isl_ast_expr *e, enum isl_ast_op_type type) {
  long a = argument(run, e, 0), b = argument(run, e, 1);
  switch (type) {
  case isl_ast_op_and: return a && b;
  case isl_ast_op_or: return a || b;
  case isl_ast_op_add: return a + b;
  case isl_ast_op_sub: return a - b;
  case isl_ast_op_mul: return a * b;
  case isl_ast_op_div:
  case isl_ast_op_pdiv_q: return a / b;
  case isl_ast_op_fdiv_q: return floor_div(a, b);
  case isl_ast_op_pdiv_r:
  case isl_ast_op_zdiv_r: return a % b;
  case isl_ast_op_eq: return a == b;
  case isl_ast_op_le: return a <= b;
  case isl_ast_op_lt: return a < b;
  case isl_ast_op_ge: return a >= b;
  case isl_ast_op_gt: return a > b;
  default: run->wrong = "an operation of the syntax tree is not known"; return 0;
  }
}

static long operation(struct tree_run *run, __isl_keep isl_ast_expr *e) {
  enum isl_ast_op_type type = isl_ast_expr_get_op_type(e);
  switch (type) {
  case isl_ast_op_minus: return -argument(run, e, 0);
  case isl_ast_op_max: return extreme(run, e, true);
  case isl_ast_op_min: return extreme(run, e, false);
  case isl_ast_op_and_then: return argument(run, e, 0) && argument(run, e, 1);
  case isl_ast_op_or_else: return argument(run, e, 0) || argument(run, e, 1);
  case isl_ast_op_cond:
  case isl_ast_op_select: return argument(run, e, argument(run, e, 0) ? 1 : 2);
  default: return binary(run, e, type);
  }
}

static long named(struct tree_run *run, __isl_take isl_id *id) {
  const char *name = isl_id_get_name(id);
  int i = run->n - 1;
  while (i >= 0 && strcmp(run->name[i], name))
    i--;
  if (i < 0)
    run->wrong = "a name of the syntax tree is not known";
  isl_id_free(id);
  return i < 0 ? 0 : run->value[i];
}

long tree_value(struct tree_run *run, __isl_take isl_ast_expr *e) {
  long value = 0;
  switch (isl_ast_expr_get_type(e)) {
  case isl_ast_expr_int: {
    isl_val *v = isl_ast_expr_get_val(e);
    value = isl_val_get_num_si(v);
    isl_val_free(v);
    break;
  }
  case isl_ast_expr_id: value = named(run, isl_ast_expr_get_id(e)); break;
  case isl_ast_expr_op: value = operation(run, e); break;
  default: run->wrong = "isl made no expression";
  }
  isl_ast_expr_free(e);
  return value;
}

static void execute_user(struct tree_run *run, __isl_keep isl_ast_node *node) {
  isl_ast_expr *call = isl_ast_node_user_get_expr(node);
  isl_ast_expr *callee = isl_ast_expr_get_op_arg(call, 0);
  isl_id *id = isl_ast_expr_get_id(callee);
  long value[TREE_NAMES] = {0};
  isl_size n = isl_ast_expr_get_op_n_arg(call);
  for (int k = 1; k < n; k++)
    value[k - 1] = argument(run, call, k);
  run->visit(run->user, isl_id_get_user(id), value);
  isl_id_free(id);
  isl_ast_expr_free(callee);
  isl_ast_expr_free(call);
}

/* Is the loop "node" annotated as "name"? */
static bool is_annotated(__isl_keep isl_ast_node *node, const char *name) {
  isl_id *id = isl_ast_node_get_annotation(node);
  bool same = id && strcmp(isl_id_get_name(id), name) == 0;
  isl_id_free(id);
  return same;
}

/* Executes "body" for the name at "at" from "first" on, "n" times. */
static void repeat(struct tree_run *run, __isl_keep isl_ast_node *body, int at, long first,
                   long step, long n) {
  for (long i = 0; i < n && !run->wrong; i++) {
    run->value[at] = first + i * step;
    tree_execute(run, body);
  }
}

static void execute_for(struct tree_run *run, __isl_keep isl_ast_node *node) {
  isl_ast_expr *iterator = isl_ast_node_for_get_iterator(node);
  isl_id *id = isl_ast_expr_get_id(iterator);
  isl_ast_node *body = isl_ast_node_for_get_body(node);
  bool once = isl_ast_node_for_is_degenerate(node) == isl_bool_true;
  long step = once ? 1 : tree_value(run, isl_ast_node_for_get_inc(node));
  long first = tree_value(run, isl_ast_node_for_get_init(node)), n = once;
  int at = run->n++;
  run->name[at] = isl_id_get_name(id);
  run->value[at] = first;
  while (!once && tree_value(run, isl_ast_node_for_get_cond(node))) {
    run->value[at] += step;
    n++;
  }
  if (is_annotated(node, "parallel") || is_annotated(node, "sum"))
    repeat(run, body, at, first + (n - 1) * step, -step, n);
  else
    repeat(run, body, at, first, step, n);
  run->n = at;
  isl_ast_node_free(body);
  isl_id_free(id);
  isl_ast_expr_free(iterator);
}

static void execute_if(struct tree_run *run, __isl_keep isl_ast_node *node) {
  bool yes = tree_value(run, isl_ast_node_if_get_cond(node)) != 0;
  isl_ast_node *next = NULL;
  if (yes)
    next = isl_ast_node_if_get_then_node(node);
  else if (isl_ast_node_if_has_else_node(node) == isl_bool_true)
    next = isl_ast_node_if_get_else_node(node);
  if (next)
    tree_execute(run, next);
  isl_ast_node_free(next);
}

static void execute_block(struct tree_run *run, __isl_keep isl_ast_node *node) {
  isl_ast_node_list *list = isl_ast_node_block_get_children(node);
  isl_size n = isl_ast_node_list_n_ast_node(list);
  for (int i = 0; i < n && !run->wrong; i++) {
    isl_ast_node *child = isl_ast_node_list_get_ast_node(list, i);
    tree_execute(run, child);
    isl_ast_node_free(child);
  }
  isl_ast_node_list_free(list);
}

void tree_execute(struct tree_run *run, __isl_keep isl_ast_node *node) {
  switch (isl_ast_node_get_type(node)) {
  case isl_ast_node_for: execute_for(run, node); break;
  case isl_ast_node_if: execute_if(run, node); break;
  case isl_ast_node_block: execute_block(run, node); break;
  case isl_ast_node_user: execute_user(run, node); break;
  default: run->wrong = "a node of the syntax tree is not known";
  }
}

/* What a count has found. */
struct counting {
  int loops, parallel;
};

static isl_bool count_node(__isl_keep isl_ast_node *node, void *user) {
  struct counting *c = user;
  if (isl_ast_node_get_type(node) != isl_ast_node_for ||
      isl_ast_node_for_is_degenerate(node) == isl_bool_true)
    return isl_bool_true;
  c->loops++;
  c->parallel += is_annotated(node, "parallel");
  return isl_bool_true;
}

void tree_count(__isl_keep isl_ast_node *node, int *loops, int *parallel) {
  struct counting c = {0};
  isl_ast_node_foreach_descendant_top_down(node, count_node, &c);
  *loops = c.loops;
  *parallel = c.parallel;
}
