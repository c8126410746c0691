/* shadow.c: one function per way in which a pointer is made. */
#include "shadow.h"

#include "../analysis/address_bits.h"
#include "../base/abi_call.h"
#include "../bridge_llvm.h"
#include "../driver/registry.h"
#include "globals.h"
#include "scope.h"

#include <string.h>

void dad_shadow_drop_facts(struct dad_context *ctx, LLVMValueRef copy) {
  static const char *const facts[] = {"tbaa", "tbaa.struct", "noalias", "alias.scope", "invariant.load",
                                      "nonnull", "dereferenceable", "dereferenceable_or_null",
                                      "invariant.group", "noundef", "align", "range", "llvm.access.group"};
  for (unsigned k = 0; k < sizeof facts / sizeof *facts; k++) {
    unsigned kind = LLVMGetMDKindIDInContext(ctx->llvm, facts[k], (unsigned)strlen(facts[k]));
    LLVMSetMetadata(copy, kind, NULL);
  }
}

/* ---- constants */

static LLVMValueRef shadow_aggregate(struct dad_request *req, LLVMValueRef c) {
  struct dad_context *ctx = req->ctx;
  LLVMTypeRef type = LLVMTypeOf(c);
  unsigned n = (unsigned)LLVMGetNumOperands(c);
  LLVMValueRef *e = DAD_ARRAY(req->arena, LLVMValueRef, n + 1);
  for (unsigned k = 0; k < n; k++)
    e[k] = dad_shadow_constant(req, LLVMGetOperand(c, k));
  if (LLVMGetTypeKind(type) == LLVMArrayTypeKind)
    return LLVMConstArray2(LLVMGetElementType(type), e, n);
  if (LLVMGetTypeKind(type) == LLVMVectorTypeKind)
    return LLVMConstVector(e, n);
  return LLVMGetStructName(type) ? LLVMConstNamedStruct(type, e, n)
                                 : LLVMConstStructInContext(ctx->llvm, e, n, LLVMIsPackedStruct(type));
}

static LLVMValueRef shadow_function(struct dad_request *req, LLVMValueRef f) {
  struct dad_unit *u = dad_unit_of(req, f);
  return u && u->forward && !u->inert ? dad_unit_descriptor(u) : dad_unit_no_descriptor(req);
}

static LLVMValueRef shadow_gep_constant(struct dad_request *req, LLVMValueRef c) {
  LLVMValueRef base = dad_shadow_constant(req, LLVMGetOperand(c, 0));
  unsigned n = (unsigned)LLVMGetNumOperands(c) - 1;
  LLVMValueRef *index = DAD_ARRAY(req->arena, LLVMValueRef, n + 1);
  for (unsigned k = 0; k < n; k++)
    index[k] = LLVMGetOperand(c, k + 1);
  return LLVMConstGEP2(LLVMGetGEPSourceElementType(c), base, index, n);
}

/* Type information of C++ and the tables of its library classes: read by nothing but the language's runtime. */
static bool is_type_information(LLVMValueRef c) {
  return LLVMIsAGlobalVariable(c) && !LLVMGetInitializer(c) && !strncmp(dad_name(c), "_ZT", 3);
}

