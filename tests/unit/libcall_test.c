/* libcall_test.c: what calls are, how many bytes they ask for, and what the lowering makes of them.
 * Each case is a line of IR. */
#include "analysis/memory.h"
#include "jit.h"
#include "rules/libcall.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <llvm-c/IRReader.h>

/* ---- modules from text */

/* The module "text"; its functions take the place of those in "jit". */
static LLVMModuleRef parse(struct jit *jit, const char *text) {
  LLVMModuleRef module;
  char *message = NULL;
  LLVMMemoryBufferRef buffer =
      LLVMCreateMemoryBufferWithMemoryRangeCopy(text, strlen(text), "text");
  if (LLVMParseIRInContext(jit->ctx.llvm, buffer, &module, &message)) {
    print_error("%s in\n%s\n", message, text);
    fail();
  }
  jit->ctx.module = module;
  return module;
}

/* A module with "declarations" and a function f(double %x, ptr %p, ptr %q, i64 %n, i32 %i, i1 %c,
 * <2 x float> %v) around "body". */
static LLVMModuleRef parse_body(struct jit *jit, const char *declarations, const char *body) {
  static char text[4000];
  snprintf(text, sizeof text,
           "%s\ndefine void @f(double %%x, ptr %%p, ptr %%q, i64 %%n, i32 %%i, i1 %%c, <2 x float> "
           "%%v) {\n%s\n  ret void\n}\n",
           declarations, body);
  return parse(jit, text);
}

static LLVMValueRef first_call(LLVMModuleRef module) {
  LLVMValueRef i =
      LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(LLVMGetNamedFunction(module, "f")));
  while (i && !LLVMIsACallInst(i))
    i = LLVMGetNextInstruction(i);
  assert_non_null(i);
  return i;
}

/* ---- kinds */

