/* address.c: paths of getelementptr instructions over positions. */
#include "address.h"

#include <string.h>

enum { MULTIPLE_DEPTH = 6, MOST_SHAPES = 192 };

/* Steps larger than this are as good as unknown. */
static const int64_t LONG_STEP = (int64_t)1 << 32;

/* ---- what an index is a multiple of */

static int64_t multiple(LLVMValueRef v, unsigned depth);

/* The largest power of two in "m": what survives a wrap-around. */
static int64_t even_part(int64_t m) {
  return m & -m;
}

static int64_t multiple_of_phi(LLVMValueRef v, unsigned depth) {
  int64_t m = 0;
  for (unsigned k = 0; k < LLVMCountIncoming(v); k++) {
    LLVMValueRef x = LLVMGetIncomingValue(v, k);
    if (LLVMIsAInstruction(x) && LLVMGetInstructionOpcode(x) == LLVMAdd &&
        LLVMGetOperand(x, 0) == v)
      x = LLVMGetOperand(x, 1); /* a counter: start and increment tell */
    if (x != v)
      m = dad_gcd(m, multiple(x, depth + 2));
  }
  return m;
}

static int64_t multiple_of_mask(LLVMValueRef mask) {
  if (!LLVMIsAConstantInt(mask) || LLVMGetIntTypeWidth(LLVMTypeOf(mask)) > 64)
    return 1;
  int64_t m = LLVMConstIntGetSExtValue(mask);
  return m ? even_part(m) : 0;
}

static int64_t multiple_of_shift(LLVMValueRef v, unsigned depth) {
  LLVMValueRef by = LLVMGetOperand(v, 1);
  if (!LLVMIsAConstantInt(by) || LLVMConstIntGetZExtValue(by) > 30)
    return 1;
  int64_t m = multiple(LLVMGetOperand(v, 0), depth + 1);
  return m > LONG_STEP ? 1 : m << LLVMConstIntGetZExtValue(by);
}

static int64_t multiple_of_product(LLVMValueRef v, unsigned depth) {
  int64_t a = multiple(LLVMGetOperand(v, 0), depth + 1),
          b = multiple(LLVMGetOperand(v, 1), depth + 1);
  return a > LONG_STEP >> 2 || b > LONG_STEP >> 2 ? 1 : a * b;
}

static int64_t multiple(LLVMValueRef v, unsigned depth) {
  if (LLVMIsAConstantInt(v)) {
    int64_t m = LLVMGetIntTypeWidth(LLVMTypeOf(v)) <= 64 ? LLVMConstIntGetSExtValue(v) : 1;
    return m == INT64_MIN ? 1 : m < 0 ? -m : m;
  }
  if (!LLVMIsAInstruction(v) || depth > MULTIPLE_DEPTH)
    return 1;
  switch (LLVMGetInstructionOpcode(v)) {
  case LLVMShl: return multiple_of_shift(v, depth);
  case LLVMMul: return multiple_of_product(v, depth);
  case LLVMAdd:
  case LLVMSub:
    return dad_gcd(multiple(LLVMGetOperand(v, 0), depth + 1),
                   multiple(LLVMGetOperand(v, 1), depth + 1));
  case LLVMOr:
    return even_part(dad_gcd(multiple(LLVMGetOperand(v, 0), depth + 1),
                             multiple(LLVMGetOperand(v, 1), depth + 1)));
  case LLVMSelect:
    return dad_gcd(multiple(LLVMGetOperand(v, 1), depth + 1),
                   multiple(LLVMGetOperand(v, 2), depth + 1));
  case LLVMPHI: return multiple_of_phi(v, depth);
  case LLVMAnd: return multiple_of_mask(LLVMGetOperand(v, 1));
  case LLVMZExt:
  case LLVMSExt:
  case LLVMTrunc: return even_part(multiple(LLVMGetOperand(v, 0), depth + 1));
  default: return 1;
  }
}

/* A product or a sum in the program wraps around at a power of two; where a front end says that it
   does not, the odd part counts too. Address computations of an object's own elements do not wrap.
 */
