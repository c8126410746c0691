/* refuse_bits.c: what instructions do to numbers and to integers that may be their bits. */
#include "address_bits.h"
#include "refuse.h"

bool dad_is_foreign_format(LLVMTypeRef type) {
  return dad_has_float(type) && !(dad_kinds_of(type) & DAD_FP);
}

/* The kinds of numbers that the integer "v" is known to carry. */
static unsigned carried(struct dad_refusal *r, LLVMValueRef v) {
  struct dad_node *n = dad_node_known(r->m, v);
  return n ? dad_node_kinds(n) & DAD_FP : 0;
}

/* ---- integers */

/* Which halves of the 64-bit integer "v" may have bits that are not 0: 1 the lower, 2 the upper. */
static unsigned halves_of(LLVMValueRef v) {
  if (LLVMIsAConstantInt(v)) {
    uint64_t c = LLVMConstIntGetZExtValue(v);
    return (c & 0xffffffffu ? 1 : 0) | (c >> 32 ? 2 : 0);
  }
  if (!LLVMIsAInstruction(v) || !dad_moves_lanes(v))
    return 3;
  switch (LLVMGetInstructionOpcode(v)) {
  case LLVMZExt:
  case LLVMLShr: return 1;
  case LLVMShl: return 2;
  case LLVMAnd: return halves_of(LLVMGetOperand(v, 1));
  default: return 3;
  }
}

/* Does the integer instruction "i" move whole floats? Halves of a double are none. */
static bool moves_floats(struct dad_refusal *r, LLVMValueRef i) {
  if (!dad_moves_lanes(i))
    return false;
  for (int k = 0; k < LLVMGetNumOperands(i); k++)
    if (carried(r, LLVMGetOperand(i, (unsigned)k)) & ~(unsigned)DAD_F32)
      return false;
  if (carried(r, i) & ~(unsigned)DAD_F32)
    return false;
  return LLVMGetInstructionOpcode(i) != LLVMOr ||
         !(halves_of(LLVMGetOperand(i, 0)) & halves_of(LLVMGetOperand(i, 1)));
}

/* The half "k" of "from" becomes the half "j" of "to". */
static void move_half(struct dad_refusal *r, LLVMValueRef from, unsigned k, LLVMValueRef to,
                      unsigned j) {
  struct dad_place *a[2], *b[2];
  unsigned n = dad_places_of(r, from, a), m = dad_places_of(r, to, b);
  bool known = dad_adjoint_type(r->req, from) && dad_adjoint_type(r->req, to);
  if (k < n && j < m)
    dad_step(r, a[k], b[j], DAD_STEP_BITS, known ? DAD_LEGAL : DAD_BITS, to);
}

static void move_floats(struct dad_refusal *r, LLVMValueRef i) {
  LLVMValueRef a = LLVMGetOperand(i, 0);
  switch (LLVMGetInstructionOpcode(i)) {
  case LLVMTrunc:
  case LLVMZExt: move_half(r, a, 0, i, 0); break;
  case LLVMLShr: move_half(r, a, 1, i, 0); break;
  case LLVMShl: move_half(r, a, 0, i, 1); break;
  case LLVMAnd: {
    unsigned half = halves_of(LLVMGetOperand(i, 1)) == 1 ? 0 : 1;
    move_half(r, a, half, i, half);
    break;
  }
  default:
    for (unsigned k = 0; k < 2; k++)
      for (unsigned half = 0; half < 2; half++)
        if (halves_of(LLVMGetOperand(i, k)) & 1u << half)
          move_half(r, LLVMGetOperand(i, k), half, i, half);
  }
}

/* Does the result of "i" depend only on sign and exponent of a number whose bits are its operand?
   That is constant between steps. */
static bool is_step(struct dad_refusal *r, LLVMValueRef i) {
  LLVMOpcode op = LLVMGetInstructionOpcode(i);
  bool shift = op == LLVMLShr || op == LLVMAShr, wide = dad_is_integer(LLVMTypeOf(i), 64);
  if ((!shift && op != LLVMAnd) || (!wide && !dad_is_integer(LLVMTypeOf(i), 32)) ||
      !LLVMIsAConstantInt(LLVMGetOperand(i, 1)))
    return false;
  uint64_t c = LLVMConstIntGetZExtValue(LLVMGetOperand(i, 1));
  bool floats = !wide || carried(r, LLVMGetOperand(i, 0)) & DAD_F32;
  if (shift)
    return c >= (!wide ? 23 : floats ? 55 : 52);
  return !(c & (floats ? 0x007fffff007fffffu : 0x000fffffffffffffu));
}

