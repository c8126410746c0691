/* special.c: matrices of partial derivatives, and both sweeps over them.

   An operation has up to two floating-point results and up to four inputs: its operands, or the
   parts of complex ones. A row of the table says how a column of the matrix is built: the partials
   of both results by one input. */
#include "special.h"

#include "libcall.h"
#include "name_index.h"
#include "special_complex.h"

#include <pthread.h>
#include <string.h>

enum { MAX_INPUTS = 4, RESULTS = 2 };

/* One call at work. */
struct special {
  const struct dad_special_host *host;
  LLVMValueRef call;
  const struct special_row *row;
  struct dad_complex_format format; /* "part" is the type of inputs and results */
};

/* Builds in "column" the partials of both results by input "k"; NULL is 0, and an infinite one is
 * only met by 0 if the row is strong. */
typedef void column_function(struct special *s, unsigned k, LLVMValueRef column[RESULTS]);

struct special_row {
  const char *names; /* see struct form */
  unsigned inputs;   /* how many */
  unsigned numbers;  /* how many results are numbers */
  bool strong;       /* 0 times a partial is 0 even if that is infinite */
  column_function *column;
  const char *rule; /* the row of rules.def that the column is taken from, or NULL */
};

/* ---- values */

static struct dad_context *context(const struct special *s) {
  return s->host->req->ctx;
}

static bool is_vector(LLVMTypeRef type) {
  return LLVMGetTypeKind(type) == LLVMVectorTypeKind;
}

/* Part "k" of "v": an element of a vector, a member of a struct, or all of a scalar. */
static LLVMValueRef part(const struct special *s, LLVMValueRef v, unsigned k) {
  LLVMBuilderRef b = context(s)->builder;
  if (is_vector(LLVMTypeOf(v)))
    return LLVMBuildExtractElement(b, v, LLVMConstInt(context(s)->i32, k, false), "");
  if (LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMStructTypeKind)
    return LLVMBuildExtractValue(b, v, k, "");
  return v;
}

/* "v" with "x" in the place of part "k". */
static LLVMValueRef with_part(const struct special *s, LLVMValueRef v, LLVMValueRef x, unsigned k) {
  LLVMBuilderRef b = context(s)->builder;
  if (is_vector(LLVMTypeOf(v)))
    return LLVMBuildInsertElement(b, v, x, LLVMConstInt(context(s)->i32, k, false), "");
  if (LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMStructTypeKind)
    return LLVMBuildInsertValue(b, v, x, k, "");
  return x;
}

/* How many inputs the operand "v" is: both parts of a complex number, one number, or none. */
static unsigned inputs_of(LLVMValueRef v) {
  if (is_vector(LLVMTypeOf(v)))
    return 2;
  return dad_has_float(LLVMTypeOf(v));
}

/* The primal value of input "k". */
static LLVMValueRef input(struct special *s, unsigned k) {
  for (unsigned operand = 0;; operand++) {
    LLVMValueRef v = LLVMGetOperand(s->call, operand);
    if (k < inputs_of(v))
      return part(s, s->host->primal(s->host->data, v), k);
    k -= inputs_of(v);
  }
}

static struct dad_complex complex_input(struct special *s, unsigned k) {
  LLVMValueRef re = input(s, k);
  return (struct dad_complex){re, input(s, k + 1)};
}

static struct dad_complex complex_result(struct special *s) {
  return dad_complex_split(&s->format, s->host->primal(s->host->data, s->call));
}

static LLVMValueRef result(struct special *s, unsigned k) {
  return part(s, s->host->primal(s->host->data, s->call), k);
}

static LLVMValueRef number(struct special *s, const char *text) {
  return LLVMConstRealOfString(s->format.part, text);
}

static LLVMValueRef negative(struct special *s, LLVMValueRef v) {
  return LLVMBuildFNeg(context(s)->builder, v, "");
}

/* ---- columns */

static void column_sincos(struct special *s, unsigned k, LLVMValueRef column[RESULTS]) {
  (void)k;
  column[0] = result(s, 1);
  column[1] = negative(s, result(s, 0));
}

static void column_sincospi(struct special *s, unsigned k, LLVMValueRef column[RESULTS]) {
  LLVMValueRef pi = number(s, "3.14159265358979323846264338327950288");
  column_sincos(s, k, column);
  for (unsigned j = 0; j < RESULTS; j++)
    column[j] = LLVMBuildFMul(context(s)->builder, pi, column[j], "");
}