LLVMValueRef dad_shadow_constant(struct dad_request *req, LLVMValueRef c) {
  if (LLVMIsAFunction(c))
    return shadow_function(req, c);
  if (LLVMIsAGlobalAlias(c))
    return dad_shadow_constant(req, LLVMAliasGetAliasee(c));
  if (LLVMIsAConstantStruct(c) || LLVMIsAConstantArray(c) || LLVMIsAConstantVector(c))
    return shadow_aggregate(req, c);
  if (is_type_information(c))
    return c;
  if (LLVMIsAGlobalVariable(c))
    return dad_inert(req, c) || dad_is_inactive_global(req->ctx, c) ? c : dad_global_shadow(req, c);
  if (!LLVMIsAConstantExpr(c))
    return dad_has_pointer(LLVMTypeOf(c)) ? c : LLVMConstNull(LLVMTypeOf(c));
  if (LLVMGetTypeKind(LLVMTypeOf(c)) == LLVMPointerTypeKind && dad_inert(req, c))
    return c;
  switch (LLVMGetConstOpcode(c)) {
  case LLVMGetElementPtr: return shadow_gep_constant(req, c);
  case LLVMAddrSpaceCast:
  case LLVMBitCast: return dad_shadow_constant(req, LLVMGetOperand(c, 0));
  case LLVMPtrToInt:
    if (dad_inert(req, LLVMGetOperand(c, 0)))
      return c;
    return LLVMConstPtrToInt(dad_shadow_constant(req, LLVMGetOperand(c, 0)), LLVMTypeOf(c));
  case LLVMIntToPtr: return c;
  default: return dad_has_pointer(LLVMTypeOf(c)) ? c : LLVMConstNull(LLVMTypeOf(c));
  }
}

/* ---- memory that the program allocates */

LLVMValueRef dad_shadow_stack(struct dad_unit *u, LLVMValueRef alloca) {
  struct dad_context *ctx = u->req->ctx;
  LLVMTypeRef type = LLVMGetAllocatedType(alloca);
  LLVMValueRef count = LLVMGetOperand(alloca, 0), size = dad_i64(ctx, dad_size_of(ctx, type)), bytes;
  bool at_entry = LLVMGetInstructionParent(alloca) == LLVMGetEntryBasicBlock(u->forward);
  bytes = LLVMBuildMul(ctx->builder, size, dad_as_i64(ctx, count), "");
  /* In a combined function it lives as long as both sweeps, in a tangent function as long as the array itself: the stack will
     do, and scalar replacement can remove it. */
  if ((u->combined && at_entry && LLVMIsConstant(count)) || u->req->mode == DAD_FORWARD) {
    LLVMValueRef s = LLVMBuildArrayAlloca(ctx->builder, type, count, "shadow");
    LLVMSetAlignment(s, LLVMGetAlignment(alloca));
    LLVMBuildMemSet(ctx->builder, s, LLVMConstInt(ctx->i8, 0, 0), bytes, LLVMGetAlignment(alloca));
    return s;
  }
  /* Otherwise on the tape: its address must survive this activation. It is popped where the reverse sweep passes the alloca. */
  return dad_runtime_call(ctx, DAD_RT_push_zeroed, bytes);
}

/* Forward mode: the shadow is reallocated as its block is. The map knows it before the old block's shadow is asked for: in a loop that
   may be itself. */
static LLVMValueRef shadow_reallocation(struct dad_unit *u, LLVMValueRef call) {
  enum { OLD_SHADOW = 2 };
  struct dad_request *req = u->req;
  LLVMValueRef p = LLVMGetOperand(call, 0), none = LLVMGetPoison(req->ctx->ptr);
  dad_build_after(req->ctx, call);
  LLVMValueRef s = dad_runtime_call(req->ctx, DAD_RT_tangent_realloc, p, call, none, dad_call_bytes(req, call));
  dad_map_set(&u->shadow, call, s);
  LLVMSetOperand(s, OLD_SHADOW, dad_shadow_of(u, p));
  return s;
}