static int64_t shortened(int64_t m) {
  return m > LONG_STEP ? even_part(m) > LONG_STEP ? LONG_STEP : even_part(m) : m;
}

int64_t dad_multiple_of(LLVMValueRef v) {
  return shortened(multiple(v, 0));
}

/* The operand of the extension "v" whose sums do not wrap, or "v" itself. */
static LLVMValueRef extended(LLVMValueRef v) {
  LLVMValueRef o = LLVMIsASExtInst(v) || LLVMIsAZExtInst(v) ? LLVMGetOperand(v, 0) : v;
  LLVMOpcode op = LLVMIsAInstruction(o) ? LLVMGetInstructionOpcode(o) : LLVMRet;
  bool may_wrap = op == LLVMAdd || op == LLVMSub || op == LLVMMul || op == LLVMShl;
  return may_wrap && (LLVMIsASExtInst(v) ? LLVMGetNSW(o) : LLVMGetNUW(o)) ? o : v;
}

/* What the sum "v" is a multiple of, its constant terms apart: those, times "factor", are added to
   "constant". */
static int64_t multiple_of_terms(LLVMValueRef v, int64_t factor, unsigned depth,
                                 int64_t *constant) {
  enum { MOST_SHIFT = 12 };
  v = extended(v);
  LLVMOpcode op = LLVMIsAInstruction(v) ? LLVMGetInstructionOpcode(v) : LLVMRet;
  unsigned first = op == LLVMMul && LLVMIsAConstantInt(LLVMGetOperand(v, 0)) ? 1 : 0;
  LLVMValueRef by = op == LLVMShl || op == LLVMMul ? LLVMGetOperand(v, 1 - first) : NULL;
  int64_t c = LLVMIsAConstantInt(v) ? LLVMConstIntGetSExtValue(v) : LONG_STEP,
          scale = by && LLVMIsAConstantInt(by) ? LLVMConstIntGetSExtValue(by) : -1;
  if (c < LONG_STEP && c > -LONG_STEP) {
    *constant += factor * c;
    return 0;
  }
  if (op == LLVMShl)
    scale = scale >= 0 && scale <= MOST_SHIFT ? (int64_t)1 << scale : -1;
  if (depth > MULTIPLE_DEPTH)
    return 1;
  if (scale > 0 && scale <= 1 << MOST_SHIFT && factor > -LONG_STEP / 4 && factor < LONG_STEP / 4)
    return shortened(
        scale * multiple_of_terms(LLVMGetOperand(v, first), factor * scale, depth + 1, constant));
  if (op != LLVMAdd && op != LLVMSub)
    return multiple(v, depth);
  return dad_gcd(multiple_of_terms(LLVMGetOperand(v, 0), factor, depth + 1, constant),
                 multiple_of_terms(LLVMGetOperand(v, 1), op == LLVMSub ? -factor : factor,
                                   depth + 1, constant));
}

/* ---- building */

static void add_move(struct dad_heap *h, struct dad_path *p, enum dad_move_kind kind, int64_t bytes,
                     LLVMTypeRef type) {
  if (p->n == p->capacity) {
    unsigned more = p->capacity ? 2 * p->capacity : 4;
    p->move = dad_arena_grow(h->arena, p->move, p->n * sizeof *p->move, more * sizeof *p->move);
    p->capacity = more;
  }
  p->move[p->n++] = (struct dad_move){kind, bytes, type};
}

static bool is_byte(LLVMTypeRef type) {
  return dad_is_integer(type, 8);
}

/* An unknown number of bytes: on from the member that the constant part leads to; if that is
   negative, to one of the places that lie alike in all elements. */
static void byte_index(struct dad_heap *h, struct dad_path *p, LLVMValueRef index) {
  int64_t constant = 0, m = shortened(multiple_of_terms(index, 1, 0, &constant));
  if (constant > 0)
    add_move(h, p, DAD_MOVE_BYTES, constant, NULL);
  if (m)
    add_move(h, p, DAD_MOVE_INDEX, m, NULL);
  if (constant < 0 && (!m || constant % m))
    add_move(h, p, DAD_MOVE_BYTES, m ? dad_mod(constant, m) : constant, NULL);
}

