/* constraint.c: instructions, constants and globals as constraints. */
#include "constraint.h"

#include "carrier.h"

/* Larger aggregates are accessed as one piece. */
enum { MOST_LEAVES = 64 };

/* ---- nodes */

/* Can a pointer, or an integer that carries bits of one or of a number, be in a value of "type"? */
static bool is_tracked(LLVMTypeRef type) {
  switch (LLVMGetTypeKind(type)) {
  case LLVMPointerTypeKind: return true;
  case LLVMIntegerTypeKind: return LLVMGetIntTypeWidth(type) >= 8;
  case LLVMArrayTypeKind:
  case LLVMVectorTypeKind:
  case LLVMScalableVectorTypeKind: return is_tracked(LLVMGetElementType(type));
  case LLVMStructTypeKind:
    for (unsigned k = 0; k < LLVMCountStructElementTypes(type); k++)
      if (is_tracked(LLVMStructGetTypeAtIndex(type, k)))
        return true;
    return false;
  default: return false;
  }
}

static struct dad_node *new_node(struct dad_memory *m, LLVMValueRef v) {
  struct dad_node *n = dad_node_new(&m->heap, v);
  if (LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMPointerTypeKind)
    dad_node_add_kinds(n, DAD_PTR);
  dad_map_set(&m->node, v, n);
  return n;
}

/* "n" points to the beginning of a new object, declared as "type" (NULL: not). */
static struct dad_object *point_to_new(struct dad_memory *m, struct dad_node *n, LLVMValueRef site,
                                       LLVMTypeRef type) {
  struct dad_object *o = dad_object_new(&m->heap, site);
  struct dad_shape start = {.type = type};
  if (type)
    dad_object_declare(&m->heap, o, type, 0);
  dad_node_point(&m->heap, n, o, &start);
  return o;
}

/* What an initialiser stores: pointers. "span": where, relative to the object; its width is set
 * here. */
static void initialise(struct dad_memory *m, struct dad_node *global, LLVMValueRef c,
                       struct dad_span span) {
  LLVMTypeRef type = LLVMTypeOf(c);
  if (dad_is_plain_constant(c))
    return;
  if (LLVMIsAConstantStruct(c)) {
    int64_t lo = span.p.lo;
    for (int k = 0; k < LLVMGetNumOperands(c); k++) {
      span.p.lo = lo + (int64_t)LLVMOffsetOfElement(m->heap.ctx->target, type, (unsigned)k);
      initialise(m, global, LLVMGetOperand(c, (unsigned)k), span);
    }
    return;
  }
  if (LLVMIsAConstantArray(c)) {
    int64_t lo = span.p.lo, stride = (int64_t)dad_size_of(m->heap.ctx, LLVMGetElementType(type)),
            n = LLVMGetNumOperands(c);
    for (int k = 0; k < n; k++) {
      if (n > MOST_LEAVES) { /* a table: its elements are alike */
        struct dad_shape at = {.p = span.p};
        struct dad_span all = {.p = {.n = 1, .dim = {{stride, n, 0, false}}}, .width = 1};
        initialise(m, global, LLVMGetOperand(c, (unsigned)k), dad_span_placed(&all, &at));
        continue;
      }
      span.p.lo = lo + k * stride;
      initialise(m, global, LLVMGetOperand(c, (unsigned)k), span);
    }
    return;
  }
  struct dad_node *v = dad_node_of(m, c);
  unsigned count;
  const struct dad_target *t = dad_node_targets(&m->heap, global, &count);
  if (!v)
    return;
  span.width = (int64_t)dad_store_size(m->heap.ctx, type);
  struct dad_cell *cell = dad_object_touch(&m->heap, t->object, &span);
  struct dad_node *content = cell->content;
  dad_node_add_kinds(content, dad_kinds_of(type));
  dad_heap_settle(&m->heap);
  dad_constrain(m, DAD_FLOW, v, content);
}

/* May code of other modules write the global "g"? */
static bool is_visible(LLVMValueRef g) {
  LLVMLinkage linkage = LLVMGetLinkage(g);
  return linkage != LLVMInternalLinkage && linkage != LLVMPrivateLinkage &&
         !LLVMIsGlobalConstant(g);
}

