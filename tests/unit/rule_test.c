/* rule_test.c: every row of rules.def: its partials against differences of its value, the code that
   is emitted for them against their values, edge points, and what is read off the rows. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* M_PIl, fmemopen */
#endif
#include "jit.h"
#include "rules/name_index.h"
#include "rules/rule_code.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { POINTS = 9 };

static unsigned arity(const struct dad_rule *rule) {
  return (unsigned)strcspn(rule->operands, "_");
}

/* Operands for "rule" in values[0..2], different ones for each "point", and the result in
 * values[3]. */
static void sample(const struct dad_rule *rule, unsigned point, long double values[4]) {
  static const int integers[POINTS] = {2, 3, 1, 4, -1, 5, 2, -2, 3};
  memset(values, 0, 4 * sizeof *values);
  for (unsigned k = 0; k < arity(rule); k++) {
    long double part = fmodl((3 * point + k + 1) * 0.6180339887498948482L, 1);
    values[k] = rule->operands[k] == 'I' ? integers[point]
                                         : (float)(rule->low + (rule->high - rule->low) * part);
  }
  values[3] = dad_code_evaluate(rule->value, values);
}

static long double value_at(const struct dad_rule *rule, const long double values[4], unsigned k,
                            long double step) {
  long double moved[4];
  memcpy(moved, values, sizeof moved);
  moved[k] += step;
  return dad_code_evaluate(rule->value, moved);
}

/* The derivative of the value of "rule" by operand "k", by differences of fourth order. */
static long double difference(const struct dad_rule *rule, const long double values[4],
                              unsigned k) {
  const long double h = 1.0L / 2048;
  long double near = value_at(rule, values, k, h) - value_at(rule, values, k, -h);
  long double far = value_at(rule, values, k, 2 * h) - value_at(rule, values, k, -2 * h);
  return (8 * near - far) / (12 * h);
}

static void check_near(const struct dad_rule *rule, unsigned k, long double is, long double should,
                       long double tolerance) {
  if (fabsl(is - should) <= tolerance * fmaxl(1, fabsl(should)))
    return;
  print_error("%s by operand %u: %.18Lg instead of %.18Lg\n", rule->name, k, is, should);
  fail();
}

static void test_partials_match_differences(void **state) {
  (void)state;
  for (unsigned i = 0; i < dad_rule_count; i++)
    for (unsigned point = 0; point < POINTS; point++) {
      const struct dad_rule *rule = &dad_rules[i];
      long double values[4];
      sample(rule, point, values);
      assert_true(isfinite(values[3]));
      for (unsigned k = 0; k < arity(rule); k++)
        if (rule->operands[k] == 'F')
          check_near(rule, k, dad_code_evaluate(rule->by[k], values), difference(rule, values, k),
                     1e-9L);
    }
}

/* ---- the code that is emitted: functions void (const void *in, void *out) for one format.
   in[0..3] are operands and result, in[4] is what the partial is multiplied with; vectors hold all
   values twice. */

struct format {
  const char *name;
  size_t offset;         /* of the type in struct dad_context */
  unsigned width;        /* of a vector; 0: a scalar */
  long double tolerance; /* what rounding can do */
};

static const struct format formats[] = {
    {"f32", offsetof(struct dad_context, f32), 0, 64 * (long double)FLT_EPSILON},
    {"f64", offsetof(struct dad_context, f64), 0, 64 * (long double)DBL_EPSILON},
    {"f80", offsetof(struct dad_context, f80), 0, 64 * LDBL_EPSILON},
    {"v2f64", offsetof(struct dad_context, f64), 2, 64 * (long double)DBL_EPSILON},
};
enum { FORMATS = sizeof formats / sizeof *formats };

/* Is the rule for vectors too? */
static bool takes_vectors(const struct dad_rule *rule) {
  return rule->opcode || strstr(rule->names, "llvm.");
}

static LLVMTypeRef type_in(struct jit *jit, const struct format *format) {
  LLVMTypeRef type = *(LLVMTypeRef *)((char *)&jit->ctx + format->offset);
  return format->width ? LLVMVectorType(type, format->width) : type;
}

