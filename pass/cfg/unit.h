/* unit.h: one function being differentiated.

   A unit starts as "primal", a prepared copy of the user's function. What becomes of it depends on the mode:
     reverse, root     forward == reverse: the combined function, both sweeps in one body
     reverse, callee   forward: aug(args with shadows) -> {result, its shadow}; reverse: rev(seed) -> adjoints of number arguments
     forward           forward: args with shadows and tangents -> {result, its shadow or tangent}; reverse is NULL */
#ifndef DAD_UNIT_H
#define DAD_UNIT_H

#include "../driver/request.h"

struct dad_unit {
  struct dad_request *req;
  LLVMValueRef original;   /* the user's function */
  LLVMValueRef primal;     /* the prepared copy; its blocks move into "forward" */
  unsigned n_params;
  bool combined;           /* the root in reverse mode */
  bool address_taken;      /* may be called through a pointer */
  bool inert;              /* nothing in it is active: calls stay calls of "original" */
  LLVMValueRef forward, reverse; /* the functions being built */
  LLVMValueRef descriptor; /* the constant that is the shadow of the function's address, or NULL */
};

/* The unit of the user's function "f" (never the root), or NULL. */
struct dad_unit *dad_unit_of(const struct dad_request *req, LLVMValueRef f);

#define DAD_FOR_UNITS(u, req)                                                                      \
  for (unsigned u##_k = 0; u##_k < (req)->units.n; u##_k++)                                        \
    for (struct dad_unit *u = (req)->units.at[u##_k]; u; u = NULL)

#endif
