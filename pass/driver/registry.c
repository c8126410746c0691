/* registry.c: global arrays whose names contain __dacead_ or __enzyme_ and a keyword; annotations of functions. */
#include "registry.h"

#include "../base/ir.h"

#include <string.h>

static const char KEEP[] = "dacead-keep"; /* the mark: not to be inlined, a call of it must stay visible */
static const char LIKE[] = "dacead-like"; /* behaves like the known function that the attribute names */

static void mark(struct dad_context *ctx, LLVMValueRef f, const char *name, const char *value) {
  LLVMAttributeRef a = LLVMCreateStringAttribute(ctx->llvm, name, (unsigned)strlen(name), value, (unsigned)strlen(value));
  LLVMAddAttributeAtIndex(f, LLVMAttributeFunctionIndex, a);
}

/* The registration of "f", made if there is none. */
static struct dad_registration *registration_for(struct dad_context *ctx, LLVMValueRef f) {
  struct dad_registration *r = dad_map_get(&ctx->registered, f);
  if (r)
    return r;
  r = DAD_NEW(ctx->arena, struct dad_registration);
  dad_map_set(&ctx->registered, f, r);
  if (LLVMIsAFunction(f))
    mark(ctx, f, KEEP, "");
  return r;
}

/* The k-th entry of the array "global", or NULL. A single pointer counts as an array of one. */
static LLVMValueRef entry(LLVMValueRef global, unsigned k) {
  LLVMValueRef init = LLVMGetInitializer(global);
  LLVMTypeRef type = LLVMTypeOf(init);
  if (LLVMGetTypeKind(type) == LLVMPointerTypeKind)
    return k == 0 ? init : NULL;
  bool aggregate = LLVMIsAConstantArray(init) || LLVMIsAConstantStruct(init);
  return aggregate && (int)k < LLVMGetNumOperands(init) ? LLVMGetOperand(init, k) : NULL;
}

static LLVMValueRef function_entry(LLVMValueRef global, unsigned k) {
  LLVMValueRef f = entry(global, k);
  return f && LLVMIsAFunction(f) ? f : NULL;
}

/* The string that the k-th entry points to, or NULL. */
static const char *string_entry(LLVMValueRef global, unsigned k) {
  LLVMValueRef s = entry(global, k);
  size_t n;
  if (!s || !LLVMIsAGlobalVariable(s) || !LLVMGetInitializer(s) ||
      !LLVMIsConstantString(LLVMGetInitializer(s)))
    return NULL;
  return LLVMGetAsString(LLVMGetInitializer(s), &n);
}

static void bad(struct dad_context *ctx, LLVMValueRef global, const char *why) {
  dad_diag(ctx, DAD_BAD_REGISTRATION, NULL, dad_name(global), why);
}

static void read_gradient(struct dad_context *ctx, LLVMValueRef g) {
  LLVMValueRef f = function_entry(g, 0), augmented = function_entry(g, 1), gradient = function_entry(g, 2);
  if (!f || !augmented || !gradient) {
    bad(ctx, g, "three functions are expected: the function, its augmented form, its reverse");
    return;
  }
  struct dad_registration *r = registration_for(ctx, f);
  r->augmented = augmented;
  r->gradient = gradient;
}

static void read_derivative(struct dad_context *ctx, LLVMValueRef g) {
  LLVMValueRef f = function_entry(g, 0), derivative = function_entry(g, 1);
  if (f && derivative)
    registration_for(ctx, f)->derivative = derivative;
  else
    bad(ctx, g, "two functions are expected: the function and its forward derivative");
}

static void read_inactive(struct dad_context *ctx, LLVMValueRef g) {
  LLVMValueRef f = entry(g, 0);
  if (f && (LLVMIsAFunction(f) || LLVMIsAGlobalVariable(f)))
    registration_for(ctx, f)->inactive = true;
  else
    bad(ctx, g, "a function or a global variable is expected");
}

static void register_like(struct dad_context *ctx, LLVMValueRef f, const char *name) {
  registration_for(ctx, f)->like = name;
  mark(ctx, f, LIKE, name);
}

static void read_like(struct dad_context *ctx, LLVMValueRef g) {
  LLVMValueRef f = function_entry(g, 0);
  const char *name = string_entry(g, 1);
  if (f && name)
    register_like(ctx, f, name);
  else
    bad(ctx, g, "a function and the name of a known function are expected");
}

/* An integer hidden in a pointer constant: (void *)1. */
static bool integer_entry(LLVMValueRef g, unsigned k, int *value) {
  LLVMValueRef e = entry(g, k);
  if (e && LLVMIsAConstantPointerNull(e)) {
    *value = 0;
    return true;
  }
  if (!e || !dad_is_constant_expr(e, LLVMIntToPtr) || !LLVMIsAConstantInt(LLVMGetOperand(e, 0)))
    return false;
  *value = (int)LLVMConstIntGetSExtValue(LLVMGetOperand(e, 0));
  return true;
}

