/* arena.h: memory that is released all at once. Everything made for one request lives in one arena. */
#ifndef DAD_ARENA_H
#define DAD_ARENA_H

#include "ownership.h"
#include <stddef.h>

struct dad_arena;

/* An empty arena. */
DAD_GIVE struct dad_arena *dad_arena_create(void);
/* Releases "arena" and everything in it; returns NULL. */
struct dad_arena *dad_arena_free(DAD_TAKE struct dad_arena *arena);
/* "bytes" zeroed bytes, aligned for any type. Never NULL: without memory the process stops. */
void *dad_arena_alloc(struct dad_arena *arena, size_t bytes);
/* A copy of the array "old" of "old_bytes" bytes with room for "new_bytes". */
void *dad_arena_grow(struct dad_arena *arena, const void *old, size_t old_bytes, size_t new_bytes);
/* A formatted string. */
char *dad_arena_printf(struct dad_arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* One zeroed object, or an array of "n", of type "type". */
#define DAD_NEW(arena, type) ((type *)dad_arena_alloc(arena, sizeof(type)))
#define DAD_ARRAY(arena, type, n) ((type *)dad_arena_alloc(arena, sizeof(type) * (size_t)(n)))

#endif