static const char *code_name(const struct dad_rule *rule, unsigned k, const struct format *format) {
  static char name[64];
  snprintf(name, sizeof name, "%s.%u.%s", rule->name, k, format->name);
  return name;
}

/* Operand "k" of "rule", from the memory that "f" gets. Exponents of ldexp are vectors like its
 * first operand, those of powi are not. */
static LLVMValueRef load_operand(struct jit *jit, LLVMValueRef f, const struct dad_rule *rule,
                                 unsigned k, LLVMTypeRef type) {
  LLVMBuilderRef b = jit->ctx.builder;
  LLVMValueRef index = LLVMConstInt(jit->ctx.i32, k, 0);
  LLVMValueRef at = LLVMBuildGEP2(b, type, LLVMGetParam(f, 0), &index, 1, "");
  LLVMValueRef v = LLVMBuildLoad2(b, type, at, "");
  LLVMTypeRef integer = jit->ctx.i32;
  if (k >= arity(rule) || rule->operands[k] != 'I')
    return v;
  if (LLVMGetTypeKind(type) == LLVMVectorTypeKind && !strcmp(rule->name, "ldexp"))
    integer = LLVMVectorType(integer, LLVMGetVectorSize(type));
  else if (LLVMGetTypeKind(type) == LLVMVectorTypeKind)
    v = LLVMBuildExtractElement(b, v, LLVMConstInt(jit->ctx.i32, 0, 0), "");
  return LLVMBuildFPToSI(b, v, integer, "");
}

static void build_partial(struct jit *jit, const struct dad_rule *rule, unsigned k,
                          const struct format *format) {
  LLVMTypeRef type = type_in(jit, format);
  LLVMValueRef f = jit_function(jit, code_name(rule, k, format)), values[4];
  unsigned needs = dad_rule_needs(rule, k);
  for (unsigned j = 0; j < 4; j++)
    values[j] = needs & (1u << j) ? load_operand(jit, f, rule, j, type) : NULL;
  LLVMValueRef g = load_operand(jit, f, rule, 4, type);
  LLVMValueRef v = dad_rule_emit(&jit->ctx, rule, k, type, g, values);
  LLVMBuildStore(jit->ctx.builder, v, LLVMGetParam(f, 1));
  LLVMBuildRetVoid(jit->ctx.builder);
}

/* C23 has these functions, older C libraries have not. */
#define WITH_PI(name, type, of)                                                                    \
  static type name(type x) {                                                                       \
    return (type)of(M_PIl * x);                                                                    \
  }
WITH_PI(our_sinpif, float, sinl)
WITH_PI(our_sinpi, double, sinl)
WITH_PI(our_sinpil, long double, sinl)
WITH_PI(our_cospif, float, cosl)
WITH_PI(our_cospi, double, cosl)
WITH_PI(our_cospil, long double, cosl)

static struct jit all;

static int build_all(void **state) {
  (void)state;
  jit_open(&all);
  for (unsigned i = 0; i < dad_rule_count; i++)
    for (unsigned n = 0; n < FORMATS; n++)
      for (unsigned k = 0; k < arity(&dad_rules[i]); k++)
        if (!formats[n].width || takes_vectors(&dad_rules[i]))
          build_partial(&all, &dad_rules[i], k, &formats[n]);
  jit_map(&all, "drt_digamma", (void *)drt_digamma);
  jit_map(&all, "drt_digammaf", (void *)drt_digammaf);
  jit_map(&all, "drt_digammal", (void *)drt_digammal);
  jit_map(&all, "sinpif", (void *)our_sinpif);
  jit_map(&all, "sinpi", (void *)our_sinpi);
  jit_map(&all, "sinpil", (void *)our_sinpil);
  jit_map(&all, "cospif", (void *)our_cospif);
  jit_map(&all, "cospi", (void *)our_cospi);
  jit_map(&all, "cospil", (void *)our_cospil);
  return all.ctx.errors != 0;
}

