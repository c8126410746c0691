/* ir.c: small helpers over the LLVM-C API. */
#include "ir.h"

#include <llvm-c/Error.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <string.h>

const char *dad_name(LLVMValueRef v) {
  size_t length;
  const char *name = LLVMGetValueName2(v, &length);
  return name ? name : "";
}

/* Is the definition of "v" the one that the linker takes, or equivalent to it? */
static bool is_exact(LLVMValueRef v) {
  switch (LLVMGetLinkage(v)) {
  case LLVMExternalLinkage:
  case LLVMInternalLinkage:
  case LLVMPrivateLinkage:
  case LLVMLinkOnceODRLinkage:
  case LLVMWeakODRLinkage: return true;
  default: return false;
  }
}

/* What is called directly where the function has no body: whatever the types say, it is found by
   its name. A body is only the callee where it has the type of the call: declarations without
   prototypes may lie. */
LLVMValueRef dad_callee(LLVMValueRef call) {
  if (!dad_is_call(call))
    return NULL;
  LLVMValueRef f = LLVMGetCalledValue(call);
  while (LLVMIsAGlobalAlias(f) && is_exact(f))
    f = LLVMAliasGetAliasee(f);
  if (!LLVMIsAFunction(f))
    return NULL;
  bool as_declared = LLVMGlobalGetValueType(f) == LLVMGetCalledFunctionType(call);
  return as_declared || LLVMIsDeclaration(f) ? f : NULL;
}

const char *dad_callee_name(LLVMValueRef call) {
  LLVMValueRef f = dad_callee(call);
  return f ? dad_name(f) : "";
}

bool dad_is_call(LLVMValueRef i) {
  return LLVMIsACallInst(i) != NULL;
}

bool dad_is_constant_expr(LLVMValueRef v, LLVMOpcode op) {
  return LLVMIsAConstantExpr(v) && LLVMGetConstOpcode(v) == op;
}

/* Is "v" a constant whose elements may still be addresses? */
static bool is_aggregate(LLVMValueRef v) {
  return LLVMIsAConstantStruct(v) || LLVMIsAConstantArray(v) || LLVMIsAConstantVector(v);
}

bool dad_is_plain_constant(LLVMValueRef v) {
  if (is_aggregate(v)) {
    for (int k = 0; k < LLVMGetNumOperands(v); k++)
      if (!dad_is_plain_constant(LLVMGetOperand(v, (unsigned)k)))
        return false;
    return true;
  }
  return LLVMIsAConstantInt(v) || LLVMIsAConstantFP(v) || LLVMIsAConstantDataSequential(v) ||
         LLVMIsAConstantAggregateZero(v) || LLVMIsAConstantPointerNull(v) ||
         LLVMIsAConstantTokenNone(v) || LLVMIsAUndefValue(v) || LLVMIsAPoisonValue(v);
}

uint64_t dad_size_of(struct dad_context *ctx, LLVMTypeRef type) {
  return LLVMABISizeOfType(ctx->target, type);
}

uint64_t dad_store_size(struct dad_context *ctx, LLVMTypeRef type) {
  return LLVMStoreSizeOfType(ctx->target, type);
}

bool dad_is_scalable(LLVMTypeRef type) {
  switch (LLVMGetTypeKind(type)) {
  case LLVMScalableVectorTypeKind: return true;
  case LLVMArrayTypeKind: return dad_is_scalable(LLVMGetElementType(type));
  case LLVMStructTypeKind:
    for (unsigned k = 0; k < LLVMCountStructElementTypes(type); k++)
      if (dad_is_scalable(LLVMStructGetTypeAtIndex(type, k)))
        return true;
    return false;
  default: return false;
  }
}

bool dad_is_sized(LLVMTypeRef type) {
  return LLVMTypeIsSized(type) && !dad_is_scalable(type);
}