static void global_node(struct dad_memory *m, struct dad_node *n, LLVMValueRef g) {
  LLVMTypeRef type = LLVMGlobalGetValueType(g);
  LLVMValueRef initialiser = LLVMGetInitializer(g);
  struct dad_object *o = point_to_new(m, n, g, dad_is_sized(type) ? type : NULL);
  o->external = is_visible(g) || LLVMIsDeclaration(g);
  o->align = LLVMGetAlignment(g);
  if (!o->align)
    o->align = dad_is_sized(type) ? LLVMABIAlignmentOfType(m->heap.ctx->target, type) : 1;
  if (initialiser)
    initialise(m, n, initialiser, (struct dad_span){.width = 1});
}

static void function_node(struct dad_memory *m, struct dad_node *n, LLVMValueRef f) {
  struct dad_object *o = point_to_new(m, n, f, NULL);
  struct dad_unit *u = dad_unit_of(m->req, f);
  o->function = u && u->address_taken;
}

/* An expression over constants: an address that moves, or one in another guise. */
static void expression_node(struct dad_memory *m, struct dad_node *n, LLVMValueRef c) {
  LLVMOpcode op = LLVMGetConstOpcode(c);
  for (int k = 0; k < LLVMGetNumOperands(c); k++) {
    struct dad_node *from = dad_node_of(m, LLVMGetOperand(c, (unsigned)k));
    if (!from)
      continue;
    if (op == LLVMGetElementPtr && k == 0)
      dad_constrain(m, DAD_ADDRESS, from, n)->path = dad_path_of(&m->heap, c);
    else if (op == LLVMAdd)
      dad_constrain(m, DAD_ANYWHERE, from, n);
    else if (op != LLVMSub && op != LLVMGetElementPtr)
      dad_constrain(m, DAD_FLOW, from, n);
  }
}

static void constant_node(struct dad_memory *m, struct dad_node *n, LLVMValueRef c) {
  if (LLVMIsAGlobalVariable(c)) {
    global_node(m, n, c);
  } else if (LLVMIsAFunction(c)) {
    function_node(m, n, c);
  } else if (LLVMIsAGlobalAlias(c)) {
    dad_constrain(m, DAD_FLOW, dad_node_of(m, LLVMAliasGetAliasee(c)), n);
  } else if (LLVMIsAConstantExpr(c)) {
    expression_node(m, n, c);
  } else if (LLVMIsAConstantStruct(c) || LLVMIsAConstantArray(c) || LLVMIsAConstantVector(c)) {
    for (int k = 0; k < LLVMGetNumOperands(c); k++)
      dad_constrain_flow(m, LLVMGetOperand(c, (unsigned)k), c);
  }
}

struct dad_node *dad_node_known(struct dad_memory *m, LLVMValueRef v) {
  struct dad_node *n = dad_map_get(&m->node, v);
  return n ? dad_node_find(n) : NULL;
}

/* Null, undefined values and numbers have no node: they must not tie anything together. */
struct dad_node *dad_node_of(struct dad_memory *m, LLVMValueRef v) {
  struct dad_node *n = dad_node_known(m, v);
  if (n || !is_tracked(LLVMTypeOf(v)) || dad_is_plain_constant(v) || LLVMIsABlockAddress(v) ||
      LLVMIsAInlineAsm(v))
    return n;
  n = new_node(m, v);
  if (LLVMIsConstant(v)) {
    bool outside = m->outside;
    m->outside = false;
    constant_node(m, n, v);
    m->outside = outside;
  }
  return n;
}

/* ---- constraints */

static bool has_type(const struct dad_node *n, LLVMTypeKind kind) {
  return n->value && LLVMGetTypeKind(LLVMTypeOf(n->value)) == kind;
}

/* Pointers say nothing about what integers carry, and the other way round; but an integer that was
 * or becomes a pointer carries one. */
