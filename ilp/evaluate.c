/* evaluate.c: what a choice costs, in a time that grows with cells and needs. */
#include "evaluate.h"

#include <string.h>

bool dilp_evaluator(struct dilp_evaluator *evaluator, const struct dilp_problem *problem,
                    const struct dilp_cells *cells, struct dilp_room *room) {
  *evaluator = (struct dilp_evaluator){.problem = problem, .cells = cells};
  evaluator->item = dilp_take(room, (size_t)problem->items, sizeof *evaluator->item);
  evaluator->change = dilp_take(room, (size_t)problem->regions + 1, sizeof *evaluator->change);
  return !room->full;
}

/* Adds an action to the plan, if there is one. */
static void act(struct dilp_evaluator *e, enum dilp_act act, int what, int point) {
  if (e->plan)
    dilp_plan_add(e->plan, act, what, point);
}

/* An event has "bytes" bytes. */
static void event(struct dilp_evaluator *e, int64_t bytes) {
  if (bytes > e->cost.peak)
    e->cost.peak = bytes;
  if (bytes > e->problem->limit)
    e->cost.over += (double)(bytes - e->problem->limit);
}

/* Is item "i" saved? */
static bool saved(const struct dilp_evaluator *e, const struct dilp_choice *choice, int i) {
  const int *of = e->cells->of_item;

  return of[i] < of[i + 1] && choice->retain[of[i]];
}

/* The point of loop "l". */
static const struct dilp_point *point_of(const struct dilp_evaluator *e,
                                         const struct dilp_choice *choice, int l) {
  return &e->problem->loop[l].point[choice->point[l]];
}

/* The forward sweep: its events, and what is there at its end. */
static void forward(struct dilp_evaluator *e, const struct dilp_choice *choice) {
  const struct dilp_problem *p = e->problem;
  int64_t bytes = p->base;

  memset(e->change, 0, ((size_t)p->regions + 1) * sizeof *e->change);
  for (int i = 0; i < p->items; i++) {
    const struct dilp_item *x = &p->item[i];

    e->item[i].alive = saved(e, choice, i);
    e->change[x->born] += x->natural;
    e->change[x->dies + 1] += (e->item[i].alive ? x->bytes : 0) - x->natural;
    if (e->item[i].alive) {
      e->bytes += x->bytes;
      e->cost.time += x->save;
      act(e, DILP_SAVE, i, 0);
    }
  }
  for (int l = 0; l < p->loops; l++) {
    const struct dilp_point *point = point_of(e, choice, l);

    e->change[p->loop[l].region] += point->forward;
    e->change[p->loop[l].region + 1] += point->held - point->forward;
    e->held += point->held;
    e->cost.time += point->time;
    act(e, DILP_POINT, l, choice->point[l]);
  }
  for (int r = 0; r < p->regions; r++) {
    bytes += e->change[r];
    event(e, bytes + p->region[r].forward);
  }
}

/* What the stage that undoes "region" does with its items, those of "cell" .. "end". */
static void look(struct dilp_evaluator *e, const struct dilp_choice *choice, int region,
                 const int *cell, const int *end) {
  const struct dilp_problem *p = e->problem;
  const struct dilp_cells *c = e->cells;

  for (const int *at = cell; at < end; at++) {
    int i = c->item[*at], next = *at + 1;
    struct dilp_present *x = &e->item[i];

    x->used = dilp_listed(&p->item[i].uses, region);
    x->again = choice->recompute[*at] && !x->alive;
    x->keep = next < c->of_item[i + 1] && choice->retain[next];
    x->last = -1;
  }
  for (int l = 0; l < p->loops; l++)
    if (p->loop[l].region == region && point_of(e, choice, l)->way == DILP_REPEAT)
      e->item[p->loop[l].first].used = true;
  while (end-- > cell) {
    int i = c->item[*end];
    struct dilp_present *x = &e->item[i];

    if (x->used)
      x->last = p->items;
    if (!x->alive && x->last >= 0)
      x->again = true;
    for (int d = 0; x->again && d < p->item[i].needs.count; d++) {
      struct dilp_present *needed = &e->item[p->item[i].needs.of[d]];

      if (needed->last < i)
        needed->last = i;
    }
  }
}

/* Item "i" is not there any more. */
static void drop(struct dilp_evaluator *e, int i) {
  e->item[i].alive = false;
  e->bytes -= e->problem->item[i].bytes;
  act(e, DILP_FREE, i, 0);
}

/* Recomputes item "i" where "more" bytes are there that are no item's; drops what is not needed
   after that. Returns the bytes of that event. */
static int64_t recompute(struct dilp_evaluator *e, int i, int64_t more) {
  const struct dilp_item *x = &e->problem->item[i];
  int64_t bytes;

  e->cost.time += x->recompute;
  act(e, DILP_RECOMPUTE, i, 0);
  e->item[i].alive = true;
  e->bytes += x->bytes;
  bytes = e->bytes + more + x->scratch;
  for (int d = 0; d < x->needs.count; d++) {
    int j = x->needs.of[d];

    if (e->item[j].last == i && !e->item[j].keep)
      drop(e, j);
  }
  return bytes;
}

/* Stage "stage": all events of one stage count as one. */
static void stage(struct dilp_evaluator *e, const struct dilp_choice *choice, int stage) {
  const struct dilp_problem *p = e->problem;
  const int *item = e->cells->item, region = dilp_mirror(p, stage);
  const int *cell = e->cells->cell + e->cells->of_stage[stage];
  const int *end = e->cells->cell + e->cells->of_stage[stage + 1];
  int64_t before = e->held, reverse = 0, most = 0;

  look(e, choice, region, cell, end);
  for (int l = 0; l < p->loops; l++)
    if (p->loop[l].region == region) {
      e->held -= point_of(e, choice, l)->held;
      reverse += point_of(e, choice, l)->reverse;
    }
  for (const int *at = cell; at < end; at++)
    if (e->item[item[*at]].alive && e->item[item[*at]].last < 0 && !e->item[item[*at]].keep)
      drop(e, item[*at]);
  for (const int *at = cell; at < end; at++)
    if (e->item[item[*at]].again) {
      int64_t bytes = recompute(e, item[*at], before);

      most = bytes > most ? bytes : most;
    }
  reverse += e->bytes + e->held + p->region[region].reverse;
  event(e, reverse > most ? reverse : most);
  act(e, DILP_REVERSE, region, 0);
  for (const int *at = cell; at < end; at++)
    if (e->item[item[*at]].alive && !e->item[item[*at]].keep)
      drop(e, item[*at]);
}

struct dilp_cost dilp_evaluate(struct dilp_evaluator *evaluator, const struct dilp_choice *choice,
                               struct dilp_plan *plan) {
  evaluator->plan = plan;
  evaluator->cost = (struct dilp_cost){0};
  evaluator->bytes = evaluator->problem->base;
  evaluator->held = 0;
  if (plan)
    plan->count = 0;
  forward(evaluator, choice);
  for (int t = 0; t < evaluator->problem->regions; t++)
    stage(evaluator, choice, t);
  if (plan) {
    plan->time = evaluator->cost.time;
    plan->peak = evaluator->cost.peak;
  }
  return evaluator->cost;
}
