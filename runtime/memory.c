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

/* Two pieces of memory with one layout. */
struct pair {
  char *dst;
  char *src;
};

/* Copies a pointer of the struct pair "context". A number that takes the place of a pointer has no
   derivative yet. */
static inline void copy_pointer(void *context, int64_t offset, uint32_t kind) {
  const struct pair *p = context;
  word *dst = (word *)(p->dst + offset), src = *(const word *)(p->src + offset);

  if (kind == DRT_KIND_PTR || (kind == DRT_KIND_EITHER && src && drt_is_address(src)))
    *dst = src;
  else if (kind == DRT_KIND_EITHER && drt_is_address(*dst))
    *dst = 0;
}

void drt_copy_pointers(void *dst, const void *src, int64_t n, const struct drt_layout *layout) {
  struct pair p = {dst, (char *)(uintptr_t)src};

  if (before(dst, src))
    drt_walk(layout, n, true, copy_pointer, &p);
  else if (dst != src)
    drt_walk(layout, n, false, copy_pointer, &p);
}

/* Moves a number of the struct pair "context" from dst to the sum at src: takes it, leaving
   zero, and then adds. */
static inline void move_number(void *context, int64_t offset, uint32_t kind) {
  const struct pair *p = context;
  char *dst = p->dst + offset, *src = p->src + offset;

  if (kind == DRT_KIND_F64 || (kind == DRT_KIND_EITHER && !drt_is_address(*(word *)dst))) {
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
  struct pair p = {dst, src};

  if (is_plain(layout, DRT_KIND_F64))
    drt_accumulate_f64(dst, src, n);
  else if (is_plain(layout, DRT_KIND_F32))
    drt_accumulate_f32(dst, src, n);
  else if (before(src, dst))
    drt_walk(layout, n, true, move_number, &p);
  else if (dst != src)
    drt_walk(layout, n, false, move_number, &p);
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

/* Sets a number of the memory "context" to zero. */
static inline void zero_number(void *context, int64_t offset, uint32_t kind) {
  char *p = (char *)context + offset;

  if (kind != DRT_KIND_PTR && !(kind == DRT_KIND_EITHER && drt_is_address(*(word *)p)))
    memset(p, 0, (size_t)drt_kind_size(kind));
}

void drt_zero_numbers(void *p, int64_t n, const struct drt_layout *layout) {
  drt_walk(layout, n, true, zero_number, p);
}

/* What drt_set_pointers works on. */
struct filling {
  char *p;      /* the memory */
  int32_t byte; /* what every byte of its pointers becomes */
};

/* Sets a pointer of the struct filling "context". */
static inline void set_pointer(void *context, int64_t offset, uint32_t kind) {
  const struct filling *filling = context;
  char *p = filling->p + offset;

  if (kind == DRT_KIND_PTR || (kind == DRT_KIND_EITHER && drt_is_address(*(word *)p)))
    memset(p, filling->byte, sizeof(void *));
}

void drt_set_pointers(void *p, int32_t byte, int64_t n, const struct drt_layout *layout) {
  struct filling filling = {p, byte};

  drt_walk(layout, n, true, set_pointer, &filling);
}