static int close_all(void **state) {
  (void)state;
  jit_close(&all);
  return 0;
}

/* Runs the code for "rule", "k" on "values" and "g". */
static long double run(const struct dad_rule *rule, unsigned k, const struct format *format,
                       const long double values[4], long double g) {
  void (*code)(const void *, void *) =
      (void (*)(const void *, void *))jit_code(&all, code_name(rule, k, format));
  long double in[5] = {values[0], values[1], values[2], values[3], g};
  float f32[5], result32;
  double f64[5], vector[10] __attribute__((aligned(16)));
  double result64, result_vector[2] __attribute__((aligned(16)));
  long double result80;
  for (unsigned j = 0; j < 5; j++) {
    f32[j] = (float)in[j];
    f64[j] = vector[2 * j] = vector[2 * j + 1] = (double)in[j];
  }
  switch (format - formats) {
  case 0: code(f32, &result32); return result32;
  case 1: code(f64, &result64); return result64;
  case 2: code(in, &result80); return result80;
  default:
    code(vector, result_vector);
    assert_memory_equal(&result_vector[0], &result_vector[1], sizeof *result_vector);
    return result_vector[0];
  }
}

static void test_emitted_code(void **state) {
  (void)state;
  unsigned ran = 0;
  for (unsigned i = 0; i < dad_rule_count; i++)
    for (unsigned n = 0; n < FORMATS; n++)
      for (unsigned point = 0; point < POINTS; point++) {
        const struct dad_rule *rule = &dad_rules[i];
        long double values[4];
        if (formats[n].width && !takes_vectors(rule))
          continue;
        sample(rule, point, values);
        if (n == 0)
          values[3] = (float)values[3];
        else if (n != 2)
          values[3] = (double)values[3];
        for (unsigned k = 0; k < arity(rule); k++, ran++)
          check_near(rule, k, run(rule, k, &formats[n], values, -1.5L),
                     -1.5L * dad_code_evaluate(rule->by[k], values), formats[n].tolerance);
      }
  assert_true(ran > 2000);
}

/* ---- edge points: what the head of rules.def promises */

