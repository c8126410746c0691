/* declared.c: walks down a declared type to an offset. */
#include "declared.h"

static bool is_array(LLVMTypeRef type) {
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  return kind == LLVMArrayTypeKind || kind == LLVMVectorTypeKind;
}

static bool is_struct(LLVMTypeRef type) {
  return LLVMGetTypeKind(type) == LLVMStructTypeKind;
}

static int64_t size_of(struct dad_declared *d, LLVMTypeRef type) {
  return (int64_t)dad_size_of(d->ctx, type);
}

static int64_t member_offset(struct dad_declared *d, LLVMTypeRef type, unsigned k) {
  return (int64_t)LLVMOffsetOfElement(d->ctx->target, type, k);
}

LLVMTypeRef dad_declared_element(LLVMTypeRef type, int64_t *count) {
  *count = 1;
  while (is_array(type)) {
    *count *= LLVMGetTypeKind(type) == LLVMArrayTypeKind ? (int64_t)LLVMGetArrayLength2(type)
                                                         : LLVMGetVectorSize(type);
    type = LLVMGetElementType(type);
  }
  return type;
}

/* ---- uniform types */

static LLVMTypeRef scalar_of_struct(struct dad_declared *d, LLVMTypeRef type) {
  LLVMTypeRef scalar = NULL;
  int64_t at = 0;
  for (unsigned k = 0; k < LLVMCountStructElementTypes(type); k++) {
    LLVMTypeRef member = LLVMStructGetTypeAtIndex(type, k), one = dad_declared_scalar(d, member);
    if (!one || (scalar && one != scalar) || member_offset(d, type, k) != at)
      return NULL;
    scalar = one;
    at += size_of(d, member);
  }
  return at == size_of(d, type) ? scalar : NULL;
}

LLVMTypeRef dad_declared_scalar(struct dad_declared *d, LLVMTypeRef type) {
  int64_t count;
  type = dad_declared_element(type, &count);
  if (!is_struct(type))
    return type;
  LLVMTypeRef known = dad_map_get(&d->scalar, type);
  if (!known) {
    known = scalar_of_struct(d, type);
    dad_map_set(&d->scalar, type, known ? known : type);
  }
  return known == type ? NULL : known;
}

/* ---- the way down */

/* One step of a walk: the part of a type that holds an offset. */
struct part {
  LLVMTypeRef type; /* NULL: padding */
  int64_t at;       /* where it begins */
};

/* The member of the struct "p" that holds "x". */
static struct part member_at(struct dad_declared *d, struct part p, int64_t x) {
  for (unsigned k = LLVMCountStructElementTypes(p.type); k-- > 0;) {
    struct part m = {LLVMStructGetTypeAtIndex(p.type, k), p.at + member_offset(d, p.type, k)};
    if (m.at <= x && x < m.at + size_of(d, m.type))
      return m;
  }
  return (struct part){NULL, 0};
}

/* The element of the array "p" that holds "x". */
static struct part element_at(struct dad_declared *d, struct part p, int64_t x) {
  LLVMTypeRef element = LLVMGetElementType(p.type);
  int64_t bytes = size_of(d, element);
  if (!bytes)
    return (struct part){NULL, 0};
  return (struct part){element, p.at + (x - p.at) / bytes * bytes};
}

/* The same of an array of arrays, written as one. */
static struct part innermost_element(struct dad_declared *d, struct part p, int64_t x) {
  int64_t count;
  LLVMTypeRef element = dad_declared_element(p.type, &count);
  int64_t bytes = size_of(d, element);
  if (!bytes)
    return (struct part){NULL, 0};
  return (struct part){element, p.at + (x - p.at) / bytes * bytes};
}

static struct part part_at(struct dad_declared *d, struct part p, int64_t x) {
  if (is_struct(p.type))
    return member_at(d, p, x);
  return is_array(p.type) ? element_at(d, p, x) : (struct part){NULL, 0};
}

static bool holds(struct dad_declared *d, struct part p, int64_t x) {
  return p.type && x >= p.at && x < p.at + size_of(d, p.type);
}

bool dad_declared_fits(struct dad_declared *d, LLVMTypeRef outer, int64_t at, int64_t x,
                       LLVMTypeRef type) {
  LLVMTypeRef scalar = dad_declared_scalar(d, type);
  for (struct part p = {outer, at}; holds(d, p, x); p = part_at(d, p, x)) {
    if (p.type == type && p.at == x)
      return true;
    if (scalar && dad_declared_scalar(d, p.type) == scalar)
      return (x - p.at) % size_of(d, scalar) == 0;
  }
  return false;
}

/* Does "type" end in an array that may be longer than declared? */
static bool is_flexible(LLVMTypeRef type) {
  for (;;) {
    if (is_array(type))
      return LLVMGetTypeKind(type) == LLVMArrayTypeKind && LLVMGetArrayLength2(type) <= 1;
    if (!is_struct(type) || !LLVMCountStructElementTypes(type))
      return false;
    type = LLVMStructGetTypeAtIndex(type, LLVMCountStructElementTypes(type) - 1);
  }
}

/* ---- runs: neighbouring members of one scalar type */

struct run {
  int64_t x;          /* the offset asked about */
  LLVMTypeRef scalar; /* of the run at hand; NULL: none */
  int64_t lo, hi;     /* its bytes so far */
  bool found;         /* it holds "x", and is complete */
};

