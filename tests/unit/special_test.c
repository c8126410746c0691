/* special_test.c: operations with several results, complex ones among them: reverse and forward
 * sweep against differences. */
#include "base/ir.h"
#include "jit.h"
#include "rules/special.h"

#include <complex.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { MAX_INPUTS = 4, RESULTS = 2 };

/* An operation: its name for double, what its inputs are like, and where it is tried. */
static const struct operation {
  const char *name;
  const char *single; /* its name for float, or NULL */
  unsigned inputs;    /* numbers; each is an operand of its own in the form for double */
  bool pairs;         /* the form for float takes <2 x float> */
  bool exponent;      /* the second result is an integer */
  bool pointer;       /* one result; a pointer is the last operand */
  double at[2][MAX_INPUTS];
} operations[] = {
    {"llvm.sincos", "llvm.sincos", 1, false, false, false, {{.7}, {-2.3}}},
    {"llvm.modf", "llvm.modf", 1, false, false, false, {{2.7}, {-1.2}}},
    {"llvm.frexp", "llvm.frexp", 1, false, true, false, {{2.7}, {-.0123}}},
    {"__muldc3", "__mulsc3", 4, false, false, false, {{1, 2, 3, -4}, {.5, -.25, 2, 1}}},
    {"__divdc3", "__divsc3", 4, false, false, false, {{1, 2, 3, -4}, {.5, -.25, .1, .2}}},
    {"remquo", "remquof", 2, false, false, true, {{7.3, 2}, {-3, .8}}},
    {"lgamma_r", "lgammaf_r", 1, false, false, true, {{2.5}, {-.7}}},
    {"cpow", "cpowf", 4, true, false, false, {{1, 2, .5, -.3}, {-.5, .25, 2, 1}}},
    {"cexp", "cexpf", 2, true, false, false, {{.3, .4}, {-1, 2}}},
    {"clog", "clogf", 2, true, false, false, {{.3, .4}, {-1, 2}}},
    {"csqrt", "csqrtf", 2, true, false, false, {{.3, .4}, {-1, -2}}},
    {"csin", "csinf", 2, true, false, false, {{.3, .4}, {-1, 2}}},
    {"ccos", "ccosf", 2, true, false, false, {{.3, .4}, {-1, 2}}},
    {"ctan", "ctanf", 2, true, false, false, {{.3, .4}, {-1, .5}}},
    {"casin", "casinf", 2, true, false, false, {{.3, .4}, {-1, -2}}},
    {"cacos", "cacosf", 2, true, false, false, {{.3, .4}, {-1, -2}}},
    {"catan", "catanf", 2, true, false, false, {{.3, .4}, {-1, 2}}},
    {"csinh", "csinhf", 2, true, false, false, {{.3, .4}, {-1, 2}}},
    {"ccosh", "ccoshf", 2, true, false, false, {{.3, .4}, {-1, 2}}},
    {"ctanh", "ctanhf", 2, true, false, false, {{.3, .4}, {-1, .5}}},
    {"casinh", "casinhf", 2, true, false, false, {{.3, .4}, {-1, -2}}},
    {"cacosh", "cacoshf", 2, true, false, false, {{.3, .4}, {-1, -2}}},
    {"catanh", "catanhf", 2, true, false, false, {{.3, .4}, {-1, 2}}},
};
enum { OPERATIONS = sizeof operations / sizeof *operations };

/* ---- the sweeps under test: functions void (const T *in, T *out). in: four inputs, then adjoints
 * of results or tangents of inputs */

/* A host for one call: adjoints and tangents come from "in", adjoints and tangents of results go to
 * "out". */
struct bench {
  struct jit *jit;
  const struct operation *op;
  LLVMTypeRef part; /* float or double */
  LLVMValueRef function, call;
};

static LLVMValueRef place(struct bench *b, unsigned argument, unsigned k) {
  LLVMValueRef index = LLVMConstInt(b->jit->ctx.i32, k, 0);
  return LLVMBuildGEP2(b->jit->ctx.builder, b->part, LLVMGetParam(b->function, argument), &index, 1,
                       "");
}

static LLVMValueRef in(struct bench *b, unsigned k) {
  return LLVMBuildLoad2(b->jit->ctx.builder, b->part, place(b, 0, k), "");
}

