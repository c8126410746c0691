/* address.h: address computations: what an instruction adds to a pointer, and what that does to a
 * set of positions. */
#ifndef DAD_ADDRESS_H
#define DAD_ADDRESS_H

#include "object.h"

enum dad_move_kind {
  DAD_MOVE_KNOWN,   /* the pointer moves by a known number of elements of its type */
  DAD_MOVE_BYTES,   /* the same, written in bytes: it may also go to another member */
  DAD_MOVE_INDEX,   /* by an unknown number */
  DAD_MOVE_ENTER,   /* from here on the memory is looked at as a "type" */
  DAD_MOVE_MEMBER,  /* to a member of a struct */
  DAD_MOVE_ELEMENT, /* to an unknown element of a declared array of type "type" */
  DAD_MOVE_LOST     /* anywhere in the object */
};

struct dad_move {
  enum dad_move_kind kind;
  int64_t bytes; /* how far; of an unknown number of steps: what one step is a multiple of */
  LLVMTypeRef type;
};

/* What a getelementptr does, move after move. */
struct dad_path {
  struct dad_move *move;
  unsigned n, capacity;
};

/* The moves of "gep" (an instruction or a constant expression), in h->arena. */
DAD_KEEP struct dad_path *dad_path_of(struct dad_heap *h, LLVMValueRef gep);
/* A move by an unknown number of elements of "bytes" bytes. */
DAD_KEEP struct dad_path *dad_path_by_index(struct dad_heap *h, int64_t bytes);
/* A number that divides the integer "v" for sure; 0 if "v" is 0. */
int64_t dad_multiple_of(LLVMValueRef v);
/* Points "to" to where "from" comes to along "path". */
void dad_path_follow(struct dad_heap *h, struct dad_node *from, const struct dad_path *path,
                     struct dad_node *to);

#endif
