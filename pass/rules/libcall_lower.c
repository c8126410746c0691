/* libcall_lower.c: library calls that are other operations in disguise. */
#include "libcall.h"

#include "../base/ir.h"
#include "name_index.h"

#include <pthread.h>
#include <string.h>

/* Builds before "call" what it does and returns what takes the place of its result (NULL: it has
 * none). */
typedef LLVMValueRef lower_function(struct dad_context *ctx, LLVMValueRef call);

struct lowering {
  const char *names;    /* of functions and intrinsics */
  const char *operands; /* n: a number; p: a pointer; i: an integer; v: <2 x float>; *: the rest,
                           whatever it is */
  lower_function *lower;
};

static LLVMValueRef operand(LLVMValueRef call, unsigned k) {
  return LLVMGetOperand(call, k);
}

/* ---- memory */

/* The end of the bytes that were copied to operand 0. */
static LLVMValueRef behind_copy(struct dad_context *ctx, LLVMValueRef call) {
  LLVMValueRef n = operand(call, 2);
  return LLVMBuildGEP2(ctx->builder, ctx->i8, operand(call, 0), &n, 1, "");
}

static LLVMValueRef lower_mempcpy(struct dad_context *ctx, LLVMValueRef call) {
  LLVMBuildMemCpy(ctx->builder, operand(call, 0), 1, operand(call, 1), 1, operand(call, 2));
  return behind_copy(ctx, call);
}

/* The check of the destination's size stays. */
static LLVMValueRef lower_mempcpy_chk(struct dad_context *ctx, LLVMValueRef call) {
  LLVMTypeRef type = LLVMGetCalledFunctionType(call);
  LLVMValueRef args[] = {operand(call, 0), operand(call, 1), operand(call, 2), operand(call, 3)};
  LLVMBuildCall2(ctx->builder, type, dad_declare(ctx, "__memcpy_chk", type), args, 4, "");
  return behind_copy(ctx, call);
}

/* The source comes first. */
static LLVMValueRef lower_bcopy(struct dad_context *ctx, LLVMValueRef call) {
  LLVMBuildMemMove(ctx->builder, operand(call, 1), 1, operand(call, 0), 1, operand(call, 2));
  return NULL;
}

static LLVMValueRef lower_bzero(struct dad_context *ctx, LLVMValueRef call) {
  LLVMValueRef zero = LLVMConstNull(ctx->i8);
  LLVMBuildMemSet(ctx->builder, operand(call, 0), zero, operand(call, 1), 1);
  return NULL;
}

/* ---- functions with results behind pointers: the intrinsics become the same calls again in the
 * end */

static LLVMValueRef lower_sincos(struct dad_context *ctx, LLVMValueRef call) {
  LLVMValueRef x = operand(call, 0);
  LLVMTypeRef type = LLVMTypeOf(x);
  LLVMValueRef both = dad_call_intrinsic(ctx, "llvm.sincos", &type, 1, &x, 1);
  for (unsigned k = 0; k < 2; k++)
    LLVMBuildStore(ctx->builder, LLVMBuildExtractValue(ctx->builder, both, k, ""),
                   operand(call, k + 1));
  return NULL;
}

/* The second result of "both" goes to operand 1, the first is the call's. */
static LLVMValueRef store_second(struct dad_context *ctx, LLVMValueRef call, LLVMValueRef both) {
  LLVMBuildStore(ctx->builder, LLVMBuildExtractValue(ctx->builder, both, 1, ""), operand(call, 1));
  return LLVMBuildExtractValue(ctx->builder, both, 0, "");
}

static LLVMValueRef lower_modf(struct dad_context *ctx, LLVMValueRef call) {
  LLVMValueRef x = operand(call, 0);
  LLVMTypeRef type = LLVMTypeOf(x);
  return store_second(ctx, call, dad_call_intrinsic(ctx, "llvm.modf", &type, 1, &x, 1));
}

static LLVMValueRef lower_frexp(struct dad_context *ctx, LLVMValueRef call) {
  LLVMValueRef x = operand(call, 0);
  LLVMTypeRef types[] = {LLVMTypeOf(x), ctx->i32};
  return store_second(ctx, call, dad_call_intrinsic(ctx, "llvm.frexp", types, 2, &x, 1));
}

/* ---- complex numbers: two operands for double, one vector for float */

/* The real (k = 0) or imaginary (k = 1) part of the operand of "call". */
static LLVMValueRef part(struct dad_context *ctx, LLVMValueRef call, unsigned k) {
  if (LLVMGetNumArgOperands(call) == 2)
    return operand(call, k);
  LLVMValueRef index = LLVMConstInt(ctx->i32, k, false);
  return LLVMBuildExtractElement(ctx->builder, operand(call, 0), index, "");
}

static LLVMValueRef lower_creal(struct dad_context *ctx, LLVMValueRef call) {
  return part(ctx, call, 0);
}

static LLVMValueRef lower_cimag(struct dad_context *ctx, LLVMValueRef call) {
  return part(ctx, call, 1);
}

static LLVMValueRef lower_conj(struct dad_context *ctx, LLVMValueRef call) {
  LLVMBuilderRef b = ctx->builder;
  LLVMValueRef re = part(ctx, call, 0), im = LLVMBuildFNeg(b, part(ctx, call, 1), "");
  LLVMTypeRef type = LLVMTypeOf(call);
  LLVMValueRef v = LLVMGetPoison(type);
  if (LLVMGetTypeKind(type) == LLVMVectorTypeKind) {
    v = LLVMBuildInsertElement(b, v, re, LLVMConstInt(ctx->i32, 0, false), "");
    return LLVMBuildInsertElement(b, v, im, LLVMConstInt(ctx->i32, 1, false), "");
  }
  return LLVMBuildInsertValue(b, LLVMBuildInsertValue(b, v, re, 0, ""), im, 1, "");
}

