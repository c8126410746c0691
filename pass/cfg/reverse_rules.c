/* reverse_rules.c: the adjoint of each instruction. */
#include "../rules/rule.h"
#include "call.h"
#include "scope.h"
#include "shadow.h"
#include "sweep.h"

/* ---- parts of aggregates */

/* The part of "aggregate" at the index path of "like" (extractvalue or insertvalue). */
static LLVMValueRef part(struct dad_context *ctx, LLVMValueRef aggregate, LLVMValueRef like) {
  const unsigned *path = LLVMGetIndices(like);
  for (unsigned k = 0; k < LLVMGetNumIndices(like); k++)
    aggregate = LLVMBuildExtractValue(ctx->builder, aggregate, path[k], "");
  return aggregate;
}

/* "aggregate" with "v" at the rest of the path from index "k" on. */
static LLVMValueRef with_part(struct dad_context *ctx, LLVMValueRef aggregate, LLVMValueRef like, unsigned k, LLVMValueRef v) {
  unsigned index = LLVMGetIndices(like)[k];
  if (k + 1 < LLVMGetNumIndices(like))
    v = with_part(ctx, LLVMBuildExtractValue(ctx->builder, aggregate, index, ""), like, k + 1, v);
  return LLVMBuildInsertValue(ctx->builder, aggregate, v, index, "");
}

static void reverse_extract(struct dad_sweep *s, LLVMValueRef i, LLVMValueRef g) {
  LLVMBuilderRef b = s->ctx->builder;
  LLVMValueRef x = LLVMGetOperand(i, 0);
  if (s->dry || !dad_active(s->req, x) || LLVMIsConstant(x))
    return;
  LLVMValueRef place = dad_adjoint_place(s, x);
  LLVMValueRef whole = LLVMBuildLoad2(b, dad_adjoint_type(s->req, x), place, "");
  LLVMValueRef old = part(s->ctx, whole, i);
  LLVMValueRef sum = dad_adjoint_add(s->ctx, dad_as_bits(s->ctx, old, LLVMTypeOf(g)), g);
  sum = dad_as_bits(s->ctx, sum, LLVMTypeOf(old));
  LLVMBuildStore(b, with_part(s->ctx, whole, i, 0, sum), place);
}

static void reverse_insert(struct dad_sweep *s, LLVMValueRef i, LLVMValueRef g) {
  LLVMValueRef element = LLVMGetOperand(i, 1);
  LLVMTypeRef type = LLVMTypeOf(element);
  dad_adjoint_give(s, element, part(s->ctx, g, i));
  dad_adjoint_give(s, LLVMGetOperand(i, 0), with_part(s->ctx, g, i, 0, LLVMConstNull(type)));
}

static void reverse_extract_element(struct dad_sweep *s, LLVMValueRef i, LLVMValueRef g) {
  LLVMBuilderRef b = s->ctx->builder;
  LLVMValueRef x = LLVMGetOperand(i, 0), at = dad_sweep_primal(s, LLVMGetOperand(i, 1));
  if (s->dry || !dad_active(s->req, x) || LLVMIsConstant(x))
    return;
  LLVMValueRef place = dad_adjoint_place(s, x);
  LLVMValueRef whole = LLVMBuildLoad2(b, dad_adjoint_type(s->req, x), place, "");
  LLVMValueRef sum = dad_adjoint_add(s->ctx, LLVMBuildExtractElement(b, whole, at, ""), g);
  LLVMBuildStore(b, LLVMBuildInsertElement(b, whole, sum, at, ""), place);
}

static void reverse_insert_element(struct dad_sweep *s, LLVMValueRef i, LLVMValueRef g) {
  LLVMBuilderRef b = s->ctx->builder;
  LLVMValueRef element = LLVMGetOperand(i, 1), at = dad_sweep_primal(s, LLVMGetOperand(i, 2));
  if (s->dry)
    return;
  dad_adjoint_give(s, element, LLVMBuildExtractElement(b, g, at, ""));
  dad_adjoint_give(s, LLVMGetOperand(i, 0), LLVMBuildInsertElement(b, g, LLVMConstNull(LLVMTypeOf(element)), at, ""));
}

