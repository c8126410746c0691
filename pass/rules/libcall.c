/* libcall.c: the table of library functions, and what a call is. */
#include "libcall.h"

#include "../analysis/memory.h"
#include "../driver/registry.h"
#include "name_index.h"
#include "rule.h"
#include "special.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* ---- the table */

enum { NO = -1 };

/* The rows of libcalls.def: names are still lists. */
static const struct dad_libcall rows[] = {
#define LIBCALL(kind, names, size, count, align, zeroed, release)                                  \
  {names, DAD_CALL_##kind, size, count, align, zeroed, release, false},
#define NUMBERS(kind, names) {names, DAD_CALL_##kind, NO, NO, NO, false, NULL, true},
#include "libcalls.def"
};

/* Filled once from "rows": struct dad_libcall with one name each. */
static struct dad_name_index whole; /* exact names */
static struct dad_vec beginnings;   /* names that ended in a star, without it */
static pthread_once_t table_once = PTHREAD_ONCE_INIT;

static void add_name(const struct dad_libcall *row, const char *name, size_t n) {
  bool star = name[n - 1] == '*';
  struct dad_libcall *one = DAD_NEW(whole.arena, struct dad_libcall);
  *one = *row;
  one->name = dad_arena_printf(whole.arena, "%.*s", (int)(star ? n - 1 : n), name);
  if (star)
    dad_vec_push(&beginnings, one);
  else
    dad_name_add(&whole, one->name, one);
}

static void fill_table(void) {
  whole.arena = beginnings.arena = dad_arena_create();
  for (unsigned k = 0; k < sizeof rows / sizeof *rows; k++) {
    const char *at = rows[k].name;
    for (size_t n = 0; dad_next_word(&at, &n);)
      add_name(&rows[k], at, n);
  }
}

/* The row with the longest beginning that "name" has. */
static const struct dad_libcall *find_beginning(const char *name) {
  const struct dad_libcall *best = NULL;
  size_t longest = 0;
  for (unsigned k = 0; k < beginnings.n; k++) {
    const struct dad_libcall *row = beginnings.at[k];
    if (*name != *row->name) /* most names do not begin with an underscore */
      continue;
    size_t n = strlen(row->name);
    if (n > longest && !strncmp(name, row->name, n)) {
      best = row;
      longest = n;
    }
  }
  return best;
}

/* ---- names */

/* Rust's allocator functions are mangled with the name of a crate:
 * _RNvCs..._7___rustc12___rust_alloc. */
static const char *without_crate(const char *name) {
  static const char crate[] = "7___rustc";
  const char *p = strncmp(name, "_RNvC", 5) ? NULL : strstr(name, crate);
  if (!p)
    return name;
  char *end;
  unsigned long n = strtoul(p + sizeof crate - 1, &end, 10);
  end += *end == '_' && strlen(end) > n;
  return strlen(end) == n ? end : name;
}

/* "name" as it is in the tables: a byte 1 in front keeps assemblers from adding an underscore. */
static const char *plain_name(const char *name) {
  return without_crate(name + (*name == 1));
}

const struct dad_libcall *dad_libcall_find(const char *name) {
  pthread_once(&table_once, fill_table);
  name = plain_name(name);
  const struct dad_libcall *row = dad_name_find_base(&whole, name);
  return row ? row : find_beginning(name);
}

const char *dad_known_name(LLVMValueRef call) {
  static const char like[] = "dacead-like";
  LLVMValueRef f = dad_callee(call);
  if (!f)
    return "";
  LLVMAttributeRef a =
      LLVMGetStringAttributeAtIndex(f, LLVMAttributeFunctionIndex, like, sizeof like - 1);
  unsigned n;
  if (a)
    return LLVMGetStringAttributeValue(a, &n);
  return LLVMIsDeclaration(f) ? plain_name(dad_name(f)) : "";
}

static bool is_intrinsic(const char *name) {
  return !strncmp(name, "llvm.", 5);
}

/* ---- kinds */

/* Does "call" have floating-point operands or such a result? */
static bool has_numbers(LLVMValueRef call) {
  if (dad_has_float(LLVMTypeOf(call)))
    return true;
  for (unsigned k = 0; k < LLVMGetNumArgOperands(call); k++)
    if (dad_has_float(LLVMTypeOf(LLVMGetOperand(call, k))))
      return true;
  return false;
}

static bool is_integer_operand(LLVMValueRef call, int k) {
  return k < 0 ||
         ((unsigned)k < LLVMGetNumArgOperands(call) &&
          LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(call, (unsigned)k))) == LLVMIntegerTypeKind);
}

