/* room.c: memory that the caller of the planner gives. */
#include "room.h"

#include <stdint.h>
#include <string.h>

#define ALIGN ((size_t)16)

struct dilp_room dilp_room(void *memory, size_t size) {
  return (struct dilp_room){.next = memory, .left = size};
}

void *dilp_take(struct dilp_room *room, size_t count, size_t size) {
  size_t skip = -(uintptr_t)room->next % ALIGN, bytes = count * size;
  char *taken = room->next + skip;

  if (room->full || skip > room->left || (size && count > (room->left - skip) / size)) {
    room->full = true;
    return NULL;
  }
  room->next = taken + bytes;
  room->left -= skip + bytes;
  return memset(taken, 0, bytes);
}
