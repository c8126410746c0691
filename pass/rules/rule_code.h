/* rule_code.h: the rows of rules.def as data, for the walkers in this folder and for tests. */
#ifndef DAD_RULE_CODE_H
#define DAD_RULE_CODE_H

#include "rule.h"

#include <stdio.h>

/* The operators, one byte each. */
enum dad_operator {
#define OPERATOR(name, text, arity, cost, how, evaluation) DAD_OP_##name,
#include "operator.def"
  DAD_OPERATORS
};

/* How an operator becomes IR. */
enum dad_operator_how {
  DAD_HOW_OPERAND,   /* "detail" is the operand's position */
  DAD_HOW_NUMBER,    /* "text" is the number */
  DAD_HOW_BUILD,     /* "detail" is an LLVMOpcode with two operands */
  DAD_HOW_COMPARE,   /* "detail" is an LLVMRealPredicate */
  DAD_HOW_FORM,      /* "detail" is an enum dad_operator_form */
  DAD_HOW_INTRINSIC, /* llvm.<text> */
  DAD_HOW_LIBRARY,   /* <text>, <text>f or <text>l */
  DAD_HOW_RUNTIME    /* the same for drt_<text> */
};

/* Operators that need code of their own. */
enum dad_operator_form {
  DAD_FORM_NEGATION,
  DAD_FORM_SELECTION,
  DAD_FORM_STRENGTH,
  DAD_FORM_CONVERSION,
  DAD_FORM_SUCCESSOR,
  DAD_FORM_PREDECESSOR
};

struct dad_operator_row {
  const char *name;          /* as in rules.def */
  const char *text;          /* as it is printed */
  unsigned char arity, cost; /* expressions that follow; price in additions */
  enum dad_operator_how how; /* how it becomes IR ... */
  int detail;                /* ... and what that needs */
};

extern const struct dad_operator_row dad_operator_rows[DAD_OPERATORS];

/* Code is flat and in prefix order: an operator, then its expressions. The arities say where an
   expression ends; the bytes behind it mean nothing. */
enum { DAD_RULE_BYTES = 24 };

struct dad_rule {
  const char *name;                                    /* of the row */
  int opcode;                                          /* LLVMOpcode, or 0 */
  const char *names;                                   /* of functions */
  const char *operands;                                /* F, I, _ */
  unsigned char value[DAD_RULE_BYTES];                 /* the function itself */
  unsigned char by[DAD_RULE_OPERANDS][DAD_RULE_BYTES]; /* its partial derivatives */
  double low, high;                                    /* where to test it */
};

extern const struct dad_rule dad_rules[];
extern const unsigned dad_rule_count;

/* How many bytes the expression at "code" has. */
unsigned dad_code_length(const unsigned char *code);
/* The value of the expression at "code" for the operands values[0..2] and the result values[3]. */
long double dad_code_evaluate(const unsigned char *code, const long double values[4]);
/* Prints the expression at "code". */
void dad_code_print(FILE *out, const unsigned char *code);

/* Says that "call", made for a derivative, depends on its operands alone and returns. */
void dad_mark_pure(struct dad_context *ctx, LLVMValueRef call);

#endif
