/* release.h: sets of heap blocks that wait for being released. */
#ifndef DRT_RELEASE_H
#define DRT_RELEASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A block and how to release it. */
struct drt_release {
  void *block;           /* NULL in a set: taken out */
  void (*dealloc)(void); /* its deallocator: takes "block" and then "extras" 64-bit integers */
  int extras;            /* 0 to 2 */
  bool active;           /* it may have a shadow, which is released with it */
  int64_t extra[2];      /* sizes or alignments */
};

/* A set of them, found by block; in the order in which they were added. All zeroes is empty. */
struct drt_release_set {
  struct drt_release *entry; /* by age */
  size_t entries;            /* number of "entry", with those that were taken out */
  size_t capacity;           /* memory of "entry" */
  size_t live;               /* number of entries that are in the set */
  uint32_t *index;           /* hash table: number of an entry plus 1, or 0 */
  size_t slots;              /* size of "index": a power of two, or 0 */
};

/* Adds "r" to "set". A block that is in it already was freed twice: stops. */
void drt_release_add(struct drt_release_set *set, const struct drt_release *r);

/* Takes the entry of "block" out of "set" into "r"; false if there is none. */
bool drt_release_take(struct drt_release_set *set, const void *block, struct drt_release *r);

/* The bytes of the block of "r" that count towards the memory limit while it waits: 0 if its
   deallocator is not that of the C library. */
int64_t drt_release_bytes(const struct drt_release *r);

/* Calls the deallocator of "r", and counts its block no longer. */
void drt_release_run(const struct drt_release *r);

/* Empties "set": calls the deallocators of all of it. */
void drt_release_all(struct drt_release_set *set);

/* Empties "set". The blocks stay. */
void drt_release_empty(struct drt_release_set *set);

/* Empties "set" and gives its memory back. The blocks stay. */
void drt_release_clear(struct drt_release_set *set);

#endif