static const struct edge {
  const char *rule;
  unsigned k;
  double x, y, partial;
} edges[] = {
    {"sqrt", 0, 0, 0, INFINITY},
    {"sqrt", 0, -1, 0, NAN},
    {"rsqrt", 0, 0, 0, -INFINITY},
    {"cbrt", 0, 0, 0, INFINITY},
    {"cbrt", 0, -8, 0, 1.0 / 12},
    {"hypot", 0, 0, 0, 0},
    {"hypot", 1, 0, 0, 0},
    {"hypot", 0, -3, 4, -.6},
    {"hypot", 1, -3e200, 4e200, .8},
    {"fabs", 0, 0, 0, 0},
    {"fabs", 0, -0., 0, 0},
    {"fabs", 0, -2, 0, -1},
    {"fabs", 0, 2, 0, 1},
    {"copysign", 0, 0, -1, 0},
    {"copysign", 0, 2, -1, -1},
    {"copysign", 0, -2, -1, 1},
    {"copysign", 0, -2, 0., -1},
    {"copysign", 1, -2, 0., 0},
    {"fmax", 0, 1, 1, .5},
    {"fmax", 1, 1, 1, .5},
    {"fmax", 0, 0., -0., .5},
    {"fmax", 0, 2, 1, 1},
    {"fmax", 1, 2, 1, 0},
    {"fmax", 0, 1, 2, 0},
    {"fmax", 0, 1, NAN, 1},
    {"fmax", 1, NAN, 1, 1},
    {"fmin", 0, 1, 1, .5},
    {"fmin", 1, 1, 1, .5},
    {"fmin", 0, 2, 1, 0},
    {"fmin", 1, 2, 1, 1},
    {"fmin", 0, 1, NAN, 1},
    {"fmin", 1, NAN, 1, 1},
    {"fdim", 0, 1, 1, .5},
    {"fdim", 1, 1, 1, -.5},
    {"fdim", 0, 2, 1, 1},
    {"fdim", 1, 2, 1, -1},
    {"fdim", 1, 1, 2, 0},
    {"pow", 0, 0, 0, 0},
    {"pow", 0, 0, 1, 1},
    {"pow", 0, 0, 2, 0},
    {"pow", 0, 0, .5, INFINITY},
    {"pow", 0, 0, -1, -INFINITY},
    {"pow", 0, -2, 3, 12},
    {"pow", 0, -2, .5, NAN},
    {"pow", 1, 0, 0, 0},
    {"pow", 1, 0, 2, 0},
    {"pow", 1, 0, -1, -INFINITY},
    {"pow", 1, -2, 3, NAN},
    {"pow", 1, 1, 3, 0},
    {"powi", 0, 0, 0, 0},
    {"powi", 0, 0, 1, 1},
    {"powi", 0, 0, 2, 0},
    {"powi", 0, 0, -1, -INFINITY},
    {"powi", 0, -2, 3, 12},
    {"log", 0, 0, 0, INFINITY},
    {"log2", 0, 0, 0, INFINITY},
    {"log1p", 0, -1, 0, INFINITY},
    {"asin", 0, 1, 0, INFINITY},
    {"asin", 0, -1, 0, INFINITY},
    {"acos", 0, 1, 0, -INFINITY},
    {"acos", 0, -1, 0, -INFINITY},
    {"acosh", 0, 1, 0, INFINITY},
    {"acosh", 0, 1e200, 0, 1e-200},
    {"asinh", 0, 1e200, 0, 1e-200},
    {"atanh", 0, 1, 0, INFINITY},
    {"atan2", 0, 0, 0, NAN},
    {"atan2", 1, 0, 0, NAN},
    {"atan2", 0, 0, 2, .5},
    {"atan2", 1, 0, 2, 0},
    {"atan2", 0, 2, 0, 0},
    {"atan2", 1, 2, 0, -.5},
    {"atan2", 0, 1e-200, 1e-200, 5e199},
    {"atan2", 1, 1e200, 1e200, -5e-201},
    {"fdiv", 0, 1, 0, INFINITY},
    {"fdiv", 1, 1, 0, -INFINITY},
    {"fdiv", 1, 0, 0, NAN},
    {"fmod", 0, 7, 2, 1},
    {"fmod", 1, 7, 2, -3},
    {"fmod", 1, -7, 2, 3},
    {"fmod", 1, 6, 2, -3},
    {"fmod", 1, 1, 0.1, -9}, /* 1 / 0.1 rounds to 10 */
    {"remainder", 1, 7, 2, -4},
    {"floor", 0, 2, 0, 0},
    {"round", 0, .5, 0, 0},
    {"j1", 0, 0, 0, .5},
    {"y0", 0, 0, 0, INFINITY},
    {"y1", 0, 0, 0, INFINITY},
    {"yn", 1, 2, 0, INFINITY},
    {"tgamma", 0, -.5, 0, 0},
    {"lgamma", 0, -.5, 0, .03648997397857652},
    {"erf", 0, 0, 0, M_2_SQRTPI},
    {"exp", 0, 800, 0, INFINITY},
    {"cosh", 0, 800, 0, INFINITY},
};

/* "is" is "should" (rounded), or infinite, or not a number, as that is. */
static bool agrees(double is, double should) {
  if (isnan(should))
    return isnan(is);
  return is == should || fabs(is - should) <= 1e-13 * fmax(1e-300, fabs(should));
}

/* The operands of an edge point, and the result as a double. */
static const struct dad_rule *edge_values(const struct edge *e, long double values[4]) {
  for (unsigned i = 0; i < dad_rule_count; i++)
    if (!strcmp(dad_rules[i].name, e->rule)) {
      values[0] = e->x;
      values[1] = e->y;
      values[2] = 0;
      values[3] = (double)dad_code_evaluate(dad_rules[i].value, values);
      return &dad_rules[i];
    }
  print_error("no rule %s\n", e->rule);
  fail();
  return NULL;
}