/* The bytes from "at" on hold "scalar" (NULL: something else). */
static void extend_run(struct run *r, int64_t at, int64_t bytes, LLVMTypeRef scalar) {
  if (r->found)
    return;
  if (r->scalar && r->scalar == scalar && r->hi == at) {
    r->hi = at + bytes;
    return;
  }
  if (r->scalar && r->lo <= r->x && r->x < r->hi) {
    r->found = true;
    return;
  }
  r->scalar = scalar;
  r->lo = at;
  r->hi = at + bytes;
}

/* Visits the members of "p" in order; of an array of structs only the element around r->x. */
static void visit_members(struct dad_declared *d, struct part p, struct run *r) {
  LLVMTypeRef scalar = dad_declared_scalar(d, p.type);
  if (r->found)
    return;
  if (scalar) {
    extend_run(r, p.at, size_of(d, p.type), scalar);
  } else if (is_struct(p.type)) {
    for (unsigned k = 0; k < LLVMCountStructElementTypes(p.type); k++)
      visit_members(
          d, (struct part){LLVMStructGetTypeAtIndex(p.type, k), p.at + member_offset(d, p.type, k)},
          r);
  } else {
    if (holds(d, p, r->x))
      visit_members(d, element_at(d, p, r->x), r);
    extend_run(r, p.at + size_of(d, p.type), 0, NULL);
  }
}

static bool find_run(struct dad_declared *d, struct part p, int64_t x, struct run *r) {
  *r = (struct run){.x = x};
  visit_members(d, p, r);
  extend_run(r, INT64_MAX, 0, NULL);
  return r->found && r->scalar;
}

/* An array at the end of a struct that is declared with one element or none may have any number. */
static void open_end(struct dad_declared *d, struct part whole, struct dad_region *region) {
  if (region->lo + region->bytes == whole.at + size_of(d, whole.type) && is_flexible(whole.type))
    region->bytes = DAD_ENDLESS;
}

/* ---- answers */

/* The innermost array around "x" (all its dimensions written as one) in which an index can move by
   "step" bytes, and whose elements are structs if "structs" is set; its whole extent. A step as
   long as the array is one of an array around it, if there is one. */
static bool innermost_array(struct dad_declared *d, struct part p, int64_t x, int64_t step,
                            bool structs, struct dad_region *out) {
  bool found = false;
  while (holds(d, p, x)) {
    if (!is_array(p.type)) {
      p = part_at(d, p, x);
      continue;
    }
    int64_t count;
    LLVMTypeRef element = dad_declared_element(p.type, &count);
    int64_t bytes = size_of(d, element);
    if (!bytes)
      return found;
    bool fits = step % bytes == 0 && (step < count * bytes || (step == bytes && !found));
    if (fits && (!structs || is_struct(element))) {
      *out = (struct dad_region){p.at, count * bytes};
      found = true;
    }
    p = innermost_element(d, p, x);
  }
  return found;
}

/* A pointer to the end of "whole" belongs to its last byte. */
static int64_t inside(struct dad_declared *d, struct part whole, int64_t x) {
  int64_t bytes = size_of(d, whole.type);
  return bytes && x == whole.at + bytes ? x - 1 : x;
}

bool dad_declared_region(struct dad_declared *d, LLVMTypeRef type, int64_t at, int64_t x,
                         int64_t step, struct dad_region *out) {
  struct part whole = {type, at};
  struct run r;
  if (!type || !step)
    return false;
  x = inside(d, whole, x);
  if (!holds(d, whole, x))
    return false;
  if (innermost_array(d, whole, x, step, true, out))
    return true;
  if (!find_run(d, whole, x, &r) || step % size_of(d, r.scalar) || step > r.hi - r.lo)
    return false;
  *out = (struct dad_region){r.lo, r.hi - r.lo};
  open_end(d, whole, out);
  return true;
}

bool dad_declared_array(struct dad_declared *d, LLVMTypeRef type, int64_t at, int64_t x,
                        int64_t step, struct dad_region *out) {
  struct part whole = {type, at};
  if (!type || !step)
    return false;
  x = inside(d, whole, x);
  if (!innermost_array(d, whole, x, step, false, out))
    return false;
  open_end(d, whole, out);
  return true;
}

/* The largest part of "whole" that begins at "x", with the rest of the array if it is an element;
   what it is a part of if there is none: a run of members. A pointer to the beginning of a struct
   is not told from one to its first member. */
bool dad_declared_stretch(struct dad_declared *d, LLVMTypeRef type, int64_t at, int64_t x,
                          struct dad_region *out) {
  struct part whole = {type, at}, p = whole;
  struct run r;
  if (!type || !holds(d, whole, x) || (x == at && !is_array(type)))
    return false;
  while (holds(d, p, x)) {
    if (is_array(p.type)) {
      int64_t count;
      int64_t bytes = size_of(d, dad_declared_element(p.type, &count));
      *out = (struct dad_region){p.at, count * bytes};
      open_end(d, whole, out);
      if ((x - p.at) % bytes == 0)
        return true;
    } else if (p.at == x && p.type != type && is_struct(p.type)) {
      *out = (struct dad_region){x, size_of(d, p.type)};
      return true;
    }
    p = is_array(p.type) ? innermost_element(d, p, x) : part_at(d, p, x);
  }
  if (!find_run(d, whole, x, &r))
    return false;
  *out = (struct dad_region){r.lo, r.hi - r.lo};
  return true;
}
