/* constraint.h: what the program says about memory, as a list of constraints, and their solution.
 */
#ifndef DAD_CONSTRAINT_H
#define DAD_CONSTRAINT_H

#include "../cfg/unit.h"
#include "../rules/libcall.h"
#include "address.h"

enum dad_constraint_kind {
  DAD_FLOW,     /* values move from "from" to "to" */
  DAD_ADDRESS,  /* "to" is "from" after "path" */
  DAD_ANYWHERE, /* "to" points somewhere into what "from" points to */
  DAD_LOAD,     /* "to" is read from bytes [offset, offset + bytes) behind "from" */
  DAD_STORE,    /* "to" is written there; NULL: a number, or a part of one */
  DAD_COPY,     /* "bytes" bytes (negative: unknown) move from behind "from" to behind "to" */
  DAD_EXPOSED   /* unknown code sees "from" and all that it leads to */
};

struct dad_constraint {
  enum dad_constraint_kind kind;
  bool outside;   /* of code that is not differentiated */
  bool integers;  /* FLOW, LOAD, STORE: what moves are integers, which may be anything */
  unsigned kinds; /* LOAD, STORE: the scalars moved */
  struct dad_node *from, *to;
  int64_t offset, bytes;
  unsigned align; /* LOAD, STORE: of the place, a power of two */
  struct dad_path *path;
  LLVMValueRef at;           /* the instruction, or NULL */
  uint64_t ran;              /* the heap's clock when it was last looked at */
  struct dad_node **content; /* LOAD: the contents of the cells that it touched then */
  unsigned n_content, capacity;
};

/* The parameters and the result of all functions of one type whose address is taken. */
struct dad_signature {
  struct dad_node **param; /* as many as the type has */
  unsigned n;
  struct dad_node *result;
};

/* An allocation through a function that only hands out fresh memory: the object of the call is its
 * own. */
struct dad_handout {
  LLVMValueRef call, result; /* the call, and what the function returns */
};

/* The state of the analysis: req->memory. */
struct dad_memory {
  struct dad_request *req;
  struct dad_heap heap;
  struct dad_map node;        /* value -> struct dad_node * */
  struct dad_vec constraints; /* struct dad_constraint * */
  struct dad_map signatures;  /* function type -> struct dad_signature * */
  struct dad_map fresh;       /* function -> does it only hand out fresh memory: 1 no, 2 yes */
  struct dad_vec handouts;    /* struct dad_handout * */
  struct dad_map lanes;  /* integer values whose lanes were tied to those of a number, as a set */
  struct dad_map points; /* value or content -> struct dad_point * (activity.h) */
  struct dad_point *hub; /* while edges are made: what a walk connects its cells with */
  int off_grid; /* are numbers accessed off the grid of their format? 0: not looked for (layout.c)
                 */
  struct dad_map touched; /* pointer -> struct touched * (overlap.c) */
  struct dad_map layouts; /* text of a layout descriptor -> its global (layout.c) */
  bool outside;           /* while constraints are made: of code that is not differentiated */
  LLVMValueRef at;        /* while constraints are made: the instruction at hand */
  unsigned rounds;        /* how long the solution took */
};

/* The node of "v", made if need be; NULL if no pointer and no integer of at least 8 bits can be in
 * it. */
struct dad_node *dad_node_of(struct dad_memory *m, LLVMValueRef v);
/* The node of "v" if there is one. */
struct dad_node *dad_node_known(struct dad_memory *m, LLVMValueRef v);

struct dad_constraint *dad_constrain(struct dad_memory *m, enum dad_constraint_kind kind,
                                     struct dad_node *from, struct dad_node *to);
/* Values move from "from" to "to", unless one of them has no node. */
void dad_constrain_flow(struct dad_memory *m, LLVMValueRef from, LLVMValueRef to);
/* The constraints of all functions of the module (constraint.c), and of a call (constrain_call.c).
 */
void dad_constrain_module(struct dad_memory *m);
void dad_constrain_call(struct dad_memory *m, LLVMValueRef call);
/* Does "f" only hand out memory that it has allocated (fresh.c)? "body" is the function to look at.
 */
bool dad_hands_out(struct dad_memory *m, LLVMValueRef body);
/* The kind of a call or invoke, wherever it stands. */
enum dad_call_kind dad_any_call_kind(struct dad_memory *m, LLVMValueRef call);
/* The function that a call or invoke calls directly, or NULL. */
LLVMValueRef dad_any_callee(LLVMValueRef call);
bool dad_is_any_call(LLVMValueRef i);

/* Solves all constraints; false after a reported error. */
bool dad_solve(struct dad_memory *m);
/* Afterwards: the contents of the cells that the LOAD or STORE "c" touches; at most DAD_TOUCHED. */
unsigned dad_touched_cells(struct dad_memory *m, const struct dad_constraint *c,
                           struct dad_node **content);
/* The contents of cells that the COPY "c" moves: source and destination in turn. */
void dad_copied_cells(struct dad_memory *m, const struct dad_constraint *c, struct dad_vec *pairs);

#endif