/* Can "call" be a call of the function that "row" describes? */
static bool row_fits(const struct dad_libcall *row, LLVMValueRef call) {
  if (!row->numbers && has_numbers(call) && !is_intrinsic(row->name))
    return false;
  return is_integer_operand(call, row->size) && is_integer_operand(call, row->count) &&
         is_integer_operand(call, row->align);
}

/* Integers, vectors and structs of them. */
static bool is_integral(LLVMTypeRef type) {
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  if (kind == LLVMStructTypeKind) {
    for (unsigned k = 0; k < LLVMCountStructElementTypes(type); k++)
      if (!is_integral(LLVMStructGetTypeAtIndex(type, k)))
        return false;
    return true;
  }
  if (kind == LLVMVectorTypeKind || kind == LLVMScalableVectorTypeKind)
    return LLVMGetTypeKind(LLVMGetElementType(type)) == LLVMIntegerTypeKind;
  return kind == LLVMIntegerTypeKind;
}

/* Integers in, integers out: smax, ctpop, umul.with.overflow and the like. */
static bool is_integer_intrinsic(LLVMValueRef call) {
  if (!is_integral(LLVMTypeOf(call)))
    return false;
  for (unsigned k = 0; k < LLVMGetNumArgOperands(call); k++) {
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(call, k));
    if (!is_integral(type) && LLVMGetTypeKind(type) != LLVMMetadataTypeKind)
      return false;
  }
  return true;
}

/* Nothing comes back from a function that does not return. */
static bool does_not_return(LLVMValueRef call, LLVMValueRef f) {
  unsigned kind = dad_attribute("noreturn");
  return LLVMGetCallSiteEnumAttribute(call, LLVMAttributeFunctionIndex, kind) ||
         LLVMGetEnumAttributeAtIndex(f, LLVMAttributeFunctionIndex, kind);
}

static enum dad_call_kind kind_of_name(LLVMValueRef call, LLVMValueRef f, const char *name) {
  const struct dad_libcall *row = dad_libcall_find(name);
  if (row && row_fits(row, call))
    return row->kind;
  if (dad_rule_of(call))
    return DAD_CALL_RULE;
  if (dad_is_special(call))
    return DAD_CALL_SPECIAL;
  if (is_intrinsic(name) && is_integer_intrinsic(call))
    return DAD_CALL_INERT;
  return does_not_return(call, f) ? DAD_CALL_INERT : DAD_CALL_UNKNOWN;
}

enum dad_call_kind dad_call_kind(struct dad_request *req, LLVMValueRef call) {
  if (LLVMIsAInlineAsm(LLVMGetCalledValue(call)))
    return DAD_CALL_ASM;
  LLVMValueRef f = dad_callee(call);
  if (!f)
    return DAD_CALL_INDIRECT;
  enum dad_call_kind registered = dad_registered_kind(req->ctx, f);
  if (registered != DAD_CALL_UNKNOWN)
    return registered;
  const char *name = dad_known_name(call);
  if (*name)
    return kind_of_name(call, f, name);
  return dad_unit_of(req, f) ? DAD_CALL_UNIT : DAD_CALL_UNKNOWN;
}

/* ---- bytes */

LLVMValueRef dad_call_bytes(struct dad_request *req, LLVMValueRef call) {
  struct dad_context *ctx = req->ctx;
  const struct dad_registration *r = dad_registered(ctx, dad_callee(call));
  if (r && r->release)
    return dad_as_i64(ctx, LLVMGetOperand(call, (unsigned)r->size_operand));
  const struct dad_libcall *row = dad_libcall_find(dad_known_name(call));
  LLVMValueRef bytes = dad_as_i64(ctx, LLVMGetOperand(call, (unsigned)row->size));
  if (row->count < 0)
    return bytes;
  LLVMValueRef count = dad_as_i64(ctx, LLVMGetOperand(call, (unsigned)row->count));
  return LLVMBuildMul(ctx->builder, bytes, count, "");
}

uint64_t dad_call_known_bytes(LLVMValueRef call) {
  const struct dad_libcall *row = dad_libcall_find(dad_known_name(call));
  int position[2] = {row ? row->size : NO, row ? row->count : NO};
  uint64_t bytes = 1;
  if (position[0] < 0 || !row_fits(row, call))
    return DAD_UNKNOWN_BYTES;
  for (int k = 0; k < 2 && position[k] >= 0; k++) {
    LLVMValueRef n = LLVMGetOperand(call, (unsigned)position[k]);
    if (!LLVMIsAConstantInt(n) ||
        __builtin_mul_overflow(bytes, LLVMConstIntGetZExtValue(n), &bytes))
      return DAD_UNKNOWN_BYTES;
  }
  return bytes;
}