/* The first index: over elements of the source type. */
static void first_index(struct dad_heap *h, struct dad_path *p, LLVMTypeRef type,
                        LLVMValueRef index) {
  int64_t bytes = (int64_t)dad_size_of(h->ctx, type);
  if (!LLVMIsAConstantInt(index) && is_byte(type)) {
    byte_index(h, p, index);
  } else if (!LLVMIsAConstantInt(index)) {
    int64_t m = dad_multiple_of(index);
    if (bytes && m)
      add_move(h, p, DAD_MOVE_INDEX, bytes * m, NULL);
  } else if (LLVMConstIntGetSExtValue(index)) {
    add_move(h, p, is_byte(type) ? DAD_MOVE_BYTES : DAD_MOVE_KNOWN,
             bytes * LLVMConstIntGetSExtValue(index), NULL);
  }
}

/* An index into the array "type". */
static void element_index(struct dad_heap *h, struct dad_path *p, LLVMTypeRef type,
                          LLVMValueRef index) {
  int64_t bytes = (int64_t)dad_size_of(h->ctx, LLVMGetElementType(type));
  if (!LLVMIsAConstantInt(index)) {
    int64_t m = dad_multiple_of(index);
    if (bytes && m)
      add_move(h, p, DAD_MOVE_ELEMENT, bytes * m, type);
  } else if (LLVMConstIntGetSExtValue(index)) {
    add_move(h, p, DAD_MOVE_KNOWN, bytes * LLVMConstIntGetSExtValue(index), NULL);
  }
}

struct dad_path *dad_path_of(struct dad_heap *h, LLVMValueRef gep) {
  struct dad_path *p = DAD_NEW(h->arena, struct dad_path);
  LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
  int n = LLVMGetNumOperands(gep);
  if (LLVMGetTypeKind(LLVMTypeOf(gep)) != LLVMPointerTypeKind || !dad_is_sized(type) ||
      LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(gep, 0))) != LLVMPointerTypeKind) {
    add_move(h, p, DAD_MOVE_LOST, 0, NULL);
    return p;
  }
  first_index(h, p, type, LLVMGetOperand(gep, 1));
  if (n > 2)
    add_move(h, p, DAD_MOVE_ENTER, 0, type);
  for (int k = 2; k < n; k++) {
    LLVMValueRef index = LLVMGetOperand(gep, (unsigned)k);
    if (LLVMGetTypeKind(type) == LLVMStructTypeKind) {
      unsigned member = (unsigned)LLVMConstIntGetZExtValue(index);
      add_move(h, p, DAD_MOVE_MEMBER, (int64_t)LLVMOffsetOfElement(h->ctx->target, type, member),
               NULL);
      type = LLVMStructGetTypeAtIndex(type, member);
    } else {
      element_index(h, p, type, index);
      type = LLVMGetElementType(type);
    }
  }
  return p;
}

struct dad_path *dad_path_by_index(struct dad_heap *h, int64_t bytes) {
  struct dad_path *p = DAD_NEW(h->arena, struct dad_path);
  add_move(h, p, DAD_MOVE_INDEX, bytes, NULL);
  return p;
}

/* ---- following */

/* The shapes on the way. */
struct travel {
  struct dad_shape shape[MOST_SHAPES];
  unsigned n;
};

/* Looks at the memory at "s" as a "type". What is already declared around stays if that is the
 * same; uniform types say nothing new. */
static void enter(struct dad_heap *h, struct dad_shape *s, LLVMTypeRef type) {
  if (s->type && dad_declared_fits(&h->declared, (LLVMTypeRef)s->type, s->at, s->p.lo, type))
    return;
  s->type = dad_declared_scalar(&h->declared, type) ? NULL : type;
  s->at = s->p.lo;
}