/* The fraction moves with the operand, the whole part is a step. */
static void column_modf(struct special *s, unsigned k, LLVMValueRef column[RESULTS]) {
  (void)k;
  column[0] = number(s, "1");
}

/* The exponent is a step, the fraction is the operand over two to the exponent. */
static void column_frexp(struct special *s, unsigned k, LLVMValueRef column[RESULTS]) {
  (void)k;
  LLVMValueRef e = LLVMBuildNeg(context(s)->builder, result(s, 1), "");
  LLVMTypeRef types[] = {s->format.part, LLVMTypeOf(e)};
  LLVMValueRef args[] = {number(s, "1"), e};
  column[0] = dad_call_intrinsic(context(s), "llvm.ldexp", types, 2, args, 2);
}

/* A complex factor "d": the partials by the real part of what it multiplies, or by the imaginary
 * part. */
static void column_factor(struct special *s, struct dad_complex d, bool imaginary,
                          LLVMValueRef column[RESULTS]) {
  column[0] = imaginary ? negative(s, d.im) : d.re;
  column[1] = imaginary ? d.re : d.im;
}

/* (a + ib)(c + id): each factor is the partial by the other. */
static void column_product(struct special *s, unsigned k, LLVMValueRef column[RESULTS]) {
  column_factor(s, complex_input(s, k < 2 ? 2 : 0), k % 2, column);
}

/* u / w: 1 / w by u, and -(u / w) / w by w. */
static void column_quotient(struct special *s, unsigned k, LLVMValueRef column[RESULTS]) {
  struct dad_complex d = {number(s, "1"), number(s, "0")};
  if (k >= 2) {
    d = complex_result(s);
    d.re = negative(s, d.re);
    d.im = negative(s, d.im);
  }
  column_factor(s, dad_complex_quotient(&s->format, d, complex_input(s, 2)), k % 2, column);
}

static void column_function_of(struct special *s, unsigned k, LLVMValueRef column[RESULTS]) {
  const struct dad_rule *rule = dad_rule_named(s->row->rule);
  struct dad_complex values[4] = {{NULL, NULL}};
  for (unsigned j = 0; 2 * j < s->row->inputs; j++)
    if (dad_rule_needs(rule, k / 2) & (DAD_NEED_X << j))
      values[j] = complex_input(s, 2 * j);
  if (dad_rule_needs(rule, k / 2) & DAD_NEED_R)
    values[3] = complex_result(s);
  column_factor(s, dad_complex_partial(&s->format, rule, k / 2, values), k % 2, column);
}

/* A function with a rule that also writes an integer to memory: that is a step. */
static void column_rule(struct special *s, unsigned k, LLVMValueRef column[RESULTS]) {
  const struct dad_rule *rule = dad_rule_named(s->row->rule);
  LLVMValueRef values[4] = {NULL};
  for (unsigned j = 0; j < s->row->inputs; j++)
    if (dad_rule_needs(rule, k) & (DAD_NEED_X << j))
      values[j] = input(s, j);
  if (dad_rule_needs(rule, k) & DAD_NEED_R)
    values[3] = result(s, 0);
  column[0] = dad_rule_emit(context(s), rule, k, s->format.part, number(s, "1"), values);
}

/* z to the n: n times z to the n - 1, by the same function; 0 for n = 0 even where z is 0. */
static void column_integer_power(struct special *s, unsigned k, LLVMValueRef column[RESULTS]) {
  LLVMBuilderRef b = context(s)->builder;
  unsigned last = LLVMGetNumArgOperands(s->call) - 1;
  LLVMValueRef args[3], n = NULL;
  for (unsigned j = 0; j <= last; j++)
    args[j] = s->host->primal(s->host->data, LLVMGetOperand(s->call, j));
  n = args[last];
  args[last] = LLVMBuildSub(b, n, LLVMConstInt(LLVMTypeOf(n), 1, false), "");
  LLVMValueRef power = LLVMBuildCall2(b, LLVMGetCalledFunctionType(s->call),
                                      LLVMGetCalledValue(s->call), args, last + 1, "");
  LLVMValueRef none = LLVMConstNull(s->format.part);
  LLVMValueRef zero = LLVMBuildICmp(b, LLVMIntEQ, n, LLVMConstNull(LLVMTypeOf(n)), "");
  LLVMValueRef factor = LLVMBuildSIToFP(b, n, s->format.part, "");
  struct dad_complex d = dad_complex_split(&s->format, power);
  d.re = LLVMBuildSelect(b, zero, none, LLVMBuildFMul(b, factor, d.re, ""), "");
  d.im = LLVMBuildSelect(b, zero, none, LLVMBuildFMul(b, factor, d.im, ""), "");
  column_factor(s, d, k, column);
}