static void raise(struct dad_refusal *r, LLVMValueRef v, unsigned flag) {
  struct dad_place *at[2];
  for (unsigned k = 0, n = dad_places_of(r, v, at); k < n; k++)
    at[k]->flags |= flag;
}

static bool is_address(LLVMValueRef v) {
  return LLVMIsAPtrToIntInst(v);
}

/* Does "i" compute the distance between two addresses? */
static bool is_distance(LLVMValueRef i) {
  return LLVMGetInstructionOpcode(i) == LLVMSub && is_address(LLVMGetOperand(i, 0)) &&
         is_address(LLVMGetOperand(i, 1));
}

/* Do "p" and "q" point to different objects for sure, one of which is active? */
static bool are_apart(struct dad_refusal *r, LLVMValueRef p, LLVMValueRef q) {
  struct dad_node *a = dad_node_known(r->m, p), *b = dad_node_known(r->m, q);
  unsigned n = 0, m = 0;
  const struct dad_target *s = a ? dad_node_targets(&r->m->heap, a, &n) : NULL,
                          *t = b ? dad_node_targets(&r->m->heap, b, &m) : NULL;
  for (unsigned i = 0; i < n; i++)
    for (unsigned k = 0; k < m; k++)
      if (s[i].object == t[k].object)
        return false;
  return n && m && (dad_leads_to_active(r, p) || dad_leads_to_active(r, q));
}

/* Does "i" shift a whole number into the exponent of a floating-point number? What comes of it is
   constant between steps if the integer is. */
static bool is_exponent(LLVMValueRef i) {
  bool wide = dad_is_integer(LLVMTypeOf(i), 64), narrow = dad_is_integer(LLVMTypeOf(i), 32);
  LLVMValueRef by = LLVMGetInstructionOpcode(i) == LLVMShl ? LLVMGetOperand(i, 1) : NULL;
  return by && LLVMIsAConstantInt(by) && (wide || narrow) &&
         LLVMConstIntGetZExtValue(by) >= (wide ? 52 : 20);
}

static void compute(struct dad_refusal *r, LLVMValueRef i) {
  bool distance = is_distance(i);
  if (is_step(r, i))
    return;
  for (int k = 0; k < LLVMGetNumOperands(i); k++)
    dad_step_values(r, LLVMGetOperand(i, (unsigned)k), i, false,
                    distance || is_exponent(i) ? DAD_STEP_NUMBER : DAD_STEP_BITS, DAD_BITS, i);
  if (distance && are_apart(r, LLVMGetOperand(LLVMGetOperand(i, 0), 0),
                            LLVMGetOperand(LLVMGetOperand(i, 1), 0))) {
    raise(r, i, DAD_DISTANCE);
    r->distances = true;
  }
}

/* ---- moves */

/* Does the part "v" of the aggregate "whole" take part? An integer beside numbers carries one only
   if that is known. */
static bool is_part(struct dad_refusal *r, LLVMValueRef v, LLVMValueRef whole) {
  return dad_has_float(LLVMTypeOf(v)) || !dad_has_float(LLVMTypeOf(whole)) || carried(r, v);
}

static void move_parts(struct dad_refusal *r, LLVMValueRef i) {
  LLVMValueRef a = LLVMGetOperand(i, 0);
  switch (LLVMGetInstructionOpcode(i)) {
  case LLVMExtractValue:
    if (is_part(r, i, a))
      dad_step_move(r, a, i, i);
    break;
  case LLVMInsertValue:
    dad_step_move(r, a, i, i);
    if (is_part(r, LLVMGetOperand(i, 1), i))
      dad_step_move(r, LLVMGetOperand(i, 1), i, i);
    break;
  case LLVMPHI:
    for (unsigned k = 0; k < LLVMCountIncoming(i); k++)
      dad_step_move(r, LLVMGetIncomingValue(i, k), i, i);
    break;
  default:
    for (int k = LLVMIsASelectInst(i) ? 1 : 0; k < LLVMGetNumOperands(i); k++)
      dad_step_move(r, LLVMGetOperand(i, (unsigned)k), i, i);
  }
}

