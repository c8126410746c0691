/* adjoint.c: adjoints of SSA values. A value that is used in its own block only has its adjoint in hand when the reverse sweep reaches its
   definition; any other has a place on the stack, which scalar replacement turns into registers. */
#include "sweep.h"

/* ---- sums */

/* An integer among the parts of an aggregate holds the bits of adjoints if it carries numbers, and zero otherwise. C's calling conventions make such
   aggregates for results only, which are taken apart once: no two of their adjoints meet. */
static LLVMValueRef join_bits(struct dad_context *ctx, LLVMValueRef a, LLVMValueRef b) {
  return LLVMGetTypeKind(LLVMTypeOf(a)) == LLVMIntegerTypeKind ? LLVMBuildOr(ctx->builder, a, b, "") : a;
}

LLVMValueRef dad_adjoint_add(struct dad_context *ctx, LLVMValueRef a, LLVMValueRef b) {
  LLVMTypeRef type = LLVMTypeOf(a);
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  if (kind != LLVMStructTypeKind && kind != LLVMArrayTypeKind) {
    if (!dad_has_float(type))
      return join_bits(ctx, a, b);
    return dad_free_order(dad_free_rounding(LLVMBuildFAdd(ctx->builder, a, b, "")));
  }
  unsigned n = kind == LLVMStructTypeKind ? LLVMCountStructElementTypes(type) : (unsigned)LLVMGetArrayLength2(type);
  LLVMValueRef r = a;
  for (unsigned k = 0; k < n; k++) {
    LLVMValueRef x = LLVMBuildExtractValue(ctx->builder, a, k, ""), y = LLVMBuildExtractValue(ctx->builder, b, k, "");
    r = LLVMBuildInsertValue(ctx->builder, r, dad_adjoint_add(ctx, x, y), k, "");
  }
  return r;
}

/* ---- where an adjoint lives */

/* Is "v" used in its own block only, and not by a phi, a return or a part of an aggregate? Promoting the places of one long block
   would be quadratic without this. */
static bool is_local(struct dad_sweep *s, LLVMValueRef v) {
  if (!LLVMIsAInstruction(v) || LLVMIsAPHINode(v) || v == s->seeded)
    return false;
  void *known = dad_map_get(&s->local, v);
  if (known)
    return known != (void *)s;
  LLVMBasicBlockRef home = LLVMGetInstructionParent(v);
  bool local = true;
  DAD_FOR_USERS(user, v) {
    if (!LLVMIsAInstruction(user) || LLVMGetInstructionParent(user) != home || LLVMIsAPHINode(user) ||
        LLVMIsAReturnInst(user) || LLVMIsAExtractValueInst(user) || LLVMIsAExtractElementInst(user)) {
      local = false;
      break;
    }
  }
  dad_map_set(&s->local, v, local ? (void *)LLVMConstNull(dad_adjoint_type(s->req, v)) : (void *)s);
  return local;
}

/* The block in whose reverse the place of "v" is set to zero: the nearest that post-dominates the definition and all uses, in a loop
   that contains the definition; -1: the start of the sweep. (Zeroing all places there is right too, but promoting them then costs
   values times blocks.) */
static int zero_block(struct dad_sweep *s, LLVMValueRef v) {
  const struct dad_graph *g = &s->g;
  int home = dad_graph_block_of(g, v), at = home, need = g->loop_of[home];
  DAD_FOR_USERS(user, v) {
    if (!LLVMIsAInstruction(user) || !LLVMGetInstructionParent(user))
      continue;
    int b = dad_graph_number(g, LLVMGetInstructionParent(user));
    if (b < 0) /* our own code in the reverse sweep */
      continue;
    int l = g->loop_of[b];
    bool carried = LLVMIsAPHINode(user) && dad_graph_is_header(g, b) && dad_graph_inside(g, g->loop_of[home], l);
    if (carried && dad_graph_inside(g, need, g->loop[l].parent))
      need = g->loop[l].parent; /* it lives into the next iteration */
    at = dad_graph_common_post_dominator(g, at, b);
    if (at < 0)
      return -1;
  }
  while (at >= 0 && !dad_graph_inside(g, need, g->loop_of[at]))
    at = g->post_dominator[at];
  return at;
}

LLVMValueRef dad_adjoint_place(struct dad_sweep *s, LLVMValueRef v) {
  LLVMValueRef place = dad_map_get(&s->adjoint, v);
  if (place)
    return place;
  LLVMBuilderRef b = s->ctx->builder;
  LLVMTypeRef type = dad_adjoint_type(s->req, v);
  int z = v == s->seeded ? -1 : zero_block(s, v);
  place = dad_sweep_place(s, s->u->reverse, type);
  dad_map_set(&s->adjoint, v, place);
  LLVMBasicBlockRef here = LLVMGetInsertBlock(b), home = z < 0 ? s->start : s->reverse_block[z];
  LLVMValueRef first = LLVMGetFirstInstruction(home);
  if (first)
    LLVMPositionBuilderBefore(b, first);
  else
    LLVMPositionBuilderAtEnd(b, home);
  LLVMBuildStore(b, LLVMConstNull(type), place);
  LLVMPositionBuilderAtEnd(b, here);
  return place;
}

/* ---- giving and taking */

void dad_adjoint_give(struct dad_sweep *s, LLVMValueRef v, LLVMValueRef g) {
  if (s->dry || LLVMIsConstant(v) || !dad_active(s->req, v))
    return;
  LLVMBuilderRef b = s->ctx->builder;
  LLVMTypeRef type = dad_adjoint_type(s->req, v);
  g = dad_as_bits(s->ctx, g, type);
  if (is_local(s, v)) {
    LLVMValueRef old = dad_map_get(&s->local, v);
    dad_map_set(&s->local, v, LLVMIsNull(old) ? g : dad_adjoint_add(s->ctx, old, g));
    return;
  }
  LLVMValueRef place = dad_adjoint_place(s, v);
  LLVMBuildStore(b, dad_adjoint_add(s->ctx, LLVMBuildLoad2(b, type, place, ""), g), place);
}

LLVMValueRef dad_adjoint_take(struct dad_sweep *s, LLVMValueRef v) {
  LLVMTypeRef type = dad_adjoint_type(s->req, v);
  if (!type)
    type = LLVMTypeOf(v);
  if (s->dry || !dad_active(s->req, v))
    return LLVMConstNull(type);
  if (is_local(s, v)) {
    LLVMValueRef g = dad_map_get(&s->local, v);
    dad_map_set(&s->local, v, LLVMConstNull(type));
    return g;
  }
  LLVMValueRef place = dad_adjoint_place(s, v), g = LLVMBuildLoad2(s->ctx->builder, type, place, "");
  LLVMBuildStore(s->ctx->builder, LLVMConstNull(type), place);
  return g;
}
