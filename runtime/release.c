/* release.c: sets of heap blocks that wait for being released.

   Entries stand in an array by age, a hash table with linear probing finds them. Blocks are
   mostly taken out in the reverse order, so the array shrinks from its end; holes elsewhere go
   when it is full. */
#include "release.h"

#include "memory_limit.h"
#include "stop.h"

#include <malloc.h>
#include <stdlib.h>
#include <string.h>

/* Where "set" looks first for "block". */
static size_t home(const struct drt_release_set *set, const void *block) {
  return (((uint64_t)(uintptr_t)block >> 4) * UINT64_C(0x9e3779b97f4a7c15) >> 20) &
         (set->slots - 1);
}

/* The slot of "block" in "set", or the free slot where it belongs. */
static size_t find(const struct drt_release_set *set, const void *block) {
  size_t slot = home(set, block);

  while (set->index[slot] && set->entry[set->index[slot] - 1].block != block)
    slot = (slot + 1) & (set->slots - 1);
  return slot;
}

/* "realloc(p, n * size)" that stops when memory is exhausted. */
static void *grow(void *p, size_t n, size_t size) {
  void *q = n <= PTRDIFF_MAX / size ? realloc(p, n * size) : NULL;

  if (!q)
    drt_stop("no memory to remember %zu freed blocks. Differentiate less at once.", n);
  return q;
}

/* Makes room in the array of "set", which is full: closes the holes, or doubles it if they are
   few; then numbers the entries anew in a table that has at least twice as many slots. */
static void make_room(struct drt_release_set *set) {
  size_t n = 0;

  for (size_t i = 0; i < set->entries; i++)
    if (set->entry[i].block)
      set->entry[n++] = set->entry[i];
  set->entries = n;
  if (2 * n >= set->capacity) {
    size_t capacity = set->capacity ? 2 * set->capacity : 64;

    if (capacity > UINT32_MAX / 2)
      drt_stop("%zu blocks are freed in one gradient. Differentiate less at once.", n);
    set->entry = grow(set->entry, capacity, sizeof *set->entry);
    set->index = grow(set->index, 2 * capacity, sizeof *set->index);
    set->capacity = capacity;
    set->slots = 2 * capacity;
  }
  for (size_t i = 0; i < set->slots; i++)
    set->index[i] = 0;
  for (size_t i = 0; i < n; i++)
    set->index[find(set, set->entry[i].block)] = (uint32_t)i + 1;
}

void drt_release_add(struct drt_release_set *set, const struct drt_release *r) {
  size_t slot;

  if (set->entries == set->capacity)
    make_room(set);
  slot = find(set, r->block);
  if (set->index[slot])
    drt_stop("the block at %p is freed twice. Run the program without gradients under a memory "
             "checker.",
             r->block);
  set->entry[set->entries++] = *r;
  set->index[slot] = (uint32_t)set->entries;
  set->live++;
}

/* Frees "slot" of "set" and moves later entries of the same run up, so that all are still
   found. */
static void free_slot(struct drt_release_set *set, size_t slot) {
  size_t mask = set->slots - 1, next = slot;

  for (;;) {
    set->index[slot] = 0;
    for (;;) {
      size_t wish;

      next = (next + 1) & mask;
      if (!set->index[next])
        return;
      wish = home(set, set->entry[set->index[next] - 1].block);
      if (((next - wish) & mask) >= ((next - slot) & mask))
        break;
    }
    set->index[slot] = set->index[next];
    slot = next;
  }
}

bool drt_release_take(struct drt_release_set *set, const void *block, struct drt_release *r) {
  size_t slot;
  uint32_t number;

  if (!set->live)
    return false;
  slot = find(set, block);
  number = set->index[slot];
  if (!number)
    return false;
  *r = set->entry[number - 1];
  free_slot(set, slot);
  set->entry[number - 1].block = NULL;
  set->live--;
  while (set->entries && !set->entry[set->entries - 1].block)
    set->entries--;
  return true;
}

int64_t drt_release_bytes(const struct drt_release *r) {
  return r->dealloc == (void (*)(void))free ? (int64_t)malloc_usable_size(r->block) : 0;
}

void drt_release_run(const struct drt_release *r) {
  drt_memory_give(drt_release_bytes(r));
  switch (r->extras) {
  case 0: ((void (*)(void *))r->dealloc)(r->block); break;
  case 1: ((void (*)(void *, int64_t))r->dealloc)(r->block, r->extra[0]); break;
  default:
    ((void (*)(void *, int64_t, int64_t))r->dealloc)(r->block, r->extra[0], r->extra[1]);
    break;
  }
}

void drt_release_all(struct drt_release_set *set) {
  for (size_t i = 0; set->live && i < set->entries; i++)
    if (set->entry[i].block)
      drt_release_run(&set->entry[i]);
  drt_release_empty(set);
}

void drt_release_empty(struct drt_release_set *set) {
  if (set->live)
    memset(set->index, 0, set->slots * sizeof *set->index);
  set->entries = set->live = 0;
}

void drt_release_clear(struct drt_release_set *set) {
  free(set->entry);
  free(set->index);
  *set = (struct drt_release_set){0};
}