static LLVMValueRef shadow_allocation(struct dad_unit *u, LLVMValueRef call) {
  struct dad_request *req = u->req;
  const char *name = dad_callee_name(call);
  enum dad_call_kind kind = dad_call_kind(req, call);
  if (kind == DAD_CALL_REALLOC && req->mode == DAD_FORWARD)
    return shadow_reallocation(u, call);
  if (kind != DAD_CALL_ALLOC && dad_runtime_called(call) != DAD_RT_realloc) {
    dad_diag(req->ctx, DAD_ALLOCATOR, call, *name ? name : "a function pointer");
    return LLVMGetPoison(LLVMTypeOf(call));
  }
  LLVMValueRef bytes, align = dad_i64(req->ctx, 0);
  LLVMValueRef callee = dad_callee(call);
  const struct dad_registration *custom = callee ? dad_registered(req->ctx, callee) : NULL;
  if (kind != DAD_CALL_ALLOC) {
    bytes = LLVMGetOperand(call, 1);
  } else if (custom) {
    bytes = LLVMGetOperand(call, (unsigned)custom->size_operand);
  } else {
    const struct dad_libcall *row = dad_libcall_find(dad_known_name(call));
    bytes = dad_call_bytes(req, call);
    if (row && row->align >= 0)
      align = LLVMGetOperand(call, (unsigned)row->align);
  }
  return dad_runtime_call(req->ctx, DAD_RT_shadow_alloc, bytes, align);
}

/* ---- instructions */

/* Does the integer "v" come from the address bits of a pointer by arithmetic? */
static bool has_address_bits(LLVMValueRef v, int depth) {
  if (!LLVMIsAInstruction(v) || depth > 8 || LLVMIsAPHINode(v) || LLVMIsALoadInst(v))
    return false;
  if (LLVMIsAPtrToIntInst(v))
    return true;
  for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(v); k++)
    if (has_address_bits(LLVMGetOperand(v, k), depth + 1))
      return true;
  return false;
}

/* A copy of "v" right behind it, with "shadow" in place of its first operand. */
static LLVMValueRef copy_with(struct dad_unit *u, LLVMValueRef v, LLVMValueRef shadow) {
  LLVMValueRef s = LLVMInstructionClone(v);
  dad_build_after(u->req->ctx, v);
  LLVMInsertIntoBuilder(u->req->ctx->builder, s);
  LLVMSetOperand(s, 0, shadow);
  return s;
}

/* The map knows the shadow before the operands are visited: phis may be cyclic. */
static LLVMValueRef shadow_phi(struct dad_unit *u, LLVMValueRef v) {
  LLVMBuilderRef b = u->req->ctx->builder;
  LLVMPositionBuilderBefore(b, v);
  LLVMValueRef s = LLVMBuildPhi(b, LLVMTypeOf(v), "shadow");
  dad_map_set(&u->shadow, v, s);
  dad_map_set(&u->shadowed, s, v);
  for (unsigned k = 0; k < LLVMCountIncoming(v); k++) {
    LLVMValueRef in = dad_shadow_of(u, LLVMGetIncomingValue(v, k));
    LLVMBasicBlockRef from = LLVMGetIncomingBlock(v, k);
    LLVMAddIncoming(s, &in, &from, 1);
  }
  return s;
}

static LLVMValueRef shadow_select(struct dad_unit *u, LLVMValueRef v) {
  LLVMValueRef yes = dad_shadow_of(u, LLVMGetOperand(v, 1)), no = dad_shadow_of(u, LLVMGetOperand(v, 2));
  dad_build_after(u->req->ctx, v);
  return LLVMBuildSelect(u->req->ctx->builder, LLVMGetOperand(v, 0), yes, no, "shadow");
}

/* The shadow of the part "e" of an aggregate: numbers have none, but in forward mode a tangent, which is known by now. */
static LLVMValueRef shadow_part(struct dad_unit *u, LLVMValueRef e) {
  if (dad_has_pointer(LLVMTypeOf(e)) || dad_has_shadow(u->req, e))
    return dad_shadow_of(u, e);
  LLVMValueRef tangent = LLVMIsConstant(e) ? NULL : dad_map_get(&u->shadow, e);
  if (!tangent && u->req->mode == DAD_FORWARD && dad_active(u->req, e))
    dad_diag(u->req->ctx, DAD_INTERNAL, e, "the tangent of a part of an aggregate is asked for too early");
  if (!tangent)
    return LLVMConstNull(LLVMTypeOf(e));
  if (LLVMTypeOf(tangent) != LLVMTypeOf(e))
    dad_build_after(u->req->ctx, tangent);
  return dad_as_bits(u->req->ctx, tangent, LLVMTypeOf(e));
}

