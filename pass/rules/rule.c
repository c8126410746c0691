/* rule.c: the table of derivatives, how a row is found, and what can be read off its code. */
#include "rule.h"

#include "libcall.h"
#include "name_index.h"
#include "rule_code.h"

#include <pthread.h>
#include <string.h>

/* ---- operators */

#define OPERAND(k) DAD_HOW_OPERAND, k
#define NUMBER     DAD_HOW_NUMBER, 0
#define BUILD(op)  DAD_HOW_BUILD, LLVM##op
#define COMPARE(p) DAD_HOW_COMPARE, LLVMReal##p
#define FORM(f)    DAD_HOW_FORM, DAD_FORM_##f
#define INTRINSIC  DAD_HOW_INTRINSIC, 0
#define LIBRARY    DAD_HOW_LIBRARY, 0
#define RUNTIME    DAD_HOW_RUNTIME, 0

const struct dad_operator_row dad_operator_rows[DAD_OPERATORS] = {
#define OPERATOR(name, text, arity, cost, how, evaluation) {#name, text, arity, cost, how},
#include "operator.def"
};

/* ---- rules: each operator writes its byte and then its arguments */

enum { LLVMNone = 0 };

#define P(...)                                                                                     \
  { __VA_ARGS__ }
#define NONE                                                                                       \
  { DAD_OP_ZERO }
#define x               DAD_OP_x
#define y               DAD_OP_y
#define z               DAD_OP_z
#define r               DAD_OP_r
#define ZERO            DAD_OP_ZERO
#define HALF            DAD_OP_HALF
#define THIRD           DAD_OP_THIRD
#define ONE             DAD_OP_ONE
#define TWO             DAD_OP_TWO
#define LN2             DAD_OP_LN2
#define LN10            DAD_OP_LN10
#define LOG2E           DAD_OP_LOG2E
#define LOG10E          DAD_OP_LOG10E
#define PI              DAD_OP_PI
#define INV_PI          DAD_OP_INV_PI
#define TWO_BY_SQRT_PI  DAD_OP_TWO_BY_SQRT_PI
#define NEG(a)          DAD_OP_NEG, a
#define ADD(a, b)       DAD_OP_ADD, a, b
#define SUB(a, b)       DAD_OP_SUB, a, b
#define MUL(a, b)       DAD_OP_MUL, a, b
#define DIV(a, b)       DAD_OP_DIV, a, b
#define LT(a, b)        DAD_OP_LT, a, b
#define LE(a, b)        DAD_OP_LE, a, b
#define EQ(a, b)        DAD_OP_EQ, a, b
#define AND(a, b)       DAD_OP_AND, a, b
#define SEL(a, b, c)    DAD_OP_SEL, a, b, c
#define STRONG(a)       DAD_OP_STRONG, a
#define FLOAT(a)        DAD_OP_FLOAT, a
#define NEXT(a)         DAD_OP_NEXT, a
#define PREV(a)         DAD_OP_PREV, a
#define FABS(a)         DAD_OP_FABS, a
#define COPYSIGN(a, b)  DAD_OP_COPYSIGN, a, b
#define FMIN(a, b)      DAD_OP_FMIN, a, b
#define FMAX(a, b)      DAD_OP_FMAX, a, b
#define FMA(a, b, c)    DAD_OP_FMA, a, b, c
#define FLOOR(a)        DAD_OP_FLOOR, a
#define CEIL(a)         DAD_OP_CEIL, a
#define TRUNC(a)        DAD_OP_TRUNC, a
#define RINT(a)         DAD_OP_RINT, a
#define ROUND(a)        DAD_OP_ROUND, a
#define SQRT(a)         DAD_OP_SQRT, a
#define SIN(a)          DAD_OP_SIN, a
#define COS(a)          DAD_OP_COS, a
#define TAN(a)          DAD_OP_TAN, a
#define ASIN(a)         DAD_OP_ASIN, a
#define ACOS(a)         DAD_OP_ACOS, a
#define ATAN(a)         DAD_OP_ATAN, a
#define ATAN2(a, b)     DAD_OP_ATAN2, a, b
#define SINH(a)         DAD_OP_SINH, a
#define COSH(a)         DAD_OP_COSH, a
#define TANH(a)         DAD_OP_TANH, a
#define EXP(a)          DAD_OP_EXP, a
#define EXP2(a)         DAD_OP_EXP2, a
#define EXP10(a)        DAD_OP_EXP10, a
#define LOG(a)          DAD_OP_LOG, a
#define LOG2(a)         DAD_OP_LOG2, a
#define LOG10(a)        DAD_OP_LOG10, a
#define POW(a, b)       DAD_OP_POW, a, b
#define POWI(a, b)      DAD_OP_POWI, a, b
#define LDEXP(a, b)     DAD_OP_LDEXP, a, b
#define ASINH(a)        DAD_OP_ASINH, a
#define ACOSH(a)        DAD_OP_ACOSH, a
#define ATANH(a)        DAD_OP_ATANH, a
#define EXPM1(a)        DAD_OP_EXPM1, a
#define LOG1P(a)        DAD_OP_LOG1P, a
#define CBRT(a)         DAD_OP_CBRT, a
#define HYPOT(a, b)     DAD_OP_HYPOT, a, b
#define ERF(a)          DAD_OP_ERF, a
#define ERFC(a)         DAD_OP_ERFC, a
#define TGAMMA(a)       DAD_OP_TGAMMA, a
#define LGAMMA(a)       DAD_OP_LGAMMA, a
#define FDIM(a, b)      DAD_OP_FDIM, a, b
#define FMOD(a, b)      DAD_OP_FMOD, a, b
#define REMAINDER(a, b) DAD_OP_REMAINDER, a, b
#define LOGB(a)         DAD_OP_LOGB, a
#define J0(a)           DAD_OP_J0, a
#define J1(a)           DAD_OP_J1, a
#define JN(a, b)        DAD_OP_JN, a, b
#define Y0(a)           DAD_OP_Y0, a
#define Y1(a)           DAD_OP_Y1, a
#define YN(a, b)        DAD_OP_YN, a, b
#define SINPI(a)        DAD_OP_SINPI, a
#define COSPI(a)        DAD_OP_COSPI, a
#define DIGAMMA(a)      DAD_OP_DIGAMMA, a

