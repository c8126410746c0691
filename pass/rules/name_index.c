/* name_index.c: open addressing with linear probing, at most half full. */
#include "name_index.h"

#include <stdint.h>
#include <string.h>

enum { FIRST_CAPACITY = 1024 };

static unsigned hash(const char *name, size_t length) {
  uint64_t h = 0xcbf29ce484222325u;
  for (size_t k = 0; k < length; k++)
    h = (h ^ (unsigned char)name[k]) * 0x100000001b3u;
  return (unsigned)(h ^ h >> 32);
}

/* The slot that holds the name, or the empty one where it belongs. */
static struct dad_name_slot *slot_of(const struct dad_name_index *index, const char *name,
                                     size_t length) {
  for (unsigned k = hash(name, length);; k++) {
    struct dad_name_slot *s = &index->slot[k & (index->capacity - 1)];
    if (!s->name || (!strncmp(s->name, name, length) && !s->name[length]))
      return s;
  }
}

static void grow(struct dad_name_index *index) {
  struct dad_name_index old = *index;
  index->capacity = old.capacity ? 2 * old.capacity : FIRST_CAPACITY;
  index->slot = DAD_ARRAY(index->arena, struct dad_name_slot, index->capacity);
  for (unsigned k = 0; k < old.capacity; k++)
    if (old.slot[k].name)
      *slot_of(index, old.slot[k].name, strlen(old.slot[k].name)) = old.slot[k];
}

bool dad_name_add(struct dad_name_index *index, const char *name, const void *value) {
  if (2 * index->n >= index->capacity)
    grow(index);
  struct dad_name_slot *s = slot_of(index, name, strlen(name));
  if (s->name)
    return false;
  s->name = name;
  s->value = value;
  index->n++;
  return true;
}

const void *dad_name_find(const struct dad_name_index *index, const char *name, size_t length) {
  return index->capacity ? slot_of(index, name, length)->value : NULL;
}

const void *dad_name_find_base(const struct dad_name_index *index, const char *name) {
  size_t length = strlen(name);
  const void *value = dad_name_find(index, name, length);
  if (strncmp(name, "llvm.", 5))
    return value;
  for (; !value && length > 5; value = dad_name_find(index, name, length))
    while (length > 5 && name[--length] != '.')
      continue;
  return value;
}

bool dad_next_word(const char **at, size_t *length) {
  *at += *length;
  *at += strspn(*at, " ");
  *length = strcspn(*at, " ");
  return *length > 0;
}
