/* object.h: objects, their cells, and nodes: what values and cells hold.

   An object is a piece of memory, or several that are not told apart: those are merged by
   union-find, laid on each other with a shift. Any shift is right, because pointers keep sets of
   positions. A cell is a set of bytes of an object that some access touches as one; cells of one
   object have no byte in common. A node stands for an SSA value or for the content of a cell. It
   points to a few objects, and into each to a set of positions; when there would be too many
   objects, some are merged. Pointers only move from source to destination. */
#ifndef DAD_OBJECT_H
#define DAD_OBJECT_H

#include "declared.h"
#include "position.h"

enum { DAD_PIECES = 4, DAD_TARGETS = 16, DAD_TOUCHED = DAD_TARGETS * DAD_SHAPES };

struct dad_object;

/* What is the same for all nodes between which integers move: numbers and pointers may be in them.
 */
struct dad_format {
  struct dad_format *up; /* merged into this one, or NULL */
  unsigned kinds;        /* as what they are used: enum dad_kind */
};

/* An object that a pointer may point into, and where. */
struct dad_target {
  struct dad_object *object;
  struct dad_positions at;
};

struct dad_node {
  struct dad_node *up; /* merged into this one, or NULL */
  struct dad_format *format;
  struct dad_target *target; /* what it may point to */
  unsigned n, capacity;      /* targets in use, and how many fit */
  struct dad_object *owner;  /* of a cell's content: the object that holds it */
  LLVMValueRef value;        /* of a value: itself, for its type and for messages */
  uint64_t changed;          /* when the targets last changed */
  bool fed;                  /* something flows to it */
};

struct dad_cell {
  struct dad_span piece[DAD_PIECES]; /* its bytes */
  unsigned n;                        /* pieces in use */
  unsigned grown;                    /* how often it has grown */
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
  unsigned align;       /* the offset 0 lies at a multiple of this, a power of two */
  LLVMValueRef site;    /* one of the places that made it, or NULL; for messages */
  uint64_t changed;     /* when a cell, or what one holds, last changed */
  bool one;             /* collapsed: one cell */
  bool function;        /* a function that may be called through a pointer, and has a derivative */
  bool written_outside; /* by code that is not differentiated */
  bool external;        /* may have been filled by such code, or by unknown code */
  bool exposed;         /* unknown code may have put pointers to it in place of others */
  bool unknown;         /* found behind a pointer that no code in this module has set */
  bool constant;        /* may be, or be reached from, memory of a constant argument */
  bool numbers;         /* a number or a function can be reached from it */
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
  unsigned round; /* of the solution (solve.c) */
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
/* What "n" may point to; valid until something flows or objects merge. Sets "count". */
const struct dad_target *dad_node_targets(struct dad_heap *h, struct dad_node *n, unsigned *count);
/* Does "n" point anywhere? */
bool dad_node_points(struct dad_node *n);
/* "n" may point to the places of "shape" in "o". */
void dad_node_point(struct dad_heap *h, struct dad_node *n, struct dad_object *o,
                    const struct dad_shape *shape);
/* Pointers move from "from" to "to". */
void dad_node_flow(struct dad_heap *h, struct dad_node *from, struct dad_node *to);
/* The kinds of what "n" holds. */
unsigned dad_node_kinds(struct dad_node *n);
void dad_node_add_kinds(struct dad_node *n, unsigned kinds);
/* Integers move between "a" and "b": what one is used as the other is. */
void dad_node_alike(struct dad_node *a, struct dad_node *b);

#endif