static LLVMValueRef shadow_insert(struct dad_unit *u, LLVMValueRef v) {
  LLVMValueRef aggregate = dad_shadow_of(u, LLVMGetOperand(v, 0)), e = LLVMGetOperand(v, 1);
  LLVMValueRef element = shadow_part(u, e);
  LLVMValueRef s = copy_with(u, v, aggregate);
  LLVMSetOperand(s, 1, element);
  return s;
}

/* Memory that was aligned by arithmetic on its address is more aligned than its shadow, which only has the alignment of allocators. */
unsigned dad_shadow_alignment(LLVMValueRef access) {
  enum { MOST = 16 };
  unsigned align = LLVMGetAlignment(access);
  return align < MOST ? align : MOST;
}

void dad_shadow_scope(struct dad_unit *u, LLVMValueRef p, LLVMValueRef access) {
  if (dad_mixed(u->req, p))
    dad_scope_either(u->req->ctx, access);
  else
    dad_scope_shadow(u->req->ctx, access);
}

/* Shadow pointers that other code may have failed to set are checked where they are loaded. */
static LLVMValueRef shadow_load(struct dad_unit *u, LLVMValueRef v) {
  LLVMValueRef from = LLVMGetOperand(v, 0), s = copy_with(u, v, dad_shadow_of(u, from));
  dad_shadow_drop_facts(u->req->ctx, s);
  LLVMSetAlignment(s, dad_shadow_alignment(v));
  dad_shadow_scope(u, from, s);
  if (dad_external(u->req, from) && LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMPointerTypeKind)
    dad_global_check_loaded(u, v, s);
  return s;
}

static LLVMValueRef no_shadow(struct dad_unit *u, LLVMValueRef v) {
  char *text = LLVMPrintValueToString(v);
  dad_diag(u->req->ctx, DAD_FOREIGN_SHADOW, v, text);
  LLVMDisposeMessage(text);
  return LLVMGetPoison(LLVMTypeOf(v));
}

/* An integer beside pointers: a computed one (a length) goes into shadow memory as it is; arithmetic on an address does not. */
static LLVMValueRef shadow_integer(struct dad_unit *u, LLVMValueRef v) {
  if (has_address_bits(v, 0)) {
    dad_diag(u->req->ctx, DAD_POINTER_BITS, v);
    return LLVMGetPoison(LLVMTypeOf(v));
  }
  return v;
}

/* The shadow of the pointer "v", computed from the address of "p" by arithmetic: it lies as far behind "v" as that of "p" behind "p". */
static LLVMValueRef shadow_moved_address(struct dad_unit *u, LLVMValueRef v, LLVMValueRef p) {
  struct dad_context *ctx = u->req->ctx;
  LLVMValueRef shadow = dad_shadow_of(u, p);
  dad_build_after(ctx, v);
  LLVMValueRef from = LLVMBuildPtrToInt(ctx->builder, p, ctx->i64, ""),
               to = LLVMBuildPtrToInt(ctx->builder, shadow, ctx->i64, ""),
               distance = LLVMBuildSub(ctx->builder, to, from, "");
  return LLVMBuildGEP2(ctx->builder, ctx->i8, v, &distance, 1, "shadow");
}

static LLVMValueRef shadow_int_to_ptr(struct dad_unit *u, LLVMValueRef v) {
  LLVMValueRef o = LLVMGetOperand(v, 0);
  bool moved = LLVMIsALoadInst(o) || LLVMIsAPHINode(o) || LLVMIsAPtrToIntInst(o) || LLVMIsASelectInst(o) ||
               LLVMIsAExtractValueInst(o) || LLVMIsACallInst(o) || LLVMIsAArgument(o);
  struct dad_address_bits bits;
  if (moved)
    return copy_with(u, v, dad_shadow_of(u, o));
  if (dad_address_bits(u->req, o, &bits))
    return shadow_moved_address(u, v, LLVMGetOperand(bits.address, 0));
  dad_diag(u->req->ctx, DAD_POINTER_BITS, v);
  return LLVMGetPoison(LLVMTypeOf(v));
}