static void out(struct bench *b, unsigned k, LLVMValueRef v) {
  if (LLVMTypeOf(v) != b->part)
    v = LLVMBuildSIToFP(b->jit->ctx.builder, v, b->part, "");
  LLVMBuildStore(b->jit->ctx.builder, v, place(b, 1, k));
}

static bool is_pair(LLVMTypeRef type) {
  return LLVMGetTypeKind(type) == LLVMVectorTypeKind;
}

static LLVMValueRef number(struct bench *b, unsigned k) {
  return LLVMConstInt(b->jit->ctx.i32, k, 0);
}

/* Two numbers from "in" at "k" as a value of type "type". */
static LLVMValueRef pair_in(struct bench *b, LLVMTypeRef type, unsigned k) {
  LLVMBuilderRef builder = b->jit->ctx.builder;
  if (type == b->part)
    return in(b, k);
  LLVMValueRef v = LLVMConstNull(type), first = in(b, k), second = in(b, k + 1);
  if (is_pair(type)) {
    v = LLVMBuildInsertElement(builder, v, first, number(b, 0), "");
    return LLVMBuildInsertElement(builder, v, second, number(b, 1), "");
  }
  v = LLVMBuildInsertValue(builder, v, first, 0, "");
  return b->op->exponent ? v : LLVMBuildInsertValue(builder, v, second, 1, "");
}

/* Stores both parts of "v" at "k" of "out". */
static void pair_out(struct bench *b, LLVMValueRef v, unsigned k) {
  LLVMBuilderRef builder = b->jit->ctx.builder;
  bool vector = is_pair(LLVMTypeOf(v));
  if (LLVMTypeOf(v) == b->part) {
    out(b, k, v);
    return;
  }
  for (unsigned j = 0; j < 2; j++)
    out(b, k + j,
        vector ? LLVMBuildExtractElement(builder, v, number(b, j), "")
               : LLVMBuildExtractValue(builder, v, j, ""));
}

/* The position of the first input of the operand "v". */
static unsigned input_of(struct bench *b, LLVMValueRef v) {
  unsigned k = 0;
  for (unsigned operand = 0; LLVMGetOperand(b->call, operand) != v; operand++)
    k += is_pair(LLVMTypeOf(LLVMGetOperand(b->call, operand))) ? 2 : 1;
  return k;
}

static bool host_active(void *data, LLVMValueRef v) {
  (void)data;
  return !LLVMIsConstant(v);
}

static LLVMValueRef host_primal(void *data, LLVMValueRef v) {
  (void)data;
  return v;
}

static LLVMValueRef host_take(void *data, LLVMValueRef v) {
  return pair_in(data, LLVMTypeOf(v), MAX_INPUTS);
}

static void host_give(void *data, LLVMValueRef v, LLVMValueRef g) {
  struct bench *b = data;
  assert_ptr_equal(LLVMTypeOf(v), LLVMTypeOf(g));
  if (is_pair(LLVMTypeOf(v)))
    pair_out(b, g, input_of(b, v));
  else
    out(b, input_of(b, v), g);
}

static LLVMValueRef host_tangent(void *data, LLVMValueRef v) {
  struct bench *b = data;
  unsigned k = MAX_INPUTS + input_of(b, v);
  return is_pair(LLVMTypeOf(v)) ? pair_in(b, LLVMTypeOf(v), k) : in(b, k);
}

static void host_set_tangent(void *data, LLVMValueRef v, LLVMValueRef t) {
  assert_ptr_equal(LLVMTypeOf(v), LLVMTypeOf(t));
  pair_out(data, t, 0);
}

/* The type of what the operation returns. */
static LLVMTypeRef result_type(struct bench *b) {
  LLVMTypeRef types[] = {b->part, b->op->exponent ? b->jit->ctx.i32 : b->part};
  bool pair = b->part == b->jit->ctx.f32 && b->op->inputs > 1;
  if (b->op->pointer)
    return b->part;
  return pair ? LLVMVectorType(b->part, 2) : LLVMStructTypeInContext(b->jit->ctx.llvm, types, 2, 0);
}

