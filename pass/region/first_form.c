/* first_form.c: canonical loops, and nothing that hides affine structure: instcombine turns i*n+i
   into i*(n+1) and mixes widths, licm and value numbering make numbers of memory. */
#include "first_form.h"

#include "../base/ir.h"
#include "../bridge_llvm.h"
#include "../rules/rule.h"
#include "demote.h"

/* A call of a function of numbers alone, which the rule table knows: it reads no memory but errno,
 * which no derivative does. */
static bool is_mathematics(LLVMValueRef i) {
  if (!dad_is_call(i) || !dad_callee(i) || !LLVMIsDeclaration(dad_callee(i)) || !dad_rule_of(i))
    return false;
  for (unsigned k = 0; k < LLVMGetNumArgOperands(i); k++)
    if (LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(i, k))) == LLVMPointerTypeKind)
      return false;
  return true;
}

static void mark_mathematics(struct dad_context *ctx, LLVMValueRef function) {
  static const char *const facts[] = {"memory", "nounwind", "willreturn"}; /* memory: 0 is none */
  DAD_FOR_BLOCKS(block, function)
  DAD_FOR_INSTRUCTIONS(i, block)
  for (unsigned k = 0; k < sizeof facts / sizeof *facts && is_mathematics(i); k++)
    LLVMAddCallSiteAttribute(i, LLVMAttributeFunctionIndex,
                             LLVMCreateEnumAttribute(ctx->llvm, dad_attribute(facts[k]), 0));
}

/* Gives "function" an entry block of its own with the allocas: a region has a block before it. */
static void split_entry(struct dad_context *ctx, LLVMValueRef function) {
  LLVMBasicBlockRef old = LLVMGetEntryBasicBlock(function);
  LLVMBasicBlockRef entry = LLVMInsertBasicBlockInContext(ctx->llvm, old, "");
  LLVMPositionBuilderAtEnd(ctx->builder, entry);
  for (LLVMValueRef i = LLVMGetFirstInstruction(old), next; i; i = next) {
    next = LLVMGetNextInstruction(i);
    if (!LLVMIsAAllocaInst(i) || !LLVMIsConstant(LLVMGetOperand(i, 0)))
      continue;
    LLVMInstructionRemoveFromParent(i);
    LLVMInsertIntoBuilder(ctx->builder, i);
  }
  LLVMBuildBr(ctx->builder, old);
}

LLVMValueRef dad_first_form(struct dad_request *req, LLVMValueRef function, bool widen) {
  struct dad_context *ctx = req->ctx;
  LLVMValueRef copy = dad_bridge_clone(function, "dad.regions");
  mark_mathematics(ctx, copy);
  dad_run_passes(ctx, copy, "lower-invoke,sroa,early-cse,simplifycfg,loop-rotate,instsimplify");
  dad_run_passes(ctx, copy, widen ? "loop(indvars),simplifycfg" : "simplifycfg");
  split_entry(ctx, copy);
  dad_demote_phis(ctx, req->arena, copy);
  dad_run_passes(ctx, copy, "early-cse");
  return copy;
}
