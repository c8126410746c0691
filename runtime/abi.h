/* abi.h: the rows of abi.def as C: the functions and constants of the runtime that generated code
 * relies on. */
#ifndef DRT_ABI_H
#define DRT_ABI_H

#include <stdint.h>

/* One number or pointer of a layout. */
struct drt_field {
  uint32_t offset; /* in bytes from the beginning of the element */
  uint32_t kind;   /* DRT_KIND_* */
};

/* Where numbers and pointers lie in memory: a constant that generated code passes along. */
struct drt_layout {
  uint32_t stride;          /* bytes from one element to the next; 0: there is only one */
  uint32_t count;           /* fields of an element */
  struct drt_field field[]; /* by ascending offset */
};

/* The part of the tape that the in-line fast paths know. */
struct drt_tape {
#define DRT_TAPE_FIELD(name) char *name;
#include "abi.def"
};
extern _Thread_local struct drt_tape drt_tape;

enum {
#define DRT_CONSTANT(name, value) DRT_##name = value,
#include "abi.def"
};

#define VOID        void
#define I32         int32_t
#define I64         int64_t
#define F32         float
#define F64         double
#define F80         long double
#define PTR         void *
#define CPTR        const void *
#define LAYOUT      const struct drt_layout *
#define CODE        void (*)(void)
#define PARAMS(...) (__VA_ARGS__)
#define ATTRS(...)  __attribute__((__nothrow__, __VA_ARGS__))
#define NONE
#define COLD      __cold__
#define NORETURN  __noreturn__
#define NOALIAS   __malloc__
#define NOCAPTURE /* C has no word for it */
#define ARGMEM    /* nor for this */
#define PURE      __const__

#define DRT_FUNCTION(name, result, params, attrs) attrs result drt_##name params;
#include "abi.def"

#undef VOID
#undef I32
#undef I64
#undef F32
#undef F64
#undef F80
#undef PTR
#undef CPTR
#undef LAYOUT
#undef CODE
#undef PARAMS
#undef ATTRS
#undef NONE
#undef COLD
#undef NORETURN
#undef NOALIAS
#undef NOCAPTURE
#undef ARGMEM
#undef PURE

#endif
