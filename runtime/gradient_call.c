/* gradient_call.c: gradient calls: the time from drt_begin to drt_end. */
#include "gradient_call.h"

#include "heap_shadow.h"
#include "stats.h"
#include "stop.h"
#include "thread.h"

#include <stdlib.h>

static _Thread_local struct drt_call *current; /* the innermost active call of this thread */
static _Thread_local struct drt_call *spare;   /* calls that have ended */

struct drt_call *drt_call_current(void) {
  return current;
}

/* Starts a call for "name" inside the current one. */
static struct drt_call *start(const char *name, bool split) {
  struct drt_call *call = spare;

  if (call) {
    spare = call->outer;
  } else {
    drt_thread_watch();
    call = calloc(1, sizeof *call);
    if (!call)
      drt_stop("no memory to start the gradient of '%s'. Free some before.", name);
  }
  call->state = DRT_CALL_ACTIVE;
  call->name = name;
  call->split = split;
  call->outer = current;
  call->peak = 0;
  current = call;
  return call;
}

/* The current call, of split mode or not, which "what" ends or turns. */
static struct drt_call *needed(const char *what, bool split) {
  if (!current || current->split != split)
    drt_stop("drt_%s without its beginning. " DRT_REPORT, what);
  return current;
}

/* Notes how long the tape of "call" is now. */
static void measure(struct drt_call *call) {
  size_t live = drt_tape_live();

  if (live > call->peak)
    call->peak = live;
}

/* Ends "call", the current one: its tape must be as long as at its beginning. */
static void finish(struct drt_call *call) {
  size_t live = drt_tape_live();

  drt_final_values_restore(&call->final);
  drt_release_all(&call->passed);
  if (live != call->live)
    drt_stop("after the gradient of '%s' the tape holds %zu bytes, before it held %zu. " DRT_REPORT,
             call->name, live, call->live);
  drt_tape_settle();
  drt_stats_gradient((int64_t)call->peak);
  current = call->outer;
  if (call->split)
    drt_tape_switch(call->tape_around);
  drt_arguments_forget(&call->arguments);
  drt_heap_finish(&call->freed, current ? &current->freed : NULL);
  call->state = DRT_CALL_SPARE;
  call->outer = spare;
  spare = call;
}

void drt_begin(const void *name) {
  start(name, false)->live = drt_tape_live();
}

void drt_turn(void) {
  measure(needed("turn", false));
}

void drt_end(void) {
  finish(needed("end", false));
}

void drt_split_begin(const void *name) {
  struct drt_call *call = start(name, true);

  call->tape_around = drt_tape_switch(&call->tape);
  call->live = drt_tape_live();
}

void *drt_split_turn(void) {
  struct drt_call *call = needed("split_turn", true);

  measure(call);
  current = call->outer;
  drt_tape_switch(call->tape_around);
  call->state = DRT_CALL_DETACHED;
  return call;
}

void drt_split_resume(void *handle) {
  struct drt_call *call = handle;

  if (!call || call->state != DRT_CALL_DETACHED)
    drt_stop("the reverse sweep is called with a handle that %s. Call it once for each augmented "
             "forward call, with the handle which that returned.",
             call ? "was used before" : "is NULL");
  drt_thread_watch();
  call->state = DRT_CALL_ACTIVE;
  call->outer = current;
  current = call;
  call->tape_around = drt_tape_switch(&call->tape);
}

void drt_split_end(void) {
  finish(needed("split_end", true));
}

void drt_calls_release(void) {
  for (struct drt_call *call = current; call; call = call->outer)
    if (!call->split)
      drt_chain_release(&call->tape);
  while (spare) {
    struct drt_call *call = spare;

    spare = call->outer;
    drt_chain_release(&call->tape);
    drt_release_clear(&call->freed);
    drt_release_clear(&call->passed);
    drt_final_values_release(&call->final);
    drt_arguments_clear(&call->arguments);
    free(call);
  }
}
