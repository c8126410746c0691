/* random_problem.c: planning problems by chance. Each region makes one value, a temporary or the
   next version of an array, from some recent ones; its reverse reads what it has read, or its
   result. Every fourth value is expensive, as products of matrices are. */
#include "random_problem.h"

#include "menu.h"

#include <stdio.h>

enum { MOST_NEEDS = 3, MOST_USES = 8, NEAR = 4 };

uint64_t random_next(uint64_t *state) {
  uint64_t z = (*state += 0x9e3779b97f4a7c15u);

  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

/* A random number from 0 to 1. */
static double fraction(uint64_t *state) {
  return (double)(random_next(state) >> 11) * 0x1p-53;
}

int random_below(uint64_t *state, int n) {
  return (int)(fraction(state) * n);
}

/* A name: "letter" and a number. */
static const char *name(struct dilp_room *room, char letter, int number) {
  char *text = dilp_take(room, 12, 1);

  snprintf(text, 12, "%c%d", letter, number);
  return text;
}

/* The list "list" as one that can be written. */
static void append(struct dilp_list *list, int index) {
  ((int *)(uintptr_t)list->of)[list->count++] = index;
}

/* Sizes and costs of item "x". */
static void measure(struct dilp_item *x, uint64_t *s) {
  x->bytes = 100 * (1 + random_below(s, 10)) * (random_below(s, 5) ? 1 : 4);
  x->natural = random_below(s, 2) ? x->bytes : 0;
  x->scratch = random_below(s, 3) ? 0 : x->bytes / 2;
  x->save = x->natural ? 0 : 3e-4 * (double)x->bytes;
  x->recompute =
      1e-3 * (double)x->bytes * (random_below(s, 4) ? 0.3 + fraction(s) : 3 + 9 * fraction(s));
}

/* What item "i" of "problem" is made from. */
static void connect(struct dilp_problem *problem, int i, bool mild, uint64_t *s) {
  struct dilp_item *x = &problem->item[i];
  int needs = i == 0 ? 0 : mild ? random_below(s, 3) : 1 + random_below(s, MOST_NEEDS);

  for (int d = 0; d < needs; d++) {
    int j = i - 1 - random_below(s, i < NEAR ? i : NEAR);
    struct dilp_item *y = &problem->item[j];

    if (dilp_listed(&x->needs, j))
      continue;
    append(&x->needs, j);
    if (y->dies < i)
      y->dies = i;
    if (random_below(s, 3) && y->uses.count < MOST_USES - 1)
      append(&y->uses, i);
  }
  if (!random_below(s, 3))
    append(&x->uses, i);
}

/* Makes loop number "l" of "problem", of "kind". */
static void add_loop(struct dilp_problem *problem, int l, struct random_kind kind, uint64_t *s,
                     struct dilp_room *room) {
  struct dilp_loop *loop = &problem->loop[l];
  int64_t state = 100 * (1 + random_below(s, 4));

  *loop = (struct dilp_loop){.name = name(room, 'l', l)};
  loop->region = (l + 1) * kind.items / (kind.loops + 1);
  loop->first = loop->region - 1;
  loop->steps =
      (struct dilp_steps){8 + random_below(s, 40), state, state / 2 * (1 + random_below(s, 4)),
                          1e-3 * (double)state * (0.5 + fraction(s)), 2e-4 * (double)state};
  if (problem->item[loop->first].dies < loop->region)
    problem->item[loop->first].dies = loop->region;
  dilp_menu(loop, room);
}

void random_problem(struct dilp_problem *problem, struct random_kind kind, uint64_t seed,
                    struct dilp_room *room) {
  uint64_t s = seed * 7919 + 13;
  size_t n = (size_t)kind.items;

  *problem = (struct dilp_problem){.limit = DILP_NO_LIMIT,
                                   .page = 1,
                                   .regions = kind.items,
                                   .items = kind.items,
                                   .loops = kind.loops};
  problem->region = dilp_take(room, n, sizeof *problem->region);
  problem->item = dilp_take(room, n, sizeof *problem->item);
  problem->loop = dilp_take(room, (size_t)kind.loops, sizeof *problem->loop);
  for (int i = 0; i < kind.items; i++) {
    struct dilp_item *x = &problem->item[i];

    problem->region[i] = (struct dilp_region){
        name(room, 'r', i), random_below(&s, 4) ? 0 : 100 * (1 + random_below(&s, 10)),
        100 * (1 + random_below(&s, 10))};
    x->name = name(room, 'v', i);
    x->needs.of = dilp_take(room, MOST_NEEDS, sizeof(int));
    x->uses.of = dilp_take(room, MOST_USES, sizeof(int));
    measure(x, &s);
    x->born = i;
    x->dies = i + random_below(&s, 4);
    connect(problem, i, kind.mild, &s);
  }
  for (int i = 0; i < kind.items; i++)
    if (problem->item[i].dies >= kind.items)
      problem->item[i].dies = kind.items - 1;
  for (int l = 0; l < kind.loops; l++)
    add_loop(problem, l, kind, &s, room);
}