static void separate_pointers(struct dad_constraint *c) {
  bool from = has_type(c->from, LLVMPointerTypeKind), to = has_type(c->to, LLVMPointerTypeKind);
  c->integers = !from && !to;
  if (from && has_type(c->to, LLVMIntegerTypeKind))
    dad_node_add_kinds(c->to, DAD_PTR);
  if (to && has_type(c->from, LLVMIntegerTypeKind))
    dad_node_add_kinds(c->from, DAD_PTR);
}

struct dad_constraint *dad_constrain(struct dad_memory *m, enum dad_constraint_kind kind,
                                     struct dad_node *from, struct dad_node *to) {
  struct dad_constraint *c = DAD_NEW(m->heap.arena, struct dad_constraint);
  *c = (struct dad_constraint){
      .kind = kind, .outside = m->outside, .from = from, .to = to, .at = m->at};
  dad_vec_push(&m->constraints, c);
  if (to)
    to->fed |= kind <= DAD_ANYWHERE;
  if (kind == DAD_FLOW)
    separate_pointers(c);
  return c;
}

void dad_constrain_flow(struct dad_memory *m, LLVMValueRef from, LLVMValueRef to) {
  struct dad_node *a = dad_node_of(m, from), *b = dad_node_of(m, to);
  if (a && b)
    dad_constrain(m, DAD_FLOW, a, b);
}

/* An access in the making. */
struct access {
  enum dad_constraint_kind kind; /* LOAD or STORE */
  struct dad_node *pointer, *value;
  unsigned align;
};

static unsigned alignment_at(unsigned align, int64_t offset) {
  while (align > 1 && offset % align)
    align /= 2;
  return align ? align : 1;
}

/* One scalar (or vector) of it. */
static void access_leaf(struct dad_memory *m, const struct access *a, LLVMTypeRef type,
                        int64_t offset) {
  struct dad_constraint *c =
      dad_constrain(m, a->kind, a->pointer, is_tracked(type) ? a->value : NULL);
  c->kinds = dad_kinds_of(type);
  c->integers = !c->kinds;
  c->offset = offset;
  c->bytes = (int64_t)dad_store_size(m->heap.ctx, type);
  c->align = alignment_at(a->align, offset);
}

static void access_all(struct dad_memory *m, const struct access *a, LLVMTypeRef type,
                       int64_t offset) {
  LLVMTypeKind what = LLVMGetTypeKind(type);
  if (what == LLVMStructTypeKind) {
    for (unsigned k = 0; k < LLVMCountStructElementTypes(type); k++)
      access_all(m, a, LLVMStructGetTypeAtIndex(type, k),
                 offset + (int64_t)LLVMOffsetOfElement(m->heap.ctx->target, type, k));
  } else if (what == LLVMArrayTypeKind && LLVMGetArrayLength2(type) <= MOST_LEAVES) {
    int64_t stride = (int64_t)dad_size_of(m->heap.ctx, LLVMGetElementType(type));
    for (uint64_t k = 0; k < LLVMGetArrayLength2(type); k++)
      access_all(m, a, LLVMGetElementType(type), offset + (int64_t)k * stride);
  } else {
    access_leaf(m, a, type, offset);
  }
}

/* "pointer" is read into (LOAD) or written from (STORE) the value "v" by the instruction "i". */
static void access_value(struct dad_memory *m, enum dad_constraint_kind kind, LLVMValueRef i,
                         LLVMValueRef pointer, LLVMValueRef v) {
  struct access a = {kind, dad_node_of(m, pointer), dad_node_of(m, v), LLVMGetAlignment(i)};
  if (a.pointer && dad_is_sized(LLVMTypeOf(v)))
    access_all(m, &a, LLVMTypeOf(v), 0);
}

static void exchange(struct dad_memory *m, LLVMValueRef i, LLVMValueRef new_value) {
  LLVMValueRef p = LLVMGetOperand(i, 0);
  struct access a = {DAD_LOAD, dad_node_of(m, p), dad_node_of(m, i), LLVMGetAlignment(i)};
  access_value(m, DAD_STORE, i, p, new_value);
  if (a.pointer)
    access_leaf(m, &a, LLVMTypeOf(new_value), 0);
}

/* ---- integers that become pointers after arithmetic: they point somewhere into what their parts
 * point to */