unsigned dad_kinds_of(LLVMTypeRef type) {
  unsigned kinds = 0;
  switch (LLVMGetTypeKind(type)) {
  case LLVMFloatTypeKind: return DAD_F32;
  case LLVMDoubleTypeKind: return DAD_F64;
  case LLVMX86_FP80TypeKind: return DAD_F80;
  case LLVMPointerTypeKind: return DAD_PTR;
  case LLVMArrayTypeKind:
  case LLVMVectorTypeKind:
  case LLVMScalableVectorTypeKind: return dad_kinds_of(LLVMGetElementType(type));
  case LLVMStructTypeKind:
    for (unsigned k = 0; k < LLVMCountStructElementTypes(type); k++)
      kinds |= dad_kinds_of(LLVMStructGetTypeAtIndex(type, k));
    return kinds;
  default: return 0;
  }
}

bool dad_has_pointer(LLVMTypeRef type) {
  return dad_kinds_of(type) & DAD_PTR;
}

/* Formats that have no kind (half, bfloat, fp128) count too: their numbers must not be overlooked.
 */
bool dad_has_float(LLVMTypeRef type) {
  switch (LLVMGetTypeKind(type)) {
  case LLVMHalfTypeKind:
  case LLVMBFloatTypeKind:
  case LLVMFloatTypeKind:
  case LLVMDoubleTypeKind:
  case LLVMX86_FP80TypeKind:
  case LLVMFP128TypeKind:
  case LLVMPPC_FP128TypeKind: return true;
  case LLVMArrayTypeKind:
  case LLVMVectorTypeKind:
  case LLVMScalableVectorTypeKind: return dad_has_float(LLVMGetElementType(type));
  case LLVMStructTypeKind:
    for (unsigned k = 0; k < LLVMCountStructElementTypes(type); k++)
      if (dad_has_float(LLVMStructGetTypeAtIndex(type, k)))
        return true;
    return false;
  default: return false;
  }
}

bool dad_is_integer(LLVMTypeRef type, unsigned bits) {
  return LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) == bits;
}

LLVMValueRef dad_i64(struct dad_context *ctx, uint64_t x) {
  return LLVMConstInt(ctx->i64, x, false);
}

LLVMValueRef dad_as_i64(struct dad_context *ctx, LLVMValueRef v) {
  LLVMTypeRef type = LLVMTypeOf(v);
  if (LLVMGetTypeKind(type) == LLVMPointerTypeKind)
    return LLVMBuildPtrToInt(ctx->builder, v, ctx->i64, "");
  return LLVMBuildIntCast2(ctx->builder, v, ctx->i64, false, "");
}

LLVMValueRef dad_as_bits(struct dad_context *ctx, LLVMValueRef v, LLVMTypeRef type) {
  return LLVMTypeOf(v) == type ? v : LLVMBuildBitCast(ctx->builder, v, type, "");
}

LLVMValueRef dad_free_rounding(LLVMValueRef v) {
  if (LLVMIsAInstruction(v) && LLVMCanValueUseFastMathFlags(v))
    LLVMSetFastMathFlags(v, LLVMGetFastMathFlags(v) | LLVMFastMathAllowContract |
                                LLVMFastMathNoSignedZeros);
  return v;
}

LLVMValueRef dad_free_order(LLVMValueRef v) {
  if (LLVMIsAInstruction(v) && LLVMCanValueUseFastMathFlags(v))
    LLVMSetFastMathFlags(v, LLVMGetFastMathFlags(v) | LLVMFastMathAllowReassoc);
  return v;
}

unsigned dad_attribute(const char *name) {
  return LLVMGetEnumAttributeKindForName(name, strlen(name));
}

/* Operands are dropped, blocks too: a detached branch would still count as a predecessor of its
 * targets. */