static const struct kind_case {
  const char *declaration; /* of what is called */
  const char *call;
  enum dad_call_kind kind;
} kinds[] = {
    {"declare ptr @malloc(i64)", "%r = call ptr @malloc(i64 %n)", DAD_CALL_ALLOC},
    {"declare ptr @calloc(i64, i64)", "%r = call ptr @calloc(i64 %n, i64 8)", DAD_CALL_ALLOC},
    {"declare ptr @_ZnamSt11align_val_tRKSt9nothrow_t(i64, i64, ptr)",
     "%r = call ptr @_ZnamSt11align_val_tRKSt9nothrow_t(i64 %n, i64 64, ptr %p)", DAD_CALL_ALLOC},
    {"declare i32 @posix_memalign(ptr, i64, i64)",
     "%r = call i32 @posix_memalign(ptr %p, i64 64, i64 %n)", DAD_CALL_ALLOC_AT},
    {"declare ptr @realloc(ptr, i64)", "%r = call ptr @realloc(ptr %p, i64 %n)", DAD_CALL_REALLOC},
    {"declare ptr @_RNvCsfLfy6EI15iL_7___rustc12___rust_alloc(i64, i64)",
     "%r = call ptr @_RNvCsfLfy6EI15iL_7___rustc12___rust_alloc(i64 %n, i64 8)", DAD_CALL_ALLOC},
    {"declare void @_RNvCsfLfy6EI15iL_7___rustc14___rust_dealloc(ptr, i64, i64)",
     "call void @_RNvCsfLfy6EI15iL_7___rustc14___rust_dealloc(ptr %p, i64 %n, i64 8)",
     DAD_CALL_FREE},
    {"declare void @_ZdlPvm(ptr, i64)", "call void @_ZdlPvm(ptr %p, i64 8)", DAD_CALL_FREE},
    {"declare ptr @memcpy(ptr, ptr, i64)", "%r = call ptr @memcpy(ptr %p, ptr %q, i64 %n)",
     DAD_CALL_COPY},
    {"declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)",
     "call void @llvm.memmove.p0.p0.i64(ptr %p, ptr %q, i64 %n, i1 false)", DAD_CALL_COPY},
    {"declare void @llvm.memcpy.inline.p0.p0.i64(ptr, ptr, i64, i1)",
     "call void @llvm.memcpy.inline.p0.p0.i64(ptr %p, ptr %q, i64 16, i1 false)", DAD_CALL_COPY},
    {"declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)",
     "call void @llvm.memset.p0.i64(ptr %p, i8 0, i64 %n, i1 false)", DAD_CALL_SET},
    {"declare void @llvm.lifetime.start.p0(ptr)",
     "%a = alloca i8\n  call void @llvm.lifetime.start.p0(ptr %a)", DAD_CALL_DROP},
    {"declare void @llvm.assume(i1)", "call void @llvm.assume(i1 %c)", DAD_CALL_DROP},
    {"declare i32 @printf(ptr, ...)", "%r = call i32 (ptr, ...) @printf(ptr %p, double %x)",
     DAD_CALL_OUTPUT},
    {"declare ptr @_ZNSo9_M_insertIdEERSoT_(ptr, double)",
     "%r = call ptr @_ZNSo9_M_insertIdEERSoT_(ptr %p, double %x)", DAD_CALL_OUTPUT},
    {"declare i1 @_FortranAioOutputReal64(ptr, double)",
     "%r = call i1 @_FortranAioOutputReal64(ptr %p, double %x)", DAD_CALL_OUTPUT},
    {"declare i32 @_FortranAioEndIoStatement(ptr)",
     "%r = call i32 @_FortranAioEndIoStatement(ptr %p)", DAD_CALL_INERT},
    {"declare double @strtod(ptr, ptr)", "%r = call double @strtod(ptr %p, ptr %q)",
     DAD_CALL_INPUT},
    {"declare i64 @fread(ptr, i64, i64, ptr)",
     "%r = call i64 @fread(ptr %p, i64 8, i64 %n, ptr %q)", DAD_CALL_INPUT},
    {"declare void @qsort(ptr, i64, i64, ptr)", "call void @qsort(ptr %p, i64 %n, i64 8, ptr %q)",
     DAD_CALL_CALLBACK},
    {"declare i32 @_setjmp(ptr)", "%r = call i32 @_setjmp(ptr %p)", DAD_CALL_JUMP},
    {"declare i64 @strlen(ptr)", "%r = call i64 @strlen(ptr %p)", DAD_CALL_INERT},
    {"declare i64 @lround(double)", "%r = call i64 @lround(double %x)", DAD_CALL_INERT},
    {"declare i64 @llvm.lround.i64.f64(double)", "%r = call i64 @llvm.lround.i64.f64(double %x)",
     DAD_CALL_INERT},
    {"declare i32 @llvm.smax.i32(i32, i32)", "%r = call i32 @llvm.smax.i32(i32 %i, i32 7)",
     DAD_CALL_INERT},
    {"declare {i64, i1} @llvm.umul.with.overflow.i64(i64, i64)",
     "%r = call {i64, i1} @llvm.umul.with.overflow.i64(i64 %n, i64 8)", DAD_CALL_INERT},
    {"declare void @__ubsan_handle_out_of_bounds_abort(ptr, i64)",
     "call void @__ubsan_handle_out_of_bounds_abort(ptr %p, i64 %n)", DAD_CALL_INERT},
    {"declare void @_RNvNtCsgEmfK2I1SDS_4core9panicking9panic_fmt(ptr) noreturn",
     "call void @_RNvNtCsgEmfK2I1SDS_4core9panicking9panic_fmt(ptr %p)", DAD_CALL_INERT},
    {"declare double @sin(double)", "%r = call double @sin(double %x)", DAD_CALL_RULE},
    {"declare double @__exp_finite(double)", "%r = call double @__exp_finite(double %x)",
     DAD_CALL_RULE},
    {"declare <2 x float> @llvm.sin.v2f32(<2 x float>)",
     "%r = call <2 x float> @llvm.sin.v2f32(<2 x float> %v)", DAD_CALL_RULE},
    {"declare double @llvm.powi.f64.i32(double, i32)",
     "%r = call double @llvm.powi.f64.i32(double %x, i32 %i)", DAD_CALL_RULE},
    {"declare double @_FortranAModReal8(double, double, ptr, i32)",
     "%r = call double @_FortranAModReal8(double %x, double 2.0, ptr %p, i32 5)", DAD_CALL_RULE},
    {"declare {double, double} @llvm.sincos.f64(double)",
     "%r = call {double, double} @llvm.sincos.f64(double %x)", DAD_CALL_SPECIAL},
    {"declare {double, double} @__muldc3(double, double, double, double)",
     "%r = call {double, double} @__muldc3(double %x, double %x, double 1.0, double %x)",
     DAD_CALL_SPECIAL},
    {"declare <2 x float> @cexpf(<2 x float>)", "%r = call <2 x float> @cexpf(<2 x float> %v)",
     DAD_CALL_SPECIAL},
    {"declare double @remquo(double, double, ptr)",
     "%r = call double @remquo(double %x, double 2.0, ptr %p)", DAD_CALL_SPECIAL},
    {"declare float @lgammaf_r(float, ptr)", "%r = call float @lgammaf_r(float 2.0, ptr %p)",
     DAD_CALL_SPECIAL},
    {"", "%r = call double %p(double %x)", DAD_CALL_INDIRECT},
    {"", "%r = call double asm \"fsin\", \"={st},0\"(double %x)", DAD_CALL_ASM},
    /* names that only look known */
    {"declare double @mystery(double)", "%r = call double @mystery(double %x)", DAD_CALL_UNKNOWN},
    {"declare float @sin(float)", "%r = call float @sin(float 1.0)", DAD_CALL_UNKNOWN},
    {"declare double @sinf(double)", "%r = call double @sinf(double %x)", DAD_CALL_UNKNOWN},
    {"declare double @hypot(double, double, double)",
     "%r = call double @hypot(double %x, double %x, double %x)", DAD_CALL_UNKNOWN},
    {"declare double @time(double)", "%r = call double @time(double %x)", DAD_CALL_UNKNOWN},
    {"declare void @exit(double)", "call void @exit(double %x)", DAD_CALL_UNKNOWN},
    {"declare ptr @malloc(ptr)", "%r = call ptr @malloc(ptr %p)", DAD_CALL_UNKNOWN},
    {"declare double @modf(double, ptr)", "%r = call double @modf(double %x, ptr %p)",
     DAD_CALL_UNKNOWN},
    {"declare i16 @llvm.convert.to.fp16.f64(double)",
     "%r = call i16 @llvm.convert.to.fp16.f64(double %x)", DAD_CALL_UNKNOWN},
    {"declare double @llvm.experimental.constrained.fadd.f64(double, double, metadata, metadata)",
     "%r = call double @llvm.experimental.constrained.fadd.f64(double %x, double %x, metadata "
     "!\"round.dynamic\", "
     "metadata !\"fpexcept.strict\")",
     DAD_CALL_UNKNOWN},
    /* functions of the program itself */
    {"define double @sin(double %x) {\n  ret double %x\n}", "%r = call double @sin(double %x)",
     DAD_CALL_UNKNOWN},
    {"define double @exp2(double %x) #0 {\n  ret double %x\n}\nattributes #0 = { "
     "\"dacead-like\"=\"exp\" }",
     "%r = call double @exp2(double %x)", DAD_CALL_RULE},
    {"define ptr @get(i64 %n) #0 {\n  ret ptr null\n}\nattributes #0 = { "
     "\"dacead-like\"=\"malloc\" }",
     "%r = call ptr @get(i64 %n)", DAD_CALL_ALLOC},
};

