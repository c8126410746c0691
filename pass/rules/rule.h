/* rule.h: the derivative table. rules.def has one row per operation or function: the partial derivatives as flat prefix code, which
   small walkers emit, evaluate, ask for needed operands, price and print. */
#ifndef DAD_RULE_H
#define DAD_RULE_H

#include "../base/ir.h"

#include <stdio.h>

enum { DAD_RULE_OPERANDS = 3 };

/* What a partial derivative reads: operands by position, and the result. */
enum dad_rule_need { DAD_NEED_X = 1, DAD_NEED_Y = 2, DAD_NEED_Z = 4, DAD_NEED_R = 8 };

struct dad_rule;

/* The rule of the instruction or call "i" (by opcode, or by the name of the function or intrinsic in its float, double and long
   double forms), or NULL. */
const struct dad_rule *dad_rule_of(LLVMValueRef i);
/* The rule for a function of this name, or NULL. */
const struct dad_rule *dad_rule_named(const char *name);
const char *dad_rule_name(const struct dad_rule *rule);
/* Is the partial derivative by operand "k" zero everywhere? (floor, or the sign operand of copysign) */
bool dad_rule_is_zero(const struct dad_rule *rule, unsigned k);
/* What the partial derivative by operand "k" reads: a union of enum dad_rule_need. */
unsigned dad_rule_needs(const struct dad_rule *rule, unsigned k);
/* Emits "g" times the partial derivative by operand "k" at the builder's position. "type" is the result's type (scalar or vector);
   values[0..2] are the operands and values[3] the result; those that the partial does not read may be NULL. Multiplications by 1 and -1 are not emitted.
   Division rules are emitted as g / y rather than g * (1 / y). */
LLVMValueRef dad_rule_emit(struct dad_context *ctx, const struct dad_rule *rule, unsigned k,
                           LLVMTypeRef type, LLVMValueRef g, LLVMValueRef values[4]);
/* Cost in additions of evaluating the partial by operand "k" once. */
int dad_rule_cost(const struct dad_rule *rule, unsigned k);
/* The same for the operation itself. */
int dad_rule_value_cost(const struct dad_rule *rule);
/* Prints the partial by operand "k", such as "0.5 / r". */
void dad_rule_print(FILE *out, const struct dad_rule *rule, unsigned k);

#endif
