/* lower.c: small local rewrites, each a function. */
#include "lower.h"

#include "../base/ir.h"
#include "../rules/libcall.h"
#include "registry.h"

#include <errno.h>

/* ---- byval: the copy becomes visible, and so differentiable */

static void lower_byval_call(struct dad_context *ctx, LLVMValueRef function, LLVMValueRef call) {
  for (unsigned k = 0; k < LLVMGetNumArgOperands(call); k++) {
    LLVMAttributeRef a = LLVMGetCallSiteEnumAttribute(call, k + 1, dad_attribute("byval"));
    if (!a)
      continue;
    LLVMTypeRef type = LLVMGetTypeAttributeValue(a);
    LLVMPositionBuilderBefore(ctx->builder, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function)));
    LLVMValueRef copy = LLVMBuildAlloca(ctx->builder, type, "byval");
    LLVMSetAlignment(copy, 16);
    LLVMPositionBuilderBefore(ctx->builder, call);
    LLVMBuildMemCpy(ctx->builder, copy, 1, LLVMGetOperand(call, k), 1, dad_i64(ctx, dad_size_of(ctx, type)));
    LLVMSetOperand(call, k, copy);
    LLVMRemoveCallSiteEnumAttribute(call, k + 1, dad_attribute("byval"));
  }
}

/* The copies of the byval parameters of "function" itself. */
static void copy_parameters(struct dad_context *ctx, LLVMValueRef function) {
  for (unsigned k = 0; k < LLVMCountParams(function); k++) {
    LLVMAttributeRef a = LLVMGetEnumAttributeAtIndex(function, k + 1, dad_attribute("byval"));
    LLVMValueRef p = LLVMGetParam(function, k);
    if (!a)
      continue;
    LLVMTypeRef type = LLVMGetTypeAttributeValue(a);
    LLVMPositionBuilderBefore(ctx->builder, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function)));
    LLVMValueRef copy = LLVMBuildAlloca(ctx->builder, type, "byval");
    LLVMSetAlignment(copy, 16);
    LLVMReplaceAllUsesWith(p, copy);
    LLVMBuildMemCpy(ctx->builder, copy, 1, p, 1, dad_i64(ctx, dad_size_of(ctx, type)));
  }
}

/* ---- memory that the user said is inactive: what is stored there must not be seen through */

static void lower_inactive_access(struct dad_context *ctx, LLVMValueRef i) {
  bool load = LLVMIsALoadInst(i), store = LLVMIsAStoreInst(i);
  LLVMValueRef p = load ? LLVMGetOperand(i, 0) : store ? LLVMGetOperand(i, 1) : NULL;
  while (p && (LLVMIsAGetElementPtrInst(p) || dad_is_constant_expr(p, LLVMGetElementPtr)))
    p = LLVMGetOperand(p, 0);
  if (p && LLVMIsAGlobalVariable(p) && dad_is_inactive_global(ctx, p))
    LLVMSetVolatile(i, 1);
}

/* ---- whole structs and arrays in one access */

static bool is_aggregate(LLVMTypeRef type) {
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  return kind == LLVMStructTypeKind || kind == LLVMArrayTypeKind;
}

static unsigned members(LLVMTypeRef type) {
  return LLVMGetTypeKind(type) == LLVMStructTypeKind ? LLVMCountStructElementTypes(type)
                                                     : (unsigned)LLVMGetArrayLength2(type);
}

static LLVMTypeRef member_type(LLVMTypeRef type, unsigned k) {
  return LLVMGetTypeKind(type) == LLVMStructTypeKind ? LLVMStructGetTypeAtIndex(type, k) : LLVMGetElementType(type);
}

static LLVMValueRef member_address(struct dad_context *ctx, LLVMTypeRef type, LLVMValueRef p, unsigned k) {
  LLVMValueRef index[2] = {LLVMConstInt(ctx->i32, 0, 0), LLVMConstInt(ctx->i32, k, 0)};
  return LLVMBuildInBoundsGEP2(ctx->builder, type, p, index, 2, "");
}

/* The largest power of two that divides both. */
static unsigned common_alignment(unsigned align, uint64_t offset) {
  uint64_t both = align | offset;
  return (unsigned)(both & -both);
}

static uint64_t member_offset(struct dad_context *ctx, LLVMTypeRef type, unsigned k) {
  return LLVMGetTypeKind(type) == LLVMStructTypeKind ? LLVMOffsetOfElement(ctx->target, type, k)
                                                     : k * dad_size_of(ctx, LLVMGetElementType(type));
}

static LLVMValueRef load_split(struct dad_context *ctx, LLVMTypeRef type, LLVMValueRef p, unsigned align) {
  if (!is_aggregate(type)) {
    LLVMValueRef v = LLVMBuildLoad2(ctx->builder, type, p, "");
    LLVMSetAlignment(v, align);
    return v;
  }
  LLVMValueRef r = LLVMGetPoison(type);
  for (unsigned k = 0; k < members(type); k++) {
    LLVMValueRef v = load_split(ctx, member_type(type, k), member_address(ctx, type, p, k),
                                common_alignment(align, member_offset(ctx, type, k)));
    r = LLVMBuildInsertValue(ctx->builder, r, v, k, "");
  }
  return r;
}

