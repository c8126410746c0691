/* tangent.c: forward mode. Tangents of numbers are computed beside the numbers, in the order of the program; those of phis are made
   first and filled last. Memory keeps the tangent of a number at its place in the shadow. */
#include "tangent.h"

#include "../analysis/memory.h"
#include "../base/abi_call.h"
#include "../rules/libcall.h"
#include "../rules/rule.h"
#include "../rules/special.h"
#include "augment.h"
#include "call.h"
#include "scope.h"
#include "shadow.h"

/* The tangent of the number "v" (or of an aggregate, or of an integer that carries numbers): zero for what is not active. */
static LLVMValueRef tangent_of(struct dad_unit *u, LLVMValueRef v) {
  LLVMTypeRef type = dad_adjoint_type(u->req, v);
  if (dad_has_pointer(LLVMTypeOf(v)))
    return dad_shadow_of(u, v);
  LLVMValueRef t = LLVMIsConstant(v) ? NULL : dad_map_get(&u->shadow, v);
  return t ? t : LLVMConstNull(type ? type : LLVMTypeOf(v));
}

/* The same for an operand of an operation whose tangent has the type "type": constant bits carry no number. */
static LLVMValueRef tangent_as(struct dad_unit *u, LLVMValueRef v, LLVMTypeRef type) {
  LLVMValueRef t = tangent_of(u, v);
  return LLVMTypeOf(t) == type ? t : LLVMConstNull(type);
}

static LLVMBuilderRef behind(struct dad_unit *u, LLVMValueRef i) {
  dad_build_after(u->req->ctx, i);
  return u->req->ctx->builder;
}

/* ---- arithmetic */

/* The sum over the active operands of partial derivative times tangent. */
static LLVMValueRef tangent_by_rule(struct dad_unit *u, LLVMValueRef i, const struct dad_rule *rule) {
  struct dad_context *ctx = u->req->ctx;
  unsigned n = LLVMIsACallInst(i) ? LLVMGetNumArgOperands(i) : (unsigned)LLVMGetNumOperands(i);
  LLVMValueRef sum = NULL, values[4] = {NULL, NULL, NULL, i};
  LLVMBuilderRef b = behind(u, i);
  for (unsigned k = 0; k < n && k < DAD_RULE_OPERANDS; k++)
    values[k] = LLVMGetOperand(i, k);
  for (unsigned k = 0; k < n && k < DAD_RULE_OPERANDS; k++) {
    if (!dad_active(u->req, values[k]) || LLVMIsConstant(values[k]) || dad_rule_is_zero(rule, k))
      continue;
    LLVMValueRef t = dad_rule_emit(ctx, rule, k, LLVMTypeOf(i), tangent_of(u, values[k]), values);
    sum = sum ? dad_free_rounding(LLVMBuildFAdd(b, sum, t, "")) : t;
  }
  return sum ? sum : LLVMConstNull(LLVMTypeOf(i));
}

/* A copy of "i", which is linear in its operands "first" and up, on their tangents. */
static LLVMValueRef same_on_tangents(struct dad_unit *u, LLVMValueRef i, unsigned first, unsigned last) {
  behind(u, i);
  LLVMValueRef t = LLVMInstructionClone(i);
  for (unsigned k = first; k <= last; k++)
    LLVMSetOperand(t, k, tangent_of(u, LLVMGetOperand(i, k)));
  LLVMInsertIntoBuilder(u->req->ctx->builder, t);
  return t;
}

static LLVMValueRef tangent_insert(struct dad_unit *u, LLVMValueRef i) {
  LLVMValueRef element = LLVMGetOperand(i, 1), whole = tangent_of(u, LLVMGetOperand(i, 0)), part = tangent_of(u, element);
  LLVMBuilderRef b = behind(u, i);
  part = dad_as_bits(u->req->ctx, part, LLVMTypeOf(element));
  LLVMValueRef t = LLVMInstructionClone(i);
  LLVMSetOperand(t, 0, whole);
  LLVMSetOperand(t, 1, part);
  LLVMInsertIntoBuilder(b, t);
  return t;
}

