/* search.c: candidates by a cost model on coefficient matrices, proofs by isl. */
#include "search.h"
#include "affine_schedule.h"
#include "order.h"
#include "shape.h"

#include <isl/val.h>
#include <stdlib.h>
#include <string.h>

struct search {
  struct dad_affine *plan;
  struct dad_shape *shape; /* of each reverse statement */
  bool *moved;             /* which statements a move changes */
  isl_map **old_time;      /* of those, as it was; owned while they are changed */
  struct dad_schedule *old_schedule;
};

/* ---- the cost of a schedule, in arbitrary units, for one iteration of the innermost loop */

static double cost_of_stride(enum dad_stride stride) {
  return stride == DAD_STRIDE_FAR ? 8 : stride == DAD_STRIDE_DOWN ? .02 : 0;
}

/* Is there another accumulation of the assignment of "x" that adds to other cells of the same
   array? Then the innermost loop has no order-free sums. */
static bool clashes(const struct search *search, int x) {
  const struct dad_affine *plan = search->plan;
  const struct dad_reverse *r = &plan->reverse[x];
  const struct dad_assign *a = &plan->nest->assign[r->assign];
  for (int i = 0; i < plan->n_reverse; i++) {
    const struct dad_reverse *y = &plan->reverse[i];
    if (i != x && y->assign == r->assign && y->read >= 0 && y->read != r->read &&
        a->read[y->read].array == a->read[r->read].array)
      return true;
  }
  return false;
}

/* The cost of "s" for statement "x": accesses with strides, sums, atomics; pulled statements keep
   their target in a register. */
static double cost_of(const struct search *search, int x, const struct dad_schedule *s) {
  const struct dad_shape *shape = &search->shape[x];
  const struct dad_reverse *r = &search->plan->reverse[x];
  struct dad_direction inner = dad_shape_innermost(shape, s);
  if (!inner.any)
    return 0;
  enum dad_stride target = dad_shape_stride(&shape->target, shape->n, &inner);
  bool moving = target != DAD_STRIDE_NONE;
  double cost = cost_of_stride(target);
  if (r->read >= 0) {
    enum dad_stride source = dad_shape_stride(&shape->source, shape->n, &inner);
    moving |= source != DAD_STRIDE_NONE;
    cost += cost_of_stride(source);
  }
  for (int k = 0; k < shape->n_load; k++) {
    enum dad_stride load = dad_shape_stride(&shape->load[k], shape->n, &inner);
    moving |= load != DAD_STRIDE_NONE;
    cost += cost_of_stride(load);
  }
  if (!moving)
    target = DAD_STRIDE_NONE;
  else if (target == DAD_STRIDE_NONE)
    cost += 1; /* a sum: its order has to change to become vectors */
  if (r->read >= 0 && dad_shape_meets_outside(shape, s))
    cost += .3;
  if (!s->pull && r->read >= 0 && target != DAD_STRIDE_FAR && clashes(search, x))
    cost += .5;
  return s->pull ? cost - .5 : cost;
}

/* What the innermost loop of "x", as it is now, costs more if it is a recurrence: then pulling puts
   the carried term in the middle of a sum. */
static double cost_of_recurrence(const struct search *search, int x) {
  const struct dad_reverse *r = &search->plan->reverse[x];
  if (!r->schedule.pull)
    return 0;
  struct dad_direction inner = dad_shape_innermost(&search->shape[x], &r->schedule);
  return inner.any && dad_order_carried(search->plan, x, inner.row) ? 1.5 : 0;
}

/* ---- moves */

/* Gives "x" the schedule "s"; false if isl gives up. */
static bool move(struct search *search, int x, const struct dad_schedule *s) {
  struct dad_reverse *r = &search->plan->reverse[x];
  isl_map *time = dad_schedule_map(search->plan, r, s);
  if (!time)
    return false;
  if (search->moved[x])
    isl_map_free(r->time);
  else {
    search->old_time[x] = r->time;
    search->old_schedule[x] = r->schedule;
  }
  search->moved[x] = true;
  r->time = time;
  r->schedule = *s;
  return true;
}

/* Keeps or takes back what was moved. */
static void settle(struct search *search, bool keep) {
  for (int i = 0; i < search->plan->n_reverse; i++) {
    struct dad_reverse *r = &search->plan->reverse[i];
    if (!search->moved[i])
      continue;
    search->moved[i] = false;
    if (keep) {
      isl_map_free(search->old_time[i]);
      continue;
    }
    isl_map_free(r->time);
    r->time = search->old_time[i];
    r->schedule = search->old_schedule[i];
  }
}

