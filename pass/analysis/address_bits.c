/* address_bits.c: which addresses an integer is computed from. A pointer that is made of one
   address by arithmetic, whatever that is, lies in the same object: its shadow is as far away from
   it. */
#include "address_bits.h"

#include "constraint.h"

enum { MOST_PARTS = 32 };

static LLVMOpcode opcode_of(LLVMValueRef v) {
  return LLVMIsAInstruction(v)    ? LLVMGetInstructionOpcode(v)
         : LLVMIsAConstantExpr(v) ? LLVMGetConstOpcode(v)
                                  : LLVMRet;
}

static bool is_address(LLVMValueRef v) {
  return opcode_of(v) == LLVMPtrToInt;
}

static bool is_arithmetic(LLVMOpcode op) {
  switch (op) {
  case LLVMAdd:
  case LLVMSub:
  case LLVMMul:
  case LLVMURem:
  case LLVMAnd:
  case LLVMOr:
  case LLVMXor:
  case LLVMShl:
  case LLVMLShr:
  case LLVMAShr:
  case LLVMTrunc:
  case LLVMZExt:
  case LLVMSExt: return true;
  default: return false;
  }
}

/* A distance between two addresses is a mere number. */
static bool is_distance(LLVMValueRef v) {
  return opcode_of(v) == LLVMSub && is_address(LLVMGetOperand(v, 0)) &&
         is_address(LLVMGetOperand(v, 1));
}

/* May the part "v" be an address? */
static bool may_be_address(struct dad_request *req, LLVMValueRef v) {
  struct dad_node *n = dad_node_known(req->memory, v);
  return is_address(v) || (n && !is_distance(v) && dad_node_kinds(n) & DAD_PTR);
}

static bool is_same_address(LLVMValueRef a, LLVMValueRef b) {
  return a == b || (is_address(a) && is_address(b) && LLVMGetOperand(a, 0) == LLVMGetOperand(b, 0));
}

/* Adds the part "v" to "out": to the address, or to the rest. False if it is a second address, or
   one part too many. */
static bool add_part(struct dad_request *req, LLVMValueRef v, struct dad_address_bits *out) {
  if (!may_be_address(req, v)) {
    if (!LLVMIsConstant(v))
      dad_vec_push(&out->rest, v);
    return out->rest.n < MOST_PARTS;
  }
  if (!out->address)
    out->address = v;
  return is_same_address(out->address, v);
}

bool dad_address_bits(struct dad_request *req, LLVMValueRef v, struct dad_address_bits *out) {
  struct dad_vec work = DAD_VEC(req->arena);
  struct dad_map seen = DAD_MAP(req->arena);
  *out = (struct dad_address_bits){.rest = DAD_VEC(req->arena)};
  dad_vec_push(&work, v);
  while (work.n) {
    LLVMValueRef part = dad_vec_pop(&work);
    if (dad_map_has(&seen, part))
      continue;
    dad_map_set(&seen, part, part);
    bool inner = is_arithmetic(opcode_of(part)) && !is_distance(part);
    for (int k = 0; inner && k < LLVMGetNumOperands(part); k++)
      dad_vec_push(&work, LLVMGetOperand(part, (unsigned)k));
    if (!inner && !add_part(req, part, out))
      return false;
  }
  return out->address && is_address(out->address);
}
