/* nest_value.c: evaluates expressions, and their tangents by the rules alone. */
#include "nest_value.h"

#include <math.h>
#include <string.h>

static long double parameter(const struct dad_expr *e, const struct value_scope *scope) {
  for (int i = 0; i < scope->n_param; i++)
    if (strcmp(scope->name[i], e->name) == 0)
      return scope->param[i];
  return NAN;
}

static long double operator_of(const struct dad_expr *e, const struct value_scope *scope) {
  for (unsigned k = 0; scope->marks && k < scope->marks->n; k++)
    if (scope->marks->test[k] == e)
      return scope->marked >> k & 1;
  unsigned char code[4] = {(unsigned char)e->index, DAD_OP_x, DAD_OP_y, DAD_OP_z};
  long double values[4] = {0};
  if (e->index == DAD_OP_SEL)
    return value_of(e->arg[value_of(e->arg[0], scope) != 0 ? 1 : 2], scope);
  for (int k = 0; k < 3 && e->arg[k]; k++)
    values[k] = value_of(e->arg[k], scope);
  return dad_code_evaluate(code, values);
}

long double value_of(const struct dad_expr *e, const struct value_scope *scope) {
  long double values[4] = {0};
  switch (e->kind) {
  case DAD_EXPR_NUMBER: return e->number;
  case DAD_EXPR_VALUE: return parameter(e, scope);
  case DAD_EXPR_READ: return scope->read[e->index];
  case DAD_EXPR_RESULT: return scope->result;
  case DAD_EXPR_SEED: return scope->seed;
  case DAD_EXPR_OPERATOR: return operator_of(e, scope);
  case DAD_EXPR_RULE:
    for (int k = 0; k < 3 && e->arg[k]; k++)
      values[k] = value_of(e->arg[k], scope);
    return dad_code_evaluate(e->rule->value, values);
  }
  return NAN;
}

static long double tangent_of_rule(const struct dad_expr *e, const struct value_scope *scope) {
  long double values[4] = {0}, sum = 0;
  for (int k = 0; k < 3 && e->arg[k]; k++)
    values[k] = value_of(e->arg[k], scope);
  values[3] = dad_code_evaluate(e->rule->value, values);
  for (unsigned k = 0; k < 3 && e->arg[k]; k++) {
    long double tangent = tangent_of(e->arg[k], scope);
    if (tangent != 0)
      sum += tangent * dad_code_evaluate(e->rule->by[k], values);
  }
  return sum;
}

long double tangent_of(const struct dad_expr *e, const struct value_scope *scope) {
  if (e->kind == DAD_EXPR_READ)
    return scope->tangent[e->index];
  if (e->kind == DAD_EXPR_RULE)
    return tangent_of_rule(e, scope);
  if (e->kind == DAD_EXPR_OPERATOR && e->index == DAD_OP_SEL)
    return tangent_of(e->arg[value_of(e->arg[0], scope) != 0 ? 1 : 2], scope);
  return 0;
}