static const char *describe(const struct search *search, const struct dad_schedule *s) {
  const struct dad_affine *plan = search->plan;
  const char *what = s->pull ? "pull" : "push";
  if (s->depth == plan->nest->n_time)
    return what;
  if (s->depth == 0)
    return dad_arena_printf(plan->arena, "%s to the %s", what, s->side < 0 ? "start" : "end");
  return dad_arena_printf(plan->arena, "%s %s %d", what, s->side < 0 ? "before" : "after",
                          s->depth);
}

/* Tries "s", of cost "cost", for "x". Where it moves out of a loop it may have to take along what
   clears its source. */
static bool attempt(struct search *search, int x, const struct dad_schedule *s, double cost) {
  struct dad_affine *plan = search->plan;
  struct dad_reverse *r = &plan->reverse[x];
  bool good = move(search, x, s) && dad_order_legal(plan, search->moved);
  for (int i = 0; !good && !s->pull && r->read >= 0 && i < plan->n_reverse; i++)
    if (plan->reverse[i].assign == r->assign && plan->reverse[i].read < 0) {
      struct dad_schedule along = dad_schedule_plain(plan, &plan->reverse[i], false);
      along.depth = s->depth;
      along.side = s->side;
      good = move(search, i, &along) && dad_order_legal(plan, search->moved);
    }
  cost += good ? cost_of_recurrence(search, x) : 0;
  good &= cost < r->cost - 1e-9;
  settle(search, good);
  if (good) {
    r->cost = cost;
    r->how = describe(search, s);
  }
  return good;
}

/* A schedule that may be tried. */
struct candidate {
  struct dad_schedule schedule;
  double cost;
  int number; /* in the order of making, to break ties */
};

static int by_cost(const void *a, const void *b) {
  const struct candidate *x = a, *y = b;
  if (x->cost != y->cost)
    return x->cost < y->cost ? -1 : 1;
  return x->number - y->number;
}

enum { MOST_CANDIDATES = 256, PERMUTED = 3 };

static void add_candidate(const struct search *search, int x, const struct dad_schedule *s,
                          double bias, struct candidate *list, int *n) {
  double cost = cost_of(search, x, s) + bias;
  if (*n < MOST_CANDIDATES && cost < search->plan->reverse[x].cost - 1e-9) {
    list[*n] = (struct candidate){*s, cost, *n};
    ++*n;
  }
}