static void cast_bits(struct dad_refusal *r, LLVMValueRef i) {
  LLVMValueRef a = LLVMGetOperand(i, 0);
  bool from = dad_has_float(LLVMTypeOf(a)), to = dad_has_float(LLVMTypeOf(i));
  bool known = dad_adjoint_type(r->req, a) && dad_adjoint_type(r->req, i);
  enum dad_step_kind kind = from == to ? DAD_STEP_MOVE : from ? DAD_STEP_OPEN : DAD_STEP_CLOSE;
  dad_step_values(r, a, i, false, kind, known ? DAD_LEGAL : DAD_BITS, i);
}

/* ---- floating point */

static void calculate(struct dad_refusal *r, LLVMValueRef i) {
  for (int k = 0; k < LLVMGetNumOperands(i); k++) {
    LLVMValueRef a = LLVMGetOperand(i, (unsigned)k);
    bool foreign = dad_is_foreign_format(LLVMTypeOf(i)) || dad_is_foreign_format(LLVMTypeOf(a));
    if (dad_has_float(LLVMTypeOf(a)))
      dad_step_values(r, a, i, false, DAD_STEP_NUMBER, foreign ? DAD_NO_INSTRUCTION : DAD_LEGAL, i);
  }
}

/* ---- addresses */

void dad_refuse_address(struct dad_refusal *r, LLVMValueRef i) {
  if (LLVMIsAIntToPtrInst(i))
    dad_step_from(r, LLVMGetOperand(i, 0), r->moves, DAD_STEP_NUMBER, DAD_POINTER_BITS, i);
  for (int k = 1; LLVMIsAGetElementPtrInst(i) && k < LLVMGetNumOperands(i); k++)
    dad_step_from(r, LLVMGetOperand(i, (unsigned)k), r->moves, DAD_STEP_NUMBER, DAD_POINTER_BITS,
                  i);
}

/* An integer becomes the pointer "i". If it is made of one address, only that no other is hidden in
   the rest matters. */
static void make_pointer(struct dad_refusal *r, LLVMValueRef i) {
  LLVMValueRef o = LLVMGetOperand(i, 0);
  struct dad_address_bits bits;
  if (LLVMIsAPtrToIntInst(o) || !dad_address_bits(r->req, o, &bits) ||
      dad_leads_to_active(r, i) != dad_leads_to_active(r, LLVMGetOperand(bits.address, 0))) {
    raise(r, o, DAD_ADDRESS_OUT);
    return;
  }
  for (unsigned k = 0; k < bits.rest.n; k++)
    dad_step_from(r, bits.rest.at[k], r->hidden, DAD_STEP_BITS, DAD_POINTER_BITS, i);
}

void dad_refuse_instruction(struct dad_refusal *r, LLVMValueRef i) {
  switch (LLVMGetInstructionOpcode(i)) {
  case LLVMFNeg:
  case LLVMFAdd:
  case LLVMFSub:
  case LLVMFMul:
  case LLVMFDiv:
  case LLVMFRem:
  case LLVMFPExt:
  case LLVMFPTrunc: calculate(r, i); break;
  case LLVMPHI:
  case LLVMSelect:
  case LLVMFreeze:
  case LLVMInsertValue:
  case LLVMExtractValue:
  case LLVMInsertElement:
  case LLVMExtractElement:
  case LLVMShuffleVector: move_parts(r, i); break;
  case LLVMBitCast: cast_bits(r, i); break;
  case LLVMUIToFP:
  case LLVMSIToFP:
    dad_step_values(r, LLVMGetOperand(i, 0), i, false, DAD_STEP_CONVERT, DAD_BITS, i);
    break;
  case LLVMFPToUI:
  case LLVMFPToSI:
    dad_step_values(r, LLVMGetOperand(i, 0), i, false, DAD_STEP_ROUND, DAD_BITS, i);
    break;
  case LLVMTrunc:
  case LLVMZExt:
  case LLVMSExt:
  case LLVMAdd:
  case LLVMSub:
  case LLVMMul:
  case LLVMUDiv:
  case LLVMSDiv:
  case LLVMURem:
  case LLVMSRem:
  case LLVMShl:
  case LLVMLShr:
  case LLVMAShr:
  case LLVMAnd:
  case LLVMOr:
  case LLVMXor:
    if (moves_floats(r, i))
      move_floats(r, i);
    else
      compute(r, i);
    break;
  case LLVMPtrToInt:
    if (dad_leads_to_active(r, LLVMGetOperand(i, 0)))
      raise(r, i, DAD_ADDRESS_IN);
    break;
  case LLVMIntToPtr: make_pointer(r, i); break;
  case LLVMCall: dad_refuse_call(r, i); break;
  default: break;
  }
}