/* Lanes of integers that carry numbers. */
static LLVMValueRef tangent_lanes(struct dad_unit *u, LLVMValueRef i) {
  struct dad_context *ctx = u->req->ctx;
  LLVMBuilderRef b = behind(u, i);
  LLVMValueRef none = LLVMConstNull(LLVMVectorType(ctx->f32, 2)), x = LLVMGetOperand(i, 0);
  LLVMValueRef t = tangent_as(u, x, LLVMGetInstructionOpcode(i) == LLVMZExt ? ctx->f32 : LLVMTypeOf(none));
  LLVMValueRef zero = LLVMConstInt(ctx->i32, 0, 0), one = LLVMConstInt(ctx->i32, 1, 0);
  switch (LLVMGetInstructionOpcode(i)) {
  case LLVMOr: return LLVMBuildFAdd(b, t, tangent_as(u, LLVMGetOperand(i, 1), LLVMTypeOf(none)), "");
  case LLVMTrunc: return LLVMBuildExtractElement(b, t, zero, "");
  case LLVMZExt: return LLVMBuildInsertElement(b, none, t, zero, "");
  case LLVMShl: return LLVMBuildInsertElement(b, none, LLVMBuildExtractElement(b, t, zero, ""), one, "");
  case LLVMLShr: return LLVMBuildInsertElement(b, none, LLVMBuildExtractElement(b, t, one, ""), zero, "");
  default: {
    LLVMValueRef kept = LLVMConstIntGetZExtValue(LLVMGetOperand(i, 1)) > UINT32_MAX ? one : zero;
    return LLVMBuildInsertElement(b, none, LLVMBuildExtractElement(b, t, kept, ""), kept, "");
  }
  }
}

/* The condition, behind "i", that the memory behind "p" is its own shadow and so has no tangents; NULL if it never is. */
static LLVMValueRef is_same(struct dad_unit *u, LLVMValueRef i, LLVMValueRef p) {
  LLVMValueRef base, q;
  switch (dad_shadow_case(u, p)) {
  case DAD_SHADOW_SEPARATE: return NULL;
  case DAD_SHADOW_SAME: return LLVMConstInt(u->req->ctx->i1, 1, 0);
  default: break;
  }
  base = dad_shadow_base(p);
  q = dad_shadow_of(u, base);
  return LLVMBuildICmp(behind(u, i), LLVMIntEQ, q, base, "same");
}

static LLVMValueRef tangent_load(struct dad_unit *u, LLVMValueRef i) {
  LLVMValueRef p = LLVMGetOperand(i, 0);
  LLVMTypeRef type = dad_adjoint_type(u->req, i);
  LLVMValueRef missing = is_same(u, i, p), zero = LLVMConstNull(type);
  if (missing && LLVMIsConstant(missing))
    return zero;
  LLVMValueRef q = dad_shadow_of(u, p), t = LLVMBuildLoad2(behind(u, i), type, q, "");
  LLVMSetAlignment(t, dad_shadow_alignment(i));
  dad_scope_shadow(u->req->ctx, t);
  if (!missing)
    return t;
  dad_build_after(u->req->ctx, missing); /* which stands behind the load */
  return LLVMBuildSelect(u->req->ctx->builder, missing, zero, t, "");
}

static LLVMValueRef tangent_value(struct dad_unit *u, LLVMValueRef i) {
  struct dad_context *ctx = u->req->ctx;
  LLVMTypeRef type = dad_adjoint_type(u->req, i);
  switch (LLVMGetInstructionOpcode(i)) {
  case LLVMFPExt:
  case LLVMFPTrunc: return same_on_tangents(u, i, 0, 0);
  case LLVMFreeze: return tangent_as(u, LLVMGetOperand(i, 0), type);
  case LLVMBitCast: return LLVMBuildBitCast(behind(u, i), tangent_of(u, LLVMGetOperand(i, 0)), type, "");
  case LLVMSelect: {
    LLVMValueRef yes = tangent_as(u, LLVMGetOperand(i, 1), type), no = tangent_as(u, LLVMGetOperand(i, 2), type);
    return LLVMBuildSelect(behind(u, i), LLVMGetOperand(i, 0), yes, no, "");
  }
  case LLVMExtractValue: {
    LLVMValueRef t = same_on_tangents(u, i, 0, 0);
    dad_build_after(ctx, t);
    return dad_as_bits(ctx, t, type); /* an integer part may carry numbers */
  }
  case LLVMExtractElement: return same_on_tangents(u, i, 0, 0);
  case LLVMInsertValue: return tangent_insert(u, i);
  case LLVMInsertElement:
  case LLVMShuffleVector: return same_on_tangents(u, i, 0, 1);
  case LLVMLoad: return tangent_load(u, i);
  default: break;
  }
  if (dad_moves_lanes(i))
    return tangent_lanes(u, i);
  char *text = LLVMPrintValueToString(i);
  dad_diag(ctx, DAD_NO_INSTRUCTION, i, text);
  LLVMDisposeMessage(text);
  return LLVMGetPoison(type);
}