static void test_edge_points(void **state) {
  (void)state;
  for (unsigned i = 0; i < sizeof edges / sizeof *edges; i++) {
    const struct edge *e = &edges[i];
    double should = e->partial;
    long double values[4];
    const struct dad_rule *rule = edge_values(e, values);
    if (!strcmp(e->rule, "tgamma")) /* the value at a negative operand, from the definition */
      should = tgamma(-.5) * .03648997397857652;
    double is = (double)run(rule, e->k, &formats[1], values, 1);
    if (!agrees(is, should)) {
      print_error("%s by operand %u at %g, %g: %.17g instead of %.17g\n", e->rule, e->k, e->x, e->y,
                  is, should);
      fail();
    }
  }
}

/* An adjoint of 0 stays 0 whatever the partial is. */
static void test_zero_times_infinity(void **state) {
  (void)state;
  unsigned infinite = 0;
  for (unsigned i = 0; i < sizeof edges / sizeof *edges; i++) {
    long double values[4];
    const struct dad_rule *rule = edge_values(&edges[i], values);
    infinite += !isfinite(edges[i].partial);
    double is = (double)run(rule, edges[i].k, &formats[1], values, 0);
    if (is != 0) {
      print_error("0 times %s by operand %u is %g\n", rule->name, edges[i].k, is);
      fail();
    }
  }
  assert_true(infinite > 20);
}

/* ---- what is emitted, as text */

/* The instructions for operand "k" of the row "name", as the module prints them. */
static const char *instructions(const char *name, unsigned k) {
  static char text[2000];
  LLVMValueRef f = LLVMGetNamedFunction(
      all.ctx.module, code_name(&(struct dad_rule){.name = name}, k, &formats[1]));
  *text = 0;
  assert_non_null(f);
  for (LLVMValueRef i = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(f)); i;
       i = LLVMGetNextInstruction(i)) {
    if (LLVMIsALoadInst(i) || LLVMIsAGetElementPtrInst(i) || LLVMIsAReturnInst(i) ||
        LLVMIsAStoreInst(i))
      continue;
    char *line = LLVMPrintValueToString(i);
    char *operation = strstr(line, "= ");
    snprintf(text + strlen(text), sizeof text - strlen(text), "%.*s;",
             (int)strcspn(operation + 2, " "), operation + 2);
    LLVMDisposeMessage(line);
  }
  return text;
}

static void test_emitted_text(void **state) {
  (void)state;
  assert_string_equal(instructions("fadd", 0), "");
  assert_string_equal(instructions("fsub", 1), "fneg;");
  assert_string_equal(instructions("fmul", 0), "fmul;");
  assert_string_equal(instructions("fdiv", 0), "fcmp;fdiv;select;");
  assert_string_equal(instructions("fdiv", 1), "fcmp;fdiv;fmul;select;fneg;");
  assert_string_equal(instructions("fma", 2), "");
  assert_string_equal(instructions("exp", 0), "fcmp;fmul;select;");
  assert_string_equal(instructions("sqrt", 0), "fcmp;fdiv;fmul;select;");
  assert_string_equal(instructions("cos", 0), "call;fmul;fneg;");
  assert_string_equal(instructions("tanh", 0), "fmul;fsub;fmul;");
  assert_string_equal(instructions("floor", 0), "");
  assert_string_equal(instructions("fmax", 0), "fcmp;fcmp;fmul;select;select;");
  assert_string_equal(instructions("ldexp", 0), "fptosi;call;");
}

