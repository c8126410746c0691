/* layout.c: where numbers and pointers lie behind a pointer, as descriptors for the runtime. */
#include "activity.h"
#include "memory.h"

#include <stdlib.h>

/* Descriptors with more fields are repeated with a stride, or given up. */
enum { MOST_FIELDS = 4096, FEW_FIELDS = 64 };

struct field {
  int64_t offset;
  unsigned kind;
};

/* The places of numbers or pointers of one kind, relative to the pointer. */
struct group {
  struct dad_span span; /* as wide as one scalar */
  unsigned kind;
};

struct layout {
  struct group *group;
  unsigned n_groups, capacity;
  struct field *field;
  unsigned n_fields;
  int64_t stride;
  int64_t bytes;  /* of the range; negative: not known */
  unsigned kinds; /* all that occur */
  bool integers;  /* there are cells without numbers and pointers */
  bool failed;    /* it cannot be told */
};

static int64_t size_of_kind(unsigned kind) {
  return kind == DAD_F32 ? 4 : kind == DAD_F80 ? 16 : 8;
}

static int64_t store_size_of_kind(unsigned kind) {
  return kind == DAD_F80 ? 10 : size_of_kind(kind);
}

/* ---- gathering */

static void add_group(struct dad_arena *arena, struct layout *l, const struct group *g) {
  for (unsigned k = 0; k < l->n_groups; k++)
    if (l->group[k].kind == g->kind && dad_span_covers(&l->group[k].span, &g->span))
      return;
  if (l->n_groups == l->capacity) {
    unsigned more = l->capacity ? 2 * l->capacity : 8;
    l->group = dad_arena_grow(arena, l->group, l->n_groups * sizeof *g, more * sizeof *g);
    l->capacity = more;
  }
  l->group[l->n_groups++] = *g;
}

/* Adds a place of a cell that holds "kind". Wide places hold several scalars side by side. */
static void add_place(struct dad_arena *arena, struct layout *l, struct dad_span seen,
                      unsigned kind) {
  int64_t bytes = size_of_kind(kind);
  if (seen.width == store_size_of_kind(kind)) {
    add_group(arena, l, &(struct group){seen, kind});
    return;
  }
  if (seen.width < store_size_of_kind(kind)) /* integers beside: no scalar of the kind fits there */
    return;
  if (seen.width % bytes) {
    l->failed = true;
    return;
  }
  struct dad_shape parts = {.p = {.n = 1, .dim = {{bytes, seen.width / bytes, 0, false}}}};
  struct dad_span one = dad_span_of(&parts, 0, store_size_of_kind(kind));
  if (seen.width == bytes)
    one.p.n = 0;
  struct dad_shape at = {.p = seen.p};
  add_group(arena, l, &(struct group){dad_span_placed(&one, &at), kind});
}

/* What matters in the cell "content": pointers, and numbers that carry derivatives. */
static unsigned kind_of_cell(struct dad_memory *m, struct dad_node *content) {
  unsigned kinds = dad_node_kinds(content);
  return (kinds & DAD_PTR) | (dad_activity_in_cell(m, content) ? kinds & DAD_FP : 0);
}

static void gather_cell(struct dad_memory *m, struct layout *l, struct dad_cell *c,
                        const struct dad_shape *from) {
  unsigned kind = kind_of_cell(m, c->content);
  for (unsigned k = 0; k < c->n; k++) {
    struct dad_span seen;
    if (!dad_span_seen_from(&c->piece[k], from, l->bytes, &seen))
      continue;
    l->kinds |= kind;
    if (!kind)
      l->integers = true;
    else if (kind & (kind - 1) && kind != DAD_EITHER)
      l->failed = true;
    else
      add_place(m->heap.arena, l, seen, kind);
  }
}

static void gather(struct dad_request *req, LLVMValueRef ptr, struct layout *l) {
  unsigned count = 0;
  struct dad_node *n = dad_node_known(req->memory, ptr);
  const struct dad_target *t = n ? dad_node_targets(&req->memory->heap, n, &count) : NULL;
  l->failed = !n;
  for (unsigned j = 0; j < count; j++)
    for (unsigned k = 0; k < t[j].at.n; k++)
      for (unsigned i = 0; i < t[j].object->n; i++)
        gather_cell(req->memory, l, t[j].object->cell[i], &t[j].at.shape[k]);
}

