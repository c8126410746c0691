/* sweep.h: the state of building the reverse sweep of one unit, shared by the files of this folder.

   The sweep is built twice: first dry, into a scratch block, where asking for a primal value is a demand; then a minimum cut
   decides how each demanded value crosses from the forward to the reverse sweep; then for real. So what is kept can never
   disagree with what the rules read. */
#ifndef DAD_SWEEP_H
#define DAD_SWEEP_H

#include "../analysis/memory.h"
#include "graph.h"
#include "unit.h"

/* One value that crosses on the tape or, in a combined function, as an SSA value. */
struct dad_slot {
  LLVMTypeRef type;
  LLVMValueRef value;            /* the value in the forward function; NULL for counts and ways */
  int home;                      /* the block of "value", the header of a counted loop, the merge of a way; -1: a parameter */
  bool counts;                   /* the count of a loop */
  int loop;                      /* the loop whose frame holds it, -1: the function, DAD_NO_FRAME: set where the reverse enters */
  LLVMValueRef forward, reverse; /* its places (allocas) in the two sweeps; NULL where it needs none */
  LLVMValueRef settled;          /* in a combined function, for slots of no loop: the value at the end of the forward sweep */
};
enum { DAD_NO_FRAME = -2 };

/* The frames of a counted innermost loop, reserved at once: one array per slot. */
struct dad_reserved {
  uint64_t bytes;                          /* per iteration; 0: the loop's frames are not reserved */
  LLVMValueRef base[2], length[2], at[2];  /* allocas, forward and reverse: the block, its iterations, the current one */
};

struct dad_sweep {
  struct dad_unit *u;
  struct dad_request *req;
  struct dad_context *ctx;
  struct dad_arena *arena;
  struct dad_graph g;
  bool dry;

  /* how values cross (crossing.c) */
  struct dad_map how;        /* value -> enum how */
  struct dad_map slot_of;    /* value -> struct dad_slot * */
  struct dad_vec slots;      /* all of them */
  struct dad_vec *frame;     /* per loop + 1, from the function's on: the slots of its frame, large ones first */
  struct dad_slot **count;   /* per loop: its number of back edges taken, or NULL */
  struct dad_slot **way;     /* per block: which predecessor it was entered from, or NULL */
  struct dad_vec demands;    /* values asked for in the dry run */
  struct dad_map demanded;   /* the same as a set */
  struct dad_map memo;       /* value -> what stands for it at the current place of the reverse sweep */

  struct dad_map increment;  /* store that adds to memory -> the load of the old value; that load -> the store (increment.c) */

  /* frames (frame.c) */
  struct dad_reserved *reserved; /* per loop */

  /* reading memory again (reload.c) */
  struct dad_bridge_alias *alias;  /* open while the forward function does not change; or NULL */
  struct dad_vec writers;          /* instructions that may write memory */
  struct dad_map order;            /* instruction -> its position, from 1 */
  struct dad_map reload;           /* load -> 1: reloadable, 2: not */
  struct dad_map undoable;         /* load -> struct dad_vec * of stores to undo; or the sweep itself: none */
  struct dad_map clobber;          /* load that is kept -> the first write that may change its memory */
  struct dad_map undone;           /* store -> the load of what it overwrites */
  struct dad_vec undone_stores;    /* its keys, in order */
  struct dad_map step;             /* store -> bytes from its cell to that of the next iteration, if they are always the same */
  bool steps_known;                /* "step" is filled */
  int short_stack;                 /* has the function stack memory that ends before it? 0: not known yet */
  struct dad_map is_trip;          /* values that are trip counts */
  struct dad_map reached;          /* block number -> bool *: what can run after it */
  struct dad_map avoided;          /* pair of blocks -> bool * */
  unsigned long queries, walks;    /* spent of the budgets */

  /* adjoints of SSA values (adjoint.c) */
  struct dad_map adjoint;    /* value -> alloca */
  struct dad_map local;      /* value used in its own block only -> its adjoint so far; or the sweep itself: not local */
  struct dad_vec promoted;   /* allocas that become SSA values at the end */
  LLVMValueRef seeded;       /* what the function returns: its adjoint starts as the seed */

  /* control (reverse.c) */
  int last;                         /* the block that returns; -1: none does */
  LLVMBasicBlockRef start;          /* where the reverse sweep begins */
  LLVMBasicBlockRef *reverse_block; /* the reverse of each block */
  bool *quiet_block, *quiet_loop;   /* nothing to reverse in it */
};

/* ---- crossing.c */
/* The value "v" of the forward function at the builder's position in the reverse sweep. In the dry run: a demand, and undefined. */
LLVMValueRef dad_sweep_primal(struct dad_sweep *s, LLVMValueRef v);
/* The shadow of the pointer "p" there. */
LLVMValueRef dad_sweep_shadow(struct dad_sweep *s, LLVMValueRef p);
/* The same for an access of a number of "type": where the memory may be its own shadow, a place that nobody reads instead of it. "missing"
   is set to the condition (i1) under which that happens, or NULL. NULL if there is no shadow at all. */