/* Constant operands decide cases when the code is made. */
static void test_constant_cases(void **state) {
  (void)state;
  struct jit jit;
  jit_open(&jit);
  LLVMValueRef f = jit_function(&jit, "f");
  LLVMValueRef x = LLVMBuildLoad2(jit.ctx.builder, jit.ctx.f64, LLVMGetParam(f, 0), "");
  const struct dad_rule *pow = dad_rule_named("pow");
  LLVMValueRef one = LLVMConstReal(jit.ctx.f64, 1), two = LLVMConstReal(jit.ctx.f64, 2);
  LLVMValueRef zero = LLVMConstReal(jit.ctx.f64, 0);
  LLVMValueRef v = dad_rule_emit(&jit.ctx, pow, 0, jit.ctx.f64, one, (LLVMValueRef[4]){x, two});
  assert_int_equal(LLVMGetInstructionOpcode(v), LLVMFMul);
  v = dad_rule_emit(&jit.ctx, pow, 0, jit.ctx.f64, one, (LLVMValueRef[4]){x, zero});
  assert_true(LLVMIsNull(v));
  v = dad_rule_emit(&jit.ctx, dad_rule_named("sqrt"), 0, jit.ctx.f64, zero,
                    (LLVMValueRef[4]){[3] = x});
  assert_true(LLVMIsNull(v));
  LLVMBuildRetVoid(jit.ctx.builder);
  jit_close(&jit);
}

/* A wide exponent of ldexp is clipped, one of powi becomes a power. */
static void test_wide_exponents(void **state) {
  (void)state;
  static const int64_t exponents[] = {3, -5, INT64_C(1) << 40, -(INT64_C(1) << 40)};
  struct jit jit;
  jit_open(&jit);
  for (int p = 0; p < 2; p++) {
    LLVMValueRef f = jit_function(&jit, p ? "by_powi" : "by_ldexp"), values[4] = {NULL};
    LLVMBuilderRef b = jit.ctx.builder;
    values[0] = LLVMConstReal(jit.ctx.f64, 1.5);
    values[1] = LLVMBuildLoad2(b, jit.ctx.i64, LLVMGetParam(f, 0), "");
    LLVMValueRef one = LLVMConstReal(jit.ctx.f64, 1);
    const struct dad_rule *rule = dad_rule_named(p ? "llvm.powi" : "ldexp");
    LLVMBuildStore(b, dad_rule_emit(&jit.ctx, rule, 0, jit.ctx.f64, one, values),
                   LLVMGetParam(f, 1));
    LLVMBuildRetVoid(b);
  }
  for (unsigned k = 0; k < 4; k++) {
    double result, n = (double)exponents[k];
    ((void (*)(const void *, void *))jit_code(&jit, "by_ldexp"))(&exponents[k], &result);
    assert_true(result == exp2(n));
    ((void (*)(const void *, void *))jit_code(&jit, "by_powi"))(&exponents[k], &result);
    assert_true(agrees(result, n * pow(1.5, n - 1)));
  }
  jit_close(&jit);
}

/* ---- names, needs, costs, texts */

static void test_names(void **state) {
  (void)state;
  static const char *const sines[] = {"sin",          "sinf",          "sinl",
                                      "__sin_finite", "__sinf_finite", "llvm.sin",
                                      "llvm.sin.f32", "llvm.sin.v4f64"};
  static const char *const nothing[] = {
      "",     "f",     "sine",   "sinfl", "fadd",  "FNeg",   "llvm.sin2.f64",
      "llvm", "llvm.", "sincos", "modf",  "frexp", "printf", "llvm.x86.sin.f64"};
  for (unsigned k = 0; k < sizeof sines / sizeof *sines; k++)
    assert_string_equal(dad_rule_name(dad_rule_named(sines[k])), "sin");
  for (unsigned k = 0; k < sizeof nothing / sizeof *nothing; k++)
    assert_null(dad_rule_named(nothing[k]));
  assert_string_equal(dad_rule_name(dad_rule_named("erff")), "erf");
  assert_string_equal(dad_rule_name(dad_rule_named("fmal")), "fma");
  assert_null(dad_rule_named("lgamma_r"));
  assert_string_equal(dad_rule_name(dad_rule_named("llvm.minimumnum.v2f64")), "fmin");
}