/* ---- fields one by one */

static int64_t count_places(const struct dad_pattern *p) {
  int64_t n = 1;
  for (unsigned k = 0; k < p->n && n <= MOST_FIELDS; k++)
    n = p->dim[k].count > MOST_FIELDS ? MOST_FIELDS + 1 : n * p->dim[k].count;
  return n;
}

/* How many fields there are when each is written down; more than MOST_FIELDS if that is too many.
 */
static int64_t count_all(const struct layout *l) {
  int64_t n = 0;
  for (unsigned k = 0; k < l->n_groups; k++)
    n += count_places(&l->group[k].span.p);
  return n;
}

static void write_places(struct layout *l, const struct dad_pattern *p, unsigned dim, int64_t at,
                         unsigned kind) {
  if (dim < p->n) {
    for (int64_t k = 0; k < p->dim[dim].count; k++)
      write_places(l, p, dim + 1, at + k * p->dim[dim].stride, kind);
    return;
  }
  if (l->stride)
    at = dad_mod(at, l->stride);
  if (at >= 0 && (l->bytes < 0 || at + store_size_of_kind(kind) <= l->bytes))
    l->field[l->n_fields++] = (struct field){at, kind};
}

static int by_offset(const void *a, const void *b) {
  const struct field *x = a, *y = b;
  return x->offset != y->offset ? (x->offset < y->offset ? -1 : 1) : (int)x->kind - (int)y->kind;
}

/* May "f" lie where "last" does, as a field of either kind? Then "last" becomes that field. */
static bool unite(struct field *last, const struct field *f) {
  unsigned both = last->kind | f->kind;
  if (last->offset != f->offset || both & ~(unsigned)DAD_EITHER)
    return false;
  last->kind = both;
  return true;
}

/* Sorts the fields; equal ones are one, and others must not overlap. */
static void settle_fields(struct layout *l) {
  unsigned kept = 0;
  qsort(l->field, l->n_fields, sizeof *l->field, by_offset);
  for (unsigned k = 0; k < l->n_fields; k++) {
    struct field *f = &l->field[k], *last = kept ? &l->field[kept - 1] : NULL;
    if (last && ((last->offset == f->offset && last->kind == f->kind) || unite(last, f)))
      continue;
    if (last && last->offset + store_size_of_kind(last->kind) > f->offset)
      l->failed = true;
    l->field[kept++] = *f;
  }
  l->n_fields = kept;
  if (kept && l->stride &&
      l->field[kept - 1].offset + store_size_of_kind(l->field[kept - 1].kind) > l->stride)
    l->failed = true; /* it reaches into the next element */
}

static void write_fields(struct dad_arena *arena, struct layout *l) {
  l->field = DAD_ARRAY(arena, struct field, count_all(l) + 1);
  l->n_fields = 0;
  for (unsigned k = 0; k < l->n_groups; k++)
    write_places(l, &l->group[k].span.p, 0, l->group[k].span.p.lo, l->group[k].kind);
  settle_fields(l);
}

/* ---- fields of one element of an array */

/* Takes the dimension with stride "stride" out of "p"; returns its count, 0 if there is none. */
static int64_t take_stride(struct dad_pattern *p, int64_t stride) {
  for (unsigned k = 0; k < p->n; k++)
    if (p->dim[k].stride == stride) {
      int64_t count = p->dim[k].count;
      for (unsigned i = k + 1; i < p->n; i++)
        p->dim[i - 1] = p->dim[i];
      p->n--;
      return count;
    }
  return 0;
}

/* If all places are repeated alike, the stride with which they are; else 0. */
static int64_t common_stride(const struct layout *l) {
  int64_t stride = 0, count = 0;
  for (unsigned k = 0; k < l->n_groups; k++)
    if (l->group[k].span.p.n && l->group[k].span.p.dim[0].stride > stride)
      stride = l->group[k].span.p.dim[0].stride;
  for (unsigned k = 0; stride && k < l->n_groups; k++) {
    struct dad_pattern p = l->group[k].span.p;
    int64_t n = take_stride(&p, stride);
    bool all = n >= DAD_ENDLESS || (l->bytes >= 0 && n * stride + stride > l->bytes);
    if (!n || (!all && count && n != count))
      return 0;
    if (!all)
      count = n;
  }
  return stride;
}