static void start_request(struct dad_request *req, struct jit *jit) {
  *req = (struct dad_request){.ctx = &jit->ctx, .arena = jit->ctx.arena};
  req->unit_of = DAD_MAP(jit->ctx.arena);
}

static void test_kinds(void **state) {
  (void)state;
  for (unsigned k = 0; k < sizeof kinds / sizeof *kinds; k++) {
    struct jit jit;
    struct dad_request req;
    jit_open(&jit);
    start_request(&req, &jit);
    LLVMModuleRef module = parse_body(&jit, kinds[k].declaration, kinds[k].call);
    enum dad_call_kind kind = dad_call_kind(&req, first_call(module));
    if (kind != kinds[k].kind) {
      print_error("kind %d instead of %d: %s\n", (int)kind, (int)kinds[k].kind, kinds[k].call);
      fail();
    }
    LLVMDisposeModule(module);
    jit_close(&jit);
  }
}

/* A function with a body is a unit, whatever its name. */
static void test_unit(void **state) {
  (void)state;
  struct jit jit;
  struct dad_request req;
  jit_open(&jit);
  start_request(&req, &jit);
  LLVMModuleRef module = parse_body(&jit, "define double @sin(double %x) {\n  ret double %x\n}",
                                    "%r = call double @sin(double %x)");
  dad_map_set(&req.unit_of, LLVMGetNamedFunction(module, "sin"), &req);
  assert_int_equal(dad_call_kind(&req, first_call(module)), DAD_CALL_UNIT);
  LLVMDisposeModule(module);
  jit_close(&jit);
}

