/* rule_emit.c: from a rule's code to IR.

   "times" emits a number times an expression and passes the number down through what is linear: so
   nothing is multiplied by one, x / y is one division, and partials of one operation share what
   they divide by. "emit" emits an expression itself. */
#include "rule_code.h"

#include <string.h>

/* Where a walk over code is, and what it works for. */
struct walk {
  struct dad_context *ctx;
  LLVMTypeRef type;        /* of the result: a scalar or a vector */
  LLVMValueRef *values;    /* the operands and the result */
  const unsigned char *at; /* the next operator */
};

static LLVMValueRef emit(struct walk *w);
static LLVMValueRef times(struct walk *w, LLVMValueRef g);

static void skip(struct walk *w) {
  w->at += dad_code_length(w->at);
}

static LLVMTypeRef element(LLVMTypeRef type) {
  return LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetElementType(type) : type;
}

static bool is_integer(LLVMValueRef v) {
  return LLVMGetTypeKind(element(LLVMTypeOf(v))) == LLVMIntegerTypeKind;
}

/* ---- integers */

/* "v" in all elements of the vector type "type". */
static LLVMValueRef splat(struct walk *w, LLVMValueRef v, LLVMTypeRef type) {
  LLVMBuilderRef b = w->ctx->builder;
  LLVMValueRef none = LLVMGetPoison(type);
  LLVMTypeRef mask = LLVMVectorType(w->ctx->i32, LLVMGetVectorSize(type));
  LLVMValueRef one = LLVMBuildInsertElement(b, none, v, LLVMConstNull(w->ctx->i32), "");
  return LLVMBuildShuffleVector(b, one, none, LLVMConstNull(mask), "");
}

/* The integer "n" as a number of the result's type. */
static LLVMValueRef to_float(struct walk *w, LLVMValueRef n) {
  LLVMBuilderRef b = w->ctx->builder;
  bool whole = LLVMGetTypeKind(w->type) == LLVMVectorTypeKind &&
               LLVMGetTypeKind(LLVMTypeOf(n)) != LLVMVectorTypeKind;
  LLVMValueRef v = LLVMBuildSIToFP(b, n, whole ? element(w->type) : w->type, "");
  return whole ? splat(w, v, w->type) : v;
}

/* "n" as a power of two that llvm.ldexp accepts: an i32. What does not fit is beyond all formats.
 */
static LLVMValueRef to_exponent(struct walk *w, LLVMValueRef n) {
  LLVMTypeRef type = LLVMTypeOf(n);
  unsigned bits = LLVMGetIntTypeWidth(element(type));
  LLVMTypeRef i32 =
      type == element(type) ? w->ctx->i32 : LLVMVectorType(w->ctx->i32, LLVMGetVectorSize(type));
  if (bits <= 32)
    return LLVMBuildIntCast2(w->ctx->builder, n, i32, true, "");
  LLVMValueRef limit = LLVMConstInt(element(type), 1u << 24, false);
  if (type != element(type))
    limit = splat(w, limit, type);
  n = dad_call_intrinsic(w->ctx, "llvm.smin", &type, 1, (LLVMValueRef[]){n, limit}, 2);
  limit = LLVMBuildNeg(w->ctx->builder, limit, "");
  n = dad_call_intrinsic(w->ctx, "llvm.smax", &type, 1, (LLVMValueRef[]){n, limit}, 2);
  return LLVMBuildTrunc(w->ctx->builder, n, i32, "");
}

static LLVMValueRef step(struct walk *w, LLVMOpcode opcode) {
  LLVMValueRef n = emit(w);
  LLVMValueRef one = LLVMConstInt(LLVMTypeOf(n), 1, false);
  return LLVMBuildBinOp(w->ctx->builder, opcode, n, one, "");
}

/* ---- calls */

