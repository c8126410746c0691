/* map.c: linear probing over a table of entry numbers. */
#include "map.h"

#include <string.h>

/* The slot that holds "key" or would take it. */
static unsigned find_slot(const struct dad_map *map, const void *key) {
  uintptr_t h = (uintptr_t)key;
  h ^= h >> 17;
  h *= 0x9E3779B97F4A7C15u;
  unsigned i = (unsigned)(h >> 32) & (map->slots - 1);
  while (map->table[i] >> 32 == map->epoch) {
    if (map->key[(uint32_t)map->table[i] - 1] == key)
      break;
    i = (i + 1) & (map->slots - 1);
  }
  return i;
}

/* The entry of "key" plus one, or 0. */
static unsigned find_entry(const struct dad_map *map, const void *key) {
  if (!map->n)
    return 0;
  uint64_t slot = map->table[find_slot(map, key)];
  return slot >> 32 == map->epoch ? (uint32_t)slot : 0;
}

void *dad_map_get(const struct dad_map *map, const void *key) {
  unsigned e = find_entry(map, key);
  return e ? map->value[e - 1] : NULL;
}

bool dad_map_has(const struct dad_map *map, const void *key) {
  return find_entry(map, key) != 0;
}

static void rehash(struct dad_map *map) {
  map->slots = map->slots ? 2 * map->slots : 32;
  map->table = DAD_ARRAY(map->arena, uint64_t, map->slots);
  map->epoch = 1;
  for (unsigned e = 0; e < map->n; e++)
    map->table[find_slot(map, map->key[e])] = (uint64_t)map->epoch << 32 | (e + 1);
}

void dad_map_set(struct dad_map *map, const void *key, const void *value) {
  unsigned e = find_entry(map, key);
  if (e) {
    map->value[e - 1] = (void *)value;
    return;
  }
  if (map->n == map->capacity) {
    size_t old = map->n * sizeof(void *), more = map->capacity ? 2 * map->capacity : 16;
    map->key = dad_arena_grow(map->arena, map->key, old, more * sizeof(void *));
    map->value = dad_arena_grow(map->arena, map->value, old, more * sizeof(void *));
    map->capacity = (unsigned)more;
  }
  if (2 * (map->n + 1) > map->slots)
    rehash(map);
  map->key[map->n] = key;
  map->value[map->n] = (void *)value;
  map->table[find_slot(map, key)] = (uint64_t)map->epoch << 32 | (map->n + 1);
  map->n++;
}

void dad_map_clear(struct dad_map *map) {
  map->n = 0;
  if (map->slots && ++map->epoch == 0) {
    memset(map->table, 0, map->slots * sizeof *map->table);
    map->epoch = 1;
  }
}