/* ---- memory */

/* Stores "t" in the shadow of what "i" stores to; where memory may be its own shadow, in a place that nobody reads instead of it. */
static void store_tangent(struct dad_unit *u, LLVMValueRef i, LLVMValueRef t) {
  struct dad_context *ctx = u->req->ctx;
  LLVMValueRef p = LLVMGetOperand(i, 1), missing = is_same(u, i, p);
  if (missing && LLVMIsConstant(missing))
    return;
  LLVMValueRef q = dad_shadow_of(u, p);
  LLVMBuilderRef b = ctx->builder;
  if (missing) {
    LLVMValueRef nowhere = dad_entry_alloca(ctx, u->forward, LLVMTypeOf(t));
    dad_build_after(ctx, missing);
    q = LLVMBuildSelect(b, missing, nowhere, q, "");
  } else {
    behind(u, i);
  }
  LLVMValueRef store = LLVMBuildStore(b, t, q);
  LLVMSetAlignment(store, dad_shadow_alignment(i));
  dad_shadow_scope(u, p, store);
}

static void tangent_store(struct dad_unit *u, LLVMValueRef i) {
  struct dad_request *req = u->req;
  LLVMValueRef v = LLVMGetOperand(i, 0), p = LLVMGetOperand(i, 1);
  LLVMTypeRef type = LLVMTypeOf(v);
  uint64_t bytes = dad_store_size(req->ctx, type);
  if (dad_inert(req, p))
    return;
  if (dad_augment_takes_along(req, i))
    store_tangent(u, i, dad_shadow_of(u, v));
  else if (!dad_has_pointer(type) && dad_active_at(req, p, bytes) && dad_kinds_at(req, p, bytes) & DAD_FP)
    store_tangent(u, i, tangent_of(u, v));
}

/* The bytes that "call" asks for, where "missing" is "when" at run time, else none; the builder ends behind everything. */
static LLVMValueRef bytes_when(struct dad_unit *u, LLVMValueRef call, LLVMValueRef missing, bool when) {
  struct dad_context *ctx = u->req->ctx;
  LLVMValueRef none = dad_i64(ctx, 0), n = dad_call_bytes(u->req, call);
  if (!missing)
    return when ? none : n;
  return LLVMBuildSelect(ctx->builder, missing, when ? n : none, when ? none : n, "");
}

/* memcpy and memmove move the shadow as they move the memory; from memory without shadow come zeroes and pointers to themselves. */
static void tangent_copy(struct dad_unit *u, LLVMValueRef i) {
  struct dad_request *req = u->req;
  LLVMBuilderRef b = req->ctx->builder;
  LLVMValueRef to = LLVMGetOperand(i, 0), from = LLVMGetOperand(i, 1);
  uint64_t known = dad_call_known_bytes(i);
  LLVMValueRef no_copy = is_same(u, i, to), no_source;
  if (no_copy && LLVMIsConstant(no_copy))
    return;
  LLVMValueRef q = dad_shadow_of(u, to), p = dad_shadow_of(u, from);
  LLVMValueRef layout = dad_shadow_case(u, from) == DAD_SHADOW_SEPARATE ? NULL : dad_layout(req, i, to, known);
  no_source = is_same(u, i, from);
  LLVMValueRef last = no_copy ? no_copy : no_source && LLVMIsAInstruction(no_source) ? no_source : i;
  dad_build_after(req->ctx, last);
  LLVMValueRef moved = bytes_when(u, i, no_source, false), zeroed = bytes_when(u, i, no_source, true);
  if (no_copy) {
    moved = LLVMBuildSelect(b, no_copy, dad_i64(req->ctx, 0), moved, "");
    zeroed = LLVMBuildSelect(b, no_copy, dad_i64(req->ctx, 0), zeroed, "");
  }
  LLVMBuildMemMove(b, q, 1, p, 1, moved);
  if (!layout)
    return;
  dad_runtime_call(req->ctx, DAD_RT_zero_numbers, q, zeroed, layout);
  dad_runtime_call(req->ctx, DAD_RT_copy_pointers, q, from, zeroed, layout);
}

static void tangent_set(struct dad_unit *u, LLVMValueRef i) {
  struct dad_request *req = u->req;
  LLVMValueRef to = LLVMGetOperand(i, 0);
  uint64_t known = dad_call_known_bytes(i);
  if (dad_inert(req, to))
    return;
  LLVMValueRef q = dad_shadow_of(u, to), layout = dad_layout(req, i, to, known);
  behind(u, i);
  LLVMValueRef n = dad_call_bytes(req, i);
  dad_runtime_call(req->ctx, DAD_RT_zero_numbers, q, n, layout);
  dad_runtime_call(req->ctx, DAD_RT_set_pointers, q, LLVMGetOperand(i, 1), n, layout);
}

