/* tape.c: the memory that frames are pushed to and popped from. */
#include "tape.h"

#include "gradient_call.h"
#include "memory_limit.h"
#include "pages.h"
#include "stats.h"
#include "stop.h"
#include "thread.h"

#include <assert.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* The first chunk of a chain is small, for gradients of small functions. Later ones are a
   quarter of what there is, within these bounds: so a long tape is mapped in few pieces, and
   at most a quarter more than needed. */
#define FIRST_CHUNK ((size_t)1 << 16)
#define LEAST_CHUNK DRT_HUGE
#define MOST_CHUNK  ((size_t)1 << 26)

/* A piece of tape. Frames begin DRT_ARRAY_ALIGN bytes behind this header. */
struct drt_chunk {
  struct drt_chunk *below; /* the chunk that is filled before this one */
  struct drt_chunk *above; /* the one that is filled after it, or is kept for that */
  char *end;               /* the end of its memory */
  char *top;               /* end of its frames, while it is not the chunk in use */
  size_t mapped;           /* what drt_pages_map was asked for */
};

static_assert(sizeof(struct drt_chunk) <= DRT_ARRAY_ALIGN,
              "the header fits in front of the frames");

_Thread_local struct drt_tape drt_tape;

static _Thread_local struct drt_chain own;        /* this thread's own tape */
static _Thread_local struct drt_chain *elsewhere; /* the tape in use if it is not "own" */

/* The tape in use. */
static struct drt_chain *in_use(void) {
  return elsewhere ? elsewhere : &own;
}

/* Where the frames of "chunk" begin. */
static char *frames_of(struct drt_chunk *chunk) {
  return (char *)chunk + DRT_ARRAY_ALIGN;
}

/* The number of bytes that a frame of "chunk" can have. */
static size_t capacity(struct drt_chunk *chunk) {
  return (size_t)(chunk->end - frames_of(chunk));
}

/* Bytes of frames in the chunk in use; 0 if there is none. */
static size_t used(void) {
  return (uintptr_t)drt_tape.top - (uintptr_t)drt_tape.begin;
}

/* Bytes still free in the chunk in use; 0 if there is none. */
static size_t room(void) {
  return (uintptr_t)drt_tape.end - (uintptr_t)drt_tape.top;
}

size_t drt_tape_live(void) {
  return in_use()->below + used();
}

/* Makes "chunk", with frames up to "top", the chunk in use of "chain"; NULL: "chain" has none. */
static void enter(struct drt_chain *chain, struct drt_chunk *chunk, char *top) {
  chain->chunk = chunk;
  drt_tape.top = top;
  drt_tape.begin = chunk ? frames_of(chunk) : NULL;
  drt_tape.end = chunk ? chunk->end : NULL;
}

/* Goes down to the topmost chunk of "chain", the tape in use, that has frames. */
static void settle(struct drt_chain *chain) {
  while (chain->chunk && !used() && chain->chunk->below) {
    struct drt_chunk *below = chain->chunk->below;

    enter(chain, below, below->top);
    chain->below -= used();
  }
}

void drt_tape_settle(void) {
  settle(in_use());
}

/* Unmaps "first", a chunk of "chain", and all that are above it; returns how many bytes they
   had. */
static size_t unmap_from(struct drt_chain *chain, struct drt_chunk *first) {
  size_t bytes = 0;

  while (first) {
    struct drt_chunk *above = first->above;

    bytes += first->mapped;
    drt_pages_unmap(first, first->mapped);
    first = above;
  }
  chain->mapped -= bytes;
  return bytes;
}

/* Puts "chunk" right above the chunk in use of "chain". */
static void insert(struct drt_chain *chain, struct drt_chunk *chunk) {
  chunk->below = chain->chunk;
  chunk->above = chain->chunk ? chain->chunk->above : NULL;
  if (chunk->above)
    chunk->above->below = chunk;
  if (chunk->below)
    chunk->below->above = chunk;
}

/* Moves the smallest kept chunk with room for "n" bytes right above the chunk in use of
   "chain"; NULL if there is none. The smallest, so that the same frames fit again in the next
   gradient. */
static struct drt_chunk *take_kept(struct drt_chain *chain, size_t n) {
  struct drt_chunk *first = chain->chunk ? chain->chunk->above : NULL, *best = NULL;

  for (struct drt_chunk *c = first; c; c = c->above)
    if (capacity(c) >= n && (!best || capacity(c) < capacity(best)))
      best = c;
  if (best && best != first) {
    best->below->above = best->above;
    if (best->above)
      best->above->below = best->below;
    insert(chain, best);
  }
  return best;
}

/* Gives back what this thread keeps for later gradients and does not use now, apart from the chunks
   above the one in use. */
static void give_back_spares(void) {
  drt_calls_release();
  if (elsewhere)
    drt_chain_release(&own);
}

/* Stops because there is no memory for "least" bytes of tape, "n" of them for a frame. */
static _Noreturn void stop_without_memory(size_t least, size_t n) {
  size_t bytes = drt_pages_round(least);
  char item[80];

  snprintf(item, sizeof item, "the tape, which holds %zu bytes,", drt_tape_live());
  if (bytes && drt_memory_refuses((int64_t)bytes))
    drt_memory_stop(item, (int64_t)bytes);
  drt_stop(
      "no memory for the tape: it holds %zu bytes and needs %zu more; %lld bytes are mapped in "
      "all. Differentiate less at once, or raise the limit of the process (ulimit -v) or of "
      "the machine.",
      drt_tape_live(), n, (long long)drt_stats_mapped_now());
}

/* Maps a chunk with room for "n" bytes above the chunk in use of "chain", preferably one that has
   "wanted" bytes in all. */
