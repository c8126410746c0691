/* constrain_call.c: what calls do to memory. */
#include "constraint.h"

#include "../driver/marker.h"
#include "../driver/registry.h"

#include <string.h>

bool dad_is_any_call(LLVMValueRef i) {
  return LLVMIsACallInst(i) || LLVMIsAInvokeInst(i) || LLVMIsACallBrInst(i);
}

LLVMValueRef dad_any_callee(LLVMValueRef call) {
  if (dad_is_call(call))
    return dad_callee(call);
  LLVMValueRef f = LLVMGetCalledValue(call);
  return LLVMIsAFunction(f) ? f : NULL;
}

/* Invokes stand only in code that is not differentiated: what its memory functions do is all that
 * matters. */
enum dad_call_kind dad_any_call_kind(struct dad_memory *m, LLVMValueRef call) {
  if (dad_is_call(call))
    return dad_call_kind(m->req, call);
  LLVMValueRef f = LLVMGetCalledValue(call);
  if (!LLVMIsAFunction(f))
    return LLVMIsAInlineAsm(f) ? DAD_CALL_ASM : DAD_CALL_INDIRECT;
  enum dad_call_kind registered = dad_registered_kind(m->req->ctx, f);
  const struct dad_libcall *row = LLVMIsDeclaration(f) ? dad_libcall_find(dad_name(f)) : NULL;
  return registered != DAD_CALL_UNKNOWN ? registered : row ? row->kind : DAD_CALL_UNKNOWN;
}

/* ---- calls of functions with a body */

static void bind_arguments(struct dad_memory *m, LLVMValueRef call, LLVMValueRef body) {
  unsigned n = LLVMCountParams(body);
  for (unsigned k = 0; k < LLVMGetNumArgOperands(call); k++) {
    struct dad_node *a = dad_node_of(m, LLVMGetOperand(call, k));
    if (k < n)
      dad_constrain_flow(m, LLVMGetOperand(call, k), LLVMGetParam(body, k));
    else if (a) /* what va_arg reads counts as unknown */
      dad_constrain(m, DAD_EXPOSED, a, NULL);
  }
}

/* What malloc and operator new guarantee on all targets of 64 bits. */
enum { ALLOCATOR_ALIGNMENT = 16 };

/* "to" points to memory that this call has allocated. */
static void point_to_fresh(struct dad_memory *m, LLVMValueRef call, struct dad_node *to) {
  struct dad_shape start = {.type = NULL};
  struct dad_object *o = to ? dad_object_new(&m->heap, call) : NULL;
  if (!to)
    return;
  o->align =
      LLVMIsAFunction(LLVMGetCalledValue(call)) && LLVMIsDeclaration(LLVMGetCalledValue(call))
          ? ALLOCATOR_ALIGNMENT
          : 1;
  dad_node_point(&m->heap, to, o, &start);
}

/* The function "body" is called directly. */
static void constrain_direct(struct dad_memory *m, LLVMValueRef call, LLVMValueRef body) {
  bool hands_out = dad_hands_out(m, body);
  bind_arguments(m, call, body);
  if (hands_out)
    point_to_fresh(m, call, dad_node_of(m, call));
  DAD_FOR_BLOCKS(block, body) {
    LLVMValueRef t = LLVMGetBasicBlockTerminator(block);
    if (!t || !LLVMIsAReturnInst(t) || !LLVMGetNumOperands(t))
      continue;
    if (!hands_out) {
      dad_constrain_flow(m, LLVMGetOperand(t, 0), call);
    } else if (!m->outside) {
      struct dad_handout *h = DAD_NEW(m->heap.arena, struct dad_handout);
      *h = (struct dad_handout){call, LLVMGetOperand(t, 0)};
      dad_vec_push(&m->handouts, h);
    }
  }
}

/* ---- calls through pointers */

