/* layout.h: walking over the numbers and pointers of typed memory.

     for (struct drt_place p = drt_first_place(layout, n); drt_is_place(&p); drt_next_place(&p))
       ... p.offset, p.kind ...

   visits every field that lies wholly in the first "n" bytes, by ascending offset;
   drt_last_place and drt_previous_place visit them by descending offset. */
#ifndef DRT_LAYOUT_H
#define DRT_LAYOUT_H

#include "abi.h"

#include <float.h>
#include <stdbool.h>

/* A field of one element. */
struct drt_place {
  int64_t offset;                  /* of the field, from the beginning of the memory */
  uint32_t kind;                   /* of the field: DRT_KIND_*; 0: the walk is over */
  const struct drt_layout *layout; /* of an element */
  int64_t n;                       /* bytes of memory */
  int64_t element;                 /* offset of the element */
  int64_t field;                   /* number of the field in the element */
};

/* The bytes that a field of kind "kind" occupies: of x86's long double just those with a
   value. */
static inline int64_t drt_kind_size(uint32_t kind) {
  const int64_t f80 = LDBL_MANT_DIG == 64 ? 10 : (int64_t)sizeof(long double);

  return kind == DRT_KIND_F32 ? 4 : kind == DRT_KIND_F80 ? f80 : 8;
}

static inline bool drt_is_place(const struct drt_place *p) {
  return p->kind != 0;
}

/* Moves "p", whose "field" may be one too far, on to a field that lies wholly in the memory:
   by "step", 1 or -1. */
static inline void drt_find_place(struct drt_place *p, int step) {
  const struct drt_layout *layout = p->layout;

  for (p->kind = 0; p->element >= 0 && p->element < p->n;) {
    if (p->field >= 0 && p->field < layout->count) {
      const struct drt_field *f = &layout->field[p->field];

      p->offset = p->element + f->offset;
      if (p->offset + drt_kind_size(f->kind) <= p->n) {
        p->kind = f->kind;
        return;
      }
      p->field += step;
    } else {
      if (!layout->stride)
        return;
      p->element += step * (int64_t)layout->stride;
      p->field = step > 0 ? 0 : (int64_t)layout->count - 1;
    }
  }
}

static inline struct drt_place drt_first_place(const struct drt_layout *layout, int64_t n) {
  struct drt_place p = {0, 0, layout, n, 0, 0};

  if (layout->count)
    drt_find_place(&p, 1);
  return p;
}

static inline void drt_next_place(struct drt_place *p) {
  p->field++;
  drt_find_place(p, 1);
}

static inline struct drt_place drt_last_place(const struct drt_layout *layout, int64_t n) {
  struct drt_place p = {0, 0, layout, n, 0, (int64_t)layout->count - 1};

  if (layout->stride && n > 0)
    p.element = (n - 1) / layout->stride * layout->stride;
  if (layout->count)
    drt_find_place(&p, -1);
  return p;
}

static inline void drt_previous_place(struct drt_place *p) {
  p->field--;
  drt_find_place(p, -1);
}

#endif
