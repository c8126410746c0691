/* name_index.h: from names to rows of a table, by hashing. An index is filled once and then only
 * read. */
#ifndef DAD_NAME_INDEX_H
#define DAD_NAME_INDEX_H

#include "../base/arena.h"

#include <stdbool.h>

struct dad_name_slot {
  const char *name;  /* NULL: the slot is empty */
  const void *value; /* what was added for it */
};

struct dad_name_index {
  struct dad_arena *arena;    /* where everything lives */
  struct dad_name_slot *slot; /* open addressing */
  unsigned capacity, n;       /* slots, a power of two; how many are used */
};

/* Adds "name" with a "value" that is not NULL. False if the name is there already; then nothing
 * changes. */
bool dad_name_add(struct dad_name_index *index, const char *name, const void *value);
/* The value of the name of "length" characters at "name", or NULL. */
const void *dad_name_find(const struct dad_name_index *index, const char *name, size_t length);
/* The same for a name that may be an intrinsic's with the types that it is overloaded on:
 * llvm.sin.v2f64 is found as llvm.sin. */
const void *dad_name_find_base(const struct dad_name_index *index, const char *name);

/* Walks over the words of "text", which single blanks part: the word at "*at", of "*length"
 *characters; false at the end. Start with at = text and *length = 0. */
bool dad_next_word(const char **at, size_t *length);

#endif
