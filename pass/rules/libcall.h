/* libcall.h: what a call is. The table libcalls.def says what the differentiator knows about library functions and intrinsics. */
#ifndef DAD_LIBCALL_H
#define DAD_LIBCALL_H

#include "../driver/request.h"

enum dad_call_kind {
  DAD_CALL_UNIT,           /* a function with a body: a unit of the request */
  DAD_CALL_INDIRECT,       /* through a pointer */
  DAD_CALL_RULE,           /* a row of rules.def */
  DAD_CALL_SPECIAL,        /* a derivative written in code (modf, frexp, sincos, complex product; rules/special.h) */
  DAD_CALL_CUSTOM,         /* the user registered a derivative */
  DAD_CALL_COPY,           /* memcpy, memmove */
  DAD_CALL_SET,            /* memset */
  DAD_CALL_ALLOC,          /* malloc, calloc, aligned_alloc, operator new */
  DAD_CALL_ALLOC_AT,       /* posix_memalign: the pointer is stored */
  DAD_CALL_REALLOC,
  DAD_CALL_FREE,
  DAD_CALL_INERT,          /* no derivative and no effect on active memory: printf, strlen, integer intrinsics */
  DAD_CALL_DROP,           /* markers of the optimiser that the copy can do without: lifetime, assume */
  DAD_CALL_INPUT,          /* writes memory or returns numbers from outside: fread, scanf, strtod */
  DAD_CALL_OUTPUT,         /* lets numbers leave: fwrite, fprintf, sprintf */
  DAD_CALL_CALLBACK,       /* qsort, bsearch: calls user code, moves memory */
  DAD_CALL_JUMP,           /* setjmp, longjmp */
  DAD_CALL_ASM,            /* inline assembly */
  DAD_CALL_UNKNOWN         /* no body, not in the table */
};

/* A row of libcalls.def. */
struct dad_libcall {
  const char *name;         /* exact name, or an intrinsic's name without its overload suffix */
  enum dad_call_kind kind;
  int size, count, align;   /* ALLOC*, REALLOC, COPY, SET: positions of the bytes, number of elements and alignment operands; -1: none */
  bool zeroed;              /* ALLOC: the memory is zero */
  const char *release;      /* ALLOC*: the function that frees it; FREE: NULL */
  bool numbers;             /* takes or returns floating-point numbers */
};

/* The row of "name", or NULL. */
const struct dad_libcall *dad_libcall_find(const char *name);
/* The name under which the tables know what "call" calls: that of a function without a body, freed of what compilers add to it, or the one that the
   function attribute "dacead-like" says. "" for functions of the module and calls through pointers. */
const char *dad_known_name(LLVMValueRef call);
/* What "call" is for the request "req". */
enum dad_call_kind dad_call_kind(struct dad_request *req, LLVMValueRef call);
/* Bytes that the ALLOC, REALLOC, COPY or SET "call" asks for, as an i64 built before the builder's position. */
LLVMValueRef dad_call_bytes(struct dad_request *req, LLVMValueRef call);
/* The same if it is a constant, else DAD_UNKNOWN_BYTES. */
uint64_t dad_call_known_bytes(LLVMValueRef call);
/* Replaces calls in "function" that are others in disguise, so that fewer kinds remain and what they write becomes visible as stores:
   mempcpy, bcopy, bzero, sincos, modf and frexp with their pointers, and intrinsics that return their operand. No result changes. */
void dad_libcall_lower(struct dad_context *ctx, LLVMValueRef function);

#endif