static void build_call(struct bench *b) {
  struct dad_context *ctx = &b->jit->ctx;
  bool single = b->part == ctx->f32, pairs = b->op->pairs && single;
  const char *name = single ? b->op->single : b->op->name;
  LLVMValueRef args[MAX_INPUTS + 1];
  LLVMTypeRef types[MAX_INPUTS + 1];
  unsigned n = 0;
  for (unsigned k = 0; k < b->op->inputs; k += pairs ? 2 : 1, n++) {
    args[n] = pairs ? pair_in(b, LLVMVectorType(b->part, 2), k) : in(b, k);
    types[n] = LLVMTypeOf(args[n]);
  }
  if (b->op->pointer) {
    args[n] = LLVMBuildAlloca(ctx->builder, ctx->i32, "");
    types[n++] = ctx->ptr;
  }
  if (!strncmp(name, "llvm.", 5)) {
    LLVMTypeRef overload[] = {b->part, ctx->i32};
    b->call = dad_call_intrinsic(ctx, name, overload, b->op->exponent ? 2 : 1, args, n);
    return;
  }
  LLVMTypeRef type = LLVMFunctionType(result_type(b), types, n, 0);
  b->call = LLVMBuildCall2(ctx->builder, type, dad_declare(ctx, name, type), args, n, "");
}

static const char *code_name(const struct operation *op, const char *what, bool single) {
  static char name[64];
  snprintf(name, sizeof name, "%s.%s.%s", what, op->name, single ? "f32" : "f64");
  return name;
}

static void build(struct jit *jit, const struct operation *op, const char *what, bool single) {
  struct bench b = {.jit = jit, .op = op, .part = single ? jit->ctx.f32 : jit->ctx.f64};
  struct dad_request req = {.ctx = &jit->ctx};
  struct dad_special_host host = {&req,      &b,        host_active,  host_primal,
                                  host_take, host_give, host_tangent, host_set_tangent};
  b.function = jit_function(jit, code_name(op, what, single));
  build_call(&b);
  assert_true(dad_is_special(b.call));
  if (*what == 'v')
    pair_out(&b, b.call, 0);
  else if (*what == 'r')
    dad_special_reverse(&host, b.call);
  else
    dad_special_forward(&host, b.call);
  LLVMBuildRetVoid(jit->ctx.builder);
}

static struct jit all;

double complex __muldc3(double a, double b, double c, double d);
double complex __divdc3(double a, double b, double c, double d);
float complex __mulsc3(float a, float b, float c, float d);
float complex __divsc3(float a, float b, float c, float d);

static int build_all(void **state) {
  static const char *const sweeps[] = {"value", "reverse", "forward"};
  (void)state;
  jit_open(&all);
  for (unsigned k = 0; k < OPERATIONS; k++)
    for (unsigned s = 0; s < 3; s++)
      for (int single = 0; single < 2; single++)
        build(&all, &operations[k], sweeps[s], single);
  jit_map(&all, "__muldc3", (void *)__muldc3);
  jit_map(&all, "__divdc3", (void *)__divdc3);
  jit_map(&all, "__mulsc3", (void *)__mulsc3);
  jit_map(&all, "drt_digamma", (void *)drt_digamma);
  jit_map(&all, "drt_digammaf", (void *)drt_digammaf);
  jit_map(&all, "__divsc3", (void *)__divsc3);
  return all.ctx.errors != 0;
}

static int close_all(void **state) {
  (void)state;
  jit_close(&all);
  return 0;
}

/* Runs "what" of "op" in double, or in float with results as double. */
static void run(const struct operation *op, const char *what, bool single,
                const double input[2 * MAX_INPUTS], double output[MAX_INPUTS]) {
  void (*code)(const void *, void *) =
      (void (*)(const void *, void *))jit_code(&all, code_name(op, what, single));
  float in32[2 * MAX_INPUTS], out32[MAX_INPUTS] = {0};
  if (!single) {
    code(input, output);
    return;
  }
  for (unsigned k = 0; k < 2 * MAX_INPUTS; k++)
    in32[k] = (float)input[k];
  code(in32, out32);
  for (unsigned k = 0; k < MAX_INPUTS; k++)
    output[k] = out32[k];
}

