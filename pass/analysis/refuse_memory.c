/* refuse_memory.c: numbers in memory: accesses that are whole numbers, and those that are parts. */
#include "refuse.h"

/* Where numbers begin in a cell: bit k for addresses that leave the remainder k by 8. */
enum { PHASES = 8, ANY_PHASE = 1 << PHASES };

/* Bytes of the smallest number of "kinds" (enum dad_kind), as it lies in arrays. */
static int64_t size_of_numbers(unsigned kinds) {
  return kinds & DAD_F32 ? 4 : kinds & DAD_F64 ? 8 : 16;
}

/* The phases of the places "offset" bytes behind those to which "n" points. */
static unsigned phases_of(struct dad_refusal *r, struct dad_node *n, int64_t offset) {
  unsigned count, phases = 0;
  const struct dad_target *t = dad_node_targets(&r->m->heap, n, &count);
  for (unsigned k = 0; k < count; k++)
    for (unsigned i = 0; i < t[k].at.n; i++) {
      const struct dad_pattern *p = &t[k].at.shape[i].p;
      int64_t grid = p->step;
      for (unsigned d = 0; d < p->n; d++)
        grid = dad_gcd(grid, p->dim[d].stride);
      phases |= grid % PHASES ? ANY_PHASE : 1u << dad_mod(p->lo + offset, PHASES);
    }
  return phases;
}

static void note_phases(struct dad_refusal *r, const struct dad_constraint *c) {
  struct dad_node *content[DAD_TOUCHED];
  unsigned n = dad_touched_cells(r->m, c, content), phases = phases_of(r, c->from, c->offset);
  for (unsigned k = 0; k < n; k++)
    dad_map_set_int(&r->phases, content[k], dad_map_int(&r->phases, content[k]) | phases);
}

/* Is a number of the cell "content" cut by the place "offset" behind "n", for sure? */
static bool cuts(struct dad_refusal *r, struct dad_node *n, int64_t offset,
                 struct dad_node *content) {
  unsigned begins = (unsigned)dad_map_int(&r->phases, dad_node_find(content)),
           here = phases_of(r, n, offset);
  int64_t size = size_of_numbers(dad_node_kinds(content));
  if (!begins || (begins | here) & ANY_PHASE || size > PHASES)
    return false;
  for (unsigned a = 0; a < PHASES; a++)
    for (unsigned b = 0; b < PHASES; b++)
      if (begins & 1u << a && here & 1u << b && ((int)a - (int)b) % size == 0)
        return false;
  return true;
}

static bool is_whole_object(struct dad_node *content) {
  struct dad_object *o = content->owner ? dad_object_find(content->owner, NULL) : NULL;
  return o && o->one;
}

/* Cells that hold what is not known: nothing can be said about parts of numbers there, but a word
   that may be two floats, a double or a pointer is too much. */
static bool is_vague(struct dad_refusal *r, struct dad_node *content) {
  return r->m->heap.collapse && is_whole_object(content);
}

static bool is_vague_access(struct dad_refusal *r, const struct dad_constraint *c,
                            struct dad_node *content, enum dad_diag_id id) {
  unsigned numbers = dad_node_kinds(content) & DAD_FP;
  bool several = c->bytes >= 8 && numbers & (numbers - 1);
  return c->integers && is_vague(r, content) && id != DAD_INTEGER_OR_POINTER && !several;
}

/* ---- loads and stores */

static LLVMValueRef value_of(const struct dad_constraint *c) {
  if (c->kind == DAD_LOAD)
    return c->at;
  return LLVMGetOperand(c->at, LLVMIsAStoreInst(c->at) ? 0 : LLVMIsAAtomicRMWInst(c->at) ? 1 : 2);
}

/* Does the access "c" by integers touch part of a number in the cell "content"? */
static bool is_part(struct dad_refusal *r, const struct dad_constraint *c,
                    struct dad_node *content) {
  unsigned kinds = dad_node_kinds(content) & DAD_FP;
  int64_t size = kinds == DAD_F80 ? 10 : size_of_numbers(kinds);
  return kinds && (c->bytes < size || cuts(r, c->from, c->offset, content) ||
                   (kinds != DAD_F80 && cuts(r, c->from, c->offset + c->bytes, content)));
}