/* Every lane of the result goes back to the lane that it came from. */
static void reverse_shuffle(struct dad_sweep *s, LLVMValueRef i, LLVMValueRef g) {
  LLVMBuilderRef b = s->ctx->builder;
  LLVMValueRef operand[2] = {LLVMGetOperand(i, 0), LLVMGetOperand(i, 1)}, sum[2];
  int lanes = (int)LLVMGetVectorSize(LLVMTypeOf(operand[0]));
  if (s->dry)
    return;
  sum[0] = sum[1] = LLVMConstNull(LLVMTypeOf(operand[0]));
  for (unsigned k = 0; k < LLVMGetNumMaskElements(i); k++) {
    int from = LLVMGetMaskValue(i, k);
    if (from < 0)
      continue;
    int side = from >= lanes;
    LLVMValueRef at = LLVMConstInt(s->ctx->i32, (unsigned)(from - side * lanes), 0);
    LLVMValueRef lane = LLVMBuildExtractElement(b, g, LLVMConstInt(s->ctx->i32, k, 0), "");
    LLVMValueRef old = LLVMBuildExtractElement(b, sum[side], at, "");
    sum[side] = LLVMBuildInsertElement(b, sum[side], dad_adjoint_add(s->ctx, old, lane), at, "");
  }
  dad_adjoint_give(s, operand[0], sum[0]);
  dad_adjoint_give(s, operand[1], sum[1]);
}

/* ---- integers that carry numbers: whole 32-bit lanes move */

static LLVMValueRef lane(struct dad_sweep *s, LLVMValueRef pair, unsigned k) {
  return LLVMBuildExtractElement(s->ctx->builder, pair, LLVMConstInt(s->ctx->i32, k, 0), "");
}

static LLVMValueRef lane_in_pair(struct dad_sweep *s, LLVMValueRef g, unsigned k) {
  LLVMValueRef none = LLVMConstNull(LLVMVectorType(s->ctx->f32, 2));
  return LLVMBuildInsertElement(s->ctx->builder, none, g, LLVMConstInt(s->ctx->i32, k, 0), "");
}

static void reverse_lanes(struct dad_sweep *s, LLVMValueRef i, LLVMValueRef g) {
  LLVMValueRef x = LLVMGetOperand(i, 0), y = LLVMGetNumOperands(i) > 1 ? LLVMGetOperand(i, 1) : NULL;
  if (s->dry)
    return;
  switch (LLVMGetInstructionOpcode(i)) {
  case LLVMOr:
    dad_adjoint_give(s, x, g);
    dad_adjoint_give(s, y, g);
    break;
  case LLVMTrunc: dad_adjoint_give(s, x, lane_in_pair(s, g, 0)); break;
  case LLVMZExt: dad_adjoint_give(s, x, lane(s, g, 0)); break;
  case LLVMShl: dad_adjoint_give(s, x, lane_in_pair(s, lane(s, g, 1), 0)); break;
  case LLVMLShr: dad_adjoint_give(s, x, lane_in_pair(s, lane(s, g, 0), 1)); break;
  default: { /* a mask that keeps one lane */
    unsigned kept = LLVMConstIntGetZExtValue(y) > UINT32_MAX;
    dad_adjoint_give(s, x, lane_in_pair(s, lane(s, g, kept), kept));
  }
  }
}

/* ---- memory */

/* Loads a value of "type" from the shadow cell "q" of what "i" accesses, or stores "v" there. */
static LLVMValueRef load_cell(struct dad_sweep *s, LLVMValueRef i, LLVMTypeRef type, LLVMValueRef q) {
  LLVMValueRef g = LLVMBuildLoad2(s->ctx->builder, type, q, "");
  LLVMSetAlignment(g, dad_shadow_alignment(i));
  dad_scope_shadow(s->ctx, g);
  return g;
}

