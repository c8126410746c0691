/* object.h: objects, their cells, and nodes: what values and cells hold.

   An object is a piece of memory, or several that some pointer may mean alike: those are merged by
   union-find, laid on each other with a shift. Any shift is right, because pointers keep sets of
   positions. A cell is a set of bytes of an object that some access touches as one; cells of one
   object have no byte in common. A node stands for an SSA value or for the content of a cell. Nodes
   between which values move have one class: the same kinds, and the same object pointed to.
   Positions move only from source to destination. */
#ifndef DAD_OBJECT_H
#define DAD_OBJECT_H

#include "declared.h"
#include "position.h"

enum { DAD_PIECES = 4 };

struct dad_object;

/* What is the same for all nodes between which values move. */
struct dad_class {
  struct dad_class *up;      /* merged into this one, or NULL */
  struct dad_object *object; /* what the values point to, if they do */
};

/* What is the same for all nodes between which integers move: numbers and pointers may be in them. */
struct dad_format {
  struct dad_format *up; /* merged into this one, or NULL */
  unsigned kinds;        /* as what they are used: enum dad_kind */
};

struct dad_node {
  struct dad_node *up; /* merged into this one, or NULL */
  struct dad_class *class;
  struct dad_format *format;
  struct dad_object *frame; /* the object that "at" counts in; NULL while "at" is empty */
  struct dad_positions at;  /* where in the object the value may point */
  struct dad_object *owner; /* of a cell's content: the object that holds it */
  LLVMValueRef value;       /* of a value: itself, for messages */
  uint64_t changed;         /* when the positions or the class last changed */
  bool fed;                 /* something flows to it */
  bool given;               /* a pointer that nobody in this module has set was assumed */
};

struct dad_cell {
  struct dad_span piece[DAD_PIECES]; /* its bytes */
  unsigned n;                        /* pieces in use */
  struct dad_node *content;
};

struct dad_object {
  struct dad_object *up; /* merged into this one, or NULL */
  int64_t shift;         /* merged: offset x is x + shift there */
  struct dad_cell **cell;
  unsigned n, capacity; /* cells in use, and how many fit */
  LLVMTypeRef
      type; /* declared, the largest seen; only a hint for how to lay objects on each other */
  int64_t type_at;      /* where it begins */
  LLVMValueRef site;    /* one of the places that made it, or NULL; for messages */
  uint64_t changed;     /* when a cell, or what one holds, last changed */
  bool one;             /* collapsed: one cell */
  bool function;        /* a function that may be called through a pointer, and has a derivative */
  bool written_outside; /* by code that is not differentiated */
  bool external;        /* may have been filled by such code, or by unknown code */
  bool unknown;         /* found behind a pointer that no code in this module has set */
  bool constant;        /* may be, or be reached from, memory of a constant argument */
  bool live;            /* something active can be reached from it */
  bool seen;            /* for walks */
};

/* Two nodes that must become one. */
struct dad_pair {
  struct dad_node *a, *b;
};

/* All of it. */
struct dad_heap {
  struct dad_arena *arena;
  struct dad_context *ctx;
  struct dad_declared declared;
  struct dad_vec objects;   /* struct dad_object *, merged ones too */
  struct dad_pair *pending; /* cells that have grown together */
  unsigned n_pending, capacity;
  uint64_t clock; /* advances with every change */
  void *scratch;  /* of copies (solve.c) */
  unsigned n_scratch;
  bool collapse; /* every object is one cell */
  bool hasty;    /* sets of positions widen at once, so that the end comes soon */
};

struct dad_object *dad_object_new(struct dad_heap *h, LLVMValueRef site);
/* The object that "o" has become part of; adds the shift to "offset" if that is not NULL. */
struct dad_object *dad_object_find(struct dad_object *o, int64_t *offset);
/* "o" becomes one cell. */
void dad_object_collapse(struct dad_heap *h, struct dad_object *o);
/* A hint: "type" is declared at "at" of "o". */
void dad_object_declare(struct dad_heap *h, struct dad_object *o, LLVMTypeRef type, int64_t at);
/* The cell of "o" that holds the bytes of "span"; made, or grown together, as needed. Settle before
 * the next use of cells. */
struct dad_cell *dad_object_touch(struct dad_heap *h, struct dad_object *o,
                                  const struct dad_span *span);
/* Merges what touching has brought together. */
void dad_heap_settle(struct dad_heap *h);

struct dad_node *dad_node_new(struct dad_heap *h, LLVMValueRef value);
struct dad_node *dad_node_find(struct dad_node *n);
struct dad_class *dad_node_class(struct dad_node *n);
/* The kinds of what "n" holds. */
unsigned dad_node_kinds(struct dad_node *n);
void dad_node_add_kinds(struct dad_node *n, unsigned kinds);
/* The object that "n" points to (not merged any further), or NULL. */
struct dad_object *dad_node_object(struct dad_node *n);
/* "n" may point to the places of "shape" in "o". */
void dad_node_point(struct dad_heap *h, struct dad_node *n, struct dad_object *o,
                    const struct dad_shape *shape);
/* The same for an object that is already that of the class. */
void dad_node_place(struct dad_heap *h, struct dad_node *n, const struct dad_shape *shape);
/* The positions of "n" in dad_node_object(n). */
const struct dad_positions *dad_node_positions(struct dad_node *n);
/* Pointers move from "from" to "to". */
void dad_node_flow(struct dad_heap *h, struct dad_node *from, struct dad_node *to);
/* Integers move between "a" and "b": what one is used as the other is. */
void dad_node_alike(struct dad_node *a, struct dad_node *b);
/* "a" and "b" point to the same object, wherever in it. */
void dad_node_share(struct dad_heap *h, struct dad_node *a, struct dad_node *b);

#endif