const struct dad_rule dad_rules[] = {
#define RULE(name, opcode, names, operands, value, by_x, by_y, by_z, low, high)                    \
  {#name, LLVM##opcode, names, #operands, value, {by_x, by_y, by_z}, low, high},
#include "rules.def"
};

#undef P
#undef x
#undef y
#undef z
#undef r

const unsigned dad_rule_count = sizeof dad_rules / sizeof *dad_rules;

/* ---- the names, and the types that go with them */

/* A name of a rule. */
struct form {
  const struct dad_rule *rule;
  char type; /* f: float, d: double, l: long double, *: any */
};

enum { MAX_OPCODE = 128 };

/* Filled once from dad_rules. */
static struct dad_name_index forms; /* names to struct form */
static const struct dad_rule *of_opcode[MAX_OPCODE];
static pthread_once_t table_once = PTHREAD_ONCE_INIT;

static void add_form(const struct dad_rule *rule, const char *name, char type) {
  struct form *f = DAD_NEW(forms.arena, struct form);
  *f = (struct form){.rule = rule, .type = type};
  dad_name_add(&forms, name, f);
}

/* Adds all forms of the name of "n" characters at "name", a name of "rule". */
static void add_forms(const struct dad_rule *rule, const char *name, int n) {
  static const char *const suffixes[] = {"f", "", "l"};
  if (*name == '_' || !strncmp(name, "llvm.", 5)) {
    add_form(rule, dad_arena_printf(forms.arena, "%.*s", n, name), '*');
    return;
  }
  for (int k = 0; k < 3; k++) {
    const char *form = dad_arena_printf(forms.arena, "%.*s%s", n, name, suffixes[k]);
    add_form(rule, form, "fdl"[k]);
    add_form(rule, dad_arena_printf(forms.arena, "__%s_finite", form), "fdl"[k]);
  }
}

static void fill_table(void) {
  forms.arena = dad_arena_create();
  for (unsigned k = 0; k < dad_rule_count; k++) {
    const char *at = dad_rules[k].names;
    if (dad_rules[k].opcode)
      of_opcode[dad_rules[k].opcode] = &dad_rules[k];
    for (size_t n = 0; dad_next_word(&at, &n);)
      add_forms(&dad_rules[k], at, (int)n);
  }
}

static const struct form *form_named(const char *name) {
  pthread_once(&table_once, fill_table);
  return dad_name_find_base(&forms, name);
}

const struct dad_rule *dad_rule_named(const char *name) {
  const struct form *f = form_named(name);
  return f ? f->rule : NULL;
}

/* ---- does a rule fit an instruction? */

static LLVMTypeRef scalar_of(LLVMTypeRef type) {
  return LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetElementType(type) : type;
}

/* Can numbers of type "type", a scalar or a vector, be the result of the form "form"? */
static bool type_fits(LLVMTypeRef type, char form) {
  bool any = form == '*';
  switch (LLVMGetTypeKind(scalar_of(type))) {
  case LLVMFloatTypeKind: return any || form == 'f';
  case LLVMDoubleTypeKind: return any || form == 'd' || form == 'l';
  case LLVMX86_FP80TypeKind:
  case LLVMFP128TypeKind: return any || form == 'l';
  case LLVMHalfTypeKind:
  case LLVMBFloatTypeKind: return any;
  default: return false;
  }
}

static bool operand_fits(char letter, LLVMTypeRef operand, LLVMTypeRef result) {
  bool integer = LLVMGetTypeKind(scalar_of(operand)) == LLVMIntegerTypeKind;
  switch (letter) {
  case 'F': return operand == result;
  case 'I': return integer;
  default: return integer || LLVMGetTypeKind(operand) == LLVMPointerTypeKind;
  }
}

/* Are there "n" operands in "i" that are what "rule" says? */
static bool operands_fit(const struct dad_rule *rule, LLVMValueRef i, unsigned n) {
  const char *letter = rule->operands;
  for (unsigned k = 0; k < n; k++) {
    if (!*letter || !operand_fits(*letter, LLVMTypeOf(LLVMGetOperand(i, k)), LLVMTypeOf(i)))
      return false;
    letter += *letter != '_';
  }
  return !*letter || *letter == '_';
}

const struct dad_rule *dad_rule_of(LLVMValueRef i) {
  if (!LLVMIsAInstruction(i))
    return NULL;
  if (dad_is_call(i)) {
    const struct form *f = form_named(dad_known_name(i));
    bool fits = f && type_fits(LLVMTypeOf(i), f->type);
    return fits && operands_fit(f->rule, i, LLVMGetNumArgOperands(i)) ? f->rule : NULL;
  }
  pthread_once(&table_once, fill_table);
  unsigned opcode = LLVMGetInstructionOpcode(i);
  return opcode < MAX_OPCODE ? of_opcode[opcode] : NULL;
}

/* ---- what can be read off a rule */

const char *dad_rule_name(const struct dad_rule *rule) {
  return rule->name;
}

unsigned dad_code_length(const unsigned char *code) {
  unsigned length = 0;
  for (unsigned open = 1; open; open--)
    open += dad_operator_rows[code[length++]].arity;
  return length;
}

bool dad_rule_is_zero(const struct dad_rule *rule, unsigned k) {
  return k >= DAD_RULE_OPERANDS || rule->by[k][0] == DAD_OP_ZERO;
}

unsigned dad_rule_needs(const struct dad_rule *rule, unsigned k) {
  unsigned needs = 0;
  for (unsigned at = 0, n = dad_code_length(rule->by[k]); at < n; at++) {
    const struct dad_operator_row *op = &dad_operator_rows[rule->by[k][at]];
    if (op->how == DAD_HOW_OPERAND)
      needs |= 1u << op->detail;
  }
  return needs;
}

/* The sum of the prices of all operators at "code". */
static int cost_of(const unsigned char *code) {
  int cost = 0;
  for (unsigned at = 0, n = dad_code_length(code); at < n; at++)
    cost += dad_operator_rows[code[at]].cost;
  return cost;
}

int dad_rule_cost(const struct dad_rule *rule, unsigned k) {
  return cost_of(rule->by[k]);
}

int dad_rule_value_cost(const struct dad_rule *rule) {
  return cost_of(rule->value);
}

void dad_rule_print(FILE *out, const struct dad_rule *rule, unsigned k) {
  dad_code_print(out, rule->by[k]);
}
