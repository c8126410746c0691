/* expr.c: making and printing expressions. */
#include "expr.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

static bool same(const struct dad_expr *a, const struct dad_expr *b) {
  return a->kind == b->kind && a->index == b->index &&
         memcmp(&a->number, &b->number, sizeof a->number) == 0 && a->name == b->name &&
         a->origin == b->origin && a->rule == b->rule && a->arg[0] == b->arg[0] &&
         a->arg[1] == b->arg[1] && a->arg[2] == b->arg[2];
}

const struct dad_expr *dad_expr_intern(struct dad_expr_pool *pool, const struct dad_expr *like) {
  for (unsigned i = 0; i < pool->all.n; i++)
    if (same(pool->all.at[i], like))
      return pool->all.at[i];
  struct dad_expr *e = DAD_NEW(pool->arena, struct dad_expr);
  *e = *like;
  dad_vec_push(&pool->all, e);
  return e;
}

const struct dad_expr *dad_expr_number(struct dad_expr_pool *pool, double number) {
  return dad_expr_intern(pool, &(struct dad_expr){.kind = DAD_EXPR_NUMBER, .number = number});
}

const struct dad_expr *dad_expr_leaf(struct dad_expr_pool *pool, enum dad_expr_kind kind,
                                     int index) {
  return dad_expr_intern(pool, &(struct dad_expr){.kind = kind, .index = index});
}

const struct dad_expr *dad_expr_value(struct dad_expr_pool *pool, const char *name,
                                      const void *origin) {
  return dad_expr_intern(
      pool, &(struct dad_expr){.kind = DAD_EXPR_VALUE, .name = name, .origin = origin});
}

const struct dad_expr *dad_expr_rule(struct dad_expr_pool *pool, const struct dad_rule *rule,
                                     const struct dad_expr *a, const struct dad_expr *b,
                                     const struct dad_expr *c) {
  struct dad_expr like = {.kind = DAD_EXPR_RULE, .rule = rule, .arg = {a, b, c}};
  return dad_expr_intern(pool, &like);
}

bool dad_expr_is(const struct dad_expr *e, double number) {
  return e->kind == DAD_EXPR_NUMBER && e->number == number;
}

static bool is_operator(const struct dad_expr *e, enum dad_operator op) {
  return e->kind == DAD_EXPR_OPERATOR && e->index == (int)op;
}

static const struct dad_expr *make(struct dad_expr_pool *pool, enum dad_operator op,
                                   const struct dad_expr *a, const struct dad_expr *b,
                                   const struct dad_expr *c) {
  struct dad_expr like = {.kind = DAD_EXPR_OPERATOR, .index = op, .arg = {a, b, c}};
  return dad_expr_intern(pool, &like);
}

/* "a" times "b". A product with a selection selects among products, so that neither a
   multiplication by 0 nor one by 1 is left of the derivative of a minimum. */
static const struct dad_expr *multiply(struct dad_expr_pool *pool, const struct dad_expr *a,
                                       const struct dad_expr *b) {
  if (dad_expr_is(a, 0) || dad_expr_is(b, 1))
    return a;
  if (dad_expr_is(b, 0) || dad_expr_is(a, 1))
    return b;
  if (dad_expr_is(a, -1))
    return dad_expr_operator(pool, DAD_OP_NEG, b, NULL, NULL);
  if (dad_expr_is(b, -1))
    return dad_expr_operator(pool, DAD_OP_NEG, a, NULL, NULL);
  if (is_operator(a, DAD_OP_NEG))
    return dad_expr_operator(pool, DAD_OP_NEG, multiply(pool, a->arg[0], b), NULL, NULL);
  if (is_operator(b, DAD_OP_NEG))
    return dad_expr_operator(pool, DAD_OP_NEG, multiply(pool, a, b->arg[0]), NULL, NULL);
  if (is_operator(b, DAD_OP_SEL))
    return dad_expr_operator(pool, DAD_OP_SEL, b->arg[0], multiply(pool, a, b->arg[1]),
                             multiply(pool, a, b->arg[2]));
  if (is_operator(a, DAD_OP_SEL) && (dad_expr_is(a->arg[1], 0) || dad_expr_is(a->arg[2], 0)))
    return dad_expr_operator(pool, DAD_OP_SEL, a->arg[0], multiply(pool, a->arg[1], b),
                             multiply(pool, a->arg[2], b));
  return make(pool, DAD_OP_MUL, a, b, NULL);
}