/* To any element of the array "type" at "s". */
static struct dad_shape to_element(struct dad_heap *h, const struct dad_shape *s, LLVMTypeRef type,
                                   int64_t step) {
  int64_t count;
  LLVMTypeRef element = dad_declared_element(type, &count);
  struct dad_region region;
  if (s->type &&
      dad_declared_array(&h->declared, (LLVMTypeRef)s->type, s->at, s->p.lo, step, &region))
    return dad_shape_index(s, step, &region);
  region = (struct dad_region){s->p.lo, count * (int64_t)dad_size_of(h->ctx, element)};
  return dad_shape_index(s, step, count > 1 ? &region : NULL);
}

static struct dad_shape by_index(struct dad_heap *h, const struct dad_shape *s, int64_t step) {
  struct dad_region region;
  bool declared =
      dad_declared_region(&h->declared, (LLVMTypeRef)s->type, s->at, s->p.lo, step, &region);
  return dad_shape_index(s, step, declared ? &region : NULL);
}

/* One move of one shape. Writes the results to "out" and returns how many. */
static unsigned move_shape(struct dad_heap *h, const struct dad_shape *s, const struct dad_move *m,
                           struct dad_shape *out) {
  out[0] = *s;
  switch (m->kind) {
  case DAD_MOVE_KNOWN: return dad_shape_offset(s, m->bytes, false, out);
  case DAD_MOVE_BYTES: return dad_shape_offset(s, m->bytes, true, out);
  case DAD_MOVE_INDEX: out[0] = by_index(h, s, m->bytes); return 1;
  case DAD_MOVE_ENTER: enter(h, &out[0], m->type); return 1;
  case DAD_MOVE_MEMBER: dad_shape_move(&out[0], m->bytes); return 1;
  case DAD_MOVE_ELEMENT: out[0] = to_element(h, s, m->type, m->bytes); return 1;
  case DAD_MOVE_LOST: break;
  }
  out[0] = dad_shape_anywhere();
  return 1;
}

static void move_all(struct dad_heap *h, struct travel *t, const struct dad_move *m) {
  struct travel next;
  next.n = 0;
  for (unsigned k = 0; k < t->n; k++) {
    struct dad_shape out[DAD_DIMS + 1];
    unsigned n = move_shape(h, &t->shape[k], m, out);
    if (next.n + n > MOST_SHAPES) { /* does not happen to sets of few shapes in few arrays */
      next.shape[0] = dad_shape_anywhere();
      next.n = 1;
      break;
    }
    memcpy(&next.shape[next.n], out, n * sizeof out[0]);
    next.n += n;
  }
  memcpy(t->shape, next.shape, next.n * sizeof next.shape[0]);
  t->n = next.n;
}

/* What the struct that the path goes into says about the object as a whole. */
static void declare(struct dad_heap *h, const struct dad_target *t, const struct dad_path *path) {
  bool first = path->n && path->move[0].kind == DAD_MOVE_ENTER;
  if (first && t->at.n && !dad_declared_scalar(&h->declared, path->move[0].type))
    dad_object_declare(h, t->object, path->move[0].type, t->at.shape[0].p.lo);
}

/* Adds to "to" what becomes of the target "from". */
static void follow_target(struct dad_heap *h, const struct dad_target *from,
                          const struct dad_path *path, struct dad_node *to) {
  struct travel t;
  t.n = from->at.n;
  for (unsigned k = 0; k < t.n; k++)
    t.shape[k] = from->at.shape[k];
  for (unsigned k = 0; k < path->n; k++)
    move_all(h, &t, &path->move[k]);
  for (unsigned k = 0; k < t.n; k++)
    dad_node_point(h, to, from->object, &t.shape[k]);
}

void dad_path_follow(struct dad_heap *h, struct dad_node *from, const struct dad_path *path,
                     struct dad_node *to) {
  struct dad_target copy[DAD_TARGETS];
  unsigned n;
  const struct dad_target *t = dad_node_targets(h, from, &n);
  for (unsigned k = 0; k < n; k++) {
    declare(h, &t[k], path);
    copy[k] = t[k];
  }
  for (unsigned k = 0; k < n; k++)
    follow_target(h, &copy[k], path, to);
}
