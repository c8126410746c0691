/* map.h: pointers to pointers, kept in the order of insertion so that walks are deterministic. */
#ifndef DAD_MAP_H
#define DAD_MAP_H

#include "arena.h"
#include <stdbool.h>
#include <stdint.h>

struct dad_map {
  struct dad_arena *arena; /* where everything lives */
  const void **key;        /* the keys in order of insertion */
  void **value;            /* value[i] belongs to key[i] */
  unsigned n, capacity;    /* entries used, and how many fit */
  uint64_t *table;         /* open addressing: epoch in the upper half, entry + 1 in the lower */
  unsigned slots;          /* a power of two, at least twice n */
  uint32_t epoch;          /* slots of another epoch are empty: clearing costs nothing */
};

#define DAD_MAP(in_arena) ((struct dad_map){.arena = (in_arena)})

/* The value of "key", or NULL. */
void *dad_map_get(const struct dad_map *map, const void *key);
/* Is there an entry for "key"? */
bool dad_map_has(const struct dad_map *map, const void *key);
/* Sets the value of "key". */
void dad_map_set(struct dad_map *map, const void *key, const void *value);
/* Forgets all entries. */
void dad_map_clear(struct dad_map *map);

/* Sets of pointers and small integers as values. */
static inline intptr_t dad_map_int(const struct dad_map *map, const void *key) {
  return (intptr_t)dad_map_get(map, key);
}
static inline void dad_map_set_int(struct dad_map *map, const void *key, intptr_t value) {
  dad_map_set(map, key, (void *)value);
}

#endif
