/* memory.c: copying, adding and clearing of shadows whose layout is known.

   Copies may overlap as in memmove. No temporary memory is needed for that: a field is read
   before anything is written over it if the fields are visited in the right direction, and
   both ranges have their fields at the same distances. */
#include "abi.h"
#include "layout.h"

#include <stdbool.h>
#include <string.h>

/* Numbers at any address, in memory of any declared type. */
typedef float f32 __attribute__((aligned(1), may_alias));
typedef double f64 __attribute__((aligned(1), may_alias));
typedef long double f80 __attribute__((aligned(1), may_alias));
typedef uintptr_t word __attribute__((aligned(1), may_alias));

/* Does "dst" begin before "src"? */
static bool before(const void *dst, const void *src) {
  return (uintptr_t)dst < (uintptr_t)src;
}

void drt_copy_pointers(void *dst, const void *src, int64_t n, const struct drt_layout *layout) {
  bool up = before(dst, src);
  struct drt_place p = up ? drt_first_place(layout, n) : drt_last_place(layout, n);

  if (dst == src)
    return;
  while (drt_is_place(&p)) {
    if (p.kind == DRT_KIND_PTR)
      *(word *)((char *)dst + p.offset) = *(const word *)((const char *)src + p.offset);
    if (up)
      drt_next_place(&p);
    else
      drt_previous_place(&p);
  }
}

/* Moves the number of kind "kind" at "dst" to the sum at "src": takes it, leaving zero, and
   then adds. */
static void move_number(char *dst, char *src, uint32_t kind) {
  if (kind == DRT_KIND_F64) {
    double taken = *(f64 *)dst;

    *(f64 *)dst = 0;
    *(f64 *)src += taken;
  } else if (kind == DRT_KIND_F32) {
    float taken = *(f32 *)dst;

    *(f32 *)dst = 0;
    *(f32 *)src += taken;
  } else if (kind == DRT_KIND_F80) {
    long double taken = *(f80 *)dst;

    *(f80 *)dst = 0;
    *(f80 *)src += taken;
  }
}

/* Is "layout" a plain array of numbers of kind "kind"? */
static bool is_plain(const struct drt_layout *layout, uint32_t kind) {
  return layout->count == 1 && layout->field[0].offset == 0 && layout->field[0].kind == kind &&
         layout->stride == drt_kind_size(kind);
}

/* A number is taken from its place in "dst" before an element of "src" is added there: that
   one belongs to a later element if "dst" begins behind "src", else to an earlier one. */
void drt_accumulate(void *dst, void *src, int64_t n, const struct drt_layout *layout) {
  bool up = before(src, dst);
  struct drt_place p;

  if (dst == src)
    return;
  if (is_plain(layout, DRT_KIND_F64)) {
    drt_accumulate_f64(dst, src, n);
    return;
  }
  if (is_plain(layout, DRT_KIND_F32)) {
    drt_accumulate_f32(dst, src, n);
    return;
  }
  p = up ? drt_first_place(layout, n) : drt_last_place(layout, n);
  while (drt_is_place(&p)) {
    move_number((char *)dst + p.offset, (char *)src + p.offset, p.kind);
    if (up)
      drt_next_place(&p);
    else
      drt_previous_place(&p);
  }
}

/* drt_accumulate for arrays of "type". The first loop is vectorised: its ranges are disjoint. */
#define ACCUMULATE(name, type)                                                                     \
  static void name##_disjoint(type *restrict dst, type *restrict src, int64_t n) {                 \
    for (int64_t i = 0; i < n; i++) {                                                              \
      src[i] += dst[i];                                                                            \
      dst[i] = 0;                                                                                  \
    }                                                                                              \
  }                                                                                                \
                                                                                                   \
  void name(void *dst_array, void *src_array, int64_t bytes) {                                     \
    type *dst = dst_array, *src = src_array;                                                       \
    int64_t n = bytes / (int64_t)sizeof(type), distance = (char *)dst - (char *)src;               \
                                                                                                   \
    if (distance == 0 || n <= 0)                                                                   \
      return;                                                                                      \
    if (distance >= bytes || -distance >= bytes)                                                   \
      name##_disjoint(dst, src, n);                                                                \
    else                                                                                           \
      for (int64_t k = 0; k < n; k++) {                                                            \
        int64_t i = distance > 0 ? k : n - 1 - k;                                                  \
        type taken = dst[i];                                                                       \
                                                                                                   \
        dst[i] = 0;                                                                                \
        src[i] += taken;                                                                           \
      }                                                                                            \
  }

ACCUMULATE(drt_accumulate_f32, f32)
ACCUMULATE(drt_accumulate_f64, f64)

void drt_zero_numbers(void *p, int64_t n, const struct drt_layout *layout) {
  for (struct drt_place at = drt_first_place(layout, n); drt_is_place(&at); drt_next_place(&at))
    if (at.kind != DRT_KIND_PTR)
      memset((char *)p + at.offset, 0, (size_t)drt_kind_size(at.kind));
}

void drt_set_pointers(void *p, int32_t byte, int64_t n, const struct drt_layout *layout) {
  for (struct drt_place at = drt_first_place(layout, n); drt_is_place(&at); drt_next_place(&at))
    if (at.kind == DRT_KIND_PTR)
      memset((char *)p + at.offset, byte, sizeof(void *));
}
