/* abi_call.c: runtime/abi.def as LLVM types. */
#include "abi_call.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum type { VOID, I32, I64, F32, F64, F80, PTR, CPTR, LAYOUT, CODE };
enum attribute { NONE = 0, COLD = 1, NORETURN = 2, NOALIAS = 4, NOCAPTURE = 8, ARGMEM = 16, PURE = 32 };
enum { MAX_PARAMS = 6, MAX_ATTRIBUTES = 4 };

struct row {
  const char *name;
  enum type result, params[MAX_PARAMS]; /* VOID ends the list */
  enum attribute attributes[MAX_ATTRIBUTES];
};

static const struct row rows[] = {
#define PARAMS(...) {__VA_ARGS__}
#define ATTRS(...) {__VA_ARGS__}
#define DRT_FUNCTION(name, result, params, attrs) {"drt_" #name, result, params, attrs},
#include "../../runtime/abi.def"
};

static LLVMTypeRef type_of(struct dad_context *ctx, enum type t) {
  switch (t) {
  case VOID: return ctx->none;
  case I32: return ctx->i32;
  case I64: return ctx->i64;
  case F32: return ctx->f32;
  case F64: return ctx->f64;
  case F80: return ctx->f80;
  default: return ctx->ptr;
  }
}

static unsigned count_params(const struct row *row) {
  unsigned n = 0;
  while (n < MAX_PARAMS && row->params[n] != VOID)
    n++;
  return n;
}

static void add_attribute(struct dad_context *ctx, LLVMValueRef f, LLVMAttributeIndex at, const char *name,
                          uint64_t value) {
  LLVMAddAttributeAtIndex(f, at, LLVMCreateEnumAttribute(ctx->llvm, dad_attribute(name), value));
}

static void add_attributes(struct dad_context *ctx, LLVMValueRef f, const struct row *row) {
  unsigned all = 0, n = count_params(row);
  for (unsigned k = 0; k < MAX_ATTRIBUTES; k++)
    all |= row->attributes[k];
  add_attribute(ctx, f, LLVMAttributeFunctionIndex, "nounwind", 0);
  if (all & COLD)
    add_attribute(ctx, f, LLVMAttributeFunctionIndex, "cold", 0);
  if (all & NORETURN)
    add_attribute(ctx, f, LLVMAttributeFunctionIndex, "noreturn", 0);
  if (all & NOALIAS)
    add_attribute(ctx, f, LLVMAttributeReturnIndex, "noalias", 0);
  if (all & PURE) {
    add_attribute(ctx, f, LLVMAttributeFunctionIndex, "willreturn", 0);
    add_attribute(ctx, f, LLVMAttributeFunctionIndex, "memory", 0);
  }
  for (unsigned k = 0; all & NOCAPTURE && k < n; k++)
    if (type_of(ctx, row->params[k]) == ctx->ptr)
      add_attribute(ctx, f, k + 1, "captures", 0);
}

LLVMValueRef dad_runtime_declare(struct dad_context *ctx, enum dad_runtime_function f) {
  const struct row *row = &rows[f];
  LLVMTypeRef params[MAX_PARAMS];
  unsigned n = count_params(row);
  LLVMValueRef known = LLVMGetNamedFunction(ctx->module, row->name);
  if (known)
    return known;
  for (unsigned k = 0; k < n; k++)
    params[k] = type_of(ctx, row->params[k]);
  LLVMTypeRef type = LLVMFunctionType(type_of(ctx, row->result), params, n, 0);
  LLVMValueRef made = LLVMAddFunction(ctx->module, row->name, type);
  add_attributes(ctx, made, row);
  return made;
}

LLVMValueRef dad_runtime_call(struct dad_context *ctx, enum dad_runtime_function f, ...) {
  const struct row *row = &rows[f];
  LLVMValueRef args[MAX_PARAMS], function = dad_runtime_declare(ctx, f);
  unsigned n = count_params(row);
  va_list list;
  va_start(list, f);
  for (unsigned k = 0; k < n; k++) {
    LLVMTypeRef want = type_of(ctx, row->params[k]);
    args[k] = va_arg(list, LLVMValueRef);
    if (LLVMGetTypeKind(want) == LLVMIntegerTypeKind && LLVMTypeOf(args[k]) != want)
      args[k] = LLVMBuildIntCast2(ctx->builder, args[k], want, 0, "");
  }
  va_end(list);
  return LLVMBuildCall2(ctx->builder, LLVMGlobalGetValueType(function), function, args, n, "");
}

enum dad_runtime_function dad_runtime_called(LLVMValueRef call) {
  const char *name = dad_callee_name(call);
  unsigned k = 0;
  if (strncmp(name, "drt_", 4))
    return DAD_RT_COUNT;
  while (k < DAD_RT_COUNT && strcmp(rows[k].name, name))
    k++;
  return (enum dad_runtime_function)k;
}

LLVMValueRef dad_runtime_tape(struct dad_context *ctx, LLVMTypeRef *type) {
  LLVMTypeRef fields[DAD_TAPE_FIELDS];
  for (unsigned k = 0; k < DAD_TAPE_FIELDS; k++)
    fields[k] = ctx->ptr;
  *type = LLVMStructTypeInContext(ctx->llvm, fields, DAD_TAPE_FIELDS, 0);
  LLVMValueRef tape = LLVMGetNamedGlobal(ctx->module, "drt_tape");
  if (tape)
    return tape;
  tape = LLVMAddGlobal(ctx->module, *type, "drt_tape");
  LLVMSetThreadLocal(tape, 1);
  return tape;
}

LLVMValueRef dad_runtime_string(struct dad_context *ctx, const char *text) {
  LLVMValueRef init = LLVMConstStringInContext2(ctx->llvm, text, strlen(text), 0);
  LLVMValueRef s = LLVMAddGlobal(ctx->module, LLVMTypeOf(init), "dad.text");
  LLVMSetInitializer(s, init);
  LLVMSetLinkage(s, LLVMPrivateLinkage);
  LLVMSetGlobalConstant(s, 1);
  LLVMSetUnnamedAddress(s, LLVMGlobalUnnamedAddr);
  return s;
}