static void store_split(struct dad_context *ctx, LLVMValueRef v, LLVMValueRef p, unsigned align) {
  LLVMTypeRef type = LLVMTypeOf(v);
  if (!is_aggregate(type)) {
    LLVMSetAlignment(LLVMBuildStore(ctx->builder, v, p), align);
    return;
  }
  for (unsigned k = 0; k < members(type); k++)
    store_split(ctx, LLVMBuildExtractValue(ctx->builder, v, k, ""), member_address(ctx, type, p, k),
                common_alignment(align, member_offset(ctx, type, k)));
}

static void split_access(struct dad_context *ctx, LLVMValueRef i) {
  bool load = LLVMIsALoadInst(i), store = LLVMIsAStoreInst(i);
  if ((!load && !store) || LLVMGetVolatile(i) || LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic)
    return;
  LLVMTypeRef type = load ? LLVMTypeOf(i) : LLVMTypeOf(LLVMGetOperand(i, 0));
  if (!is_aggregate(type))
    return;
  LLVMPositionBuilderBefore(ctx->builder, i);
  if (load)
    LLVMReplaceAllUsesWith(i, load_split(ctx, type, LLVMGetOperand(i, 0), LLVMGetAlignment(i)));
  else
    store_split(ctx, LLVMGetOperand(i, 0), LLVMGetOperand(i, 1), LLVMGetAlignment(i));
  LLVMInstructionEraseFromParent(i);
}

/* ---- allocation through a pointer to the pointer */

/* posix_memalign(where, alignment, size) becomes a call that returns its block, a store, and the error code. */
static void lower_posix_memalign(struct dad_context *ctx, LLVMValueRef call) {
  LLVMBuilderRef b = ctx->builder;
  LLVMTypeRef params[2] = {ctx->i64, ctx->i64}, type = LLVMFunctionType(ctx->ptr, params, 2, 0);
  LLVMValueRef where = LLVMGetOperand(call, 0), args[2] = {LLVMGetOperand(call, 1), LLVMGetOperand(call, 2)};
  LLVMPositionBuilderBefore(b, call);
  LLVMValueRef block = LLVMBuildCall2(b, type, dad_declare(ctx, "memalign", type), args, 2, "");
  LLVMValueRef failed = LLVMBuildIsNull(b, block, ""), old = LLVMBuildLoad2(b, ctx->ptr, where, "");
  LLVMBuildStore(b, LLVMBuildSelect(b, failed, old, block, ""), where);
  LLVMTypeRef result = LLVMTypeOf(call);
  LLVMReplaceAllUsesWith(call, LLVMBuildSelect(b, failed, LLVMConstInt(result, ENOMEM, 0), LLVMConstInt(result, 0, 0), ""));
  LLVMInstructionEraseFromParent(call);
}

void dad_lower(struct dad_request *req, LLVMValueRef function, bool entered) {
  struct dad_context *ctx = req->ctx;
  dad_libcall_lower(ctx, function);
  if (entered)
    copy_parameters(ctx, function);
  DAD_FOR_BLOCKS(block, function)
    for (LLVMValueRef i = LLVMGetFirstInstruction(block), next; i; i = next) {
      next = LLVMGetNextInstruction(i);
      if (dad_is_call(i)) {
        lower_byval_call(ctx, function, i);
        LLVMSetTailCallKind(i, LLVMTailCallKindNone); /* musttail is wrong as soon as anything follows the call */
        if (dad_call_kind(req, i) == DAD_CALL_ALLOC_AT)
          lower_posix_memalign(ctx, i);
      } else {
        lower_inactive_access(ctx, i);
        split_access(ctx, i);
      }
    }
  for (unsigned k = 0; k < LLVMCountParams(function); k++)
    LLVMRemoveEnumAttributeAtIndex(function, k + 1, dad_attribute("byval"));
}

/* ---- markers of the optimiser */

void dad_lower_drop_markers(struct dad_request *req, LLVMValueRef function) {
  DAD_FOR_BLOCKS(block, function)
    for (LLVMValueRef i = LLVMGetFirstInstruction(block), next; i; i = next) {
      next = LLVMGetNextInstruction(i);
      if (!dad_is_call(i) || dad_call_kind(req, i) != DAD_CALL_DROP)
        continue;
      if (LLVMGetFirstUse(i)) /* launder.invariant.group and the like return their operand */
        LLVMReplaceAllUsesWith(i, LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMPointerTypeKind
                                      ? LLVMGetOperand(i, 0)
                                      : LLVMGetUndef(LLVMTypeOf(i)));
      LLVMInstructionEraseFromParent(i);
    }
}