void dad_detach(struct dad_context *ctx, LLVMValueRef i) {
  for (int k = 0; k < LLVMGetNumOperands(i); k++) {
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(i, (unsigned)k));
    if (LLVMGetTypeKind(type) != LLVMMetadataTypeKind)
      LLVMSetOperand(i, (unsigned)k, LLVMGetUndef(type));
  }
  LLVMInstructionRemoveFromParent(i);
  dad_vec_push(&ctx->detached, i);
}

/* Positions the builder before "i", or at the end of "block" if that is NULL. */
static void build_before(struct dad_context *ctx, LLVMValueRef i, LLVMBasicBlockRef block) {
  if (i)
    LLVMPositionBuilderBefore(ctx->builder, i);
  else
    LLVMPositionBuilderAtEnd(ctx->builder, block);
}

void dad_build_after_phis(struct dad_context *ctx, LLVMBasicBlockRef block) {
  LLVMValueRef i = LLVMGetFirstInstruction(block);
  while (i && LLVMIsAPHINode(i))
    i = LLVMGetNextInstruction(i);
  build_before(ctx, i, block);
}

void dad_build_after(struct dad_context *ctx, LLVMValueRef i) {
  LLVMBasicBlockRef block = LLVMGetInstructionParent(i);
  if (LLVMIsAPHINode(i))
    dad_build_after_phis(ctx, block);
  else
    build_before(ctx, LLVMGetNextInstruction(i), block);
}

void dad_build_at_end(struct dad_context *ctx, LLVMBasicBlockRef block) {
  build_before(ctx, LLVMGetBasicBlockTerminator(block), block);
}

/* A builder of its own, so that the one in use need not move. */
LLVMValueRef dad_entry_alloca(struct dad_context *ctx, LLVMValueRef function, LLVMTypeRef type) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(ctx->llvm);
  LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(function);
  LLVMValueRef first = LLVMGetFirstInstruction(entry);
  if (first)
    LLVMPositionBuilderBefore(builder, first);
  else
    LLVMPositionBuilderAtEnd(builder, entry);
  LLVMSetCurrentDebugLocation2(builder, NULL);
  LLVMValueRef alloca = LLVMBuildAlloca(builder, type, "");
  LLVMDisposeBuilder(builder);
  return alloca;
}

LLVMValueRef dad_declare(struct dad_context *ctx, const char *name, LLVMTypeRef type) {
  LLVMValueRef f = LLVMGetNamedFunction(ctx->module, name);
  return f ? f : LLVMAddFunction(ctx->module, name, type);
}

LLVMValueRef dad_call_intrinsic(struct dad_context *ctx, const char *name, LLVMTypeRef *types,
                                unsigned n_types, LLVMValueRef *args, unsigned n_args) {
  unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
  LLVMValueRef f = LLVMGetIntrinsicDeclaration(ctx->module, id, types, n_types);
  return LLVMBuildCall2(ctx->builder, LLVMGlobalGetValueType(f), f, args, n_args, "");
}

/* Did passes run without "error"? If not, says what went wrong in "function" (NULL: the module). */
static bool passes_ran(struct dad_context *ctx, LLVMErrorRef error, LLVMValueRef function) {
  if (!error)
    return true;
  char *message = LLVMGetErrorMessage(error);
  dad_diag(ctx, DAD_INTERNAL, function, message);
  LLVMDisposeErrorMessage(message);
  return false;
}

bool dad_run_passes(struct dad_context *ctx, LLVMValueRef function, const char *pipeline) {
  LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
  LLVMErrorRef error = LLVMRunPassesOnFunction(function, pipeline, NULL, options);
  LLVMDisposePassBuilderOptions(options);
  return passes_ran(ctx, error, function);
}

bool dad_run_module_passes(struct dad_context *ctx, const char *pipeline) {
  LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
  LLVMErrorRef error = LLVMRunPasses(ctx->module, pipeline, NULL, options);
  LLVMDisposePassBuilderOptions(options);
  return passes_ran(ctx, error, NULL);
}
