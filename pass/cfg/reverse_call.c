/* reverse_call.c: the adjoint of each kind of call. */
#include "../base/abi_call.h"
#include "../driver/registry.h"
#include "../rules/libcall.h"
#include "../rules/rule.h"
#include "../rules/special.h"
#include "call.h"
#include "scope.h"
#include "shadow.h"
#include "sweep.h"

/* ---- units */

/* The type of the adjoint of argument "k" of "c", as the callee's signature has it. */
static LLVMTypeRef argument_adjoint(struct dad_sweep *s, const struct dad_call *c, unsigned k) {
  return dad_adjoint_type(s->req, c->unit ? LLVMGetParam(c->unit->primal, k) : c->args[k]);
}

static LLVMTypeRef seed_type(struct dad_sweep *s, const struct dad_call *c) {
  if (LLVMGetTypeKind(c->type) == LLVMVoidTypeKind)
    return NULL;
  return dad_has_float(c->type) ? c->type : dad_adjoint_type(s->req, c->result);
}

/* Calls the reverse function of a unit with the seed; it returns the adjoints of the arguments. */
static void reverse_unit(struct dad_sweep *s, const struct dad_call *c) {
  LLVMBuilderRef b = s->ctx->builder;
  LLVMTypeRef *out = DAD_ARRAY(s->arena, LLVMTypeRef, c->n + 1), seeds = seed_type(s, c);
  LLVMValueRef seed = seeds ? dad_adjoint_take(s, c->result) : NULL, f = c->unit ? c->unit->reverse : NULL;
  LLVMValueRef descriptor = f ? NULL : dad_sweep_primal(s, c->descriptor);
  unsigned n = 0;
  if (s->dry)
    return;
  for (unsigned k = 0; k < c->n; k++)
    if (argument_adjoint(s, c, k))
      out[n++] = argument_adjoint(s, c, k);
  if (!f) {
    LLVMValueRef at = dad_i64(s->ctx, DRT_DESCRIPTOR_REVERSE);
    f = LLVMBuildLoad2(b, s->ctx->ptr, LLVMBuildGEP2(b, s->ctx->ptr, descriptor, &at, 1, ""), "reverse");
  }
  LLVMTypeRef result = n ? LLVMStructTypeInContext(s->ctx->llvm, out, n, 0) : s->ctx->none;
  LLVMTypeRef type = LLVMFunctionType(result, &seeds, seed != NULL, 0);
  LLVMValueRef r = LLVMBuildCall2(b, type, f, &seed, seed != NULL, "");
  n = 0;
  for (unsigned k = 0; k < c->n; k++)
    if (argument_adjoint(s, c, k)) {
      LLVMValueRef g = LLVMBuildExtractValue(b, r, n++, "");
      dad_adjoint_give(s, c->args[k], g);
    }
}

/* ---- registered derivatives */

/* Calls the registered gradient: the arguments with shadows, the seed, the tape; it returns the adjoints of floating-point arguments. */
static void reverse_custom(struct dad_sweep *s, const struct dad_call *c) {
  LLVMBuilderRef b = s->ctx->builder;
  LLVMValueRef f = c->custom->gradient, *args = DAD_ARRAY(s->arena, LLVMValueRef, 2 * c->n + 3);
  unsigned n = 0, out = 0;
  for (unsigned k = 0; k < c->n; k++) {
    args[n++] = dad_sweep_primal(s, c->args[k]);
    if (dad_has_pointer(LLVMTypeOf(c->args[k])))
      args[n++] = dad_sweep_shadow(s, c->args[k]);
  }
  if (c->result && dad_has_float(c->type))
    args[n++] = dad_adjoint_take(s, c->result);
  if (c->tape)
    args[n++] = dad_sweep_primal(s, c->tape);
  if (s->dry)
    return;
  LLVMTypeRef type = LLVMGlobalGetValueType(f), result = LLVMGetReturnType(type);
  bool fits = LLVMCountParamTypes(type) == n;
  for (unsigned k = 0; fits && k < n; k++)
    fits = LLVMTypeOf(LLVMGetParam(f, k)) == LLVMTypeOf(args[k]);
  if (!fits) {
    dad_diag(s->ctx, DAD_BAD_REGISTRATION, c->call, dad_name(c->callee),
             "the reverse function does not take the parameters with shadows, the seed and the tape");
    return;
  }
  LLVMValueRef r = LLVMBuildCall2(b, type, f, args, n, "");
  for (unsigned k = 0; k < c->n; k++) {
    if (!dad_has_float(LLVMTypeOf(c->args[k])))
      continue;
    bool parts = LLVMGetTypeKind(result) == LLVMStructTypeKind;
    LLVMTypeRef have = parts && out < LLVMCountStructElementTypes(result) ? LLVMStructGetTypeAtIndex(result, out) : result;
    if (have != LLVMTypeOf(c->args[k]) || (!parts && out)) {
      dad_diag(s->ctx, DAD_BAD_REGISTRATION, c->call, dad_name(c->callee),
               "the reverse function does not return the adjoint of every floating-point parameter");
      return;
    }
    dad_adjoint_give(s, c->args[k], parts ? LLVMBuildExtractValue(b, r, out, "") : r);
    out++;
  }
}