static enum dad_diag_id id_of_access(struct dad_refusal *r, const struct dad_constraint *c,
                                     LLVMValueRef v, struct dad_node *content) {
  unsigned kinds = dad_node_kinds(content);
  if (LLVMIsAAtomicRMWInst(c->at) || LLVMIsAAtomicCmpXchgInst(c->at))
    return DAD_ATOMIC;
  if (dad_is_foreign_format(LLVMTypeOf(v)))
    return DAD_NO_INSTRUCTION;
  if (!c->integers || !(kinds & DAD_FP))
    return DAD_LEGAL;
  if (is_part(r, c, content))
    return DAD_PARTIAL;
  if (LLVMIsConstant(v) || dad_adjoint_type(r->req, v))
    return DAD_LEGAL;
  return kinds & DAD_PTR ? DAD_INTEGER_OR_POINTER : DAD_PARTIAL;
}

/* Is the content of a cell all numbers, by what is declared? In unions and in memory that is handed
   out in pieces, an integer has the place of a number at another time. */
static bool is_all_numbers(struct dad_node *content) {
  struct dad_object *o = content->owner ? dad_object_find(content->owner, NULL) : NULL;
  LLVMTypeRef type = o ? o->type : NULL;
  while (type && LLVMGetTypeKind(type) == LLVMArrayTypeKind)
    type = LLVMGetElementType(type);
  return o && !o->one && (!type || dad_kinds_of(type) & DAD_FP) &&
         (!type || LLVMGetTypeKind(type) != LLVMStructTypeKind);
}

/* Does the store "c" overwrite part of a number for sure? */
static bool spoils(struct dad_refusal *r, const struct dad_constraint *c,
                   struct dad_node *content) {
  return c->kind == DAD_STORE && is_all_numbers(content) &&
         (cuts(r, c->from, c->offset, content) || cuts(r, c->from, c->offset + c->bytes, content));
}

/* An integer that is stored among declared numbers is the bits of one. */
static enum dad_step_kind kind_of_access(const struct dad_constraint *c, struct dad_node *content) {
  struct dad_object *o = content->owner ? dad_object_find(content->owner, NULL) : NULL;
  if (!c->integers)
    return DAD_STEP_NUMBER;
  return c->kind == DAD_STORE && o && o->type && is_all_numbers(content) ? DAD_STEP_CLOSE
                                                                         : DAD_STEP_MOVE;
}

static void add_access(struct dad_refusal *r, const struct dad_constraint *c) {
  struct dad_node *content[DAD_TOUCHED];
  LLVMValueRef v = value_of(c);
  unsigned n = dad_touched_cells(r->m, c, content);
  for (unsigned k = 0; k < n; k++) {
    struct dad_place *cell = dad_place_of_cell(r, content[k]);
    enum dad_diag_id id = id_of_access(r, c, v, content[k]);
    enum dad_step_kind kind = kind_of_access(c, content[k]);
    if (is_vague_access(r, c, content[k], id))
      continue;
    if (c->kind == DAD_LOAD)
      dad_step_to(r, cell, v, kind, id, c->at);
    else
      dad_step_from(r, v, cell, kind, id, c->at);
    if (id == DAD_PARTIAL ? spoils(r, c, content[k]) : id == DAD_ATOMIC)
      dad_step(r, cell, cell, DAD_STEP_NUMBER, id, c->at);
  }
}

/* Addresses in memory: "c" moves a pointer. One that is loaded may be active although the analysis
   has lost its way through arithmetic. */
static void note_addresses(struct dad_refusal *r, const struct dad_constraint *c) {
  struct dad_node *content[DAD_TOUCHED];
  bool load = c->kind == DAD_LOAD;
  LLVMValueRef v = value_of(c);
  if (!dad_has_pointer(LLVMTypeOf(v)) || (!load && !dad_leads_to_active(r, v)))
    return;
  for (unsigned k = 0, n = dad_touched_cells(r->m, c, content); k < n; k++)
    if (!is_whole_object(content[k]))
      dad_place_of_cell(r, content[k])->flags |= load ? DAD_ADDRESS_OUT : DAD_ADDRESS_IN;
}

/* ---- copies */

/* Does a copy or memset "c" of some bytes (negative: unknown) begin or end within a number behind
   "n"? Then the cell with that number is refused. */
static void check_ends(struct dad_refusal *r, const struct dad_constraint *c, struct dad_node *n) {
  struct dad_node *content[DAD_TOUCHED];
  struct dad_constraint at = *c;
  at.kind = DAD_LOAD;
  at.from = n;
  at.bytes = 1;
  for (unsigned end = 0; end < 2 && c->bytes; end++) {
    if (end && c->bytes < 0)
      return;
    at.offset = end ? c->bytes - 1 : 0;
    for (unsigned k = 0, m = dad_touched_cells(r->m, &at, content); k < m; k++) {
      struct dad_place *cell = dad_place_of_cell(r, content[k]);
      if (dad_node_kinds(content[k]) & DAD_FP && !is_vague(r, content[k]) &&
          cuts(r, n, at.offset + end, content[k]))
        dad_step(r, cell, cell, DAD_STEP_NUMBER, DAD_PARTIAL, c->at);
    }
  }
}

