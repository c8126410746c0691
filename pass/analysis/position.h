/* position.h: where in an object a pointer may point, and which bytes a cell consists of, as
   numbers alone.

   A pattern is the set of offsets lo + step * Z + sum(stride_k * [0, count_k)). A shape is a
   pattern with what is declared around it; the positions of a pointer are a few shapes. A span is a
   pattern of "width" bytes each: the places of a cell. */
#ifndef DAD_POSITION_H
#define DAD_POSITION_H

#include "../base/arena.h"

#include <stdbool.h>
#include <stdint.h>

enum { DAD_DIMS = 3, DAD_SHAPES = 48 };

/* As many elements as nobody has: an array whose end is not declared. */
#define DAD_ENDLESS ((int64_t)1 << 40)

/* One dimension of an array. */
struct dad_dim {
  int64_t stride; /* bytes from one element to the next, positive */
  int64_t count;  /* elements, at least 2 */
  int64_t in;     /* how far inside the element the pattern's "lo" lies; 0 in spans */
  bool part;      /* not the whole array: a pointer may come to elements beyond */
};

struct dad_pattern {
  int64_t lo;   /* the lowest offset (of the repetition 0) */
  int64_t step; /* positive: repeated at all multiples of it, negative ones too; 0: not */
  unsigned n;   /* dimensions in use */
  struct dad_dim dim[DAD_DIMS]; /* by descending stride */
};

/* Places where a pointer may point. */
struct dad_shape {
  struct dad_pattern p; /* the places */
  const void *type;     /* what is declared around p.lo (an LLVMTypeRef), or NULL */
  int64_t at;           /* where that begins */
};

/* All of them. */
struct dad_positions {
  struct dad_shape *shape; /* at most DAD_SHAPES */
  unsigned n, capacity;    /* how many, and how many fit */
  unsigned widened;        /* how often the set was too large */
  int64_t last, stride;    /* where the latest shape is, and how far from the one before */
  unsigned steps, round;   /* in how many rounds that was the same, and the last of them */
};

struct dad_span {
  struct dad_pattern p; /* where the pieces begin */
  int64_t width;        /* bytes of each */
};

/* A stretch of memory in which an index stays. */
struct dad_region {
  int64_t lo, bytes; /* from "lo" on; bytes may be DAD_ENDLESS */
};

int64_t dad_gcd(int64_t a, int64_t b);
/* The remainder of "a" by "b" > 0, never negative. */
int64_t dad_mod(int64_t a, int64_t b);

bool dad_shape_equal(const struct dad_shape *a, const struct dad_shape *b);
/* Does "a" stand for everything that "b" stands for, whatever is added to both later? */
bool dad_shape_covers(const struct dad_shape *a, const struct dad_shape *b);
/* Moves "s" by "bytes" within its element: the offset of a member. */
void dad_shape_move(struct dad_shape *s, int64_t bytes);
/* Moves "s" by a known number of "bytes". A pointer that may be at any element of an array stays in
   the array; with "plain" it may also leave it (byte arithmetic). Writes at most DAD_DIMS + 1
   shapes to "out" and returns how many. */
unsigned dad_shape_offset(const struct dad_shape *s, int64_t bytes, bool plain,
                          struct dad_shape *out);
/* Moves "s" by an unknown multiple of "step" > 0, within "region" if that is given and the pattern
   fits it, else within a dimension that "s" has already, else anywhere. */
struct dad_shape dad_shape_index(const struct dad_shape *s, int64_t step,
                                 const struct dad_region *region);
/* A shape that covers "a" and "b", which have the same surroundings: some elements of an array. */
struct dad_shape dad_shape_hull(const struct dad_shape *a, const struct dad_shape *b);
/* Moves "s" anywhere. */
struct dad_shape dad_shape_anywhere(void);

/* Adds "s" to "set", which lives in "arena". True if the set has changed; if it would become too
 * large, nothing is added and "full" is set. */
bool dad_positions_add(struct dad_positions *set, const struct dad_shape *s,
                       struct dad_arena *arena, bool *full);
/* The differences between the places of all shapes of "set" and "more" are multiples of this. */
int64_t dad_positions_grid(const struct dad_positions *set, const struct dad_shape *more);
/* Replaces "set" by one shape that covers it and "more", without anything declared. */
void dad_positions_widen(struct dad_positions *set, const struct dad_shape *more);
/* All places move by "delta": the object has become part of another. */
void dad_positions_shift(struct dad_positions *set, int64_t delta);

/* "width" bytes at each place of "s", "offset" bytes further on. */
struct dad_span dad_span_of(const struct dad_shape *s, int64_t offset, int64_t width);
/* "s" without the places that are no multiples of "align", a power of two (0: not known). */
struct dad_span dad_span_aligned(const struct dad_span *s, int64_t align);
/* May "a" and "b" have a byte in common? */
bool dad_span_overlaps(const struct dad_span *a, const struct dad_span *b);
/* Are all bytes of "b" among those of "a", for sure? */
bool dad_span_covers(const struct dad_span *a, const struct dad_span *b);
/* The bytes of "s" at all multiples of what its places are multiples of. */
struct dad_span dad_span_repeated(const struct dad_span *s);
/* One span that covers all "n" of "s". */
struct dad_span dad_span_join(const struct dad_span *s, unsigned n);
/* The places of "cell", seen from "from" and limited to those that have a byte in the first "bytes"
   bytes (negative: no limit) from it: a pattern relative to "from". False if there is none. */
bool dad_span_seen_from(const struct dad_span *cell, const struct dad_shape *from, int64_t bytes,
                        struct dad_span *out);
/* "relative" seen from the places of "to": the inverse of the above. */
struct dad_span dad_span_placed(const struct dad_span *relative, const struct dad_shape *to);

#endif
