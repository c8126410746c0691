/* unit.h: one function being differentiated.

   A unit starts as "primal", a prepared copy of the user's function. What becomes of it depends on the mode:
     reverse, root     forward == reverse: the combined function, both sweeps in one body
     reverse, callee   forward: aug(args with shadows) -> {result, its shadow}; reverse: rev(seed) -> adjoints of number arguments
     forward           forward: args with shadows and tangents -> {result, its shadow or tangent}; reverse is NULL
   Signatures follow from types alone, so that they fit calls through pointers. */
#ifndef DAD_UNIT_H
#define DAD_UNIT_H

#include "../driver/request.h"

struct dad_unit {
  struct dad_request *req;
  LLVMValueRef original;         /* the user's function */
  LLVMValueRef primal;           /* the prepared copy; its blocks move into "forward" */
  unsigned n_params;             /* parameters of "original" */
  bool combined;                 /* the root in reverse mode */
  bool address_taken;            /* may be called through a pointer */
  bool inert;                    /* nothing in it is active: calls stay calls of "original" */
  LLVMValueRef forward, reverse; /* the functions being built */
  LLVMValueRef descriptor;       /* the constant that is the shadow of the function's address, or NULL */
  LLVMValueRef *params;          /* the parameters of "original" inside "forward" */
  LLVMValueRef *twins;           /* their shadows or tangents; NULL where there is none */
  struct dad_map shadow;         /* value in "forward" -> its shadow */
  struct dad_map shadowed;       /* shadow -> the value whose shadow it is */
  struct dad_vec calls;          /* struct dad_call *: calls of units in "forward", in order */
  struct dad_map call_of;        /* the augmented call -> struct dad_call * */
  struct dad_vec delayed_frees;  /* blocks without derivatives whose free waits for the end */
};

/* The unit of the user's function "f" (never the root), or NULL. */
struct dad_unit *dad_unit_of(const struct dad_request *req, LLVMValueRef f);
/* Did the differentiator make "f"? Such functions say nothing about the user's memory. */
bool dad_unit_is_generated(LLVMValueRef f);
/* Marks "f" as made by the differentiator. */
void dad_unit_mark_generated(struct dad_context *ctx, LLVMValueRef f);
/* Declares the functions that "u" will become. Needs the analysis of memory. */
void dad_unit_declare(struct dad_unit *u);
/* The constant {forward, reverse, original} that is the shadow of the address of "u". */
LLVMValueRef dad_unit_descriptor(struct dad_unit *u);
/* The descriptor of functions that have no derivative: calling through it stops the program. */
LLVMValueRef dad_unit_no_descriptor(struct dad_request *req);
/* What "primal" returns (the operand of its one return), or NULL. */
LLVMValueRef dad_unit_result(LLVMValueRef primal);
/* The type in which the shadow or tangent of "v" travels beside it in signatures; NULL if nothing does. Pointers have shadows in both
   modes, numbers (and integers that carry them) tangents in forward mode. */
LLVMTypeRef dad_unit_twin_type(struct dad_request *req, LLVMValueRef v);
/* The type that a forward function returns for the value "v" of the primal (NULL: void): with its twin where it has one. */
LLVMTypeRef dad_unit_forward_result(struct dad_request *req, LLVMTypeRef type, LLVMValueRef v);
/* May "call" call "u"? By name, or through a pointer of its type. */
bool dad_unit_may_be_called(struct dad_unit *u, LLVMValueRef call);

#define DAD_FOR_UNITS(u, req)                                                                      \
  for (unsigned u##_k = 0; u##_k < (req)->units.n; u##_k++)                                        \
    for (struct dad_unit *u = (req)->units.at[u##_k]; u; u = NULL)

#endif