/* ---- differences */

static void value_at(const struct operation *op, const double *at, unsigned k, double step,
                     double output[MAX_INPUTS]) {
  double input[2 * MAX_INPUTS] = {0};
  memset(output, 0, MAX_INPUTS * sizeof *output);
  memcpy(input, at, MAX_INPUTS * sizeof *at);
  input[k] += step;
  run(op, "value", false, input, output);
}

/* The derivatives of both results by input "k", by differences of fourth order. */
static void difference(const struct operation *op, const double *at, unsigned k,
                       double slopes[RESULTS]) {
  const double h = 1.0 / 16384;
  double values[4][MAX_INPUTS];
  static const int steps[4] = {1, -1, 2, -2};
  for (unsigned s = 0; s < 4; s++)
    value_at(op, at, k, steps[s] * h, values[s]);
  for (unsigned j = 0; j < RESULTS; j++)
    slopes[j] = (8 * (values[0][j] - values[1][j]) - (values[2][j] - values[3][j])) / (12 * h);
}

static void check_near(const struct operation *op, const char *what, double is, double should,
                       double tolerance) {
  if (fabs(is - should) <= tolerance * fmax(1, fabs(should)))
    return;
  print_error("%s of %s: %.15g instead of %.15g\n", what, op->name, is, should);
  fail();
}

static void check_sweeps(const struct operation *op, const double *at, bool single,
                         double tolerance) {
  static const double weights[MAX_INPUTS] = {.7, -1.3, 2.1, .4};
  double slopes[MAX_INPUTS][RESULTS] = {{0}}, input[2 * MAX_INPUTS], output[MAX_INPUTS];
  memcpy(input, at, MAX_INPUTS * sizeof *at);
  memcpy(input + MAX_INPUTS, weights, sizeof weights);
  for (unsigned k = 0; k < op->inputs; k++) {
    difference(op, at, k, slopes[k]);
    slopes[k][1] *= !op->exponent && !op->pointer;
  }
  run(op, "reverse", single, input, output);
  for (unsigned k = 0; k < op->inputs; k++)
    check_near(op, "adjoint", output[k], weights[0] * slopes[k][0] + weights[1] * slopes[k][1],
               tolerance);
  run(op, "forward", single, input, output);
  for (unsigned j = 0; j < (op->pointer ? 1 : RESULTS); j++) {
    double t = 0;
    for (unsigned k = 0; k < op->inputs; k++)
      t += weights[k] * slopes[k][j];
    check_near(op, "tangent", output[j], t, tolerance);
  }
}

static void test_sweeps(void **state) {
  (void)state;
  for (unsigned k = 0; k < OPERATIONS; k++)
    for (unsigned point = 0; point < 2; point++) {
      check_sweeps(&operations[k], operations[k].at[point], false, 1e-8);
      check_sweeps(&operations[k], operations[k].at[point], true, 1e-4);
    }
}

/* ---- edge points */

static const struct operation *named(const char *name) {
  for (unsigned k = 0; k < OPERATIONS; k++)
    if (!strcmp(operations[k].name, name))
      return &operations[k];
  fail();
  return NULL;
}

/* 0 times what is infinite is 0; what is finite stays finite where squares overflow. */
static void test_edges(void **state) {
  (void)state;
  double output[MAX_INPUTS];
  run(named("clog"), "reverse", false, (double[8]){0}, output);
  assert_true(output[0] == 0 && output[1] == 0);
  run(named("csqrt"), "reverse", false, (double[8]){0}, output);
  assert_true(output[0] == 0 && output[1] == 0);
  run(named("__divdc3"), "reverse", false, (double[8]){1, 1, 0, 0, 0, 0}, output);
  for (unsigned k = 0; k < 4; k++)
    assert_true(output[k] == 0);
  run(named("__divdc3"), "reverse", false, (double[8]){1, 0, 1e200, 1e200, 1, 0}, output);
  assert_true(fabs(output[0] - 5e-201) < 1e-214);
  run(named("cpow"), "reverse", false, (double[8]){0, 0, 2, 0, 1, 1}, output);
  for (unsigned k = 0; k < 4; k++)
    assert_true(output[k] == 0);
  run(named("llvm.frexp"), "reverse", false, (double[8]){[MAX_INPUTS] = 3}, output);
  assert_true(output[0] == 3);
  run(named("llvm.frexp"), "reverse", false, (double[8]){1e300, [MAX_INPUTS] = 1}, output);
  assert_true(output[0] == ldexp(1, -997));
}

