/* special_complex.c: walks over a rule's code in complex arithmetic.

   A holomorphic function has one complex derivative, given by the same formula as on the real line.
   Of comparisons only equality makes sense; hypot(x, y) goes on as the root of x^2 + y^2. */
#include "special_complex.h"

#include "rule_code.h"

struct walk {
  const struct dad_complex_format *f;
  const struct dad_complex *values; /* operands and result */
  const unsigned char *at;          /* the next operator */
};

/* ---- arithmetic */

static LLVMValueRef build(const struct dad_complex_format *f, LLVMOpcode op, LLVMValueRef a,
                          LLVMValueRef b) {
  return LLVMBuildBinOp(f->ctx->builder, op, a, b, "");
}

static struct dad_complex by_parts(const struct dad_complex_format *f, LLVMOpcode op,
                                   struct dad_complex a, struct dad_complex b) {
  return (struct dad_complex){build(f, op, a.re, b.re), build(f, op, a.im, b.im)};
}

struct dad_complex dad_complex_product(const struct dad_complex_format *f, struct dad_complex a,
                                       struct dad_complex b) {
  LLVMValueRef rr = build(f, LLVMFMul, a.re, b.re), ii = build(f, LLVMFMul, a.im, b.im);
  LLVMValueRef ri = build(f, LLVMFMul, a.re, b.im), ir = build(f, LLVMFMul, a.im, b.re);
  return (struct dad_complex){build(f, LLVMFSub, rr, ii), build(f, LLVMFAdd, ri, ir)};
}

/* ---- calls */

static bool is_vector(LLVMTypeRef type) {
  return LLVMGetTypeKind(type) == LLVMVectorTypeKind;
}

struct dad_complex dad_complex_split(const struct dad_complex_format *f, LLVMValueRef v) {
  LLVMBuilderRef b = f->ctx->builder;
  if (!is_vector(LLVMTypeOf(v)))
    return (struct dad_complex){LLVMBuildExtractValue(b, v, 0, ""),
                                LLVMBuildExtractValue(b, v, 1, "")};
  LLVMValueRef zero = LLVMConstInt(f->ctx->i32, 0, false),
               one = LLVMConstInt(f->ctx->i32, 1, false);
  return (struct dad_complex){LLVMBuildExtractElement(b, v, zero, ""),
                              LLVMBuildExtractElement(b, v, one, "")};
}

/* "v" as one operand of type "number". */
static LLVMValueRef join(const struct dad_complex_format *f, struct dad_complex v) {
  LLVMBuilderRef b = f->ctx->builder;
  LLVMValueRef zero = LLVMConstInt(f->ctx->i32, 0, false),
               one = LLVMConstInt(f->ctx->i32, 1, false);
  LLVMValueRef half = LLVMBuildInsertElement(b, LLVMGetPoison(f->number), v.re, zero, "");
  return LLVMBuildInsertElement(b, half, v.im, one, "");
}

/* Calls "name" with "n" operands; "parts": each operand is two, whatever the format. */
static struct dad_complex call(const struct dad_complex_format *f, const char *name, bool parts,
                               const struct dad_complex *args, unsigned n) {
  LLVMTypeRef types[4];
  LLVMValueRef operands[4];
  unsigned m = 0;
  for (unsigned k = 0; k < n; k++) {
    if (is_vector(f->number) && !parts) {
      operands[m++] = join(f, args[k]);
      continue;
    }
    operands[m++] = args[k].re;
    operands[m++] = args[k].im;
  }
  for (unsigned k = 0; k < m; k++)
    types[k] = LLVMTypeOf(operands[k]);
  LLVMTypeRef type = LLVMFunctionType(f->number, types, m, false);
  LLVMValueRef callee = dad_declare(f->ctx, name, type);
  LLVMValueRef v = LLVMBuildCall2(f->ctx->builder, type, callee, operands, m, "");
  dad_mark_pure(f->ctx, v);
  return dad_complex_split(f, v);
}

struct dad_complex dad_complex_quotient(const struct dad_complex_format *f, struct dad_complex a,
                                        struct dad_complex b) {
  LLVMTypeKind kind = LLVMGetTypeKind(f->part);
  const char *name = kind == LLVMFloatTypeKind    ? "__divsc3"
                     : kind == LLVMDoubleTypeKind ? "__divdc3"
                                                  : "__divxc3";
  return call(f, name, true, (struct dad_complex[]){a, b}, 2);
}

