/* gradient_call.h: gradient calls: the time from drt_begin to drt_end. */
#ifndef DRT_GRADIENT_CALL_H
#define DRT_GRADIENT_CALL_H

#include "final_values.h"
#include "release.h"
#include "shadow_registry.h"
#include "tape.h"

/* What a call is doing. */
enum drt_call_state {
  DRT_CALL_SPARE,   /* it has ended, and is kept for the next one */
  DRT_CALL_ACTIVE,  /* it runs on a thread */
  DRT_CALL_DETACHED /* split mode, between the two sweeps */
};

/* One gradient call. */
struct drt_call {
  enum drt_call_state state;
  const char *name;               /* the function that is differentiated */
  struct drt_call *outer;         /* active: the call around it on its thread; spare: the next */
  size_t live;                    /* bytes on the tape when it began */
  size_t peak;                    /* most bytes seen on the tape */
  struct drt_release_set freed;   /* blocks that the primal has freed */
  struct drt_final_values final;  /* what the reverse sweep has put older values over */
  struct drt_release_set passed;  /* blocks that wait for getting those back, to be released */
  struct drt_arguments arguments; /* what the caller passed, with its shadows */
  bool split;                     /* the two sweeps are calls of their own */
  struct drt_chain tape;          /* split mode: the tape of this call */
  struct drt_chain *tape_around;  /* split mode: the tape in use around it */
};

/* The innermost active call of this thread, or NULL. */
struct drt_call *drt_call_current(void);

/* Frees the ended calls that this thread keeps, and the tapes that calls keep and do not use. */
void drt_calls_release(void);

#endif