static struct dad_signature *signature_of(struct dad_memory *m, LLVMTypeRef type) {
  struct dad_signature *s = dad_map_get(&m->signatures, type);
  if (s)
    return s;
  s = DAD_NEW(m->heap.arena, struct dad_signature);
  s->n = LLVMCountParamTypes(type);
  s->param = DAD_ARRAY(m->heap.arena, struct dad_node *, s->n + 1);
  for (unsigned k = 0; k < s->n; k++)
    s->param[k] = dad_node_new(&m->heap, NULL);
  s->result = dad_node_new(&m->heap, NULL);
  dad_map_set(&m->signatures, type, s);
  return s;
}

static void constrain_indirect(struct dad_memory *m, LLVMValueRef call) {
  struct dad_signature *s = signature_of(m, LLVMGetCalledFunctionType(call));
  struct dad_node *result = dad_node_of(m, call);
  dad_node_of(m, LLVMGetCalledValue(call));
  for (unsigned k = 0; k < s->n && k < LLVMGetNumArgOperands(call); k++) {
    struct dad_node *a = dad_node_of(m, LLVMGetOperand(call, k));
    if (a)
      dad_constrain(m, DAD_FLOW, a, s->param[k]);
  }
  if (result)
    dad_constrain(m, DAD_FLOW, s->result, result);
}

/* ---- calls of functions without a body */

static void constrain_allocation(struct dad_memory *m, LLVMValueRef call, enum dad_call_kind kind) {
  struct dad_node *fresh =
      kind == DAD_CALL_ALLOC_AT ? dad_node_new(&m->heap, NULL) : dad_node_of(m, call);
  point_to_fresh(m, call, fresh);
  if (kind == DAD_CALL_REALLOC)
    dad_constrain_flow(m, LLVMGetOperand(call, 0), call);
  if (kind != DAD_CALL_ALLOC_AT)
    return;
  struct dad_constraint *c =
      dad_constrain(m, DAD_STORE, dad_node_of(m, LLVMGetOperand(call, 0)), fresh);
  c->kinds = DAD_PTR;
  c->align = 1;
  c->bytes = (int64_t)dad_store_size(m->heap.ctx, m->heap.ctx->ptr);
}

static void constrain_copy(struct dad_memory *m, LLVMValueRef call) {
  struct dad_node *to = dad_node_of(m, LLVMGetOperand(call, 0)),
                  *from = dad_node_of(m, LLVMGetOperand(call, 1));
  uint64_t bytes = dad_call_known_bytes(call);
  if (to && from)
    dad_constrain(m, DAD_COPY, from, to)->bytes = bytes > INT64_MAX ? -1 : (int64_t)bytes;
  dad_constrain_flow(m, LLVMGetOperand(call, 0), call);
}

/* Does the intrinsic "call" return its operand? */
static bool returns_operand(LLVMValueRef call) {
  static const char *const names[] = {"llvm.threadlocal.address", "llvm.launder.invariant.group",
                                      "llvm.strip.invariant.group", "llvm.ssa.copy"};
  LLVMValueRef f = LLVMGetCalledValue(call);
  const char *name = LLVMIsAFunction(f) ? dad_name(f) : "";
  for (unsigned k = 0; k < sizeof names / sizeof *names; k++)
    if (!strncmp(name, names[k], strlen(names[k])))
      return true;
  return false;
}

/* The result, if it is a pointer, points into what one of the arguments points to, or to memory of
 * the library. */
static void constrain_library(struct dad_memory *m, LLVMValueRef call) {
  if (returns_operand(call)) {
    dad_constrain_flow(m, LLVMGetOperand(call, 0), call);
    return;
  }
  struct dad_node *result = dad_node_of(m, call);
  if (!result || LLVMGetTypeKind(LLVMTypeOf(call)) != LLVMPointerTypeKind)
    return;
  for (unsigned k = 0; k < LLVMGetNumArgOperands(call); k++) {
    LLVMValueRef a = LLVMGetOperand(call, k);
    struct dad_node *n =
        LLVMGetTypeKind(LLVMTypeOf(a)) == LLVMPointerTypeKind ? dad_node_of(m, a) : NULL;
    if (n)
      dad_constrain(m, DAD_ANYWHERE, n, result);
  }
}