LLVMValueRef dad_sweep_shadow_cell(struct dad_sweep *s, LLVMValueRef p, LLVMTypeRef type, LLVMValueRef *missing);
/* The condition that the memory behind "p" is its own shadow; NULL if it never is. */
LLVMValueRef dad_sweep_is_same(struct dad_sweep *s, LLVMValueRef p);
/* Decides how everything demanded crosses. */
void dad_crossing_decide(struct dad_sweep *s);
/* The number of iterations of "loop" is needed in the reverse sweep. */
void dad_crossing_need_count(struct dad_sweep *s, int loop);
/* Is "v", of loop "l", known where the reverse sweep enters the loop, before any frame of it is popped? */
bool dad_crossing_known_around(struct dad_sweep *s, LLVMValueRef v, int l);
/* A new slot. */
struct dad_slot *dad_crossing_slot(struct dad_sweep *s, LLVMTypeRef type, int loop, int home, LLVMValueRef value);
/* What is in "slot", at the builder's position in the reverse sweep. */
LLVMValueRef dad_crossing_read(struct dad_sweep *s, const struct dad_slot *slot);
/* Sets the count of a loop whose trip count is known, where the reverse sweep enters it. */
void dad_crossing_set_count(struct dad_sweep *s, int loop);
/* A place in "function" that becomes an SSA value at the end. The builder keeps its position at the end of its block. */
LLVMValueRef dad_sweep_place(struct dad_sweep *s, LLVMValueRef function, LLVMTypeRef type);
/* Is "phi" an induction variable start + count * step of its loop? "next" is its value in the next iteration. */
bool dad_crossing_induction(struct dad_sweep *s, LLVMValueRef phi, LLVMValueRef *start, LLVMValueRef *step,
                            LLVMValueRef *next);

/* ---- hoist.c */
/* Moves loads of numbers out of loops that do not write what they read. Needs the alias queries of dad_reload_open. */
void dad_hoist_loads(struct dad_sweep *s);

/* ---- increment.c */
/* Finds the stores that add to what they overwrite. */
void dad_increment_find(struct dad_sweep *s);

/* ---- frame.c */
/* Sorts the slots into frames. Called once, when all slots are known. */
void dad_frame_sort(struct dad_sweep *s);
/* Gives every slot its places and stores it there in the forward sweep. */
void dad_frame_places(struct dad_sweep *s);
/* Settles the slots of no loop of a combined function, when everything that stores to their places has been built. */
void dad_frame_settle(struct dad_sweep *s);
/* Reserves the frames of "loop" at once. */
void dad_frame_reserve(struct dad_sweep *s, int loop);
/* Pushes or pops the frame of one iteration of "loop" (-1: of the function) at the builder's position. */
void dad_frame_push(struct dad_sweep *s, int loop);
void dad_frame_pop(struct dad_sweep *s, int loop);
/* Where "loop" is entered: forward in its preheader, reverse on the edge into the reversed loop. */
void dad_frame_enter_forward(struct dad_sweep *s, int loop);
void dad_frame_enter_reverse(struct dad_sweep *s, int loop);
/* Bytes of the frame of one iteration. */
uint64_t dad_frame_bytes(struct dad_sweep *s, int loop);

/* ---- adjoint.c */
/* Adds "g" to the adjoint of "v"; nothing happens for constants, inactive values and in the dry run. */
void dad_adjoint_give(struct dad_sweep *s, LLVMValueRef v, LLVMValueRef g);
/* The adjoint of "v", which becomes zero. */
LLVMValueRef dad_adjoint_take(struct dad_sweep *s, LLVMValueRef v);
/* The sum of two adjoints of any type; pointers and integers in them are the first's. */
LLVMValueRef dad_adjoint_add(struct dad_context *ctx, LLVMValueRef a, LLVMValueRef b);
/* The place of the adjoint of "v". */
LLVMValueRef dad_adjoint_place(struct dad_sweep *s, LLVMValueRef v);

/* ---- reverse_rules.c, reverse_call.c */
/* Has the instruction "i" anything to do in the reverse sweep? */
bool dad_reverse_is_busy(struct dad_sweep *s, LLVMValueRef i);
/* Builds the adjoint of "i" at the builder's position. */
void dad_reverse_instruction(struct dad_sweep *s, LLVMValueRef i);
struct dad_rule;
/* Every active operand of "i" gets the adjoint of "i" times its partial derivative by "rule". */
void dad_reverse_by_rule(struct dad_sweep *s, LLVMValueRef i, const struct dad_rule *rule);
bool dad_reverse_call_is_busy(struct dad_sweep *s, LLVMValueRef i);
void dad_reverse_call(struct dad_sweep *s, LLVMValueRef i);

#endif