static void tangent_free(struct dad_unit *u, LLVMValueRef i) {
  LLVMValueRef p = LLVMGetOperand(i, 0);
  if (dad_inert(u->req, p))
    return;
  LLVMValueRef q = dad_shadow_of(u, p);
  LLVMPositionBuilderBefore(u->req->ctx->builder, i);
  dad_runtime_call(u->req->ctx, DAD_RT_tangent_free, p, q);
}

/* ---- calls */

/* The tangents of numbers among the operands of "c"; the shadows of pointers are filled before. */
static void fill_tangents(struct dad_unit *u, struct dad_call *c) {
  for (unsigned k = 0; k < c->n; k++)
    if (c->twin[k] && !dad_has_pointer(LLVMTypeOf(c->args[k])))
      LLVMSetOperand(c->call, c->position[k] + 1, tangent_as(u, c->args[k], c->twin[k]));
}

static bool host_active(void *data, LLVMValueRef v) {
  struct dad_unit *u = data;
  return !LLVMIsConstant(v) && dad_active(u->req, v);
}
static LLVMValueRef host_primal(void *data, LLVMValueRef v) {
  (void)data;
  return v;
}
static LLVMValueRef host_tangent(void *data, LLVMValueRef v) {
  return tangent_of(data, v);
}
static void host_set_tangent(void *data, LLVMValueRef v, LLVMValueRef t) {
  struct dad_unit *u = data;
  dad_map_set(&u->shadow, v, t);
}

/* Operations with several results. */
static void tangent_special(struct dad_unit *u, LLVMValueRef i) {
  struct dad_special_host host = {.req = u->req,
                                  .data = u,
                                  .active = host_active,
                                  .primal = host_primal,
                                  .tangent = host_tangent,
                                  .set_tangent = host_set_tangent};
  if (!dad_active(u->req, i))
    return;
  behind(u, i);
  dad_special_forward(&host, i);
}

static void tangent_call(struct dad_unit *u, LLVMValueRef i) {
  struct dad_call *c = dad_map_get(&u->call_of, i);
  const struct dad_rule *rule;
  if (c) {
    fill_tangents(u, c);
    return;
  }
  if (dad_runtime_called(i) != DAD_RT_COUNT)
    return;
  switch (dad_call_kind(u->req, i)) {
  case DAD_CALL_SPECIAL: tangent_special(u, i); break;
  case DAD_CALL_COPY: tangent_copy(u, i); break;
  case DAD_CALL_SET: tangent_set(u, i); break;
  case DAD_CALL_FREE: tangent_free(u, i); break;
  case DAD_CALL_REALLOC:
    if (!dad_inert(u->req, i))
      dad_shadow_of(u, i); /* the old block's shadow moves even if nobody asks for the new one's */
    break;
  case DAD_CALL_RULE:
    rule = dad_rule_of(i);
    if (dad_active(u->req, i))
      dad_map_set(&u->shadow, i, tangent_by_rule(u, i, rule));
    break;
  default: break;
  }
}

static void tangent_instruction(struct dad_unit *u, LLVMValueRef i) {
  if (dad_is_call(i)) {
    tangent_call(u, i);
  } else if (LLVMIsAStoreInst(i)) {
    tangent_store(u, i);
  } else if (LLVMIsAInsertValueInst(i) && dad_has_pointer(LLVMTypeOf(i))) {
    dad_shadow_of(u, i); /* now that the tangents of its parts are known */
  } else if (!LLVMIsAPHINode(i) && !dad_has_pointer(LLVMTypeOf(i)) && !dad_map_has(&u->shadow, i) &&
             dad_active(u->req, i)) {
    const struct dad_rule *rule = dad_rule_of(i);
    dad_map_set(&u->shadow, i, rule ? tangent_by_rule(u, i, rule) : tangent_value(u, i));
  }
}

/* ---- phis and order */

static void make_phi(struct dad_unit *u, LLVMValueRef phi) {
  LLVMBuilderRef b = u->req->ctx->builder;
  if (dad_has_pointer(LLVMTypeOf(phi)) || !dad_active(u->req, phi))
    return;
  LLVMPositionBuilderBefore(b, phi);
  dad_map_set(&u->shadow, phi, LLVMBuildPhi(b, dad_adjoint_type(u->req, phi), "tangent"));
}