/* Every name leads to its own row: none is listed twice. */
static void test_names_are_unique(void **state) {
  (void)state;
  for (unsigned i = 0; i < dad_rule_count; i++) {
    const char *at = dad_rules[i].names;
    for (size_t n = 0; dad_next_word(&at, &n);) {
      char name[64];
      snprintf(name, sizeof name, "%.*s", (int)n, at);
      assert_ptr_equal(dad_rule_named(name), &dad_rules[i]);
    }
  }
}

static void test_needs_and_costs(void **state) {
  (void)state;
  const struct dad_rule *pow = dad_rule_named("pow"), *exp = dad_rule_named("exp"),
                        *fma = dad_rule_named("fma");
  assert_int_equal(dad_rule_needs(pow, 0), DAD_NEED_X | DAD_NEED_Y);
  assert_int_equal(dad_rule_needs(pow, 1), DAD_NEED_X | DAD_NEED_Y | DAD_NEED_R);
  assert_int_equal(dad_rule_needs(exp, 0), DAD_NEED_R);
  assert_int_equal(dad_rule_needs(fma, 2), 0);
  assert_true(dad_rule_is_zero(exp, 1) && dad_rule_is_zero(exp, 9));
  assert_true(dad_rule_is_zero(dad_rule_named("copysign"), 1));
  assert_false(dad_rule_is_zero(fma, 2));
  assert_int_equal(dad_rule_cost(fma, 2), 0);
  assert_int_equal(dad_rule_cost(dad_rule_named("tanh"), 0), 2);
  assert_true(dad_rule_cost(pow, 0) > dad_rule_cost(exp, 0));
  assert_true(dad_rule_value_cost(exp) > dad_rule_value_cost(fma));
}

static void check_text(const char *name, unsigned k, const char *text) {
  char buffer[200];
  FILE *f = fmemopen(buffer, sizeof buffer, "w");
  dad_rule_print(f, dad_rule_named(name), k);
  fclose(f);
  assert_string_equal(buffer, text);
}

static void test_texts(void **state) {
  (void)state;
  check_text("sin", 0, "cos(x)");
  check_text("cos", 0, "-sin(x)");
  check_text("tanh", 0, "1 - (r * r)");
  check_text("sqrt", 0, "0.5 / r");
  check_text("pow", 0, "select(y == 0, 0, y * pow(x, y - 1))");
  check_text("fma", 0, "y");
  check_text("fdim", 1, "-select(y < x, 1, select(x == y, 0.5, 0))");
}

/* A rule for vectors calls no function for scalars, and no operand is read that is not there. */
static void test_rows_are_sound(void **state) {
  (void)state;
  for (unsigned i = 0; i < dad_rule_count; i++)
    for (unsigned k = 0; k < DAD_RULE_OPERANDS; k++) {
      const struct dad_rule *rule = &dad_rules[i];
      const unsigned char *code = rule->by[k];
      unsigned n = arity(rule);
      assert_true(dad_code_length(code) <= DAD_RULE_BYTES);
      assert_int_equal(dad_rule_needs(rule, k) & ~(DAD_NEED_R | ((1u << n) - 1)), 0);
      if (k >= n || rule->operands[k] == 'I')
        assert_true(dad_rule_is_zero(rule, k));
      for (unsigned at = 0; at < dad_code_length(code); at++)
        if (takes_vectors(rule))
          assert_true(dad_operator_rows[code[at]].how < DAD_HOW_LIBRARY);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_partials_match_differences),
      cmocka_unit_test(test_emitted_code),
      cmocka_unit_test(test_edge_points),
      cmocka_unit_test(test_zero_times_infinity),
      cmocka_unit_test(test_emitted_text),
      cmocka_unit_test(test_constant_cases),
      cmocka_unit_test(test_wide_exponents),
      cmocka_unit_test(test_names),
      cmocka_unit_test(test_names_are_unique),
      cmocka_unit_test(test_needs_and_costs),
      cmocka_unit_test(test_texts),
      cmocka_unit_test(test_rows_are_sound),
  };
  return cmocka_run_group_tests(tests, build_all, close_all);
}