/* Schedules of "x" that use a part of the time "pull" says and then its own loops in any order. */
static void add_partial(const struct search *search, int x, bool pull, struct candidate *list,
                        int *n) {
  static const int order[6][PERMUTED] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                         {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  const struct dad_affine *plan = search->plan;
  int own = search->shape[x].n, n_time = plan->nest->n_time;
  for (int depth = n_time - 1; depth >= 0; depth--)
    for (int p = 0; p < 6; p++) {
      struct dad_schedule s = dad_schedule_plain(plan, &plan->reverse[x], pull);
      bool fits = true;
      for (int d = 0; d < PERMUTED; d++)
        fits &= order[p][d] < own || order[p][d] == d;
      if (!fits || own > PERMUTED)
        continue;
      memcpy(s.order, order[p], sizeof order[p]);
      s.depth = depth;
      s.side = pull ? -1 : 1;
      add_candidate(search, x, &s, .1 + .01 * (n_time - depth), list, n);
    }
}

static void search_one(struct search *search, int x, struct candidate *list) {
  const struct dad_affine *plan = search->plan;
  const struct dad_reverse *r = &plan->reverse[x];
  int n = 0;
  if (r->pull) {
    struct dad_schedule s = dad_schedule_plain(plan, r, true);
    add_candidate(search, x, &s, r->read < 0 ? .5 : 0, list, &n);
    add_partial(search, x, true, list, &n);
  }
  add_partial(search, x, false, list, &n);
  qsort(list, (size_t)n, sizeof *list, by_cost);
  for (int i = 0; i < n && list[i].cost < r->cost - 1e-9; i++)
    if (attempt(search, x, &list[i].schedule, list[i].cost))
      break;
}

/* Moves, together, all statements with a producer to its reversed time ("produced") and all others,
   whose targets come from outside, to the end ("outside"), if that is legal and cheaper. */
static void search_all(struct search *search, bool produced, bool outside) {
  struct dad_affine *plan = search->plan;
  double before = 0, after = 0;
  bool good = true;
  for (int i = 0; i < plan->n_reverse && good; i++) {
    struct dad_reverse *r = &plan->reverse[i];
    struct dad_schedule s = dad_schedule_plain(plan, r, r->pull != NULL);
    if (!(r->pull ? produced : outside))
      continue;
    if (!r->pull) {
      s.depth = 0;
      s.side = 1;
    }
    good = move(search, i, &s);
  }
  good = good && dad_order_legal(plan, search->moved);
  double *cost = DAD_ARRAY(plan->arena, double, plan->n_reverse + 1);
  for (int i = 0; i < plan->n_reverse && good; i++) {
    cost[i] = cost_of(search, i, &plan->reverse[i].schedule) + cost_of_recurrence(search, i);
    before += plan->reverse[i].cost;
    after += cost[i];
  }
  good = good && after < before;
  for (int i = 0; i < plan->n_reverse && good; i++) {
    plan->reverse[i].cost = cost[i];
    if (search->moved[i])
      plan->reverse[i].how = describe(search, &plan->reverse[i].schedule);
  }
  settle(search, good);
}

/* ---- loops forwards */

/* Is dimension "d" of the schedule of "r" a constant? Then "*value" is set. */
static bool is_fixed(const struct dad_reverse *r, int d, long *value) {
  isl_val *v = isl_map_plain_get_val_if_fixed(r->time, isl_dim_out, (unsigned)d);
  bool fixed = dad_isl_yes(isl_val_is_int(v));
  *value = fixed ? isl_val_get_num_si(v) : 0;
  isl_val_free(v);
  return fixed;
}

/* Are "a" and "b" in the same loops outside of dimension "d"? */
static bool together(const struct dad_reverse *a, const struct dad_reverse *b, int d) {
  for (int k = 0; k < d; k++) {
    long x, y;
    if (is_fixed(a, k, &x) != is_fixed(b, k, &y) || x != y)
      return false;
  }
  return true;
}

/* Does the loop over dimension "d" of statement "x" run against one of its own? */
static bool runs_backwards(const struct search *search, int x, int d) {
  const struct dad_shape *shape = &search->shape[x];
  const long *row = dad_shape_time(shape, &search->plan->reverse[x].schedule, d / 2);
  for (int i = 0; d % 2 == 1 && row && i < shape->n; i++)
    if (row[i] < 0)
      return true;
  return false;
}

static __isl_give isl_map *negated(__isl_keep isl_map *time, int d) {
  isl_space *space = isl_space_range(isl_map_get_space(time));
  isl_map *turn = isl_map_universe(isl_space_map_from_set(space));
  isl_size n = isl_map_dim(time, isl_dim_out);
  for (int k = 0; k < n; k++)
    turn = k == d ? isl_map_oppose(turn, isl_dim_in, k, isl_dim_out, k)
                  : isl_map_equate(turn, isl_dim_in, k, isl_dim_out, k);
  return isl_map_apply_range(isl_map_copy(time), turn);
}

/* Turns the loop over dimension "d" that "x" and others are in, if one of them runs backwards and
   it is legal. Marks in "done" who was looked at. */
static void turn_loop(struct search *search, int x, int d, bool *done) {
  struct dad_affine *plan = search->plan;
  bool backwards = false, *in = DAD_ARRAY(plan->arena, bool, plan->n_reverse);
  long value;
  for (int i = x; i < plan->n_reverse; i++) {
    in[i] = !done[i] && !is_fixed(&plan->reverse[i], d, &value) &&
            together(&plan->reverse[x], &plan->reverse[i], d);
    done[i] |= in[i];
    backwards |= in[i] && runs_backwards(search, i, d);
  }
  for (int i = x; i < plan->n_reverse && backwards; i++) {
    struct dad_reverse *r = &plan->reverse[i];
    if (!in[i])
      continue;
    search->moved[i] = true;
    search->old_time[i] = r->time;
    search->old_schedule[i] = r->schedule;
    r->time = negated(r->time, d);
  }
  settle(search, backwards && dad_order_legal(plan, search->moved));
}

static void turn_loops(struct search *search) {
  struct dad_affine *plan = search->plan;
  for (int d = 0; d < 2 * plan->nest->n_time; d++) {
    bool *done = DAD_ARRAY(plan->arena, bool, plan->n_reverse);
    long value;
    for (int i = 0; i < plan->n_reverse; i++)
      if (!done[i] && !is_fixed(&plan->reverse[i], d, &value))
        turn_loop(search, i, d, done);
  }
}

void dad_search_improve(struct dad_affine *plan) {
  int n = plan->n_reverse;
  struct search search = {.plan = plan,
                          .shape = DAD_ARRAY(plan->arena, struct dad_shape, n + 1),
                          .moved = DAD_ARRAY(plan->arena, bool, n + 1),
                          .old_time = DAD_ARRAY(plan->arena, isl_map *, n + 1),
                          .old_schedule = DAD_ARRAY(plan->arena, struct dad_schedule, n + 1)};
  struct candidate *list = DAD_ARRAY(plan->arena, struct candidate, MOST_CANDIDATES);
  for (int i = 0; i < n; i++) {
    search.shape[i] = dad_shape_make(plan, &plan->reverse[i]);
    plan->reverse[i].cost = cost_of(&search, i, &plan->reverse[i].schedule);
  }
  search_all(&search, true, false);
  search_all(&search, false, true);
  search_all(&search, true, true);
  for (int i = 0; i < n; i++)
    search_one(&search, i, list);
  turn_loops(&search);
}
