/* arena.c: a list of blocks of doubling size; allocation moves a pointer. */
#include "arena.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_BLOCK = 1 << 14, ALIGNMENT = 16 };

struct block {
  struct block *next; /* the block before it in time */
  size_t used, size;  /* bytes of "data" */
  _Alignas(ALIGNMENT) char data[];
};

struct dad_arena {
  struct block *blocks; /* the newest first */
};

/* "p", unless it is NULL: then there is no way to go on. */
static void *or_die(void *p) {
  if (p)
    return p;
  fputs("dacead: out of memory in the compiler\n", stderr);
  abort();
}

struct dad_arena *dad_arena_create(void) {
  return or_die(calloc(1, sizeof(struct dad_arena)));
}

struct dad_arena *dad_arena_free(struct dad_arena *arena) {
  if (!arena)
    return NULL;
  for (struct block *b = arena->blocks, *next; b; b = next) {
    next = b->next;
    free(b);
  }
  free(arena);
  return NULL;
}

/* A block with room for "bytes" becomes the newest of "arena". */
static struct block *add_block(struct dad_arena *arena, size_t bytes) {
  size_t size = arena->blocks ? 2 * arena->blocks->size : FIRST_BLOCK;
  if (size < bytes)
    size = bytes;
  struct block *b = or_die(calloc(1, sizeof *b + size));
  b->size = size;
  b->next = arena->blocks;
  return arena->blocks = b;
}

void *dad_arena_alloc(struct dad_arena *arena, size_t bytes) {
  bytes = (bytes + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
  struct block *b = arena->blocks;
  if (!b || b->size - b->used < bytes)
    b = add_block(arena, bytes);
  void *p = b->data + b->used;
  b->used += bytes;
  return p;
}

void *dad_arena_grow(struct dad_arena *arena, const void *old, size_t old_bytes, size_t new_bytes) {
  void *p = dad_arena_alloc(arena, new_bytes);
  if (old_bytes)
    memcpy(p, old, old_bytes);
  return p;
}

char *dad_arena_printf(struct dad_arena *arena, const char *format, ...) {
  va_list args;
  va_start(args, format);
  int n = vsnprintf(NULL, 0, format, args);
  va_end(args);
  char *s = dad_arena_alloc(arena, (size_t)n + 1);
  va_start(args, format);
  vsnprintf(s, (size_t)n + 1, format, args);
  va_end(args);
  return s;
}