static void fill_phi(struct dad_unit *u, LLVMValueRef phi) {
  LLVMValueRef t = dad_map_get(&u->shadow, phi);
  if (!t || dad_has_pointer(LLVMTypeOf(phi)))
    return;
  for (unsigned k = 0; k < LLVMCountIncoming(phi); k++) {
    LLVMValueRef in = tangent_as(u, LLVMGetIncomingValue(phi, k), LLVMTypeOf(t));
    LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, k);
    LLVMAddIncoming(t, &in, &from, 1);
  }
}

/* The blocks of "f" so that every block comes after its dominators: a depth-first postorder, reversed. */
static struct dad_vec blocks_in_order(struct dad_unit *u) {
  struct dad_vec order = DAD_VEC(u->req->arena), work = DAD_VEC(u->req->arena);
  struct dad_map next = DAD_MAP(u->req->arena); /* block -> how many successors were visited, plus one */
  LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(u->forward);
  dad_vec_push(&work, entry);
  dad_map_set_int(&next, entry, 1);
  while (work.n) {
    LLVMBasicBlockRef b = work.at[work.n - 1];
    LLVMValueRef t = LLVMGetBasicBlockTerminator(b);
    intptr_t k = dad_map_int(&next, b) - 1;
    if (k == (intptr_t)LLVMGetNumSuccessors(t)) {
      dad_vec_push(&order, dad_vec_pop(&work));
      continue;
    }
    dad_map_set_int(&next, b, k + 2);
    LLVMBasicBlockRef s = LLVMGetSuccessor(t, (unsigned)k);
    if (dad_map_has(&next, s))
      continue;
    dad_map_set_int(&next, s, 1);
    dad_vec_push(&work, s);
  }
  for (unsigned k = 0; k < order.n / 2; k++) {
    void *x = order.at[k];
    order.at[k] = order.at[order.n - 1 - k];
    order.at[order.n - 1 - k] = x;
  }
  return order;
}

/* The result of the tangent function at "ret": for the root the primal's result if asked for and the tangent, else both. */
static void tangent_return(struct dad_unit *u, LLVMValueRef ret) {
  struct dad_request *req = u->req;
  LLVMBuilderRef b = req->ctx->builder;
  LLVMTypeRef type = LLVMGetReturnType(LLVMGlobalGetValueType(u->forward));
  LLVMValueRef v = LLVMGetNumOperands(ret) ? LLVMGetOperand(ret, 0) : NULL, r;
  bool root = u == req->root, twin = v && (root ? dad_has_float(LLVMTypeOf(v)) || dad_has_pointer(LLVMTypeOf(v))
                                                : dad_unit_twin_type(req, v) != NULL);
  unsigned n = 0;
  LLVMValueRef t = twin ? tangent_of(u, v) : NULL;
  LLVMPositionBuilderBefore(b, ret);
  if (root)
    dad_runtime_call(req->ctx, DAD_RT_end);
  if (!root && !twin)
    return;
  if (LLVMGetTypeKind(type) == LLVMVoidTypeKind) {
    LLVMBuildRetVoid(b);
  } else {
    r = LLVMGetPoison(type);
    if (!root || req->primal_return)
      r = LLVMBuildInsertValue(b, r, v, n++, "");
    if (twin)
      r = LLVMBuildInsertValue(b, r, t, n++, "");
    LLVMBuildRet(b, r);
  }
  dad_detach(req->ctx, ret);
}

void dad_tangent_build(struct dad_unit *u) {
  struct dad_request *req = u->req;
  struct dad_vec all = DAD_VEC(req->arena);
  dad_augment_move(u);
  struct dad_vec blocks = blocks_in_order(u);
  for (unsigned k = 0; k < blocks.n; k++)
    DAD_FOR_INSTRUCTIONS(i, blocks.at[k])
      dad_vec_push(&all, i);
  for (unsigned k = 0; k < all.n; k++)
    if (LLVMIsAPHINode(all.at[k]))
      make_phi(u, all.at[k]);
  for (unsigned k = 0; k < u->calls.n; k++)
    dad_call_fill(u, u->calls.at[k]);
  for (unsigned k = 0; k < all.n && !dad_failed(req); k++)
    tangent_instruction(u, all.at[k]);
  for (unsigned k = 0; k < all.n && !dad_failed(req); k++) {
    if (LLVMIsAPHINode(all.at[k]))
      fill_phi(u, all.at[k]);
    else if (LLVMIsAReturnInst(all.at[k]))
      tangent_return(u, all.at[k]);
  }
  dad_scope_rest(req->ctx, u->forward);
}
