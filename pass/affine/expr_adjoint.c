/* expr_adjoint.c: from an expression to its adjoint, backwards over the graph. */
#include "expr_adjoint.h"
#include "../base/map.h"

/* One walk backwards. */
struct backward {
  struct dad_expr_pool *pool;   /* for what is made */
  const struct dad_expr *value; /* where it starts */
  bool result;                  /* may the result stand for it? */
  struct dad_map adjoint;       /* expression -> its adjoint */
  struct dad_vec order;         /* arguments before what uses them */
};

static void sort(struct backward *b, struct dad_map *seen, const struct dad_expr *e) {
  if (!e || dad_map_has(seen, e))
    return;
  dad_map_set_int(seen, e, 1);
  for (int k = 0; k < 3; k++)
    sort(b, seen, e->arg[k]);
  dad_vec_push(&b->order, e);
}

static void receive(struct backward *b, const struct dad_expr *e, const struct dad_expr *g) {
  const struct dad_expr *before = dad_map_get(&b->adjoint, e);
  if (dad_expr_is(g, 0))
    return;
  dad_map_set(&b->adjoint, e, before ? dad_expr_operator(b->pool, DAD_OP_ADD, before, g, NULL) : g);
}

/* "g" times the partial derivative by operand "k" of "e". STRONG(e) makes the product 0 for g = 0,
   whatever e is. */
static const struct dad_expr *chain(struct backward *b, const struct dad_expr *e, unsigned k,
                                    const struct dad_expr *g) {
  bool known = b->result && e == b->value;
  const struct dad_expr *result = known ? dad_expr_leaf(b->pool, DAD_EXPR_RESULT, 0) : e;
  const struct dad_expr *const values[4] = {e->arg[0], e->arg[1], e->arg[2], result};
  const unsigned char *code = e->rule->by[k];
  bool negative = *code == DAD_OP_NEG && code[1] == DAD_OP_STRONG;
  bool strong = negative || *code == DAD_OP_STRONG;
  code += negative ? 2 : strong;
  const struct dad_expr *partial = dad_expr_expand(b->pool, &code, values);
  const struct dad_expr *zero = dad_expr_number(b->pool, 0);
  bool quotient = partial->kind == DAD_EXPR_OPERATOR && partial->index == DAD_OP_DIV &&
                  dad_expr_is(partial->arg[0], 1);
  const struct dad_expr *product =
      quotient ? dad_expr_operator(b->pool, DAD_OP_DIV, g, partial->arg[1], NULL)
               : dad_expr_operator(b->pool, DAD_OP_MUL, g, partial, NULL);
  if (strong && partial->kind != DAD_EXPR_NUMBER) {
    const struct dad_expr *none = dad_expr_operator(b->pool, DAD_OP_EQ, g, zero, NULL);
    product = dad_expr_operator(b->pool, DAD_OP_SEL, none, zero, product);
  }
  return negative ? dad_expr_operator(b->pool, DAD_OP_NEG, product, NULL, NULL) : product;
}

static void reverse_rule(struct backward *b, const struct dad_expr *e, const struct dad_expr *g) {
  for (unsigned k = 0; k < DAD_RULE_OPERANDS && e->arg[k]; k++)
    if (e->rule->operands[k] == 'F' && !dad_rule_is_zero(e->rule, k))
      receive(b, e->arg[k], chain(b, e, k, g));
}

/* A selection passes its adjoint on to what it takes. */
static void reverse_selection(struct backward *b, const struct dad_expr *e,
                              const struct dad_expr *g) {
  const struct dad_expr *zero = dad_expr_number(b->pool, 0);
  receive(b, e->arg[1], dad_expr_operator(b->pool, DAD_OP_SEL, e->arg[0], g, zero));
  receive(b, e->arg[2], dad_expr_operator(b->pool, DAD_OP_SEL, e->arg[0], zero, g));
}

void dad_expr_adjoint(struct dad_expr_pool *pool, const struct dad_expr *value, bool result,
                      unsigned n, const struct dad_expr *by[]) {
  struct backward b = {.pool = pool,
                       .value = value,
                       .result = result,
                       .adjoint = DAD_MAP(pool->arena),
                       .order = DAD_VEC(pool->arena)};
  struct dad_map seen = DAD_MAP(pool->arena);
  sort(&b, &seen, value);
  receive(&b, value, dad_expr_leaf(pool, DAD_EXPR_SEED, 0));
  for (unsigned k = 0; k < n; k++)
    by[k] = NULL;
  for (unsigned i = b.order.n; i-- > 0;) {
    const struct dad_expr *e = b.order.at[i], *g = dad_map_get(&b.adjoint, e);
    if (g && e->kind == DAD_EXPR_READ && (unsigned)e->index < n)
      by[e->index] = g;
    else if (g && e->kind == DAD_EXPR_RULE)
      reverse_rule(&b, e, g);
    else if (g && e->kind == DAD_EXPR_OPERATOR && e->index == DAD_OP_SEL)
      reverse_selection(&b, e, g);
  }
}

static bool is_marked(const struct dad_expr *e, const struct dad_marks *marks) {
  for (unsigned k = 0; marks && k < marks->n; k++)
    if (marks->test[k] == e)
      return true;
  return false;
}

static void collect_needs(struct dad_map *seen, const struct dad_expr *e,
                          const struct dad_marks *marks, struct dad_expr_needs *needs) {
  if (!e || dad_map_has(seen, e) || is_marked(e, marks))
    return;
  dad_map_set_int(seen, e, 1);
  if (e->kind == DAD_EXPR_READ)
    needs->reads |= 1ul << e->index;
  needs->result |= e->kind == DAD_EXPR_RESULT;
  for (int k = 0; k < 3; k++)
    collect_needs(seen, e->arg[k], marks, needs);
}

void dad_expr_needs(struct dad_expr_pool *pool, const struct dad_expr *e,
                    const struct dad_marks *marks, struct dad_expr_needs *needs) {
  struct dad_map seen = DAD_MAP(pool->arena);
  collect_needs(&seen, e, marks, needs);
}

static bool is_comparison(const struct dad_expr *e) {
  return e->kind == DAD_EXPR_OPERATOR && dad_operator_rows[e->index].how == DAD_HOW_COMPARE;
}

/* Does "e" compare adjoints? Then its outcome is not known in the forward sweep. */
static bool mentions_seed(struct dad_map *seen, const struct dad_expr *e) {
  if (!e || dad_map_has(seen, e))
    return false;
  dad_map_set_int(seen, e, 1);
  return e->kind == DAD_EXPR_SEED || mentions_seed(seen, e->arg[0]) ||
         mentions_seed(seen, e->arg[1]) || mentions_seed(seen, e->arg[2]);
}

static bool collect_marks(struct dad_map *seen, const struct dad_expr *e, struct dad_marks *marks) {
  if (!e || dad_map_has(seen, e) || is_marked(e, marks))
    return true;
  dad_map_set_int(seen, e, 1);
  struct dad_map inside = DAD_MAP(seen->arena);
  if (is_comparison(e) && !mentions_seed(&inside, e)) {
    if (marks->n == DAD_MARKS)
      return false;
    marks->test[marks->n++] = e;
    return true;
  }
  return collect_marks(seen, e->arg[0], marks) && collect_marks(seen, e->arg[1], marks) &&
         collect_marks(seen, e->arg[2], marks);
}

bool dad_expr_marks(struct dad_expr_pool *pool, const struct dad_expr *e, struct dad_marks *marks) {
  struct dad_map seen = DAD_MAP(pool->arena);
  return collect_marks(&seen, e, marks);
}