static void add_copy(struct dad_refusal *r, const struct dad_constraint *c) {
  struct dad_vec pairs = DAD_VEC(r->req->arena);
  dad_copied_cells(r->m, c, &pairs);
  for (unsigned k = 0; k < pairs.n; k += 2)
    dad_step(r, dad_place_of_cell(r, pairs.at[k]), dad_place_of_cell(r, pairs.at[k + 1]),
             DAD_STEP_MOVE, DAD_LEGAL, c->at);
  if (dad_is_call(c->at) && dad_call_kind(r->req, c->at) == DAD_CALL_COPY) {
    check_ends(r, c, c->from);
    check_ends(r, c, c->to);
  }
}

/* A memset "call" may begin or end within a number. */
static void add_set(struct dad_refusal *r, LLVMValueRef call) {
  struct dad_node *to = dad_node_known(r->m, LLVMGetOperand(call, 0));
  uint64_t bytes = dad_call_known_bytes(call);
  struct dad_constraint c = {
      .kind = DAD_LOAD, .bytes = bytes > INT64_MAX ? -1 : (int64_t)bytes, .align = 1, .at = call};
  if (to)
    check_ends(r, &c, to);
}

static void add_sets(struct dad_refusal *r) {
  DAD_FOR_UNITS(u, r->req)
  DAD_FOR_BLOCKS(block, u->primal)
  DAD_FOR_INSTRUCTIONS(i, block)
  if (dad_is_call(i) && dad_call_kind(r->req, i) == DAD_CALL_SET)
    add_set(r, i);
}

/* ---- memory that other modules know */

static void connect_object(struct dad_refusal *r, struct dad_object *o) {
  for (unsigned k = 0; k < o->n; k++) {
    struct dad_place *cell = dad_place_of_cell(r, o->cell[k]->content);
    if (!(dad_node_kinds(o->cell[k]->content) & DAD_FP))
      continue;
    dad_step(r, cell, r->hub, DAD_STEP_NUMBER, DAD_LEGAL, NULL);
    dad_step(r, r->hub, cell, DAD_STEP_NUMBER, DAD_LEGAL, NULL);
  }
}

static void see_object(struct dad_memory *m, struct dad_object *o) {
  (void)m;
  (void)o;
}

/* Pointers that other modules have set may point to any memory that they know, what the arguments
   lead to apart. */
static void add_elsewhere(struct dad_refusal *r) {
  bool unknown = false;
  dad_reach_reset(r->m);
  for (unsigned k = 0; k < r->req->n_args; k++) {
    struct dad_node *n = dad_node_known(r->m, LLVMGetParam(r->req->root->primal, k));
    if (n)
      dad_reach(r->m, n, see_object);
  }
  for (unsigned k = 0; k < r->m->heap.objects.n; k++) {
    struct dad_object *o = r->m->heap.objects.at[k];
    unknown |= !o->up && o->unknown && !o->seen;
  }
  r->hub = dad_place_new(r);
  for (unsigned k = 0; unknown && k < r->m->heap.objects.n; k++) {
    struct dad_object *o = r->m->heap.objects.at[k];
    if (!o->up && !o->seen && (o->unknown || o->external))
      connect_object(r, o);
  }
}

static bool is_access(const struct dad_constraint *c) {
  return !c->outside && c->at && (c->kind == DAD_LOAD || c->kind == DAD_STORE) &&
         !dad_is_any_call(c->at);
}

void dad_refuse_memory(struct dad_refusal *r) {
  unsigned n = r->m->constraints.n;
  for (unsigned k = 0; k < n; k++) {
    struct dad_constraint *c = r->m->constraints.at[k];
    if (is_access(c) && c->kinds & DAD_FP)
      note_phases(r, c);
  }
  for (unsigned k = 0; k < n; k++) {
    struct dad_constraint *c = r->m->constraints.at[k];
    if (is_access(c) && c->kinds & DAD_PTR)
      note_addresses(r, c);
    else if (is_access(c))
      add_access(r, c);
    else if (c->kind == DAD_COPY && !c->outside && c->at)
      add_copy(r, c);
  }
  add_sets(r);
  add_elsewhere(r);
}