static LLVMValueRef make_shadow(struct dad_unit *u, LLVMValueRef v) {
  struct dad_context *ctx = u->req->ctx;
  if (!LLVMIsAInstruction(v))
    return no_shadow(u, v);
  switch (LLVMGetInstructionOpcode(v)) {
  case LLVMPHI: return shadow_phi(u, v);
  case LLVMSelect: return shadow_select(u, v);
  case LLVMGetElementPtr:
  case LLVMBitCast:
  case LLVMAddrSpaceCast:
  case LLVMFreeze:
  case LLVMPtrToInt:
  case LLVMExtractValue:
  case LLVMExtractElement: return copy_with(u, v, dad_shadow_of(u, LLVMGetOperand(v, 0)));
  case LLVMIntToPtr: return shadow_int_to_ptr(u, v);
  case LLVMInsertValue:
  case LLVMInsertElement: return shadow_insert(u, v);
  case LLVMLoad: return shadow_load(u, v);
  case LLVMAlloca: dad_build_after(ctx, v); return dad_shadow_stack(u, v);
  case LLVMCall: dad_build_after(ctx, v); return shadow_allocation(u, v);
  default: return dad_has_pointer(LLVMTypeOf(v)) ? no_shadow(u, v) : shadow_integer(u, v);
  }
}

LLVMValueRef dad_shadow_of(struct dad_unit *u, LLVMValueRef v) {
  if (LLVMIsConstant(v))
    return dad_shadow_constant(u->req, v);
  LLVMValueRef s = dad_map_get(&u->shadow, v);
  if (s)
    return s;
  LLVMTypeRef type = LLVMTypeOf(v);
  bool tangents = u->req->mode == DAD_FORWARD && dad_has_pointer(type) && dad_has_float(type);
  if (!tangents && dad_inert(u->req, v)) /* an aggregate also carries the tangents of its numbers */
    return v;
  s = make_shadow(u, v);
  LLVMValueRef made = dad_map_get(&u->shadow, v); /* on the way, through a phi that leads back here */
  if (made)
    return made;
  dad_map_set(&u->shadow, v, s);
  dad_map_set(&u->shadowed, s, v);
  return s;
}

LLVMValueRef dad_shadow_base(LLVMValueRef p) {
  while (LLVMIsAGetElementPtrInst(p) || dad_is_constant_expr(p, LLVMGetElementPtr) || LLVMIsABitCastInst(p))
    p = LLVMGetOperand(p, 0);
  return p;
}

/* Is the shadow of "base" that of an argument given with a shadow, or of a block allocated here? */
static bool has_own_shadow(struct dad_unit *u, LLVMValueRef base) {
  if (LLVMIsAArgument(base))
    return u == u->req->root;
  return dad_is_call(base) && (dad_call_kind(u->req, base) == DAD_CALL_ALLOC || dad_runtime_called(base) == DAD_RT_realloc);
}

enum dad_shadow_case dad_shadow_case(struct dad_unit *u, LLVMValueRef p) {
  if (dad_inert(u->req, p))
    return DAD_SHADOW_SAME;
  if (!dad_mixed(u->req, p))
    return DAD_SHADOW_SEPARATE;
  LLVMValueRef base = dad_shadow_base(p);
  if (LLVMIsAAllocaInst(base))
    return DAD_SHADOW_SEPARATE;
  if (LLVMIsAGlobalVariable(base))
    return dad_shadow_of(u, base) == base ? DAD_SHADOW_SAME : DAD_SHADOW_SEPARATE;
  if (dad_shadow_of(u, base) == base)
    return DAD_SHADOW_SAME;
  return has_own_shadow(u, base) ? DAD_SHADOW_SEPARATE : DAD_SHADOW_COMPARE;
}