static void read_allocator(struct dad_context *ctx, LLVMValueRef g) {
  LLVMValueRef f = function_entry(g, 0), release = function_entry(g, 3);
  const char *operands = string_entry(g, 2);
  int size;
  if (!f || !release || !integer_entry(g, 1, &size)) {
    bad(ctx, g, "an allocator, the position of its size, a string and a deallocator are expected");
    return;
  }
  if (operands && strcmp(operands, "-1")) {
    bad(ctx, g, "only deallocators that take the pointer alone (\"-1\") are supported");
    return;
  }
  struct dad_registration *r = registration_for(ctx, f);
  r->release = release;
  r->size_operand = size;
  registration_for(ctx, release)->releases = true;
}

static const struct {
  const char *keyword;
  void (*read)(struct dad_context *ctx, LLVMValueRef global);
} readers[] = {
    {"register_gradient", read_gradient}, {"register_derivative", read_derivative},
    {"inactivefn", read_inactive},        {"inactive_global", read_inactive},
    {"function_like", read_like},         {"allocation_like", read_allocator},
};

/* The part of "name" after __dacead_ or __enzyme_, or NULL. */
static const char *after_prefix(const char *name) {
  const char *p = strstr(name, "__dacead_");
  if (!p)
    p = strstr(name, "__enzyme_");
  return p ? p + strlen("__dacead_") : NULL;
}

/* __attribute__((annotate("enzyme_inactive"))) and annotate("enzyme_function_like=name"), also spelt dacead_. */
static void read_annotation(struct dad_context *ctx, LLVMValueRef row) {
  LLVMValueRef f = LLVMGetOperand(row, 0), text = LLVMGetOperand(row, 1);
  size_t n;
  if (!LLVMIsAGlobalVariable(text) || !LLVMIsConstantString(LLVMGetInitializer(text)) ||
      !(LLVMIsAFunction(f) || LLVMIsAGlobalVariable(f)))
    return;
  const char *s = LLVMGetAsString(LLVMGetInitializer(text), &n);
  if (strncmp(s, "enzyme_", 7) && strncmp(s, "dacead_", 7))
    return;
  s += 7;
  if (!strcmp(s, "inactive"))
    registration_for(ctx, f)->inactive = true;
  else if (!strncmp(s, "function_like=", 14))
    register_like(ctx, f, s + 14);
}

void dad_registry_read(struct dad_context *ctx) {
  for (LLVMValueRef g = LLVMGetFirstGlobal(ctx->module); g; g = LLVMGetNextGlobal(g)) {
    if (!LLVMGetInitializer(g))
      continue;
    if (!strcmp(dad_name(g), "llvm.global.annotations"))
      for (int k = 0; k < LLVMGetNumOperands(LLVMGetInitializer(g)); k++)
        read_annotation(ctx, LLVMGetOperand(LLVMGetInitializer(g), (unsigned)k));
    const char *rest = after_prefix(dad_name(g));
    for (unsigned k = 0; rest && k < sizeof readers / sizeof *readers; k++)
      if (!strncmp(rest, readers[k].keyword, strlen(readers[k].keyword)))
        readers[k].read(ctx, g);
  }
}

void dad_registry_close(struct dad_context *ctx) {
  for (unsigned k = 0; k < ctx->registered.n; k++) {
    LLVMValueRef f = (LLVMValueRef)ctx->registered.key[k];
    if (!LLVMIsAFunction(f))
      continue;
    LLVMRemoveStringAttributeAtIndex(f, LLVMAttributeFunctionIndex, KEEP, sizeof KEEP - 1);
    LLVMRemoveStringAttributeAtIndex(f, LLVMAttributeFunctionIndex, LIKE, sizeof LIKE - 1);
  }
}

const struct dad_registration *dad_registered(const struct dad_context *ctx, LLVMValueRef function) {
  return dad_map_get(&ctx->registered, function);
}

bool dad_is_inactive_global(const struct dad_context *ctx, LLVMValueRef global) {
  const struct dad_registration *r = dad_registered(ctx, global);
  return r && r->inactive;
}

enum dad_call_kind dad_registered_kind(struct dad_context *ctx, LLVMValueRef function) {
  const struct dad_registration *r = dad_registered(ctx, function);
  if (!r)
    return DAD_CALL_UNKNOWN;
  if (r->inactive)
    return DAD_CALL_INERT;
  if (r->gradient || r->derivative)
    return DAD_CALL_CUSTOM;
  if (r->release)
    return DAD_CALL_ALLOC;
  if (r->releases)
    return DAD_CALL_FREE;
  return DAD_CALL_UNKNOWN;
}
