/* nest_cells.c: a hash table. */
#include "nest_cells.h"

#include <stdint.h>
#include <string.h>

static uint64_t mix(uint64_t h) {
  h ^= h >> 31;
  h *= 0x9e3779b97f4a7c15u;
  return h ^ h >> 29;
}

static uint64_t hash(int array, int n, const long *subscript) {
  uint64_t h = mix((uint64_t)array + 1);
  for (int i = 0; i < n; i++)
    h = mix(h + (uint64_t)subscript[i] * 2 + 1);
  return h;
}

/* A number between "low" and "high" that "h" determines. */
static long double number(uint64_t h, long double low, long double high) {
  return low + (high - low) * (long double)(mix(h) >> 40) / (1 << 24);
}

static struct cell **find(const struct cells *cells, uint64_t h, int array, int n,
                          const long *subscript) {
  for (unsigned i = (unsigned)h;; i++) {
    struct cell **slot = &cells->slot[i & (cells->capacity - 1)];
    if (!*slot || ((*slot)->array == array && (*slot)->n == n &&
                   memcmp((*slot)->subscript, subscript, (size_t)n * sizeof *subscript) == 0))
      return slot;
  }
}

static void grow(struct cells *cells) {
  struct cells old = *cells;
  cells->capacity = old.capacity ? 2 * old.capacity : 256;
  cells->slot = DAD_ARRAY(cells->arena, struct cell *, cells->capacity);
  for (unsigned i = 0; i < old.capacity; i++) {
    struct cell *c = old.slot[i];
    if (c)
      *find(cells, hash(c->array, c->n, c->subscript), c->array, c->n, c->subscript) = c;
  }
}

struct cell *cells_at(struct cells *cells, int array, int n, const long *subscript) {
  if (2 * cells->n >= cells->capacity)
    grow(cells);
  uint64_t h = hash(array, n, subscript);
  struct cell **slot = find(cells, h, array, n, subscript);
  if (*slot)
    return *slot;
  struct cell *c = DAD_NEW(cells->arena, struct cell);
  c->array = array;
  c->n = n;
  memcpy(c->subscript, subscript, (size_t)n * sizeof *subscript);
  c->value = c->plain = number(h, .3L, .9L);
  if (n == 2 && subscript[0] == subscript[1]) /* so that factorisations exist */
    c->value = c->plain += 4;
  if (!cells->passive[array]) {
    c->shadow = c->first_shadow = number(h + 1, -.5L, .5L);
    c->tangent = c->first_tangent = number(h + 2, -.5L, .5L);
  }
  cells->n++;
  return *slot = c;
}