static void trace_arithmetic(struct dad_memory *m, LLVMValueRef v, LLVMValueRef to,
                             struct dad_map *seen, unsigned depth) {
  if (dad_map_has(seen, v) || depth > 32)
    return;
  dad_map_set(seen, v, v);
  LLVMOpcode op = LLVMIsAInstruction(v)    ? LLVMGetInstructionOpcode(v)
                  : LLVMIsAConstantExpr(v) ? LLVMGetConstOpcode(v)
                                           : LLVMRet;
  bool arithmetic = op == LLVMAdd || op == LLVMSub || op == LLVMAnd || op == LLVMOr ||
                    op == LLVMXor || op == LLVMShl || op == LLVMLShr || op == LLVMMul ||
                    op == LLVMTrunc || op == LLVMZExt || op == LLVMSExt || op == LLVMURem ||
                    op == LLVMAShr;
  for (int k = 0; arithmetic && k < LLVMGetNumOperands(v); k++)
    trace_arithmetic(m, LLVMGetOperand(v, (unsigned)k), to, seen, depth + 1);
  struct dad_node *from = arithmetic ? NULL : dad_node_of(m, v);
  if (from && depth)
    dad_constrain(m, DAD_ANYWHERE, from, dad_node_of(m, to));
}

static void integer_to_pointer(struct dad_memory *m, LLVMValueRef i) {
  struct dad_map seen = DAD_MAP(m->heap.arena);
  dad_constrain_flow(m, LLVMGetOperand(i, 0), i);
  trace_arithmetic(m, LLVMGetOperand(i, 0), i, &seen, 0);
}

/* ---- instructions */

/* All operands that are values move into the result. */
static void operands_flow(struct dad_memory *m, LLVMValueRef i, unsigned first, unsigned end) {
  for (unsigned k = first; k < end; k++)
    dad_constrain_flow(m, LLVMGetOperand(i, k), i);
}

static void constrain_bitcast(struct dad_memory *m, LLVMValueRef i) {
  LLVMValueRef from = LLVMGetOperand(i, 0);
  struct dad_node *a = dad_node_of(m, from), *b = dad_node_of(m, i);
  unsigned in = dad_kinds_of(LLVMTypeOf(from)) & DAD_FP, out = dad_kinds_of(LLVMTypeOf(i)) & DAD_FP;
  if (in && b) {
    dad_node_add_kinds(b, in);
    dad_carrier_tie_users(m, i);
  } else if (out && a) {
    dad_node_add_kinds(a, out);
    dad_carrier_tie_operands(m, from);
  } else if (a && b) {
    dad_constrain(m, DAD_FLOW, a, b);
  }
}

static void constrain_gep(struct dad_memory *m, LLVMValueRef i) {
  struct dad_node *from = dad_node_of(m, LLVMGetOperand(i, 0)), *to = dad_node_of(m, i);
  if (from && to)
    dad_constrain(m, DAD_ADDRESS, from, to)->path = dad_path_of(&m->heap, i);
}

static void constrain_alloca(struct dad_memory *m, LLVMValueRef i) {
  LLVMTypeRef type = LLVMGetAllocatedType(i);
  LLVMValueRef count = LLVMGetOperand(i, 0);
  bool single = LLVMIsAConstantInt(count) && LLVMConstIntGetZExtValue(count) == 1;
  struct dad_object *o =
      point_to_new(m, dad_node_of(m, i), i, single && dad_is_sized(type) ? type : NULL);
  o->align = LLVMGetAlignment(i);
}

static void constrain_phi(struct dad_memory *m, LLVMValueRef i) {
  for (unsigned k = 0; k < LLVMCountIncoming(i); k++)
    dad_constrain_flow(m, LLVMGetIncomingValue(i, k), i);
}

