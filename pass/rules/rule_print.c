/* rule_print.c: code as text, in parentheses where a reader could doubt. */
#include "rule_code.h"

#include <ctype.h>

/* Prints the expression at "code" and returns what is behind it; "inner": it stands beside an infix
 * sign. */
static const unsigned char *print(FILE *out, const unsigned char *code, bool inner) {
  const struct dad_operator_row *op = &dad_operator_rows[*code++];
  bool sign = op->arity && !isalpha((unsigned char)*op->text);
  bool strong = code[-1] == DAD_OP_STRONG;
  if (strong) /* a property of the product, not of the value */
    return print(out, code, inner);
  if (!sign)
    fputs(op->text, out);
  if (op->arity && (!sign || inner))
    fputc('(', out);
  if (sign && op->arity == 1)
    fputs(op->text, out);
  for (unsigned k = 0; k < op->arity; k++) {
    if (k)
      fprintf(out, sign ? " %s " : ", ", op->text);
    code = print(out, code, sign);
  }
  if (op->arity && (!sign || inner))
    fputc(')', out);
  return code;
}

void dad_code_print(FILE *out, const unsigned char *code) {
  print(out, code, false);
}