/* Writes the places of one element. False if they are not repeated alike. */
static bool fold_fields(struct dad_arena *arena, struct layout *l) {
  struct layout one = *l;
  one.stride = common_stride(l);
  if (!one.stride)
    return false;
  one.group = DAD_ARRAY(arena, struct group, l->n_groups);
  for (unsigned k = 0; k < l->n_groups; k++) {
    one.group[k] = l->group[k];
    take_stride(&one.group[k].span.p, one.stride);
  }
  if (count_all(&one) > MOST_FIELDS)
    return false;
  one.bytes = -1;
  write_fields(arena, &one);
  if (one.failed)
    return false;
  *l = one;
  return true;
}

/* The kind of all groups if it is one and all places lie on its grid; else 0. */
static unsigned only_kind(const struct layout *l) {
  unsigned kind = l->n_groups ? l->group[0].kind : 0;
  for (unsigned k = 0; k < l->n_groups; k++) {
    const struct dad_pattern *p = &l->group[k].span.p;
    int64_t bytes = size_of_kind(kind);
    if (l->group[k].kind != kind || dad_mod(p->lo, bytes))
      return 0;
    for (unsigned i = 0; i < p->n; i++)
      if (p->dim[i].stride % bytes)
        return 0;
  }
  return kind;
}

/* Decides between the forms. */
static void compose(struct dad_arena *arena, struct layout *l) {
  int64_t all = count_all(l);
  if (l->failed || (all > FEW_FIELDS && fold_fields(arena, l)))
    return;
  if (all <= MOST_FIELDS) {
    write_fields(arena, l);
    return;
  }
  unsigned kind = only_kind(l); /* integers in between are taken for numbers: nothing comes of it */
  if (!kind) {
    l->failed = true;
    return;
  }
  l->stride = size_of_kind(kind);
  l->field = DAD_NEW(arena, struct field);
  *l->field = (struct field){0, kind};
  l->n_fields = 1;
}

/* ---- where positions say too little: numbers of one format, doubles, pointers, on their
 * natural grid */

/* The bytes of the numbers or pointers that "type" is made of; 0 if it is no scalar or vector of
 * them. */
static uint64_t scalar_size(LLVMTypeRef type) {
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  if (kind == LLVMVectorTypeKind)
    type = LLVMGetElementType(type);
  return dad_kinds_of(type) && kind != LLVMStructTypeKind && kind != LLVMArrayTypeKind
             ? (uint64_t)size_of_kind(dad_kinds_of(type))
             : 0;
}

static bool is_off_grid(LLVMValueRef i) {
  bool load = LLVMIsALoadInst(i), store = LLVMIsAStoreInst(i);
  if (!load && !store)
    return false;
  uint64_t bytes = scalar_size(LLVMTypeOf(load ? i : LLVMGetOperand(i, 0)));
  return bytes && LLVMGetAlignment(i) < bytes && LLVMGetAlignment(i) < 8;
}

/* Does any unit access a number or pointer that may lie off the grid of its format (in a packed
 * struct)? */
static bool any_off_grid(struct dad_request *req) {
  enum { NO = 1, YES = 2 };
  if (req->memory->off_grid)
    return req->memory->off_grid == YES;
  bool any = false;
  DAD_FOR_UNITS(u, req) {
    LLVMValueRef f = u->forward && LLVMGetFirstBasicBlock(u->forward) ? u->forward : u->primal;
    DAD_FOR_BLOCKS(block, f)
    DAD_FOR_INSTRUCTIONS(i, block)
    any |= is_off_grid(i);
  }
  req->memory->off_grid = any ? YES : NO;
  return any;
}

/* Is "ptr" known, at the memory function "where" or as a global or fresh block, to lie on a grid of
 * "bytes"? */