static const struct dad_expr *fold_numbers(struct dad_expr_pool *pool, enum dad_operator op,
                                           double a, double b) {
  switch (op) {
  case DAD_OP_ADD: return dad_expr_number(pool, a + b);
  case DAD_OP_SUB: return dad_expr_number(pool, a - b);
  case DAD_OP_MUL: return dad_expr_number(pool, a * b);
  case DAD_OP_DIV: return b != 0 ? dad_expr_number(pool, a / b) : NULL;
  default: return NULL;
  }
}

const struct dad_expr *dad_expr_operator(struct dad_expr_pool *pool, enum dad_operator op,
                                         const struct dad_expr *a, const struct dad_expr *b,
                                         const struct dad_expr *c) {
  if (a->kind == DAD_EXPR_NUMBER && b && b->kind == DAD_EXPR_NUMBER) {
    const struct dad_expr *folded = fold_numbers(pool, op, a->number, b->number);
    if (folded)
      return folded;
  }
  switch (op) {
  case DAD_OP_NEG:
    if (a->kind == DAD_EXPR_NUMBER)
      return dad_expr_number(pool, -a->number);
    return is_operator(a, DAD_OP_NEG) ? a->arg[0] : make(pool, op, a, NULL, NULL);
  case DAD_OP_ADD:
    return dad_expr_is(a, 0) ? b : dad_expr_is(b, 0) ? a : make(pool, op, a, b, NULL);
  case DAD_OP_SUB: return dad_expr_is(b, 0) ? a : make(pool, op, a, b, NULL);
  case DAD_OP_MUL: return multiply(pool, a, b);
  case DAD_OP_DIV: return dad_expr_is(a, 0) || dad_expr_is(b, 1) ? a : make(pool, op, a, b, NULL);
  case DAD_OP_SEL: return b == c ? b : make(pool, op, a, b, c);
  default: return make(pool, op, a, b, c);
  }
}

const struct dad_expr *dad_expr_expand(struct dad_expr_pool *pool, const unsigned char **at,
                                       const struct dad_expr *const values[4]) {
  enum dad_operator op = *(*at)++;
  const struct dad_operator_row *row = &dad_operator_rows[op];
  if (row->how == DAD_HOW_OPERAND)
    return values[row->detail];
  if (row->how == DAD_HOW_NUMBER)
    return dad_expr_number(pool, (double)dad_code_evaluate((unsigned char[]){op}, NULL));
  const struct dad_expr *arg[3] = {NULL, NULL, NULL};
  for (unsigned k = 0; k < row->arity; k++)
    arg[k] = dad_expr_expand(pool, at, values);
  return dad_expr_operator(pool, op, arg[0], arg[1], arg[2]);
}

/* ---- printing */

static void print(FILE *out, const struct dad_expr *e, bool inner);

/* "arg", "n" of them, as the call of a function or with the sign "text" between them. */
static void print_operation(FILE *out, const char *text, const struct dad_expr *const arg[],
                            unsigned n, bool inner) {
  bool sign = !isalpha((unsigned char)*text);
  if (!sign)
    fputs(text, out);
  if (!sign || inner)
    fputc('(', out);
  if (sign && n == 1)
    fputs(text, out);
  for (unsigned k = 0; k < n; k++) {
    if (k)
      fprintf(out, sign ? " %s " : ", ", text);
    print(out, arg[k], sign);
  }
  if (!sign || inner)
    fputc(')', out);
}

static void print_rule(FILE *out, const struct dad_expr *e, bool inner) {
  const struct dad_operator_row *row = &dad_operator_rows[e->rule->value[0]];
  unsigned n = 0;
  while (n < 3 && e->arg[n])
    n++;
  bool plain = dad_code_length(e->rule->value) == n + 1;
  print_operation(out, plain ? row->text : e->rule->name, e->arg, n, inner);
}

static void print(FILE *out, const struct dad_expr *e, bool inner) {
  switch (e->kind) {
  case DAD_EXPR_NUMBER: fprintf(out, "%g", e->number); break;
  case DAD_EXPR_VALUE: fputs(e->name, out); break;
  case DAD_EXPR_READ: fprintf(out, "r%d", e->index); break;
  case DAD_EXPR_RESULT: fputs("r", out); break;
  case DAD_EXPR_SEED: fputs("g", out); break;
  case DAD_EXPR_RULE: print_rule(out, e, inner); break;
  case DAD_EXPR_OPERATOR: {
    const struct dad_operator_row *row = &dad_operator_rows[e->index];
    print_operation(out, row->text, e->arg, row->arity, inner);
  }
  }
}

void dad_expr_print(FILE *out, const struct dad_expr *e) {
  print(out, e, false);
}
