/* request.h: one marker call, and everything that is made for it. */
#ifndef DAD_REQUEST_H
#define DAD_REQUEST_H

#include "context.h"

struct dad_unit;
struct dad_memory;

enum dad_mode {
  DAD_REVERSE, /* primal and gradient in one call: the combined function */
  DAD_FORWARD, /* primal and tangent */
  DAD_SPLIT    /* augmented forward and reverse as two calls */
};

enum dad_activity { DAD_CONST, DAD_OUT, DAD_DUP, DAD_DUPNONEED };

/* One parameter of the differentiated function as the marker call gives it. */
struct dad_argument {
  enum dad_activity activity;
  LLVMValueRef value;  /* the primal argument, of the parameter's type */
  LLVMValueRef shadow; /* its shadow or tangent; NULL for const and (in reverse mode) out */
};

struct dad_request {
  struct dad_context *ctx;
  struct dad_arena *arena;      /* everything below lives here */
  enum dad_mode mode;
  LLVMValueRef call;            /* the marker call */
  LLVMValueRef function;        /* the user's function */
  struct dad_argument *args;    /* one per parameter of "function" */
  unsigned n_args;
  bool second;                  /* split mode: the call is the reverse half */
  LLVMValueRef seed, handle;    /* operands of the reverse half; "seed" is NULL if the function returns no number */
  bool primal_return;           /* the primal result is asked for too */
  struct dad_vec units;         /* struct dad_unit *, the root first */
  struct dad_map unit_of;       /* user's function -> struct dad_unit *, the root excepted */
  struct dad_unit *root;        /* the unit of "function" */
  struct dad_memory *memory;    /* what memory holds (analysis/memory.h), once analysed */
  struct dad_map shadow_global; /* global variable -> its shadow */
  LLVMValueRef no_descriptor;   /* the shadow of functions without a derivative, once made */
  struct dad_vec made;          /* functions and globals made for this request: deleted if it fails */
  unsigned inlined;             /* instructions that inlining has added to units other than the root */
  unsigned tape_loops;          /* loops whose iterations keep something */
  unsigned tape_bytes;          /* bytes of the frames of functions */
  unsigned errors_before;       /* ctx->errors at the start */
};

/* Has an error been reported since the request began? */
static inline bool dad_failed(const struct dad_request *req) {
  return req->ctx->errors != req->errors_before;
}

#endif