/* Calls the intrinsic of operator "op". */
static LLVMValueRef call_intrinsic(struct walk *w, unsigned char op, LLVMValueRef *args,
                                   unsigned n) {
  char name[32];
  LLVMTypeRef types[2] = {w->type, NULL};
  bool exponent = is_integer(args[n - 1]);
  if (op == DAD_OP_LDEXP)
    args[1] = to_exponent(w, args[1]);
  if (op == DAD_OP_POWI && LLVMGetIntTypeWidth(LLVMTypeOf(args[1])) > 32) {
    op = DAD_OP_POW;
    args[1] = to_float(w, args[1]);
    exponent = false;
  }
  types[1] = LLVMTypeOf(args[n - 1]);
  snprintf(name, sizeof name, "llvm.%s", dad_operator_rows[op].text);
  return dad_call_intrinsic(w->ctx, name, types, exponent ? 2 : 1, args, n);
}

/* Nobody reads errno behind a derivative. */
void dad_mark_pure(struct dad_context *ctx, LLVMValueRef call) {
  static const char *const names[] = {"nounwind", "willreturn", "memory"};
  for (unsigned k = 0; k < sizeof names / sizeof *names; k++) {
    LLVMAttributeRef a = LLVMCreateEnumAttribute(ctx->llvm, dad_attribute(names[k]), 0);
    LLVMAddCallSiteAttribute(call, LLVMAttributeFunctionIndex, a);
  }
}

/* Calls the function "text" of the C library, or of the runtime if "prefix" says so, in the form
 * for the result's type. */
static LLVMValueRef call_function(struct walk *w, const char *prefix, const char *text,
                                  LLVMValueRef *args, unsigned n) {
  char name[32];
  LLVMTypeRef types[DAD_RULE_OPERANDS];
  LLVMTypeKind kind = LLVMGetTypeKind(w->type);
  const char *suffix = kind == LLVMFloatTypeKind ? "f" : kind == LLVMDoubleTypeKind ? "" : "l";
  if (kind == LLVMVectorTypeKind || kind == LLVMHalfTypeKind || kind == LLVMBFloatTypeKind) {
    dad_diag(w->ctx, DAD_INTERNAL, NULL, "a rule for vectors calls a function for scalars");
    return LLVMGetPoison(w->type);
  }
  for (unsigned k = 0; k < n; k++)
    types[k] = LLVMTypeOf(args[k]);
  snprintf(name, sizeof name, "%s%s%s", prefix, text, suffix);
  LLVMTypeRef type = LLVMFunctionType(w->type, types, n, false);
  LLVMValueRef f = dad_declare(w->ctx, name, type);
  LLVMValueRef call = LLVMBuildCall2(w->ctx->builder, type, f, args, n, "");
  dad_mark_pure(w->ctx, call);
  return call;
}

/* ---- cases */

/* Walks over the two cases behind the condition "c" with "walk"; a case that a constant condition
 * rules out is not emitted. */
static LLVMValueRef select_case(struct walk *w, LLVMValueRef c, LLVMValueRef g,
                                LLVMValueRef (*walk)(struct walk *w, LLVMValueRef g)) {
  if (LLVMIsAConstantInt(c)) {
    bool first = LLVMConstIntGetZExtValue(c);
    if (!first)
      skip(w);
    LLVMValueRef taken = walk(w, g);
    if (first)
      skip(w);
    return taken;
  }
  LLVMValueRef a = walk(w, g);
  LLVMValueRef b = walk(w, g);
  return LLVMBuildSelect(w->ctx->builder, c, a, b, "");
}

static LLVMValueRef emit_case(struct walk *w, LLVMValueRef unused) {
  (void)unused;
  return emit(w);
}

/* "g" times the next expression, but 0 where "g" is 0. */
static LLVMValueRef times_strong(struct walk *w, LLVMValueRef g) {
  LLVMValueRef zero = LLVMConstNull(w->type);
  LLVMValueRef c = LLVMBuildFCmp(w->ctx->builder, LLVMRealOEQ, g, zero, "");
  if (LLVMIsAConstantInt(c) && LLVMConstIntGetZExtValue(c)) {
    skip(w);
    return zero;
  }
  LLVMValueRef v = times(w, g);
  return LLVMIsAConstantInt(c) ? v : LLVMBuildSelect(w->ctx->builder, c, zero, v, "");
}