/* Inactive operands get nothing, and nothing is computed for them. */
static void test_inactive_operand(void **state) {
  (void)state;
  struct jit jit;
  jit_open(&jit);
  struct bench b = {.jit = &jit, .op = named("__muldc3"), .part = jit.ctx.f64};
  struct dad_request req = {.ctx = &jit.ctx};
  struct dad_special_host host = {&req,      &b,        host_active,  host_primal,
                                  host_take, host_give, host_tangent, host_set_tangent};
  b.function = jit_function(&jit, "f");
  build_call(&b);
  for (unsigned k = 1; k < 4; k++)
    LLVMSetOperand(b.call, k, LLVMConstReal(b.part, k));
  dad_special_reverse(&host, b.call);
  LLVMBuildRetVoid(jit.ctx.builder);
  double output[MAX_INPUTS] = {9, 9, 9, 9};
  jit_map(&jit, "__muldc3", (void *)__muldc3);
  ((void (*)(const void *, void *))jit_code(&jit, "f"))((double[8]){5, 0, 0, 0, 1, 10}, output);
  assert_true(output[0] == 2 + 30 && output[1] == 9 && output[2] == 9 && output[3] == 9);
  jit_close(&jit);
}

/* Stands for the function of Fortran's library. */
static double complex integer_power(double re, double im, int n) {
  double complex z = re + im * I, power = 1;
  for (int k = 0; k < abs(n); k++)
    power *= z;
  return n < 0 ? 1 / power : power;
}

/* z to the n by a function that takes an integer: n times z to the n - 1. */
static void test_integer_power(void **state) {
  (void)state;
  static const int exponents[] = {3, 1, 0, -2};
  for (unsigned e = 0; e < sizeof exponents / sizeof *exponents; e++) {
    struct jit jit;
    jit_open(&jit);
    struct bench b = {.jit = &jit, .op = named("cexp"), .part = jit.ctx.f64};
    struct dad_request req = {.ctx = &jit.ctx};
    struct dad_special_host host = {&req,      &b,        host_active,  host_primal,
                                    host_take, host_give, host_tangent, host_set_tangent};
    b.function = jit_function(&jit, "f");
    LLVMTypeRef types[] = {b.part, b.part, jit.ctx.i32};
    LLVMTypeRef type = LLVMFunctionType(result_type(&b), types, 3, 0);
    LLVMValueRef args[] = {in(&b, 0), in(&b, 1),
                           LLVMConstInt(jit.ctx.i32, (unsigned long long)exponents[e], true)};
    LLVMValueRef callee = dad_declare(&jit.ctx, "_FortranAzpowi", type);
    b.call = LLVMBuildCall2(jit.ctx.builder, type, callee, args, 3, "");
    assert_true(dad_is_special(b.call));
    dad_special_reverse(&host, b.call);
    LLVMBuildRetVoid(jit.ctx.builder);
    jit_map(&jit, "_FortranAzpowi", (void *)integer_power);
    void (*code)(const void *, void *) = (void (*)(const void *, void *))jit_code(&jit, "f");
    double output[MAX_INPUTS], n = exponents[e];
    code((double[8]){.5, 2, 0, 0, 1, -3}, output);
    double complex should = conj(n * integer_power(.5, 2, exponents[e] - 1)) * (1 - 3 * I);
    check_near(b.op, "adjoint", output[0], creal(should), 1e-13);
    check_near(b.op, "adjoint", output[1], cimag(should), 1e-13);
    code((double[8]){0, 0, 0, 0, exponents[e] >= 0, 0}, output);
    assert_true(output[0] == (exponents[e] == 1) && output[1] == 0);
    jit_close(&jit);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_sweeps),
      cmocka_unit_test(test_edges),
      cmocka_unit_test(test_inactive_operand),
      cmocka_unit_test(test_integer_power),
  };
  return cmocka_run_group_tests(tests, build_all, close_all);
}