/* Calls c<text>, the complex form of a function. */
static struct dad_complex call_function(const struct dad_complex_format *f, const char *text,
                                        const struct dad_complex *args, unsigned n) {
  char name[32];
  snprintf(name, sizeof name, "c%s%s", text,
           LLVMGetTypeKind(f->part) == LLVMFloatTypeKind ? "f" : "");
  return call(f, name, false, args, n);
}

/* ---- the walk */

/* A truth value is in the real part. */
static struct dad_complex equal(const struct dad_complex_format *f, const struct dad_complex *a) {
  LLVMBuilderRef b = f->ctx->builder;
  LLVMValueRef re = LLVMBuildFCmp(b, LLVMRealOEQ, a[0].re, a[1].re, "");
  LLVMValueRef im = LLVMBuildFCmp(b, LLVMRealOEQ, a[0].im, a[1].im, "");
  return (struct dad_complex){LLVMBuildAnd(b, re, im, ""), NULL};
}

static struct dad_complex selected(const struct dad_complex_format *f,
                                   const struct dad_complex *a) {
  LLVMBuilderRef b = f->ctx->builder;
  return (struct dad_complex){LLVMBuildSelect(b, a[0].re, a[1].re, a[2].re, ""),
                              LLVMBuildSelect(b, a[0].re, a[1].im, a[2].im, "")};
}

static struct dad_complex root_of_squares(const struct dad_complex_format *f,
                                          const struct dad_complex *a) {
  struct dad_complex x = dad_complex_product(f, a[0], a[0]), y = dad_complex_product(f, a[1], a[1]);
  x = by_parts(f, LLVMFAdd, x, y);
  return call_function(f, "sqrt", &x, 1);
}

static struct dad_complex emit(struct walk *w) {
  const struct dad_complex_format *f = w->f;
  unsigned char code = *w->at++;
  const struct dad_operator_row *op = &dad_operator_rows[code];
  struct dad_complex a[DAD_RULE_OPERANDS];
  if (op->how == DAD_HOW_OPERAND)
    return w->values[op->detail];
  if (op->how == DAD_HOW_NUMBER)
    return (struct dad_complex){LLVMConstRealOfString(f->part, op->text), LLVMConstNull(f->part)};
  for (unsigned k = 0; k < op->arity; k++)
    a[k] = emit(w);
  switch (code) {
  case DAD_OP_STRONG: return a[0];
  case DAD_OP_NEG:
    return (struct dad_complex){LLVMBuildFNeg(f->ctx->builder, a[0].re, ""),
                                LLVMBuildFNeg(f->ctx->builder, a[0].im, "")};
  case DAD_OP_ADD: return by_parts(f, LLVMFAdd, a[0], a[1]);
  case DAD_OP_SUB: return by_parts(f, LLVMFSub, a[0], a[1]);
  case DAD_OP_MUL: return dad_complex_product(f, a[0], a[1]);
  case DAD_OP_DIV: return dad_complex_quotient(f, a[0], a[1]);
  case DAD_OP_EQ: return equal(f, a);
  case DAD_OP_SEL: return selected(f, a);
  case DAD_OP_HYPOT: return root_of_squares(f, a);
  default: return call_function(f, op->text, a, op->arity);
  }
}

/* pow by its exponent: r log(x), and 0 at x = 0. The table's row orders numbers, which the complex
 * plane does not. */
static struct dad_complex power_by_exponent(const struct dad_complex_format *f,
                                            const struct dad_complex *values) {
  LLVMValueRef none = LLVMConstNull(f->part);
  struct dad_complex zero = {none, none}, log = call_function(f, "log", &values[0], 1);
  struct dad_complex at_zero = equal(f, (struct dad_complex[]){values[0], zero});
  log = dad_complex_product(f, values[3], log);
  return selected(f, (struct dad_complex[]){at_zero, zero, log});
}

struct dad_complex dad_complex_partial(const struct dad_complex_format *f,
                                       const struct dad_rule *rule, unsigned k,
                                       const struct dad_complex values[4]) {
  struct walk w = {.f = f, .values = values, .at = rule->by[k]};
  if (k == 1)
    return power_by_exponent(f, values);
  return emit(&w);
}