/* "f", whose address unknown code gets, may be called with what that code gets. */
static void bind_exposed(struct dad_memory *m, LLVMValueRef call, LLVMValueRef f) {
  for (unsigned k = 0; k < LLVMGetNumArgOperands(call); k++)
    for (unsigned j = 0; j < LLVMCountParams(f); j++) {
      LLVMValueRef a = LLVMGetOperand(call, k), p = LLVMGetParam(f, j);
      if (a != f && LLVMGetTypeKind(LLVMTypeOf(a)) == LLVMPointerTypeKind &&
          LLVMTypeOf(a) == LLVMTypeOf(p))
        dad_constrain_flow(m, a, p);
    }
}

/* Unknown code may call, return, keep and exchange what it is given. What it returns counts as
 * unknown. */
static void constrain_unknown(struct dad_memory *m, LLVMValueRef call) {
  for (unsigned k = 0; k < LLVMGetNumArgOperands(call); k++) {
    LLVMValueRef a = LLVMGetOperand(call, k);
    struct dad_node *n = dad_has_pointer(LLVMTypeOf(a)) ? dad_node_of(m, a) : NULL;
    if (!n)
      continue;
    dad_constrain(m, DAD_EXPOSED, n, NULL);
    if (LLVMIsAFunction(a) && !LLVMIsDeclaration(a))
      bind_exposed(m, call, a);
  }
}

/* The size of elements that a call of qsort, bsearch or the like gives; 1 where it is not known. */
static int64_t element_size(LLVMValueRef call) {
  int64_t bytes = 1;
  for (unsigned k = 0; k < LLVMGetNumArgOperands(call); k++)
    if (LLVMIsAConstantInt(LLVMGetOperand(call, k)))
      bytes = LLVMConstIntGetSExtValue(LLVMGetOperand(call, k));
  return bytes > 0 ? bytes : 1;
}

/* The parameters of the function "f" that compares elements are pointers to any of them. */
static void bind_comparison(struct dad_memory *m, struct dad_node *any, LLVMValueRef f) {
  for (unsigned k = 0; k < LLVMCountParams(f); k++)
    if (dad_node_of(m, LLVMGetParam(f, k)))
      dad_constrain(m, DAD_FLOW, any, dad_node_of(m, LLVMGetParam(f, k)));
}

/* qsort, bsearch and the like: elements of any place move to any other, and are seen by the
   function that compares. */
static void constrain_callback(struct dad_memory *m, LLVMValueRef call) {
  struct dad_node *any = dad_node_new(&m->heap, NULL), *result = dad_node_of(m, call);
  struct dad_path *path = dad_path_by_index(&m->heap, element_size(call));
  for (unsigned k = 0; k < LLVMGetNumArgOperands(call); k++) {
    LLVMValueRef a = LLVMGetOperand(call, k);
    if (LLVMGetTypeKind(LLVMTypeOf(a)) != LLVMPointerTypeKind)
      continue;
    if (LLVMIsAFunction(a))
      bind_comparison(m, any, a);
    else if (dad_node_of(m, a))
      dad_constrain(m, DAD_ADDRESS, dad_node_of(m, a), any)->path = path;
  }
  dad_constrain(m, DAD_COPY, any, any)->bytes = element_size(call);
  if (result)
    dad_constrain(m, DAD_FLOW, any, result);
}

/* ---- calls of derivatives */

/* Does operand "a" of a marker call name a tag? Sets "constant" if it says that what follows has no
 * shadow. */
static bool is_tag(LLVMValueRef a, bool *constant) {
  if (LLVMIsALoadInst(a))
    a = LLVMGetOperand(a, 0);
  const char *name = LLVMIsAGlobalVariable(a) ? dad_name(a) : "";
  if (strncmp(name, "dacead_", 7) && strncmp(name, "enzyme_", 7))
    return false;
  if (!strcmp(name + 7, "const"))
    *constant = true;
  return true;
}