/* ---- the walks */

static LLVMValueRef emit_form(struct walk *w, enum dad_operator_form form) {
  switch (form) {
  case DAD_FORM_NEGATION: return LLVMBuildFNeg(w->ctx->builder, emit(w), "");
  case DAD_FORM_SELECTION: return select_case(w, emit(w), NULL, emit_case);
  case DAD_FORM_STRENGTH: return emit(w);
  case DAD_FORM_CONVERSION: return to_float(w, emit(w));
  case DAD_FORM_SUCCESSOR: return step(w, LLVMAdd);
  default: return step(w, LLVMSub);
  }
}

static LLVMValueRef emit(struct walk *w) {
  unsigned char code = *w->at++;
  const struct dad_operator_row *op = &dad_operator_rows[code];
  LLVMValueRef args[DAD_RULE_OPERANDS];
  if (op->how == DAD_HOW_OPERAND)
    return w->values[op->detail];
  if (op->how == DAD_HOW_NUMBER)
    return LLVMConstRealOfString(w->type, op->text);
  if (op->how == DAD_HOW_FORM)
    return emit_form(w, (enum dad_operator_form)op->detail);
  for (unsigned k = 0; k < op->arity; k++)
    args[k] = emit(w);
  switch (op->how) {
  case DAD_HOW_BUILD:
    return dad_free_rounding(
        LLVMBuildBinOp(w->ctx->builder, (LLVMOpcode)op->detail, args[0], args[1], ""));
  case DAD_HOW_COMPARE:
    return LLVMBuildFCmp(w->ctx->builder, (LLVMRealPredicate)op->detail, args[0], args[1], "");
  case DAD_HOW_INTRINSIC: return call_intrinsic(w, code, args, op->arity);
  case DAD_HOW_LIBRARY: return call_function(w, "", op->text, args, op->arity);
  default: return call_function(w, "drt_", op->text, args, op->arity);
  }
}

/* "g" divided by the second of the next two expressions, times the first. */
static LLVMValueRef times_quotient(struct walk *w, LLVMValueRef g) {
  const unsigned char *dividend = w->at;
  skip(w);
  LLVMValueRef divisor = emit(w);
  const unsigned char *end = w->at;
  g = LLVMBuildFDiv(w->ctx->builder, g, divisor, "");
  w->at = dividend;
  g = times(w, g);
  w->at = end;
  return g;
}

static LLVMValueRef times(struct walk *w, LLVMValueRef g) {
  LLVMBuilderRef b = w->ctx->builder;
  switch (*w->at++) {
  case DAD_OP_ZERO: return LLVMConstNull(w->type);
  case DAD_OP_ONE: return g;
  case DAD_OP_NEG: return dad_free_rounding(LLVMBuildFNeg(b, times(w, g), ""));
  case DAD_OP_MUL: g = times(w, g); return times(w, g);
  case DAD_OP_DIV: return times_quotient(w, g);
  case DAD_OP_SEL: return select_case(w, emit(w), g, times);
  case DAD_OP_STRONG: return times_strong(w, g);
  case DAD_OP_LDEXP: {
    LLVMValueRef args[2];
    args[0] = times(w, g);
    args[1] = emit(w);
    return call_intrinsic(w, DAD_OP_LDEXP, args, 2);
  }
  default: w->at--; return dad_free_rounding(LLVMBuildFMul(b, g, emit(w), ""));
  }
}

LLVMValueRef dad_rule_emit(struct dad_context *ctx, const struct dad_rule *rule, unsigned k,
                           LLVMTypeRef type, LLVMValueRef g, LLVMValueRef values[4]) {
  struct walk w = {.ctx = ctx, .type = type, .values = values, .at = rule->by[k]};
  return times(&w, g);
}