/* ---- the table */

#define COMPLEX(name)                                                                              \
  { "c" #name " c" #name "f", 2, 2, true, column_function_of, #name }

static const struct special_row rows[] = {
    {"llvm.sincos", 1, 2, false, column_sincos, NULL},
    {"llvm.sincospi", 1, 2, false, column_sincospi, NULL},
    {"llvm.modf", 1, 2, false, column_modf, NULL},
    {"llvm.frexp", 1, 1, false, column_frexp, NULL},
    {"__mulsc3 __muldc3 __mulxc3", 4, 2, false, column_product, NULL},
    {"__divsc3 __divdc3 __divxc3", 4, 2, true, column_quotient, NULL},
    {"remquo remquof remquol", 2, 1, true, column_rule, "remainder"},
    {"lgamma_r lgammaf_r lgammal_r", 1, 1, true, column_rule, "lgamma"},
    {"_FortranAcpowi _FortranAcpowk _FortranAzpowi _FortranAzpowk", 2, 2, true,
     column_integer_power, NULL},
    {"cpow cpowf", 4, 2, true, column_function_of, "pow"},
    COMPLEX(exp),
    COMPLEX(log),
    COMPLEX(sqrt),
    COMPLEX(sin),
    COMPLEX(cos),
    COMPLEX(tan),
    COMPLEX(asin),
    COMPLEX(acos),
    COMPLEX(atan),
    COMPLEX(sinh),
    COMPLEX(cosh),
    COMPLEX(tanh),
    COMPLEX(asinh),
    COMPLEX(acosh),
    COMPLEX(atanh),
};

static struct dad_name_index names;
static pthread_once_t table_once = PTHREAD_ONCE_INIT;

static void fill_table(void) {
  names.arena = dad_arena_create();
  for (unsigned k = 0; k < sizeof rows / sizeof *rows; k++) {
    const char *at = rows[k].names;
    for (size_t n = 0; dad_next_word(&at, &n);)
      dad_name_add(&names, dad_arena_printf(names.arena, "%.*s", (int)n, at), &rows[k]);
  }
}

/* The type of the parts of the result of "call", if it has the parts that "row" says; else NULL. */
static LLVMTypeRef part_type(LLVMValueRef call, const struct special_row *row) {
  LLVMTypeRef type = LLVMTypeOf(call);
  if (row->column == column_rule)
    return type;
  if (is_vector(type))
    return LLVMGetVectorSize(type) == RESULTS ? LLVMGetElementType(type) : NULL;
  if (LLVMGetTypeKind(type) != LLVMStructTypeKind || LLVMCountStructElementTypes(type) != RESULTS)
    return NULL;
  LLVMTypeRef first = LLVMStructGetTypeAtIndex(type, 0), second = LLVMStructGetTypeAtIndex(type, 1);
  return row->numbers < 2 || first == second ? first : NULL;
}

/* Can the operand "v" be a number of type "type", a complex one, or what "row" takes beside them?
 */
static bool operand_fits(const struct special_row *row, LLVMValueRef v, LLVMTypeRef type) {
  LLVMTypeRef t = LLVMTypeOf(v);
  switch (LLVMGetTypeKind(t)) {
  case LLVMIntegerTypeKind: return row->column == column_integer_power;
  case LLVMPointerTypeKind: return row->column == column_rule;
  case LLVMVectorTypeKind: return LLVMGetElementType(t) == type && LLVMGetVectorSize(t) == 2;
  default: return t == type;
  }
}

/* Is "type" a scalar in floating point? */
static bool is_number(LLVMTypeRef type) {
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  return dad_has_float(type) && kind != LLVMVectorTypeKind && kind != LLVMStructTypeKind &&
         kind != LLVMArrayTypeKind;
}

/* The row of "call", if its operands and result are what the row says; "type" is their type. */
static const struct special_row *row_of(LLVMValueRef call, LLVMTypeRef *type) {
  pthread_once(&table_once, fill_table);
  const struct special_row *row = dad_name_find_base(&names, dad_known_name(call));
  unsigned n = 0;
  *type = row ? part_type(call, row) : NULL;
  if (!*type || !is_number(*type))
    return NULL;
  for (unsigned k = 0; k < LLVMGetNumArgOperands(call); k++) {
    LLVMValueRef v = LLVMGetOperand(call, k);
    if (!operand_fits(row, v, *type))
      return NULL;
    n += inputs_of(v);
  }
  return n == row->inputs ? row : NULL;
}

bool dad_is_special(LLVMValueRef call) {
  LLVMTypeRef type;
  return row_of(call, &type) != NULL;
}

/* ---- both sweeps */

static struct special start(const struct dad_special_host *host, LLVMValueRef call) {
  struct special s = {.host = host, .call = call};
  s.row = row_of(call, &s.format.part);
  s.format.ctx = host->req->ctx;
  s.format.number = LLVMTypeOf(call);
  return s;
}

/* "g" times "partial", added to "sum"; NULL is 0. */
static LLVMValueRef add_product(struct special *s, LLVMValueRef sum, LLVMValueRef g,
                                LLVMValueRef partial) {
  LLVMBuilderRef b = context(s)->builder;
  if (!partial)
    return sum;
  LLVMValueRef v = g;
  if (partial != number(s, "1"))
    v = LLVMBuildFMul(b, g, partial, "");
  if (s->row->strong) {
    LLVMValueRef zero = LLVMConstNull(s->format.part);
    v = LLVMBuildSelect(b, LLVMBuildFCmp(b, LLVMRealOEQ, g, zero, ""), zero, v, "");
  }
  return sum ? LLVMBuildFAdd(b, sum, v, "") : v;
}

void dad_special_reverse(const struct dad_special_host *host, LLVMValueRef call) {
  struct special s = start(host, call);
  LLVMValueRef g = host->take(host->data, call), gs[RESULTS];
  for (unsigned j = 0; j < s.row->numbers; j++)
    gs[j] = part(&s, g, j);
  for (unsigned operand = 0, k = 0; operand < LLVMGetNumArgOperands(call); operand++) {
    LLVMValueRef v = LLVMGetOperand(call, operand), adjoint = LLVMConstNull(LLVMTypeOf(v));
    unsigned n = inputs_of(v);
    bool active = n && host->active(host->data, v);
    for (unsigned at = 0; active && at < n; at++) {
      LLVMValueRef column[RESULTS] = {NULL, NULL}, sum = NULL;
      s.row->column(&s, k + at, column);
      for (unsigned j = 0; j < s.row->numbers; j++)
        sum = add_product(&s, sum, gs[j], column[j]);
      adjoint = with_part(&s, adjoint, sum, at);
    }
    if (active)
      host->give(host->data, v, adjoint);
    k += n;
  }
}

void dad_special_forward(const struct dad_special_host *host, LLVMValueRef call) {
  struct special s = start(host, call);
  LLVMValueRef sums[RESULTS] = {NULL, NULL}, t = LLVMConstNull(LLVMTypeOf(call));
  for (unsigned operand = 0, k = 0; operand < LLVMGetNumArgOperands(call); operand++) {
    LLVMValueRef v = LLVMGetOperand(call, operand);
    unsigned n = inputs_of(v);
    bool active = n && host->active(host->data, v);
    LLVMValueRef tangent = active ? host->tangent(host->data, v) : NULL;
    for (unsigned at = 0; active && at < n; at++) {
      LLVMValueRef column[RESULTS] = {NULL, NULL};
      s.row->column(&s, k + at, column);
      for (unsigned j = 0; j < s.row->numbers; j++)
        sums[j] = add_product(&s, sums[j], part(&s, tangent, at), column[j]);
    }
    k += n;
  }
  for (unsigned j = 0; j < RESULTS; j++)
    if (sums[j])
      t = with_part(&s, t, sums[j], j);
  host->set_tangent(host->data, call, t);
}
