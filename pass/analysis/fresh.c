/* fresh.c: functions that only hand out memory that they have allocated: malloc with a check, and
   the like. Each of their calls is an allocation of its own; otherwise all memory of a program that
   has one would be one object. Decided on the body alone, also where it keeps the pointer in a
   variable on the stack (-O0). */
#include "constraint.h"

enum { DEPTH = 8, NO = 1, YES = 2 };

static bool only_passed_on(struct dad_memory *m, LLVMValueRef v, unsigned depth);
static bool is_fresh(struct dad_memory *m, LLVMValueRef v, unsigned depth);

static bool is_marker_of_optimiser(struct dad_memory *m, LLVMValueRef i) {
  return dad_is_any_call(i) && dad_any_call_kind(m, i) == DAD_CALL_DROP;
}

/* Is the stack variable "slot" only loaded and stored, and what is loaded only passed on? */
static bool slot_passes_on(struct dad_memory *m, LLVMValueRef slot, unsigned depth) {
  DAD_FOR_USERS(user, slot) {
    if (LLVMIsALoadInst(user) ? !only_passed_on(m, user, depth + 1)
                              : !(LLVMIsAStoreInst(user) && LLVMGetOperand(user, 1) == slot) &&
                                    !is_marker_of_optimiser(m, user))
      return false;
  }
  return true;
}

/* Zeroing fresh memory leaves no pointer and no number in it. */
static bool is_zeroing(struct dad_memory *m, LLVMValueRef i) {
  return dad_is_any_call(i) && dad_any_call_kind(m, i) == DAD_CALL_SET &&
         LLVMIsAConstantInt(LLVMGetOperand(i, 1)) &&
         LLVMConstIntGetZExtValue(LLVMGetOperand(i, 1)) == 0 && !LLVMGetFirstUse(i);
}

/* Is nothing done to the pointer "v" but tests, zeroing and returning it? */
static bool only_passed_on(struct dad_memory *m, LLVMValueRef v, unsigned depth) {
  if (depth > DEPTH)
    return false;
  DAD_FOR_USERS(user, v) {
    if (LLVMIsAICmpInst(user) || LLVMIsAReturnInst(user) || is_marker_of_optimiser(m, user) ||
        is_zeroing(m, user))
      continue;
    if (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) == v &&
        LLVMIsAAllocaInst(LLVMGetOperand(user, 1)) &&
        slot_passes_on(m, LLVMGetOperand(user, 1), depth))
      continue;
    if ((LLVMIsAPHINode(user) || LLVMIsASelectInst(user)) && only_passed_on(m, user, depth + 1))
      continue;
    return false;
  }
  return true;
}

/* Does the stack variable "slot" hold fresh pointers only? */
static bool slot_is_fresh(struct dad_memory *m, LLVMValueRef slot, unsigned depth) {
  DAD_FOR_USERS(user, slot) {
    if (LLVMIsALoadInst(user) || is_marker_of_optimiser(m, user))
      continue;
    if (!LLVMIsAStoreInst(user) || LLVMGetOperand(user, 1) != slot ||
        !is_fresh(m, LLVMGetOperand(user, 0), depth + 2))
      return false;
  }
  return true;
}

static bool call_is_fresh(struct dad_memory *m, LLVMValueRef call) {
  LLVMValueRef f = dad_any_callee(call);
  struct dad_unit *u = f && !m->outside ? dad_unit_of(m->req, f) : NULL;
  if (dad_any_call_kind(m, call) != DAD_CALL_ALLOC &&
      !(f && !LLVMIsDeclaration(f) && dad_hands_out(m, u ? u->primal : f)))
    return false;
  return only_passed_on(m, call, 0);
}

/* Does "v" come from an allocation, or is it null? */
static bool is_fresh(struct dad_memory *m, LLVMValueRef v, unsigned depth) {
  if (depth > DEPTH)
    return false;
  if (LLVMIsAConstantPointerNull(v) || LLVMIsAUndefValue(v) || LLVMIsAPoisonValue(v))
    return true;
  if (dad_is_any_call(v))
    return call_is_fresh(m, v);
  if (LLVMIsAPHINode(v)) {
    for (unsigned k = 0; k < LLVMCountIncoming(v); k++)
      if (!is_fresh(m, LLVMGetIncomingValue(v, k), depth + 2))
        return false;
    return true;
  }
  if (LLVMIsASelectInst(v))
    return is_fresh(m, LLVMGetOperand(v, 1), depth + 2) &&
           is_fresh(m, LLVMGetOperand(v, 2), depth + 2);
  return LLVMIsALoadInst(v) && LLVMIsAAllocaInst(LLVMGetOperand(v, 0)) &&
         slot_is_fresh(m, LLVMGetOperand(v, 0), depth);
}

static bool all_returns_fresh(struct dad_memory *m, LLVMValueRef body) {
  bool any = false;
  DAD_FOR_BLOCKS(block, body) {
    LLVMValueRef t = LLVMGetBasicBlockTerminator(block);
    if (!t || !LLVMIsAReturnInst(t))
      continue;
    if (!is_fresh(m, LLVMGetOperand(t, 0), 0))
      return false;
    any = true;
  }
  return any;
}

bool dad_hands_out(struct dad_memory *m, LLVMValueRef body) {
  intptr_t known = dad_map_int(&m->fresh, body);
  if (known)
    return known == YES;
  dad_map_set_int(&m->fresh, body,
                  NO); /* as long as it is being decided: a function that calls itself is none */
  LLVMTypeRef result = LLVMGetReturnType(LLVMGlobalGetValueType(body));
  bool yes = LLVMGetTypeKind(result) == LLVMPointerTypeKind && all_returns_fresh(m, body);
  dad_map_set_int(&m->fresh, body, yes ? YES : NO);
  return yes;
}