static bool is_on_grid(LLVMValueRef where, LLVMValueRef ptr, uint64_t bytes) {
  if (LLVMIsAGlobalVariable(ptr) || LLVMIsAAllocaInst(ptr))
    return LLVMGetAlignment(ptr) >= bytes;
  if (where == ptr)
    return true; /* the allocation itself */
  for (unsigned k = 0; dad_is_call(where) && k < LLVMGetNumArgOperands(where); k++) {
    LLVMAttributeRef a = LLVMGetCallSiteEnumAttribute(where, k + 1, dad_attribute("align"));
    if (LLVMGetOperand(where, k) == ptr && a && LLVMGetEnumAttributeValue(a) >= bytes)
      return true;
  }
  return false;
}

/* Numbers of one format, pointers, or both doubles and pointers, and nothing else but integers:
 * every place of the grid is taken for one. */
static bool take_grid(struct dad_request *req, LLVMValueRef where, LLVMValueRef ptr,
                      struct layout *l) {
  unsigned kind = l->kinds;
  bool one = kind && !(kind & (kind - 1));
  if ((!one && kind != DAD_EITHER) || any_off_grid(req))
    return false;
  int64_t bytes = size_of_kind(kind);
  if (!is_on_grid(where, ptr, bytes > 8 ? 8 : (uint64_t)bytes))
    return false;
  l->stride = bytes;
  l->field = DAD_NEW(req->memory->heap.arena, struct field);
  *l->field = (struct field){0, kind};
  l->n_fields = 1;
  return true;
}

/* ---- descriptors */

static LLVMValueRef descriptor(struct dad_request *req, const struct layout *l) {
  struct dad_context *ctx = req->ctx;
  struct dad_memory *m = req->memory;
  LLVMTypeRef pair[2] = {ctx->i32, ctx->i32},
              field_type = LLVMStructTypeInContext(ctx->llvm, pair, 2, 0);
  LLVMValueRef *fields = DAD_ARRAY(m->heap.arena, LLVMValueRef, l->n_fields + 1);
  for (unsigned k = 0; k < l->n_fields; k++) {
    LLVMValueRef words[2] = {LLVMConstInt(ctx->i32, (uint64_t)l->field[k].offset, 0),
                             LLVMConstInt(ctx->i32, l->field[k].kind, 0)};
    fields[k] = LLVMConstStructInContext(ctx->llvm, words, 2, 0);
  }
  LLVMValueRef part[3] = {LLVMConstInt(ctx->i32, (uint64_t)l->stride, 0),
                          LLVMConstInt(ctx->i32, l->n_fields, 0),
                          LLVMConstArray2(field_type, fields, l->n_fields)};
  LLVMValueRef init = LLVMConstStructInContext(ctx->llvm, part, 3, 0),
               g = dad_map_get(&m->layouts, init);
  if (g)
    return g;
  g = LLVMAddGlobal(ctx->module, LLVMTypeOf(init), "dad.layout");
  LLVMSetInitializer(g, init);
  LLVMSetLinkage(g, LLVMInternalLinkage);
  LLVMSetUnnamedAddress(g, LLVMGlobalUnnamedAddr);
  LLVMSetGlobalConstant(g, 1);
  dad_vec_push(&req->made, g);
  dad_map_set(&m->layouts, init, g);
  return g;
}

LLVMValueRef dad_layout(struct dad_request *req, LLVMValueRef where, LLVMValueRef ptr,
                        uint64_t bytes) {
  struct layout l = {.bytes = bytes > INT64_MAX ? -1 : (int64_t)bytes};
  gather(req, ptr, &l);
  compose(req->memory->heap.arena, &l);
  for (unsigned k = 0; k < l.n_fields; k++)
    l.failed |= l.field[k].offset > INT32_MAX;
  if (!l.failed || take_grid(req, where, ptr, &l))
    return descriptor(req, &l);
  dad_diag(req->ctx, DAD_LAYOUT, where);
  return LLVMGetUndef(req->ctx->ptr);
}

unsigned dad_uniform_kind(struct dad_request *req, LLVMValueRef ptr, uint64_t bytes) {
  struct layout l = {.bytes = bytes > INT64_MAX ? -1 : (int64_t)bytes};
  gather(req, ptr, &l);
  unsigned kind = l.failed || l.integers ? 0 : only_kind(&l);
  return kind & (DAD_F32 | DAD_F64);
}