/* ---- rows and bytes */

static void test_rows(void **state) {
  (void)state;
  assert_int_equal(dad_libcall_find("aligned_alloc")->align, 0);
  assert_int_equal(dad_libcall_find("aligned_alloc")->size, 1);
  assert_true(dad_libcall_find("calloc")->zeroed);
  assert_false(dad_libcall_find("malloc")->zeroed);
  assert_string_equal(dad_libcall_find("_Znam")->release, "_ZdaPv");
  assert_string_equal(dad_libcall_find("\1malloc")->name, "malloc");
  assert_string_equal(dad_libcall_find("llvm.memset.p0.i64")->name, "llvm.memset");
  assert_int_equal(dad_libcall_find("_FortranAioInputReal64")->kind, DAD_CALL_INPUT);
  assert_int_equal(dad_libcall_find("_FortranAioBeginExternalListOutput")->kind, DAD_CALL_INERT);
  assert_null(dad_libcall_find("mallocs"));
  assert_null(dad_libcall_find(""));
  assert_null(dad_libcall_find("llvm.memset2.p0"));
}

static const struct bytes_case {
  const char *declaration, *call;
  uint64_t known;
} sizes[] = {
    {"declare ptr @malloc(i64)", "%r = call ptr @malloc(i64 40)", 40},
    {"declare ptr @malloc(i64)", "%r = call ptr @malloc(i64 %n)", DAD_UNKNOWN_BYTES},
    {"declare ptr @calloc(i64, i64)", "%r = call ptr @calloc(i64 5, i64 8)", 40},
    {"declare ptr @calloc(i64, i64)", "%r = call ptr @calloc(i64 %n, i64 8)", DAD_UNKNOWN_BYTES},
    {"declare ptr @calloc(i64, i64)", "%r = call ptr @calloc(i64 4611686018427387904, i64 8)",
     DAD_UNKNOWN_BYTES},
    {"declare ptr @reallocarray(ptr, i64, i64)",
     "%r = call ptr @reallocarray(ptr %p, i64 5, i64 8)", 40},
    {"declare ptr @aligned_alloc(i64, i64)", "%r = call ptr @aligned_alloc(i64 64, i64 40)", 40},
    {"declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)",
     "call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %q, i64 40, i1 false)", 40},
    {"declare i64 @strlen(ptr)", "%r = call i64 @strlen(ptr %p)", DAD_UNKNOWN_BYTES},
};

static void test_bytes(void **state) {
  (void)state;
  for (unsigned k = 0; k < sizeof sizes / sizeof *sizes; k++) {
    struct jit jit;
    struct dad_request req;
    jit_open(&jit);
    start_request(&req, &jit);
    LLVMModuleRef module = parse_body(&jit, sizes[k].declaration, sizes[k].call);
    LLVMValueRef call = first_call(module);
    assert_int_equal(dad_call_known_bytes(call), sizes[k].known);
    if (sizes[k].known != DAD_UNKNOWN_BYTES) {
      LLVMPositionBuilderBefore(jit.ctx.builder, call);
      assert_int_equal(LLVMConstIntGetZExtValue(dad_call_bytes(&req, call)), sizes[k].known);
    }
    LLVMDisposeModule(module);
    jit_close(&jit);
  }
}

/* ---- lowering */

