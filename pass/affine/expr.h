/* expr.h: the arithmetic of an assignment and of its adjoint, as expressions over the operators of
   the rule table. Equal expressions are one object: a pool holds each of them once. */
#ifndef DAD_EXPR_H
#define DAD_EXPR_H

#include "../base/arena.h"
#include "../base/vec.h"
#include "../rules/rule_code.h"

enum dad_expr_kind {
  DAD_EXPR_NUMBER,  /* "number" */
  DAD_EXPR_VALUE,   /* what parameters and iterators alone determine: "name", "origin" */
  DAD_EXPR_READ,    /* read "index" of the assignment */
  DAD_EXPR_RESULT,  /* what the assignment writes */
  DAD_EXPR_SEED,    /* the adjoint of what it writes */
  DAD_EXPR_RULE,    /* "rule" of "arg": primal arithmetic */
  DAD_EXPR_OPERATOR /* operator "index" (enum dad_operator) of "arg" */
};

struct dad_expr {
  enum dad_expr_kind kind;
  int index;                   /* of a read; an enum dad_operator */
  double number;               /* of a number */
  const char *name;            /* of a value, for printing */
  const void *origin;          /* what it stands for in the program, or NULL */
  const struct dad_rule *rule; /* of primal arithmetic */
  const struct dad_expr *arg[3];
};

/* The expressions of one assignment. */
struct dad_expr_pool {
  struct dad_arena *arena; /* where they live */
  struct dad_vec all;      /* struct dad_expr * */
};

#define DAD_EXPR_POOL(in_arena)                                                                    \
  ((struct dad_expr_pool){.arena = (in_arena), .all = DAD_VEC(in_arena)})

/* The expression of "pool" that equals "*like". */
const struct dad_expr *dad_expr_intern(struct dad_expr_pool *pool, const struct dad_expr *like);
const struct dad_expr *dad_expr_number(struct dad_expr_pool *pool, double number);
const struct dad_expr *dad_expr_leaf(struct dad_expr_pool *pool, enum dad_expr_kind kind,
                                     int index);
const struct dad_expr *dad_expr_value(struct dad_expr_pool *pool, const char *name,
                                      const void *origin);
/* "rule" of "a", "b" and "c", of which the last may be NULL. */
const struct dad_expr *dad_expr_rule(struct dad_expr_pool *pool, const struct dad_rule *rule,
                                     const struct dad_expr *a, const struct dad_expr *b,
                                     const struct dad_expr *c);
/* The same for operator "op", with constants folded and neutral elements removed. For derivatives
   only: the primal keeps its operations as they are. */
const struct dad_expr *dad_expr_operator(struct dad_expr_pool *pool, enum dad_operator op,
                                         const struct dad_expr *a, const struct dad_expr *b,
                                         const struct dad_expr *c);
/* The expression that the rule code "*at" is for the operands and the result in values[0..3];
   moves "*at" behind it. */
const struct dad_expr *dad_expr_expand(struct dad_expr_pool *pool, const unsigned char **at,
                                       const struct dad_expr *const values[4]);
/* Is "e" the number "number"? */
bool dad_expr_is(const struct dad_expr *e, double number);
/* Prints "e"; reads are r0, r1, ..., the result is r, the seed is g. */
void dad_expr_print(FILE *out, const struct dad_expr *e);

#endif
