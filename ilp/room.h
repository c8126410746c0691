/* room.h: memory that the caller of the planner gives. The planner itself allocates nothing.

   A room is a value: a copy of it is a mark, and assigning the copy back gives everything back
   that has been taken since. */
#ifndef DILP_ROOM_H
#define DILP_ROOM_H

#include <stdbool.h>
#include <stddef.h>

struct dilp_room {
  char *next;  /* where the free memory begins */
  size_t left; /* its bytes */
  bool full;   /* something has been asked for that did not fit */
};

/* A room in the "size" bytes at "memory". */
struct dilp_room dilp_room(void *memory, size_t size);

/* Takes an array of "count" zeroed elements of "size" bytes, aligned to 16. Returns NULL if it
   does not fit; "room" is full then, and so whoever takes several may look once. */
void *dilp_take(struct dilp_room *room, size_t count, size_t size);

#endif
