/* refuse_graph.c: the places and ways of refuse.h. */
#include "refuse.h"

struct dad_place *dad_place_new(struct dad_refusal *r) {
  return DAD_NEW(r->req->arena, struct dad_place);
}

static struct dad_place *place_at(struct dad_refusal *r, const void *key) {
  struct dad_place *p = dad_map_get(&r->place, key);
  if (!p) {
    p = dad_place_new(r);
    dad_map_set(&r->place, key, p);
  }
  return p;
}

struct dad_place *dad_place_of_cell(struct dad_refusal *r, struct dad_node *content) {
  struct dad_place *p = place_at(r, dad_node_find(content));
  p->cell = true;
  return p;
}

struct dad_place *dad_place_of_node(struct dad_refusal *r, struct dad_node *n) {
  return place_at(r, n);
}

/* Can a number, or a part of one, be in a value of "type"? */
static bool can_carry(LLVMTypeRef type) {
  switch (LLVMGetTypeKind(type)) {
  case LLVMIntegerTypeKind: return LLVMGetIntTypeWidth(type) >= 8;
  case LLVMArrayTypeKind:
  case LLVMVectorTypeKind:
  case LLVMScalableVectorTypeKind: return can_carry(LLVMGetElementType(type));
  case LLVMStructTypeKind:
    for (unsigned k = 0; k < LLVMCountStructElementTypes(type); k++)
      if (can_carry(LLVMStructGetTypeAtIndex(type, k)))
        return true;
    return false;
  default: return dad_has_float(type);
  }
}

/* The upper half of "v" is kept under the address after it, which no other value has. */
unsigned dad_places_of(struct dad_refusal *r, LLVMValueRef v, struct dad_place *at[2]) {
  if (LLVMIsConstant(v) || LLVMValueIsBasicBlock(v) || LLVMIsAInlineAsm(v) ||
      !can_carry(LLVMTypeOf(v)))
    return 0;
  at[0] = place_at(r, v);
  if (!dad_is_integer(LLVMTypeOf(v), 64))
    return 1;
  at[1] = place_at(r, (const char *)v + 1);
  return 2;
}

void dad_step(struct dad_refusal *r, struct dad_place *from, struct dad_place *to,
              enum dad_step_kind kind, enum dad_diag_id id, LLVMValueRef at) {
  if (!from || !to || (from == to && id == DAD_LEGAL))
    return;
  struct dad_step *s = DAD_NEW(r->req->arena, struct dad_step);
  *s = (struct dad_step){from, to, from->out, to->in, kind, id, at};
  from->out = to->in = s;
  dad_vec_push(&r->steps, s);
}

void dad_step_values(struct dad_refusal *r, LLVMValueRef from, LLVMValueRef to, bool by_half,
                     enum dad_step_kind kind, enum dad_diag_id id, LLVMValueRef at) {
  struct dad_place *a[2], *b[2];
  unsigned n = dad_places_of(r, from, a), m = dad_places_of(r, to, b);
  for (unsigned i = 0; i < n; i++)
    for (unsigned k = 0; k < m; k++)
      if (!by_half || n != m || i == k)
        dad_step(r, a[i], b[k], kind, id, at);
}

void dad_step_from(struct dad_refusal *r, LLVMValueRef from, struct dad_place *to,
                   enum dad_step_kind kind, enum dad_diag_id id, LLVMValueRef at) {
  struct dad_place *a[2];
  for (unsigned k = 0, n = dad_places_of(r, from, a); k < n; k++)
    dad_step(r, a[k], to, kind, id, at);
}

void dad_step_to(struct dad_refusal *r, struct dad_place *from, LLVMValueRef to,
                 enum dad_step_kind kind, enum dad_diag_id id, LLVMValueRef at) {
  struct dad_place *b[2];
  for (unsigned k = 0, n = dad_places_of(r, to, b); k < n; k++)
    dad_step(r, from, b[k], kind, id, at);
}

static bool carries(struct dad_refusal *r, LLVMValueRef v) {
  return LLVMIsConstant(v) || dad_adjoint_type(r->req, v);
}

void dad_step_move(struct dad_refusal *r, LLVMValueRef from, LLVMValueRef to, LLVMValueRef at) {
  enum dad_diag_id id = carries(r, from) && carries(r, to) ? DAD_LEGAL : DAD_BITS;
  dad_step_values(r, from, to, true, DAD_STEP_MOVE, id, at);
}

/* ---- flags */

/* Does "flag" pass along "s"? */
static bool passes(const struct dad_step *s, unsigned flag) {
  bool registers = !s->from->cell && !s->to->cell;
  bool bits = s->kind == DAD_STEP_MOVE || s->kind == DAD_STEP_BITS;
  bool converts = s->kind == DAD_STEP_CONVERT || s->kind == DAD_STEP_ROUND;
  switch (flag) {
  case DAD_SURE: return !converts && registers;
  case DAD_BITS_OUT: return bits && registers;
  case DAD_DISTANCE:
  case DAD_ADDRESS_IN:
  case DAD_ADDRESS_OUT: return bits || s->kind == DAD_STEP_CLOSE;
  default: return !converts;
  }
}

static void spread(struct dad_refusal *r, unsigned flag) {
  struct dad_vec work = DAD_VEC(r->req->arena);
  bool forward = !(flag & (DAD_NUMBER_OUT | DAD_ADDRESS_OUT | DAD_BITS_OUT));
  for (unsigned k = 0; k < r->place.n; k++)
    if (((struct dad_place *)r->place.value[k])->flags & flag)
      dad_vec_push(&work, r->place.value[k]);
  while (work.n) {
    struct dad_place *p = dad_vec_pop(&work);
    for (struct dad_step *s = forward ? p->out : p->in; s; s = forward ? s->next_out : s->next_in) {
      struct dad_place *next = forward ? s->to : s->from;
      if (next->flags & flag || !passes(s, flag))
        continue;
      next->flags |= flag;
      dad_vec_push(&work, next);
    }
  }
}

void dad_refuse_spread(struct dad_refusal *r) {
  spread(r, DAD_NUMBER_IN);
  spread(r, DAD_NUMBER_OUT);
  spread(r, DAD_ADDRESS_IN);
  spread(r, DAD_ADDRESS_OUT);
  for (unsigned k = 0; k < r->steps.n; k++) {
    struct dad_step *s = r->steps.at[k];
    if (s->kind == DAD_STEP_OPEN && s->from->flags & DAD_NUMBER_IN)
      s->to->flags |= DAD_SURE;
    if (s->kind == DAD_STEP_CLOSE && s->to->flags & DAD_NUMBER_OUT)
      s->from->flags |= DAD_BITS_OUT;
  }
  spread(r, DAD_SURE);
  spread(r, DAD_BITS_OUT);
  spread(r, DAD_DISTANCE);
}
