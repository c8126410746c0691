/* layout.h: walking over the numbers and pointers of typed memory. */
#ifndef DRT_LAYOUT_H
#define DRT_LAYOUT_H

#include "abi.h"

#include <float.h>
#include <stdbool.h>

/* The bytes that a field of kind "kind" occupies: of x86's long double just those with a
   value. */
static inline int64_t drt_kind_size(uint32_t kind) {
  const int64_t f80 = LDBL_MANT_DIG == 64 ? 10 : (int64_t)sizeof(long double);

  return kind == DRT_KIND_F32 ? 4 : kind == DRT_KIND_F80 ? f80 : 8;
}

/* Is the shadow word "w", of the kind EITHER, an address? */
static inline bool drt_is_address(uintptr_t w) {
  return w >> 48 == 0;
}

/* What a walk does with the field of kind "kind" at "offset"; "context" is the walk's. */
typedef void drt_visit(void *context, int64_t offset, uint32_t kind);

/* Calls "visit" with "context" for every field of "layout" that lies wholly in the first "n"
   bytes: by ascending offset if "up" is set, else by descending offset. */
static inline __attribute__((always_inline)) void
drt_walk(const struct drt_layout *layout, int64_t n, bool up, drt_visit *visit, void *context) {
  const int64_t stride = layout->stride, count = layout->count;
  int64_t elements = n <= 0 ? 0 : stride ? (n - 1) / stride + 1 : 1;

  for (int64_t k = 0; k < elements; k++) {
    int64_t element = stride * (up ? k : elements - 1 - k);

    for (int64_t i = 0; i < count; i++) {
      const struct drt_field *f = &layout->field[up ? i : count - 1 - i];
      int64_t offset = element + f->offset;

      if (offset + drt_kind_size(f->kind) <= n)
        visit(context, offset, f->kind);
    }
  }
}

#endif