/* The same as a function of both parts. */
static LLVMValueRef call_with_parts(struct dad_context *ctx, const char *name, LLVMValueRef first,
                                    LLVMValueRef second) {
  LLVMTypeRef types[] = {ctx->f32, ctx->f32}, type = LLVMFunctionType(ctx->f32, types, 2, false);
  LLVMValueRef args[] = {first, second};
  return LLVMBuildCall2(ctx->builder, type, dad_declare(ctx, name, type), args, 2, "");
}

static LLVMValueRef lower_cabsf(struct dad_context *ctx, LLVMValueRef call) {
  LLVMValueRef re = part(ctx, call, 0);
  return call_with_parts(ctx, "hypotf", re, part(ctx, call, 1));
}

static LLVMValueRef lower_cargf(struct dad_context *ctx, LLVMValueRef call) {
  LLVMValueRef re = part(ctx, call, 0);
  return call_with_parts(ctx, "atan2f", part(ctx, call, 1), re);
}

/* ---- what returns its operand, with advice for optimisers */

static LLVMValueRef lower_identity(struct dad_context *ctx, LLVMValueRef call) {
  (void)ctx;
  return operand(call, 0);
}

/* ---- the table */

static const struct lowering rows[] = {
    {"mempcpy", "ppi", lower_mempcpy},
    {"__mempcpy_chk", "ppii", lower_mempcpy_chk},
    {"bcopy", "ppi", lower_bcopy},
    {"bzero explicit_bzero", "pi", lower_bzero},
    {"sincos sincosf sincosl", "npp", lower_sincos},
    {"modf modff modfl", "np", lower_modf},
    {"frexp frexpf frexpl", "np", lower_frexp},
    {"creal", "nn", lower_creal},
    {"crealf", "v", lower_creal},
    {"cimag", "nn", lower_cimag},
    {"cimagf", "v", lower_cimag},
    {"conj", "nn", lower_conj},
    {"conjf", "v", lower_conj},
    {"cabsf", "v", lower_cabsf},
    {"cargf", "v", lower_cargf},
    {"llvm.expect llvm.expect.with.probability llvm.annotation", "i*", lower_identity},
    {"llvm.threadlocal.address llvm.ptr.annotation llvm.launder.invariant.group "
     "llvm.strip.invariant.group",
     "p*", lower_identity},
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

static bool operand_fits(char letter, LLVMTypeRef type) {
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  switch (letter) {
  case 'n':
    return kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind || kind == LLVMX86_FP80TypeKind;
  case 'p': return kind == LLVMPointerTypeKind;
  case 'i': return kind == LLVMIntegerTypeKind;
  case 'v':
    return kind == LLVMVectorTypeKind && LLVMGetVectorSize(type) == 2 &&
           LLVMGetTypeKind(LLVMGetElementType(type)) == LLVMFloatTypeKind;
  default: return true;
  }
}

/* The row for "call", or NULL. */
static const struct lowering *row_of(LLVMValueRef call) {
  pthread_once(&table_once, fill_table);
  const struct lowering *row = dad_name_find_base(&names, dad_known_name(call));
  if (!row)
    return NULL;
  const char *letter = row->operands;
  for (unsigned k = 0; k < LLVMGetNumArgOperands(call); k++) {
    if (!*letter || !operand_fits(*letter, LLVMTypeOf(operand(call, k))))
      return NULL;
    letter += *letter != '*';
  }
  return !*letter || *letter == '*' ? row : NULL;
}

/* ---- assembly without instructions, which only holds the optimiser back */

static bool is_empty_assembly(LLVMValueRef call) {
  LLVMValueRef code = LLVMGetCalledValue(call);
  size_t n = 1;
  if (LLVMIsAInlineAsm(code))
    LLVMGetInlineAsmAsmString(code, &n);
  return !n;
}

/* It hands out what it is given in the same register: an output, and an input that is tied to it.
 */
static bool returns_input(LLVMValueRef call) {
  size_t n;
  const char *constraints = LLVMGetInlineAsmConstraintString(LLVMGetCalledValue(call), &n);
  const char *second = memchr(constraints, ',', n);
  return *constraints == '=' && second && second[1] == '0' && (second[2] == ',' || !second[2]) &&
         LLVMTypeOf(operand(call, 0)) == LLVMTypeOf(call);
}

static void lower_barrier(struct dad_context *ctx, LLVMValueRef call) {
  bool result = LLVMGetTypeKind(LLVMTypeOf(call)) != LLVMVoidTypeKind;
  if (result && !returns_input(call))
    return;
  if (result)
    LLVMReplaceAllUsesWith(call, operand(call, 0));
  dad_detach(ctx, call);
}

static void lower(struct dad_context *ctx, LLVMValueRef call) {
  const struct lowering *row = dad_is_call(call) ? row_of(call) : NULL;
  if (dad_is_call(call) && is_empty_assembly(call))
    lower_barrier(ctx, call);
  if (!row)
    return;
  LLVMPositionBuilderBefore(ctx->builder, call);
  LLVMValueRef v = row->lower(ctx, call);
  if (v && LLVMGetTypeKind(LLVMTypeOf(call)) != LLVMVoidTypeKind)
    LLVMReplaceAllUsesWith(call, v);
  dad_detach(ctx, call);
}

void dad_libcall_lower(struct dad_context *ctx, LLVMValueRef function) {
  DAD_FOR_BLOCKS(block, function)
  for (LLVMValueRef i = LLVMGetFirstInstruction(block), next; i; i = next) {
    next = LLVMGetNextInstruction(i);
    lower(ctx, i);
  }
}
