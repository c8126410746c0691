/* scop.h: an affine region as plain C: statements with their instances, times and accesses as isl
   sets and maps, containers, parameters, and the conditions under which the model is right.

   The model lives in an arena; the isl objects in it are its own, in a context of its own. */
#ifndef DAD_SCOP_H
#define DAD_SCOP_H

#include "../base/arena.h"

#include <isl/aff.h>
#include <isl/id.h>
#include <isl/map.h>
#include <isl/set.h>
#include <isl/union_map.h>
#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stdio.h>

/* What holds the values of a container. */
enum dad_scop_kind {
  DAD_SCOP_ARRAY,   /* memory */
  DAD_SCOP_VALUE,   /* the result of one instruction, used by other statements */
  DAD_SCOP_PHI,     /* what a phi receives */
  DAD_SCOP_EXIT_PHI /* what a phi behind the region receives */
};

enum dad_scop_direction { DAD_SCOP_READ = 1, DAD_SCOP_WRITE, DAD_SCOP_MAY_WRITE };

struct dad_scop_container {
  isl_id *id;              /* tuple of every access to it; owned */
  enum dad_scop_kind kind; /* what it is */
  LLVMValueRef base;       /* the base pointer, or the value or phi itself */
  LLVMTypeRef element;     /* the unit in which subscripts count */
  int n_dim;               /* its dimensions; 0: a scalar */
  isl_pw_aff **size;       /* of each dimension in the parameters; size[0] may be NULL; owned */
  int origin;              /* the container whose cell holds "base", or -1 */
  bool escapes;            /* a scalar that is used behind the region */
};

/* The value that a phi receives from a block. */
struct dad_scop_incoming {
  LLVMBasicBlockRef block;
  LLVMValueRef value;
};

struct dad_scop_access {
  enum dad_scop_direction direction;
  int container;            /* index into dad_scop.container */
  isl_map *map;             /* instance -> cell; owned */
  LLVMValueRef instruction; /* load, store, call or phi; NULL for scalars */
  LLVMValueRef value;       /* what is read or written */
  LLVMTypeRef element;      /* its type */
  bool affine;              /* is "map" exact? */
  int n_incoming;           /* of a write to a phi */
  struct dad_scop_incoming *incoming;
};

struct dad_scop_stmt {
  isl_id *id;              /* tuple of its instances; owned */
  isl_set *domain;         /* its instances; owned */
  isl_map *time;           /* instance -> when, compared lexicographically; owned */
  LLVMBasicBlockRef block; /* its first block */
  bool branches;           /* has control flow of its own that depends on data */
  int n_instruction;       /* what it executes, in order: no address arithmetic */
  LLVMValueRef *instruction;
  int n_access; /* reads of scalars, then memory in program order, then writes of scalars */
  struct dad_scop_access *access;
  void *polly; /* Polly's own statement */
};

struct dad_scop_param {
  isl_id *id;         /* owned */
  LLVMValueRef value; /* its value before the region; NULL if it cannot be computed there */
};

/* The cells that a container's accesses touch: the first one, and the one behind the last. */
struct dad_scop_range {
  isl_pw_multi_aff *first, *last; /* owned */
};

/* Containers that may overlap: written ones must be disjoint from all others. */
struct dad_scop_alias {
  int n_written, n_read;
  struct dad_scop_range *written, *read;
};

/* Loads whose result is the same in every instance. */
struct dad_scop_hoist {
  LLVMValueRef *load; /* all of one address */
  int n_load;         /* how many */
  isl_set *when;      /* the parameters for which the region executes it; owned */
};

struct dad_scop {
  struct dad_arena *arena;              /* where the model lives */
  isl_ctx *ctx;                         /* of its isl objects; Polly's */
  LLVMBasicBlockRef entry, exit;        /* the first block, and the one behind the region */
  LLVMBasicBlockRef *block;             /* its blocks, the entry first */
  int n_block;                          /* how many */
  struct dad_scop_param *param;         /* the parameters */
  int n_param;                          /* how many */
  struct dad_scop_container *container; /* the containers */
  int n_container;                      /* how many */
  struct dad_scop_stmt *stmt;           /* the statements */
  int n_stmt;                           /* how many */
  struct dad_scop_alias *alias;         /* what must be disjoint */
  int n_alias;                          /* how many groups */
  struct dad_scop_hoist *hoist;         /* invariant loads */
  int n_hoist;                          /* how many classes */
  isl_set *context;                     /* what is known about the parameters; owned */
  isl_set *assumed, *invalid; /* the model is right in "assumed" but for "invalid"; owned */
};

/* Releases isl's objects of "scop", before Polly's model goes; returns NULL. */
struct dad_scop *dad_scop_free(DAD_TAKE struct dad_scop *scop);
/* Is "block" one of the blocks of "scop"? */
bool dad_scop_contains(const struct dad_scop *scop, LLVMBasicBlockRef block);
/* Gives statements and containers the short names that texts use: S0, S1, ...; the names of base
 * pointers, else A0, s1, ... */
void dad_scop_rename(struct dad_scop *scop);
/* Why the affine engine cannot take "scop" although it is one; NULL if it can. */
const char *dad_scop_refusal(const struct dad_scop *scop);
/* All accesses of one direction as one relation, each on its statement's instances. DAD_SCOP_WRITE:
   those that always write (kills); DAD_SCOP_MAY_WRITE: all that write. NULL if isl gives up. */
__isl_give isl_union_map *dad_scop_relation(const struct dad_scop *scop,
                                            enum dad_scop_direction which);
/* The pairs of ranges that a check at run time compares. */
unsigned dad_scop_comparisons(const struct dad_scop *scop);
/* Prints "scop", each line after "indent" spaces. */
void dad_scop_print(FILE *out, const struct dad_scop *scop, int indent);
/* Prints the type and the shape of "container" such as "double [*][n]". */
void dad_scop_print_shape(FILE *out, const struct dad_scop_container *container);

#endif