static void constrain_instruction(struct dad_memory *m, LLVMValueRef i) {
  if (dad_is_any_call(i)) {
    dad_constrain_call(m, i);
    return;
  }
  switch (LLVMGetInstructionOpcode(i)) {
  case LLVMLoad: access_value(m, DAD_LOAD, i, LLVMGetOperand(i, 0), i); break;
  case LLVMStore: access_value(m, DAD_STORE, i, LLVMGetOperand(i, 1), LLVMGetOperand(i, 0)); break;
  case LLVMAtomicRMW: exchange(m, i, LLVMGetOperand(i, 1)); break;
  case LLVMAtomicCmpXchg: exchange(m, i, LLVMGetOperand(i, 2)); break;
  case LLVMAlloca: constrain_alloca(m, i); break;
  case LLVMGetElementPtr: constrain_gep(m, i); break;
  case LLVMBitCast: constrain_bitcast(m, i); break;
  case LLVMIntToPtr: integer_to_pointer(m, i); break;
  case LLVMPtrToInt:
  case LLVMAddrSpaceCast:
  case LLVMFreeze:
  case LLVMExtractValue:
  case LLVMExtractElement: operands_flow(m, i, 0, 1); break;
  case LLVMPHI: constrain_phi(m, i); break;
  case LLVMSelect: operands_flow(m, i, 1, 3); break;
  case LLVMInsertValue:
  case LLVMInsertElement:
  case LLVMShuffleVector: operands_flow(m, i, 0, 2); break;
  default: break;
  }
}

static void constrain_function(struct dad_memory *m, LLVMValueRef f) {
  DAD_FOR_BLOCKS(block, f)
  DAD_FOR_INSTRUCTIONS(i, block) {
    m->at = i;
    constrain_instruction(m, i);
  }
  m->at = NULL;
}

/* ---- the module */

/* The actual arguments of the marker call, and what its parameters stand for. */
static void constrain_root(struct dad_memory *m) {
  struct dad_request *req = m->req;
  for (unsigned k = 0; k < req->n_args; k++)
    if (req->args[k].value)
      dad_constrain_flow(m, req->args[k].value, LLVMGetParam(req->root->primal, k));
}

/* Functions whose address is taken may be called with what all calls through pointers of their type
 * pass. */
static void bind_target(struct dad_memory *m, LLVMValueRef f, LLVMTypeRef type) {
  struct dad_signature *s = dad_map_get(&m->signatures, type);
  if (!s)
    return;
  for (unsigned k = 0; k < s->n && k < LLVMCountParams(f); k++) {
    struct dad_node *p = dad_node_of(m, LLVMGetParam(f, k));
    if (p)
      dad_constrain(m, DAD_FLOW, s->param[k], p);
  }
  DAD_FOR_BLOCKS(block, f) {
    LLVMValueRef t = LLVMGetBasicBlockTerminator(block);
    struct dad_node *r = t && LLVMIsAReturnInst(t) && LLVMGetNumOperands(t)
                             ? dad_node_of(m, LLVMGetOperand(t, 0))
                             : NULL;
    if (r)
      dad_constrain(m, DAD_FLOW, r, s->result);
  }
}

static bool address_is_taken(LLVMValueRef f) {
  DAD_FOR_USERS(user, f)
  if (!dad_is_any_call(user) || LLVMGetCalledValue(user) != f)
    return true;
  return false;
}

void dad_constrain_module(struct dad_memory *m) {
  struct dad_request *req = m->req;
  struct dad_map primal = DAD_MAP(m->heap.arena);
  DAD_FOR_UNITS(u, req) {
    dad_map_set(&primal, u->primal, u);
    constrain_function(m, u->primal);
  }
  m->outside = true;
  for (LLVMValueRef f = LLVMGetFirstFunction(req->ctx->module); f; f = LLVMGetNextFunction(f))
    if (!dad_map_has(&primal, f) && !dad_unit_is_generated(f))
      constrain_function(m, f);
  for (LLVMValueRef f = LLVMGetFirstFunction(req->ctx->module); f; f = LLVMGetNextFunction(f))
    if (!LLVMIsDeclaration(f) && !dad_map_has(&primal, f) && address_is_taken(f))
      bind_target(m, f, LLVMGlobalGetValueType(f));
  m->outside = false;
  DAD_FOR_UNITS(u, req)
  if (u->address_taken)
    bind_target(m, u->primal, LLVMGlobalGetValueType(u->original));
  constrain_root(m);
}
