/* placement.c: addresses for blocks of memory whose lives are known: first fit in several orders.
 */
#include "placement.h"

#include <string.h>

/* How often the blocks that reach highest are placed before all others. */
#define PROMOTIONS 24

/* How often two blocks of the best order are swapped by chance, and how many pairs of blocks all
   that may look at. */
#define SWAPS      4000
#define SWAP_PAIRS 4000000

/* Blocks that are being placed. */
struct placement {
  struct dilp_block *block;
  int count;
  int *order;    /* in which they are placed */
  int *placed;   /* those that are, by address */
  int64_t *best; /* the addresses of the best order so far */
  int64_t top;   /* their highest end */
};

/* What comes first in an order. */
typedef double (*weight)(const struct dilp_block *);

static double by_bytes(const struct dilp_block *b) {
  return (double)b->bytes;
}

static double by_area(const struct dilp_block *b) {
  return (double)b->bytes * (b->to - b->from + 1);
}

static double by_life(const struct dilp_block *b) {
  return b->to - b->from;
}

static double by_start(const struct dilp_block *b) {
  return -b->from;
}

static const weight weights[] = {by_area, by_bytes, by_life, by_start};

enum { WEIGHTS = sizeof weights / sizeof *weights };

/* Sorts the order by falling "heavy"; equal blocks stay as they are. */
static void sort(struct placement *p, weight heavy) {
  for (int k = 0; k < p->count; k++) {
    double own = heavy(&p->block[k]);
    int at = k;

    for (; at > 0 && heavy(&p->block[p->order[at - 1]]) < own; at--)
      p->order[at] = p->order[at - 1];
    p->order[at] = k;
  }
}

/* Do "a" and "b" live at the same time? */
static bool meet(const struct dilp_block *a, const struct dilp_block *b) {
  return a->from <= b->to && b->from <= a->to;
}

/* The lowest address that is free for "b" among the "n" blocks that are placed. */
static int64_t lowest(const struct placement *p, const struct dilp_block *b, int n) {
  int64_t address = 0;

  for (int k = 0; k < n; k++) {
    const struct dilp_block *other = &p->block[p->placed[k]];

    if (!meet(b, other) || other->address + other->bytes <= address)
      continue;
    if (other->address - address >= b->bytes)
      break;
    address = other->address + other->bytes;
  }
  return address;
}

/* Places all blocks in their order; returns the highest end. */
static int64_t place_in_order(struct placement *p) {
  int64_t top = 0;

  for (int n = 0; n < p->count; n++) {
    struct dilp_block *b = &p->block[p->order[n]];
    int at = n;

    b->address = lowest(p, b, n);
    for (; at > 0 && p->block[p->placed[at - 1]].address > b->address; at--)
      p->placed[at] = p->placed[at - 1];
    p->placed[at] = p->order[n];
    if (b->address + b->bytes > top)
      top = b->address + b->bytes;
  }
  return top;
}

/* Places all blocks, and keeps their addresses if they are the best so far. Returns the highest
   end. */
static int64_t try_order(struct placement *p) {
  int64_t top = place_in_order(p);

  if (p->top < 0 || top < p->top) {
    p->top = top;
    for (int k = 0; k < p->count; k++)
      p->best[k] = p->block[k].address;
  }
  return top;
}

/* Moves the blocks that end at "top" to the front of the order. */
static void promote(struct placement *p, int64_t top) {
  int front = 0;

  for (int n = 0; n < p->count; n++) {
    int k = p->order[n];

    if (p->block[k].address + p->block[k].bytes < top)
      continue;
    memmove(&p->order[front + 1], &p->order[front], (size_t)(n - front) * sizeof *p->order);
    p->order[front++] = k;
  }
}

/* The next number of a fixed sequence that looks random, below "n"; "*state" is where it is. */
static int draw(uint64_t *state, int n) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (int)((*state >> 33) % (uint64_t)n);
}

/* Swaps blocks of the order, and back where that makes it worse, until all end at most at "goal".
 */
static void swap_some(struct placement *p, int64_t limit) {
  int64_t pairs = (int64_t)p->count * p->count, tries = SWAP_PAIRS / (pairs + 1);
  int64_t now = try_order(p);
  uint64_t state = 1;

  for (int64_t n = 0; n < tries && n < SWAPS && p->top > limit; n++) {
    int a = draw(&state, p->count), b = draw(&state, p->count), moved = p->order[a];
    int64_t top;

    p->order[a] = p->order[b];
    p->order[b] = moved;
    top = try_order(p);
    if (top <= now) {
      now = top;
      continue;
    }
    p->order[b] = p->order[a];
    p->order[a] = moved;
  }
}

int64_t dilp_place(struct dilp_block *block, int count, int64_t goal, int64_t limit,
                   struct dilp_room *room) {
  struct dilp_room mark = *room;
  struct placement p = {.block = block, .count = count, .top = -1};

  p.order = dilp_take(room, (size_t)count, sizeof *p.order);
  p.placed = dilp_take(room, (size_t)count, sizeof *p.placed);
  p.best = dilp_take(room, (size_t)count, sizeof *p.best);
  if (room->full)
    return -1;
  for (int w = 0; w < WEIGHTS && (p.top < 0 || p.top > goal); w++) {
    int64_t top;

    sort(&p, weights[w]);
    top = try_order(&p);
    for (int n = 0; n < PROMOTIONS && p.top > goal; n++) {
      promote(&p, top);
      top = try_order(&p);
    }
  }
  if (p.top > limit)
    swap_some(&p, limit);
  for (int k = 0; k < count; k++)
    block[k].address = p.best[k];
  *room = mark;
  return p.top;
}