static void store_cell(struct dad_sweep *s, LLVMValueRef i, LLVMValueRef v, LLVMValueRef q) {
  LLVMValueRef store = LLVMBuildStore(s->ctx->builder, v, q);
  LLVMSetAlignment(store, dad_shadow_alignment(i));
  dad_scope_shadow(s->ctx, store);
}

/* Does the number stored by "i" kill an adjoint in memory? Its type is returned: that of the value's adjoint, or for constant bits an
   integer of the same width; NULL if nothing is to be done. */
static LLVMTypeRef killed_type(struct dad_sweep *s, LLVMValueRef i) {
  LLVMValueRef v = LLVMGetOperand(i, 0), p = LLVMGetOperand(i, 1);
  LLVMTypeRef type = LLVMTypeOf(v);
  uint64_t bytes = dad_store_size(s->ctx, type);
  if (dad_inert(s->req, p) || !dad_active_at(s->req, p, bytes))
    return NULL;
  unsigned kinds = dad_kinds_at(s->req, p, bytes);
  if (dad_has_float(type) && !dad_has_pointer(type))
    return type;
  if (!(kinds & DAD_FP))
    return NULL;
  LLVMTypeRef carried = dad_adjoint_type(s->req, v);
  if (carried)
    return carried;
  bool bits = LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMIsConstant(v);
  return bits || dad_has_pointer(type) ? LLVMIntTypeInContext(s->ctx->llvm, 8 * (unsigned)bytes) : NULL;
}

static void reverse_store(struct dad_sweep *s, LLVMValueRef i) {
  LLVMValueRef v = LLVMGetOperand(i, 0), missing;
  LLVMTypeRef type = killed_type(s, i);
  if (!type)
    return;
  LLVMValueRef q = dad_sweep_shadow_cell(s, LLVMGetOperand(i, 1), type, &missing);
  if (s->dry || !q)
    return;
  bool given = dad_active(s->req, v) && !LLVMIsConstant(v);
  LLVMValueRef g = given ? load_cell(s, i, type, q) : NULL, zero = LLVMConstNull(type);
  if (!dad_map_has(&s->increment, i))
    store_cell(s, i, zero, q);
  if (g)
    dad_adjoint_give(s, v, missing ? LLVMBuildSelect(s->ctx->builder, missing, zero, g, "") : g);
}

static void reverse_load(struct dad_sweep *s, LLVMValueRef i, LLVMValueRef g) {
  LLVMValueRef missing, q;
  LLVMTypeRef type = dad_adjoint_type(s->req, i);
  if (dad_inert(s->req, LLVMGetOperand(i, 0)))
    return;
  q = dad_sweep_shadow_cell(s, LLVMGetOperand(i, 0), type, &missing);
  if (s->dry || !q)
    return;
  store_cell(s, i, dad_adjoint_add(s->ctx, load_cell(s, i, type, q), g), q);
}

/* ---- arithmetic */

static void reverse_select(struct dad_sweep *s, LLVMValueRef i, LLVMValueRef g) {
  LLVMBuilderRef b = s->ctx->builder;
  LLVMValueRef c = dad_sweep_primal(s, LLVMGetOperand(i, 0)), zero = LLVMConstNull(LLVMTypeOf(g));
  if (s->dry)
    return;
  dad_adjoint_give(s, LLVMGetOperand(i, 1), LLVMBuildSelect(b, c, g, zero, ""));
  dad_adjoint_give(s, LLVMGetOperand(i, 2), LLVMBuildSelect(b, c, zero, g, ""));
}