/* ---- memory */

/* The operand "n" of the primal as an i64 in the reverse sweep. */
static LLVMValueRef length(struct dad_sweep *s, LLVMValueRef n) {
  LLVMValueRef v = dad_sweep_primal(s, n);
  return s->dry ? v : dad_as_i64(s->ctx, v);
}

static LLVMValueRef bytes_of(struct dad_sweep *s, LLVMValueRef call) {
  const struct dad_libcall *row = dad_libcall_find(dad_known_name(call));
  return length(s, LLVMGetOperand(call, row ? (unsigned)row->size : 2u));
}

/* "n" bytes where "missing" is "when" at run time, else none. */
static LLVMValueRef bytes_when(struct dad_sweep *s, LLVMValueRef missing, bool when, LLVMValueRef n) {
  LLVMValueRef none = dad_i64(s->ctx, 0);
  if (!missing)
    return when ? none : n;
  return LLVMBuildSelect(s->ctx->builder, missing, when ? n : none, when ? none : n, "");
}

static bool is_none(LLVMValueRef bytes) {
  return LLVMIsAConstantInt(bytes) && LLVMIsNull(bytes);
}

static void zero_numbers(struct dad_sweep *s, LLVMValueRef call, LLVMValueRef q, LLVMValueRef n, uint64_t known) {
  LLVMValueRef to = LLVMGetOperand(call, 0);
  if (is_none(n))
    return;
  if (dad_uniform_kind(s->req, to, known))
    LLVMBuildMemSet(s->ctx->builder, q, LLVMConstInt(s->ctx->i8, 0, 0), n, 1);
  else
    dad_runtime_call(s->ctx, DAD_RT_zero_numbers, q, n, dad_layout(s->req, call, to, known));
}

enum { MAX_IN_LINE = 8 };

static LLVMValueRef element_place(struct dad_sweep *s, LLVMTypeRef type, LLVMValueRef base, uint64_t k) {
  LLVMValueRef at = dad_i64(s->ctx, k);
  return k ? LLVMBuildInBoundsGEP2(s->ctx->builder, type, base, &at, 1, "") : base;
}

static LLVMValueRef mark_shadow(struct dad_sweep *s, LLVMValueRef access) {
  LLVMSetAlignment(access, 1);
  dad_scope_shadow(s->ctx, access);
  return access;
}

/* The adjoint of copying "n" numbers of "type", in line: all are taken before any is given, for the ranges may overlap. */
static void accumulate_in_line(struct dad_sweep *s, LLVMTypeRef type, LLVMValueRef q, LLVMValueRef p, uint64_t n) {
  LLVMBuilderRef b = s->ctx->builder;
  LLVMValueRef taken[MAX_IN_LINE];
  for (uint64_t k = 0; k < n; k++) {
    LLVMValueRef from = element_place(s, type, q, k);
    taken[k] = mark_shadow(s, LLVMBuildLoad2(b, type, from, ""));
    mark_shadow(s, LLVMBuildStore(b, LLVMConstNull(type), from));
  }
  for (uint64_t k = 0; k < n; k++) {
    LLVMValueRef to = element_place(s, type, p, k), old = mark_shadow(s, LLVMBuildLoad2(b, type, to, ""));
    mark_shadow(s, LLVMBuildStore(b, dad_adjoint_add(s->ctx, old, taken[k]), to));
  }
}

static void accumulate(struct dad_sweep *s, LLVMValueRef call, LLVMValueRef q, LLVMValueRef p, LLVMValueRef n,
                       uint64_t known) {
  LLVMValueRef to = LLVMGetOperand(call, 0);
  unsigned kind = dad_uniform_kind(s->req, to, known), size = kind == DAD_F64 ? 8 : 4;
  if (is_none(n))
    return;
  if ((kind == DAD_F64 || kind == DAD_F32) && LLVMIsConstant(n) && known % size == 0 && known / size <= MAX_IN_LINE) {
    accumulate_in_line(s, kind == DAD_F64 ? s->ctx->f64 : s->ctx->f32, q, p, known / size);
    return;
  }
  switch (kind) {
  case DAD_F64: dad_runtime_call(s->ctx, DAD_RT_accumulate_f64, q, p, n); break;
  case DAD_F32: dad_runtime_call(s->ctx, DAD_RT_accumulate_f32, q, p, n); break;
  default: dad_runtime_call(s->ctx, DAD_RT_accumulate, q, p, n, dad_layout(s->req, call, to, known));
  }
}

/* memcpy and memmove: the adjoints of the copy are taken and added to the source's. Where the source has no shadow they are only taken;
   where the copy has none there is nothing to do. */
