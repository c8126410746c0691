/* exhaustive.c: a shortest path over (stage, set of items that are there). A move recomputes an
   item, frees one, or goes on to the next stage. */
#include "exhaustive.h"

#include "cells.h"

#include <math.h>
#include <stdlib.h>

/* A set that can be reached. */
struct entry {
  double time;
  int set;
};

/* Those that are still to be looked at; the least time comes first. */
struct heap {
  struct entry *entry;
  int count, room;
};

/* The search for one point of every loop. */
struct search {
  const struct dilp_problem *problem;
  const int *point; /* of each loop */
  int count;        /* items that matter */
  int item[EXHAUSTIVE_MOST];
  int needs[EXHAUSTIVE_MOST]; /* as sets */
  int64_t *bytes;             /* of each set */
  double *time;               /* least time to each set */
  struct heap heap;
};

static void push(struct heap *heap, double time, int set) {
  int i;

  if (heap->count == heap->room) {
    heap->room = heap->room ? 2 * heap->room : 4096;
    heap->entry = realloc(heap->entry, (size_t)heap->room * sizeof *heap->entry);
  }
  for (i = heap->count++; i && heap->entry[(i - 1) / 2].time > time; i = (i - 1) / 2)
    heap->entry[i] = heap->entry[(i - 1) / 2];
  heap->entry[i] = (struct entry){time, set};
}

static struct entry pop(struct heap *heap) {
  struct entry top = heap->entry[0], last = heap->entry[--heap->count];
  int i = 0;

  for (int k; (k = 2 * i + 1) < heap->count; i = k) {
    if (k + 1 < heap->count && heap->entry[k + 1].time < heap->entry[k].time)
      k++;
    if (heap->entry[k].time >= last.time)
      break;
    heap->entry[i] = heap->entry[k];
  }
  heap->entry[i] = last;
  return top;
}

/* The point of loop "l". */
static const struct dilp_point *point_of(const struct search *s, int l) {
  return &s->problem->loop[l].point[s->point[l]];
}

/* Bytes of region "r" in the forward sweep if "set" is saved. */
static int64_t forward_bytes(const struct search *s, int set, int r) {
  const struct dilp_problem *p = s->problem;
  int64_t bytes = p->base + p->region[r].forward;

  for (int i = 0; i < p->items; i++)
    if (p->item[i].born <= r && r <= p->item[i].dies)
      bytes += p->item[i].natural;
  for (int k = 0; k < s->count; k++)
    if (set >> k & 1 && r > p->item[s->item[k]].dies)
      bytes += p->item[s->item[k]].bytes;
  for (int l = 0; l < p->loops; l++) {
    if (p->loop[l].region == r)
      bytes += point_of(s, l)->forward;
    else if (p->loop[l].region < r)
      bytes += point_of(s, l)->held;
  }
  return bytes;
}

/* Every set that can be saved, and what that takes. */
static void save(struct search *s) {
  const struct dilp_problem *p = s->problem;

  for (int set = 0; set < 1 << s->count; set++) {
    s->time[set] = 0;
    s->bytes[set] = 0;
    for (int k = 0; k < s->count; k++)
      if (set >> k & 1) {
        s->bytes[set] += p->item[s->item[k]].bytes;
        s->time[set] += p->item[s->item[k]].save;
      }
    for (int r = 0; r < p->regions; r++)
      if (forward_bytes(s, set, r) > p->limit)
        s->time[set] = INFINITY;
  }
}

/* All sets that can be reached by recomputing and freeing where "held" bytes are there that are no
   item's. */
static void close_stage(struct search *s, int64_t held) {
  s->heap.count = 0;
  for (int set = 0; set < 1 << s->count; set++)
    if (isfinite(s->time[set]))
      push(&s->heap, s->time[set], set);
  while (s->heap.count) {
    struct entry from = pop(&s->heap);

    for (int k = 0; k < s->count && from.time <= s->time[from.set]; k++) {
      const struct dilp_item *x = &s->problem->item[s->item[k]];
      int to = from.set ^ 1 << k;
      double time = from.time;

      if (to >> k & 1) {
        if ((s->needs[k] & ~from.set) || s->bytes[to] + x->scratch + held > s->problem->limit)
          continue;
        time += x->recompute;
      }
      if (time < s->time[to]) {
        s->time[to] = time;
        push(&s->heap, time, to);
      }
    }
  }
}

/* Stage "t". */
static void stage(struct search *s, int t) {
  const struct dilp_problem *p = s->problem;
  int region = dilp_mirror(p, t), must = 0;
  int64_t held = p->base, running = p->base + p->region[region].reverse;

  for (int k = 0; k < s->count; k++)
    if (dilp_listed(&p->item[s->item[k]].uses, region))
      must |= 1 << k;
  for (int l = 0; l < p->loops; l++) {
    if (p->loop[l].region <= region)
      held += point_of(s, l)->held;
    if (p->loop[l].region < region)
      running += point_of(s, l)->held;
    if (p->loop[l].region != region)
      continue;
    running += point_of(s, l)->reverse;
    for (int k = 0; k < s->count; k++)
      if (point_of(s, l)->way == DILP_REPEAT && s->item[k] == p->loop[l].first)
        must |= 1 << k;
  }
  close_stage(s, held);
  for (int set = 0; set < 1 << s->count; set++)
    if ((set & must) != must || s->bytes[set] + running > p->limit)
      s->time[set] = INFINITY;
}

/* The fastest plan with the points of "s". */
static double solve(struct search *s) {
  double best = INFINITY;

  save(s);
  for (int t = 0; t < s->problem->regions; t++)
    stage(s, t);
  for (int set = 0; set < 1 << s->count; set++)
    best = fmin(best, s->time[set]);
  return best;
}

/* Finds the items that matter: those that have cells. */
static void find_items(struct search *s, struct dilp_room *room) {
  struct dilp_cells cells;
  int number[DILP_MOST];

  dilp_cells(&cells, s->problem, INFINITY, room);
  for (int i = 0; i < s->problem->items; i++)
    if (cells.of_item[i + 1] > cells.of_item[i]) {
      number[i] = s->count;
      for (int d = 0; d < s->problem->item[i].needs.count; d++)
        s->needs[s->count] |= 1 << number[s->problem->item[i].needs.of[d]];
      s->item[s->count++] = i;
    }
}

double exhaustive_time(const struct dilp_problem *problem, struct dilp_room *room) {
  struct dilp_room mark = *room;
  int *point = dilp_take(room, (size_t)problem->loops, sizeof *point), l;
  struct search s = {.problem = problem, .point = point};
  double best = INFINITY;

  find_items(&s, room);
  s.bytes = dilp_take(room, (size_t)1 << s.count, sizeof *s.bytes);
  s.time = dilp_take(room, (size_t)1 << s.count, sizeof *s.time);
  do {
    double time = 0;

    for (l = 0; l < problem->loops; l++)
      time += point_of(&s, l)->time;
    if (time < best)
      best = fmin(best, time + solve(&s));
    for (l = 0; l < problem->loops && ++point[l] == problem->loop[l].points; l++)
      point[l] = 0;
  } while (l < problem->loops);
  free(s.heap.entry);
  *room = mark;
  return best;
}