void dad_reverse_by_rule(struct dad_sweep *s, LLVMValueRef i, const struct dad_rule *rule) {
  LLVMValueRef g = dad_adjoint_take(s, i);
  unsigned n = LLVMIsACallInst(i) ? LLVMGetNumArgOperands(i) : (unsigned)LLVMGetNumOperands(i);
  for (unsigned k = 0; k < n && k < DAD_RULE_OPERANDS; k++) {
    LLVMValueRef x = LLVMGetOperand(i, k), values[4] = {NULL};
    if (LLVMIsConstant(x) || !dad_active(s->req, x) || dad_rule_is_zero(rule, k))
      continue;
    unsigned needs = dad_rule_needs(rule, k);
    for (unsigned j = 0; j < 4; j++)
      if (needs & 1u << j)
        values[j] = dad_sweep_primal(s, j == 3 ? i : LLVMGetOperand(i, j));
    if (!s->dry)
      dad_adjoint_give(s, x, dad_rule_emit(s->ctx, rule, k, LLVMTypeOf(i), g, values));
  }
}

static void refuse_instruction(struct dad_sweep *s, LLVMValueRef i) {
  char *text = LLVMPrintValueToString(i);
  dad_diag(s->ctx, DAD_NO_INSTRUCTION, i, text);
  LLVMDisposeMessage(text);
}

static void reverse_value(struct dad_sweep *s, LLVMValueRef i, LLVMValueRef g) {
  LLVMBuilderRef b = s->ctx->builder;
  LLVMValueRef x = LLVMGetNumOperands(i) ? LLVMGetOperand(i, 0) : NULL;
  switch (LLVMGetInstructionOpcode(i)) {
  case LLVMFPExt:
  case LLVMFPTrunc:
    if (!s->dry)
      dad_adjoint_give(s, x, LLVMBuildFPCast(b, g, LLVMTypeOf(x), ""));
    break;
  case LLVMBitCast:
  case LLVMFreeze: dad_adjoint_give(s, x, g); break;
  case LLVMSelect: reverse_select(s, i, g); break;
  case LLVMLoad: reverse_load(s, i, g); break;
  case LLVMExtractValue: reverse_extract(s, i, g); break;
  case LLVMInsertValue: reverse_insert(s, i, g); break;
  case LLVMExtractElement: reverse_extract_element(s, i, g); break;
  case LLVMInsertElement: reverse_insert_element(s, i, g); break;
  case LLVMShuffleVector: reverse_shuffle(s, i, g); break;
  default:
    if (dad_moves_lanes(i))
      reverse_lanes(s, i, g);
    else
      refuse_instruction(s, i);
  }
}

void dad_reverse_instruction(struct dad_sweep *s, LLVMValueRef i) {
  if (LLVMIsACallInst(i)) {
    dad_reverse_call(s, i);
    return;
  }
  if (LLVMIsAStoreInst(i)) {
    reverse_store(s, i);
    return;
  }
  const struct dad_rule *rule = dad_rule_of(i);
  if (rule)
    dad_reverse_by_rule(s, i, rule);
  else
    reverse_value(s, i, dad_adjoint_take(s, i));
}

bool dad_reverse_is_busy(struct dad_sweep *s, LLVMValueRef i) {
  if (LLVMIsACallInst(i))
    return dad_reverse_call_is_busy(s, i);
  if (LLVMIsAStoreInst(i))
    return killed_type(s, i) != NULL;
  if (LLVMIsALoadInst(i) && dad_map_has(&s->increment, i))
    return false; /* its cell keeps the adjoint that the store found there */
  const struct dad_call *c = LLVMIsAExtractValueInst(i) ? dad_map_get(&s->u->call_of, LLVMGetOperand(i, 0)) : NULL;
  if (c && c->result == i)
    return false; /* it stands for the result of the call, whose reverse takes its adjoint */
  return !LLVMIsAPHINode(i) && !LLVMIsATerminatorInst(i) && dad_active(s->req, i);
}
