/* heap_shadow.c: shadows of heap blocks, and frees that wait.

   The reverse sweep reads primal memory, so what the primal frees is remembered with its
   deallocator, and released when the sweep passes the allocation. All of it belongs to a
   gradient call and so to one thread: nothing is locked here. */
#define _DEFAULT_SOURCE
#include "heap_shadow.h"

#include "abi.h"
#include "gradient_call.h"
#include "memory_limit.h"
#include "shadow_registry.h"
#include "stop.h"

#include <malloc.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Counts "bytes" bytes for "item"; stops if they would pass the memory limit. */
static void count(int64_t bytes, const char *item) {
  if (!drt_memory_take(bytes))
    drt_memory_stop(item, bytes);
}

/* Frees the shadow "shadow" of a heap block. */
static void free_shadow(void *shadow) {
  drt_memory_give((int64_t)malloc_usable_size(shadow));
  free(shadow);
}

void *drt_shadow_alloc(int64_t bytes, int64_t alignment) {
  size_t n = bytes > 0 ? (size_t)bytes : 1;
  const int64_t natural = _Alignof(max_align_t);
  void *shadow = NULL;

  if (bytes < 0)
    drt_stop("a shadow of %lld bytes is asked for: the size has overflowed. Use smaller sizes.",
             (long long)bytes);
  if (alignment <= natural) {
    shadow = calloc(n, 1);
  } else if (posix_memalign(&shadow, (size_t)alignment, n) == 0) {
    memset(shadow, 0, n);
  } else {
    shadow = NULL;
  }
  if (!shadow)
    drt_stop(
        "no memory for the shadow of a heap block of %lld bytes. Differentiate less at once, or "
        "raise the limit of the process (ulimit -v) or of the machine.",
        (long long)bytes);
  count((int64_t)malloc_usable_size(shadow), "the shadow of a heap block");
  return shadow;
}

/* Remembers that the primal calls "dealloc" with the "active" block "p" and "extras" of "a",
   "b". */
static void free_later(void *p, bool active, void (*dealloc)(void), int extras, int64_t a,
                       int64_t b) {
  struct drt_call *call = drt_call_current();
  struct drt_release r;

  if (!p)
    return;
  if (!call)
    drt_stop("a free is delayed outside of a gradient call. " DRT_REPORT);
  r = (struct drt_release){p, dealloc, extras, active, {a, b}};
  count(drt_release_bytes(&r), "a heap block that the reverse sweep reads after it is freed");
  drt_release_add(&call->freed, &r);
}

void drt_free_later(void *p, void (*dealloc)(void)) {
  free_later(p, true, dealloc, 0, 0, 0);
}

void drt_free_later_sized(void *p, void (*dealloc)(void), int64_t a) {
  free_later(p, true, dealloc, 1, a, 0);
}

void drt_free_later_sized_aligned(void *p, void (*dealloc)(void), int64_t a, int64_t b) {
  free_later(p, true, dealloc, 2, a, b);
}

void drt_free_at_end(void *p, void (*dealloc)(void)) {
  free_later(p, false, dealloc, 0, 0, 0);
}

void drt_free_at_end_sized(void *p, void (*dealloc)(void), int64_t a) {
  free_later(p, false, dealloc, 1, a, 0);
}

void drt_free_at_end_sized_aligned(void *p, void (*dealloc)(void), int64_t a, int64_t b) {
  free_later(p, false, dealloc, 2, a, b);
}

/* Releases the block of "r". What the registry knows of it goes first, for the address may be
   given to another thread at once; its shadow is released too if the block is active and was
   registered by an earlier gradient. Otherwise an entry is left from a block which the program
   freed by itself. */
static void release(const struct drt_release *r, bool earlier) {
  void *shadow = drt_registry_take_block(r->block);

  drt_release_run(r);
  if (earlier && r->active)
    free_shadow(shadow);
}

/* The block of "r" may get values back at the end of "call": it is released only then. */
static void release_at_end(struct drt_call *call, const struct drt_release *r) {
  drt_registry_take_block(r->block);
  drt_release_add(&call->passed, r);
}

void drt_reverse_alloc(void *p, void *shadow, int64_t bytes) {
  struct drt_call *call = drt_call_current();
  struct drt_release r;

  if (!p) {
    free_shadow(shadow);
  } else if (call && drt_release_take(&call->freed, p, &r)) {
    if (call->final.n)
      release_at_end(call, &r);
    else
      release(&r, false);
    free_shadow(shadow);
  } else {
    drt_register_block(p, bytes, shadow);
  }
}

void drt_heap_finish(struct drt_release_set *freed, struct drt_release_set *outer) {
  for (size_t i = 0; freed->live && i < freed->entries; i++) {
    struct drt_release r = freed->entry[i];

    if (r.block && outer)
      drt_release_add(outer, &r);
    else if (r.block)
      release(&r, true);
  }
  drt_release_empty(freed);
}

void *drt_realloc(void *p, int64_t n) {
  void *q;

  if (p && n == 0) {
    drt_free_later(p, (void (*)(void))free);
    return NULL;
  }
  q = malloc((size_t)n);
  if (p && q) {
    size_t old = malloc_usable_size(p);

    memcpy(q, p, old < (size_t)n ? old : (size_t)n);
    drt_free_later(p, (void (*)(void))free);
  }
  return q;
}

/* How many of "n" bytes the blocks "a" and "b", of the malloc family, have in common. */
static int64_t common(const void *a, const void *b, int64_t n) {
  size_t of_a, of_b, least;

  if (!a || !b || n <= 0)
    return 0;
  of_a = malloc_usable_size((void *)(uintptr_t)a);
  of_b = malloc_usable_size((void *)(uintptr_t)b);
  least = of_a < of_b ? of_a : of_b;
  return least < (size_t)n ? (int64_t)least : n;
}

void drt_realloc_pointers(void *new_shadow, const void *old_shadow, int64_t n,
                          const struct drt_layout *layout) {
  drt_copy_pointers(new_shadow, old_shadow, common(new_shadow, old_shadow, n), layout);
}

void drt_realloc_accumulate(void *new_shadow, void *old_shadow, int64_t n,
                            const struct drt_layout *layout) {
  drt_accumulate(new_shadow, old_shadow, common(new_shadow, old_shadow, n), layout);
}

void drt_tangent_free(void *p, void *shadow) {
  if (!p)
    return;
  drt_unregister(p);
  if (shadow != p)
    free_shadow(shadow);
}

void *drt_tangent_realloc(void *p, void *q, void *shadow, int64_t n) {
  void *moved = NULL;

  if (!q && n != 0)
    return shadow;
  if (q)
    moved = drt_shadow_alloc(n, 0);
  if (q && shadow)
    memcpy(moved, shadow, (size_t)common(moved, shadow, n));
  drt_tangent_free(p, shadow);
  return moved;
}
