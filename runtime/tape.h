/* tape.h: chains of chunks, each the memory of one tape.

   A thread pushes to and pops from one chain at a time; the fields "top", "end" and "begin" of
   drt_tape describe the chunk in use of that chain. Chunks never move, so frames keep their
   addresses. */
#ifndef DRT_TAPE_H
#define DRT_TAPE_H

#include "abi.h"

#include <stddef.h>

struct drt_chunk;

/* One tape: all zeroes is an empty one. */
struct drt_chain {
  struct drt_chunk *chunk; /* the chunk in use: the topmost that holds frames; NULL: none yet */
  size_t below;            /* bytes of frames in the chunks below it */
  size_t mapped;           /* bytes of all chunks, with those above that are kept for later */
};

/* The bytes of frames on the tape in use. */
size_t drt_tape_live(void);

/* Goes back to the topmost chunk that has frames: the same frames then find the same places
   again. */
void drt_tape_settle(void);

/* Makes "to" the tape in use of this thread, or the thread's own if "to" is NULL. Returns the
   one that was in use before, NULL standing for the thread's own. */
struct drt_chain *drt_tape_switch(struct drt_chain *to);

/* Unmaps the chunks of "chain" that hold no frames; it must not be in use. */
void drt_chain_release(struct drt_chain *chain);

/* The same for this thread's own tape, in use or not. */
void drt_tape_release(void);

#endif
