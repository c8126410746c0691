/* refuse.h: a graph of all ways that numbers take, those included on which a derivative would be
   lost. What lies on a path from the inputs to the outputs is refused.

   The activity of values (activity.h) only follows the ways on which derivatives go along. Here are
   also arithmetic on the bits of numbers, functions without a body, files, atomic operations. */
#ifndef DAD_REFUSE_H
#define DAD_REFUSE_H

#include "activity.h"
#include "memory.h"

/* What is known about the content of a place. */
enum dad_place_flag {
  DAD_NUMBER_IN = 1,   /* may be (bits of) a number that varies */
  DAD_NUMBER_OUT = 2,  /* may become (a part of) a number that matters */
  DAD_ADDRESS_IN = 4,  /* may be made of an address of something active */
  DAD_ADDRESS_OUT = 8, /* may become such an address */
  DAD_SURE = 16,       /* made in registers of the bits of a number that varies: not a mere integer
                        * that shares memory with numbers */
  DAD_BITS_OUT = 32,   /* becomes, in registers, the bits of a number that matters */
  DAD_DISTANCE = 64    /* made of the distance between two objects, one of them active */
};

struct dad_step;

/* A value, a half of a 64-bit integer, the content of a cell, or the world outside. */
struct dad_place {
  unsigned flags; /* enum dad_place_flag */
  bool cell;
  struct dad_step *out, *in; /* the ways from here, and to here */
};

/* What a step does. */
enum dad_step_kind {
  DAD_STEP_MOVE,    /* moves numbers and addresses */
  DAD_STEP_NUMBER,  /* moves numbers only */
  DAD_STEP_BITS,    /* computes with bits: neither numbers nor addresses survive */
  DAD_STEP_CONVERT, /* an integer becomes a number of its value */
  DAD_STEP_ROUND,   /* a number becomes an integer of its value */
  DAD_STEP_OPEN,    /* a number becomes an integer of its bits */
  DAD_STEP_CLOSE    /* an integer's bits become a number */
};

/* A way from "from" to "to". */
struct dad_step {
  struct dad_place *from, *to;
  struct dad_step *next_out, *next_in; /* of the same source, of the same destination */
  enum dad_step_kind kind;
  enum dad_diag_id id; /* why no derivative goes along; DAD_DIAG_COUNT: one does */
  LLVMValueRef at;     /* the instruction */
};

struct dad_refusal {
  struct dad_request *req;
  struct dad_memory *m;
  struct dad_map place;     /* value, half or content -> struct dad_place * */
  struct dad_map objects;   /* objects whose addresses may lead to something active, as a set */
  struct dad_vec steps;     /* struct dad_step * */
  struct dad_map phases;    /* content -> where numbers begin in it (refuse_memory.c) */
  struct dad_place *hub;    /* while steps are made: what a walk connects its cells with */
  struct dad_place *files;  /* what was written to files, pipes and text */
  struct dad_place *code;   /* what code that is not known has seen */
  struct dad_place *hidden; /* what must not be an address in disguise */
  struct dad_place *moves;  /* how far addresses move; without flags */
  bool distances;           /* some place has DAD_DISTANCE */
  struct dad_map said;      /* instruction -> the message reported there, as an integer + 1 */
};

#define DAD_LEGAL DAD_DIAG_COUNT

struct dad_place *dad_place_new(struct dad_refusal *r);
/* The place of the content of a cell. */
struct dad_place *dad_place_of_cell(struct dad_refusal *r, struct dad_node *content);
/* The place of a parameter or result of a signature. */
struct dad_place *dad_place_of_node(struct dad_refusal *r, struct dad_node *n);
/* The places of "v": one, two for the halves of a 64-bit integer, none (0) if no number can be in
 * it. */
unsigned dad_places_of(struct dad_refusal *r, LLVMValueRef v, struct dad_place *at[2]);
/* A way from "from" to "to", either of which may be NULL. */
void dad_step(struct dad_refusal *r, struct dad_place *from, struct dad_place *to,
              enum dad_step_kind kind, enum dad_diag_id id, LLVMValueRef at);
/* Ways from all places of "from" to all of "to"; "by_half": halves stay what they are. */
void dad_step_values(struct dad_refusal *r, LLVMValueRef from, LLVMValueRef to, bool by_half,
                     enum dad_step_kind kind, enum dad_diag_id id, LLVMValueRef at);
/* The same between a value and another place. */
void dad_step_from(struct dad_refusal *r, LLVMValueRef from, struct dad_place *to,
                   enum dad_step_kind kind, enum dad_diag_id id, LLVMValueRef at);
void dad_step_to(struct dad_refusal *r, struct dad_place *from, LLVMValueRef to,
                 enum dad_step_kind kind, enum dad_diag_id id, LLVMValueRef at);
/* "from" moves to "to" as it is: legal if the differentiator knows both to carry numbers. */
void dad_step_move(struct dad_refusal *r, LLVMValueRef from, LLVMValueRef to, LLVMValueRef at);
/* Spreads all flags from the inputs, outputs and addresses that were set. */
void dad_refuse_spread(struct dad_refusal *r);

/* The ways through instructions (refuse_bits.c), calls (refuse_call.c) and memory
 * (refuse_memory.c). */
void dad_refuse_instruction(struct dad_refusal *r, LLVMValueRef i);
void dad_refuse_call(struct dad_refusal *r, LLVMValueRef call);
/* How far the instruction "i" moves an address. */
void dad_refuse_address(struct dad_refusal *r, LLVMValueRef i);
/* "u" may be called through a pointer. */
void dad_refuse_target(struct dad_refusal *r, struct dad_unit *u);
void dad_refuse_memory(struct dad_refusal *r);
/* What the instruction "i" works on that cannot be differentiated because of its type; NULL:
 * nothing.
 */
const char *dad_unsupported_type(struct dad_refusal *r, LLVMValueRef i);
/* May the pointer "p" lead to something active? */
bool dad_leads_to_active(struct dad_refusal *r, LLVMValueRef p);
/* Has "type" a floating-point format without a kind: half, bfloat, 128 bits? */
bool dad_is_foreign_format(LLVMTypeRef type);
/* Why "call" (DAD_CALL_UNKNOWN) has no derivative: intrinsics have no body anywhere. */
enum dad_diag_id dad_unknown_id(LLVMValueRef call);
/* May "call" (DAD_CALL_INDIRECT) call a unit? */
bool dad_has_target(struct dad_request *req, LLVMValueRef call);

#endif