static void reverse_copy(struct dad_sweep *s, LLVMValueRef call) {
  LLVMValueRef to = LLVMGetOperand(call, 0), from = LLVMGetOperand(call, 1);
  uint64_t known = dad_call_known_bytes(call);
  LLVMValueRef no_copy = dad_sweep_is_same(s, to), no_source = dad_sweep_is_same(s, from);
  LLVMValueRef q = dad_sweep_shadow(s, to), p = dad_sweep_shadow(s, from), n = bytes_of(s, call);
  if (s->dry)
    return;
  n = bytes_when(s, no_copy, false, n);
  accumulate(s, call, q, p, bytes_when(s, no_source, false, n), known);
  zero_numbers(s, call, q, bytes_when(s, no_source, true, n), known);
}

static void reverse_set(struct dad_sweep *s, LLVMValueRef call) {
  LLVMValueRef to = LLVMGetOperand(call, 0), missing = dad_sweep_is_same(s, to);
  LLVMValueRef q = dad_sweep_shadow(s, to), n = bytes_of(s, call);
  if (!s->dry)
    zero_numbers(s, call, q, bytes_when(s, missing, false, n), dad_call_known_bytes(call));
}

/* The bytes of the block were asked for when its shadow was made. */
static void reverse_allocation(struct dad_sweep *s, LLVMValueRef call) {
  LLVMValueRef made = dad_shadow_of(s->u, call), shadow = dad_sweep_shadow(s, call), p = dad_sweep_primal(s, call);
  LLVMValueRef n = length(s, LLVMGetOperand(made, 0));
  if (!s->dry)
    dad_runtime_call(s->ctx, DAD_RT_reverse_alloc, p, shadow, n);
}

static void reverse_realloc(struct dad_sweep *s, LLVMValueRef call) {
  LLVMValueRef old = LLVMGetOperand(call, 0), n = length(s, LLVMGetOperand(call, 1));
  LLVMValueRef q = dad_sweep_shadow(s, call), p = dad_inert(s->req, old) ? NULL : dad_sweep_shadow(s, old);
  LLVMValueRef block = dad_sweep_primal(s, call);
  if (s->dry)
    return;
  if (p && dad_active_at(s->req, call, DAD_UNKNOWN_BYTES))
    dad_runtime_call(s->ctx, DAD_RT_realloc_accumulate, q, p, n, dad_layout(s->req, call, call, DAD_UNKNOWN_BYTES));
  dad_runtime_call(s->ctx, DAD_RT_reverse_alloc, block, q, n);
}

/* ---- operations with several results */

static bool host_active(void *data, LLVMValueRef v) {
  struct dad_sweep *s = data;
  return !LLVMIsConstant(v) && dad_active(s->req, v);
}
static LLVMValueRef host_primal(void *data, LLVMValueRef v) {
  return dad_sweep_primal(data, v);
}
static LLVMValueRef host_take(void *data, LLVMValueRef v) {
  return dad_adjoint_take(data, v);
}
static void host_give(void *data, LLVMValueRef v, LLVMValueRef g) {
  dad_adjoint_give(data, v, g);
}

static void reverse_special(struct dad_sweep *s, LLVMValueRef call) {
  struct dad_special_host host = {
      .req = s->req, .data = s, .active = host_active, .primal = host_primal, .take = host_take, .give = host_give};
  dad_special_reverse(&host, call);
}

void dad_reverse_call(struct dad_sweep *s, LLVMValueRef i) {
  const struct dad_call *c = dad_map_get(&s->u->call_of, i);
  if (c && c->custom) {
    reverse_custom(s, c);
    return;
  }
  if (c) {
    reverse_unit(s, c);
    return;
  }
  switch (dad_runtime_called(i)) {
  case DAD_RT_push_zeroed:
    if (!s->dry)
      dad_runtime_call(s->ctx, DAD_RT_pop_zeroed);
    return;
  case DAD_RT_realloc: reverse_realloc(s, i); return;
  case DAD_RT_COUNT: break;
  default: return;
  }
  switch (dad_call_kind(s->req, i)) {
  case DAD_CALL_RULE: dad_reverse_by_rule(s, i, dad_rule_of(i)); break;
  case DAD_CALL_SPECIAL: reverse_special(s, i); break;
  case DAD_CALL_COPY: reverse_copy(s, i); break;
  case DAD_CALL_SET: reverse_set(s, i); break;
  case DAD_CALL_ALLOC: reverse_allocation(s, i); break;
  default: break;
  }
}

bool dad_reverse_call_is_busy(struct dad_sweep *s, LLVMValueRef i) {
  if (dad_map_has(&s->u->call_of, i))
    return true;
  enum dad_runtime_function f = dad_runtime_called(i);
  if (f != DAD_RT_COUNT)
    return f == DAD_RT_push_zeroed || f == DAD_RT_realloc;
  LLVMValueRef to = LLVMGetNumArgOperands(i) ? LLVMGetOperand(i, 0) : NULL;
  switch (dad_call_kind(s->req, i)) {
  case DAD_CALL_COPY:
  case DAD_CALL_SET: return !dad_inert(s->req, to) && dad_active_at(s->req, to, dad_call_known_bytes(i));
  case DAD_CALL_ALLOC: return !dad_inert(s->req, i);
  default: return dad_active(s->req, i);
  }
}