/* A marker call runs its function with the values, without their shadows. */
static void constrain_marker(struct dad_memory *m, LLVMValueRef call) {
  unsigned n = LLVMGetNumArgOperands(call), k = 0;
  while (k < n && !LLVMIsAFunction(LLVMGetOperand(call, k)))
    k++;
  LLVMValueRef f = k < n ? LLVMGetOperand(call, k++) : NULL;
  for (unsigned p = 0; f && p < LLVMCountParams(f) && k < n; p++) {
    bool constant = false;
    while (k < n && is_tag(LLVMGetOperand(call, k), &constant))
      k++;
    if (k == n)
      return;
    LLVMValueRef param = LLVMGetParam(f, p);
    dad_constrain_flow(m, LLVMGetOperand(call, k++), param);
    k += !constant && dad_has_pointer(LLVMTypeOf(param));
  }
}

/* A generated function "f" runs the function that it is the derivative of; each parameter with a
 * pointer is followed by its shadow. */
static void constrain_generated(struct dad_memory *m, LLVMValueRef call, LLVMValueRef f) {
  const char *name = dad_name(f), *dot = strrchr(name, '.');
  char *base = dad_arena_printf(m->heap.arena, "%.*s", (int)(dot ? dot - name : 0), name);
  LLVMValueRef original = LLVMGetNamedFunction(m->req->ctx->module, base);
  unsigned k = 0;
  for (unsigned p = 0; original && p < LLVMCountParams(original); p++) {
    LLVMValueRef param = LLVMGetParam(original, p);
    LLVMTypeRef type = LLVMTypeOf(param);
    if (k >= LLVMGetNumArgOperands(call))
      return;
    LLVMValueRef next = k + 1 < LLVMGetNumArgOperands(call) ? LLVMGetOperand(call, k + 1) : NULL;
    bool twin =
        dad_has_pointer(type) || (dot && !strncmp(dot, ".tangent", 8) && dad_has_float(type));
    dad_constrain_flow(m, LLVMGetOperand(call, k), param);
    k += twin && next && LLVMTypeOf(next) == type ? 2 : 1;
  }
}

static bool is_marker(LLVMValueRef f) {
  enum dad_mode mode;
  bool second;
  return f && LLVMIsDeclaration(f) && dad_marker_mode(f, &mode, &second);
}

/* ---- all of them */

static void constrain_by_kind(struct dad_memory *m, LLVMValueRef call) {
  enum dad_call_kind kind = dad_any_call_kind(m, call);
  switch (kind) {
  case DAD_CALL_INDIRECT: constrain_indirect(m, call); break;
  case DAD_CALL_ALLOC:
  case DAD_CALL_ALLOC_AT:
  case DAD_CALL_REALLOC: constrain_allocation(m, call, kind); break;
  case DAD_CALL_COPY: constrain_copy(m, call); break;
  case DAD_CALL_SET: dad_constrain_flow(m, LLVMGetOperand(call, 0), call); break;
  case DAD_CALL_CALLBACK: constrain_callback(m, call); break;
  case DAD_CALL_ASM:
  case DAD_CALL_UNKNOWN: constrain_unknown(m, call); break;
  case DAD_CALL_FREE: break;
  default: constrain_library(m, call); break;
  }
}

static bool has_body(LLVMValueRef v) {
  return LLVMIsAFunction(v) && !LLVMIsDeclaration(v);
}

void dad_constrain_call(struct dad_memory *m, LLVMValueRef call) {
  LLVMValueRef f = dad_any_callee(call);
  struct dad_unit *u = f && !m->outside ? dad_unit_of(m->req, f) : NULL;
  enum dad_call_kind kind = dad_any_call_kind(m, call);
  bool memory = kind == DAD_CALL_ALLOC || kind == DAD_CALL_FREE || kind == DAD_CALL_COPY ||
                kind == DAD_CALL_SET;
  for (unsigned k = 0; k < LLVMGetNumArgOperands(call); k++)
    dad_node_of(m, LLVMGetOperand(call, k));
  if (is_marker(f))
    constrain_marker(m, call);
  else if (f && dad_unit_is_generated(f))
    constrain_generated(m, call, f);
  else if (f && has_body(f) && !memory)
    constrain_direct(m, call, u && kind == DAD_CALL_UNIT ? u->primal : f);
  else if (!f && has_body(LLVMGetCalledValue(call))) /* whatever its type says */
    constrain_direct(m, call, LLVMGetCalledValue(call));
  else
    constrain_by_kind(m, call);
}