static struct drt_chunk *map_chunk(struct drt_chain *chain, size_t n, size_t wanted) {
  size_t least = n + DRT_ARRAY_ALIGN, size = wanted > least ? wanted : least;
  struct drt_chunk *chunk;

  if (size > FIRST_CHUNK && size < LEAST_CHUNK)
    size = LEAST_CHUNK;
  chunk = drt_pages_map(size);
  if (!chunk && size > least)
    chunk = drt_pages_map(size = least);
  if (!chunk) {
    give_back_spares();
    chunk = drt_pages_map(size = least);
  }
  if (!chunk)
    stop_without_memory(least, n);
  chunk->mapped = size;
  chunk->end = (char *)chunk + drt_pages_round(size);
  insert(chain, chunk);
  chain->mapped += size;
  return chunk;
}

/* The size of the next chunk of "chain". */
static size_t next_size(const struct drt_chain *chain) {
  size_t size = chain->mapped / 4;

  if (!chain->chunk)
    return FIRST_CHUNK;
  return size < LEAST_CHUNK ? LEAST_CHUNK : size > MOST_CHUNK ? MOST_CHUNK : size;
}

/* Makes a chunk with room for "n" bytes the one in use. Kept chunks that are all too small
   give way to one that is as large as they are together, so that memory that is kept cannot
   pile up. */
static void advance(struct drt_chain *chain, size_t n) {
  struct drt_chunk *chunk = take_kept(chain, n);

  if (!chunk) {
    size_t wanted = next_size(chain), freed = 0;

    if (chain->chunk) {
      freed = unmap_from(chain, chain->chunk->above);
      chain->chunk->above = NULL;
    }
    chunk = map_chunk(chain, n, wanted > freed ? wanted : freed);
  }
  if (chain->chunk) {
    chain->chunk->top = drt_tape.top;
    chain->below += used();
  }
  enter(chain, chunk, frames_of(chunk));
}

void *drt_push(int64_t n) {
  struct drt_chain *chain = in_use();
  char *frame;

  if (n < 0)
    drt_stop("a tape frame of %lld bytes is asked for: a trip count or a size has overflowed. Use "
             "smaller sizes.",
             (long long)n);
  if (!chain->chunk)
    drt_thread_watch();
  if (!chain->chunk || room() < (size_t)n) {
    settle(chain);
    if (!chain->chunk || room() < (size_t)n)
      advance(chain, (size_t)n);
  }
  frame = drt_tape.top;
  drt_tape.top += n;
  return frame;
}

/* Stops because a frame of "n" bytes is to be popped that is not there. */
static _Noreturn void stop_unbalanced(int64_t n) {
  drt_stop("a frame of %lld bytes is to be taken off the tape, whose topmost piece holds %zu "
           "bytes. " DRT_REPORT,
           (long long)n, used());
}

void *drt_pop(int64_t n) {
  if (n == 0)
    return drt_tape.top;
  settle(in_use());
  if (n < 0 || used() < (size_t)n)
    stop_unbalanced(n);
  return drt_tape.top -= n;
}

/* The array begins at the next multiple of DRT_ARRAY_ALIGN. What that leaves is behind the
   array and ends with the size of the frame, so that the pop needs no operand. */
void *drt_push_zeroed(int64_t n) {
  const int64_t mask = DRT_ARRAY_ALIGN - 1;
  int64_t size;
  char *frame, *array;

  if (n < 0 || n > INT64_MAX - 2 * DRT_ARRAY_ALIGN)
    drt_stop("a stack array of %lld bytes is to be differentiated: its size has overflowed. Use "
             "smaller sizes.",
             (long long)n);
  size = ((n + DRT_FRAME_ALIGN - 1) & ~(int64_t)(DRT_FRAME_ALIGN - 1)) + DRT_ARRAY_ALIGN;
  frame = drt_push(size);
  array = frame + (-(uintptr_t)frame & (uintptr_t)mask);
  memset(array, 0, (size_t)n);
  memcpy(frame + size - sizeof size, &size, sizeof size);
  return array;
}

void drt_pop_zeroed(void) {
  int64_t size = 0;

  settle(in_use());
  if (used() >= DRT_ARRAY_ALIGN)
    memcpy(&size, drt_tape.top - sizeof size, sizeof size);
  if (size < DRT_ARRAY_ALIGN || (size_t)size > used())
    stop_unbalanced(size);
  drt_tape.top -= size;
}

/* Leaves the tape in use, "chain": what drt_tape says of it is kept with it. */
static void leave(struct drt_chain *chain) {
  settle(chain);
  if (chain->chunk)
    chain->chunk->top = drt_tape.top;
}

/* Goes on with "chain" where it was left. */
static void resume(struct drt_chain *chain) {
  enter(chain, chain->chunk, chain->chunk ? chain->chunk->top : NULL);
}

struct drt_chain *drt_tape_switch(struct drt_chain *to) {
  struct drt_chain *from = elsewhere;

  leave(in_use());
  elsewhere = to;
  resume(in_use());
  return from;
}

void drt_chain_release(struct drt_chain *chain) {
  struct drt_chunk *chunk = chain->chunk;

  if (!chunk)
    return;
  if (chunk->below || chunk->top != frames_of(chunk)) {
    unmap_from(chain, chunk->above);
    chunk->above = NULL;
  } else {
    unmap_from(chain, chunk);
    chain->chunk = NULL;
  }
}

void drt_tape_release(void) {
  struct drt_chain *back = drt_tape_switch(NULL);

  leave(&own);
  drt_chain_release(&own);
  resume(&own);
  drt_tape_switch(back);
}