static const struct lower_case {
  const char *declaration, *body;
  const char *operations; /* what is left, by opcode; calls by name */
} lowered[] = {
    {"declare ptr @mempcpy(ptr, ptr, i64)",
     "%r = call ptr @mempcpy(ptr %p, ptr %q, i64 %n)\n  store i8 0, ptr %r",
     "llvm.memcpy.p0.p0.i64 getelementptr store "},
    {"declare ptr @__mempcpy_chk(ptr, ptr, i64, i64)",
     "%r = call ptr @__mempcpy_chk(ptr %p, ptr %q, i64 %n, i64 8)", "__memcpy_chk getelementptr "},
    {"declare void @bcopy(ptr, ptr, i64)", "call void @bcopy(ptr %p, ptr %q, i64 %n)",
     "llvm.memmove.p0.p0.i64 "},
    {"declare void @bzero(ptr, i64)", "call void @bzero(ptr %p, i64 %n)", "llvm.memset.p0.i64 "},
    {"declare void @sincos(double, ptr, ptr)", "call void @sincos(double %x, ptr %p, ptr %q)",
     "llvm.sincos.f64 extractvalue store extractvalue store "},
    {"declare double @modf(double, ptr)",
     "%r = call double @modf(double %x, ptr %p)\n  store double %r, ptr %q",
     "llvm.modf.f64 extractvalue store extractvalue store "},
    {"declare double @frexp(double, ptr)",
     "%r = call double @frexp(double %x, ptr %p)\n  store double %r, ptr %q",
     "llvm.frexp.f64.i32 extractvalue store extractvalue store "},
    {"declare float @cabsf(<2 x float>)", "%r = call float @cabsf(<2 x float> %v)",
     "extractelement extractelement hypotf "},
    {"declare double @cimag(double, double)",
     "%r = call double @cimag(double 1.0, double %x)\n  store double %r, ptr %p", "store "},
    {"declare {double, double} @conj(double, double)",
     "%r = call {double, double} @conj(double 1.0, double %x)\n  store {double, double} %r, ptr %p",
     "fneg insertvalue store "},
    {"declare <2 x float> @conjf(<2 x float>)",
     "%r = call <2 x float> @conjf(<2 x float> %v)\n  store <2 x float> %r, ptr %p",
     "extractelement extractelement fneg insertelement insertelement store "},
    {"declare i64 @llvm.expect.i64(i64, i64)",
     "%r = call i64 @llvm.expect.i64(i64 %n, i64 1)\n  store i64 %r, ptr %p", "store "},
    {"@t = thread_local global double 0.0\ndeclare ptr @llvm.threadlocal.address.p0(ptr)",
     "%r = call ptr @llvm.threadlocal.address.p0(ptr @t)\n  store double %x, ptr %r", "store "},
    {"declare double @modf(double, double)", "%r = call double @modf(double %x, double %x)",
     "modf "},
    {"define double @modf(double %x, ptr %p) {\n  ret double %x\n}",
     "%r = call double @modf(double %x, ptr %p)", "modf "},
};

static const char *operations(LLVMValueRef f) {
  static char text[1000];
  *text = 0;
  for (LLVMValueRef i = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(f)); i;
       i = LLVMGetNextInstruction(i)) {
    char *line = LLVMPrintValueToString(i);
    const char *at = strstr(line, "= ") ? strstr(line, "= ") + 2 : line + strspn(line, " ");
    if (LLVMIsACallInst(i))
      at = dad_callee_name(i);
    if (!LLVMIsAReturnInst(i))
      snprintf(text + strlen(text), sizeof text - strlen(text), "%.*s ", (int)strcspn(at, " "), at);
    LLVMDisposeMessage(line);
  }
  return text;
}

static void test_lowering(void **state) {
  (void)state;
  for (unsigned k = 0; k < sizeof lowered / sizeof *lowered; k++) {
    struct jit jit;
    jit_open(&jit);
    LLVMModuleRef module = parse_body(&jit, lowered[k].declaration, lowered[k].body);
    LLVMValueRef f = LLVMGetNamedFunction(module, "f");
    dad_libcall_lower(&jit.ctx, f);
    assert_false(LLVMVerifyFunction(f, LLVMPrintMessageAction));
    assert_string_equal(operations(f), lowered[k].operations);
    LLVMDisposeModule(module);
    jit_close(&jit);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_kinds), cmocka_unit_test(test_unit),     cmocka_unit_test(test_rows),
      cmocka_unit_test(test_bytes), cmocka_unit_test(test_lowering),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
