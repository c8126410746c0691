/* own_test.c: our own planner and its ladders, against all plans of small problems. */
#include "answer.h"
#include "exhaustive.h"
#include "random_problem.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static _Alignas(16) char memory[1 << 26];

/* The gradient's time with "extra" seconds, in units of the one without. */
static double whole(const struct dilp_problem *p, double extra) {
  double seconds = dilp_gradient_seconds(p);

  return seconds > 0 ? (seconds + extra) / seconds : 1;
}

/* Problem number "seed", small enough for all its plans, with a limit between the least peak that
   is known and that of storing all. */
static void small_problem(struct dilp_problem *p, uint64_t seed, struct dilp_room *room) {
  bool loop = seed % 4 == 3;
  uint64_t s = seed;
  struct dilp_cells cells;
  struct dilp_own own;
  int64_t low, high;

  random_problem(p, (struct random_kind){4 + (int)(loop ? seed % 6 : seed % 11), loop, false}, seed,
                 room);
  dilp_cells(&cells, p, INFINITY, room);
  assert_true(dilp_own(&own, p, &cells, room));
  dilp_own_least(&own, dilp_effort_medium);
  low = own.cost.peak;
  dilp_own_store_all(&own);
  high = own.cost.peak;
  p->limit = low + (int64_t)((double)(high - low) * random_below(&s, 1000) / 1000);
}

static void test_own_against_all_plans(void **state) {
  int problems = getenv("DACEAD_ILP_PROBLEMS") ? atoi(getenv("DACEAD_ILP_PROBLEMS")) : 200;
  int planned = 0, equal = 0;
  double worst = 1;

  (void)state;
  for (int seed = 1; seed <= problems; seed++) {
    struct dilp_room room = dilp_room(memory, sizeof memory);
    struct dilp_problem p;
    struct dilp_cells cells;
    struct dilp_own own;
    double best, over;

    small_problem(&p, (uint64_t)seed, &room);
    dilp_cells(&cells, &p, INFINITY, &room);
    assert_true(dilp_own(&own, &p, &cells, &room));
    best = exhaustive_time(&p, &room);
    if (!dilp_own_search(&own, p.limit, dilp_effort_high))
      continue;
    assert_true(own.cost.peak <= p.limit && own.cost.time >= best - 1e-9);
    over = whole(&p, own.cost.time) / whole(&p, best);
    planned++;
    equal += over < 1 + 1e-9;
    worst = fmax(worst, over);
  }
  printf("own planner: %d of %d problems planned, %d as well as possible, worst %.3f\n", planned,
         problems, equal, worst);
  assert_true(planned >= problems * 98 / 100 && equal >= planned * 90 / 100 && worst < 1.25);
}

/* Answers of ladders for many limits: under the limit, never a higher peak for a smaller limit,
   never more time for a larger one. */
static void test_ladder(void **state) {
  (void)state;
  for (int seed = 1; seed <= 40; seed++) {
    struct dilp_room room = dilp_room(memory, sizeof memory), mark;
    double last_time = 0;
    int64_t last_peak = INT64_MAX, limit;
    struct dilp_ladder ladder;
    struct dilp_replay replay;
    struct dilp_problem p;
    struct dilp_cells cells;
    struct dilp_plan plan;

    random_problem(&p, (struct random_kind){5 + seed % 20, seed % 2 && seed % 20 > 3, seed % 3 > 0},
                   (uint64_t)(500 + seed), &room);
    dilp_cells(&cells, &p, INFINITY, &room);
    dilp_plan(&plan, &p, &cells, &room);
    assert_true(dilp_ladder(&ladder, &p, &cells, dilp_effort_low, NULL, NULL, &room));
    mark = room;
    for (limit = 1; dilp_ladder_pick(&ladder, limit, &plan, &replay, &room) < 0; room = mark)
      limit *= 2;
    for (limit *= 4; dilp_ladder_pick(&ladder, limit, &plan, &replay, &room) >= 0; room = mark) {
      assert_true(replay.top <= limit && plan.peak <= last_peak && plan.time >= last_time);
      last_peak = plan.peak;
      last_time = plan.time;
      limit -= 1 + limit / 60;
    }
    assert_true(last_peak < INT64_MAX);
  }
}

/* A ladder that is looked at again after sizes have changed still answers within the limit. */
static void test_ladder_with_other_sizes(void **state) {
  struct dilp_room room = dilp_room(memory, sizeof memory);
  struct dilp_ladder ladder;
  struct dilp_replay replay;
  struct dilp_problem p;
  struct dilp_cells cells;
  struct dilp_plan plan;

  (void)state;
  random_problem(&p, (struct random_kind){30, 0, true}, 7, &room);
  dilp_cells(&cells, &p, INFINITY, &room);
  dilp_plan(&plan, &p, &cells, &room);
  assert_true(dilp_ladder(&ladder, &p, &cells, dilp_effort_low, NULL, NULL, &room));
  for (int i = 0; i < p.items; i++) {
    p.item[i].bytes *= i % 3 ? 1 : 3;
    p.item[i].natural = p.item[i].natural ? p.item[i].bytes : 0;
  }
  assert_true(dilp_ladder_resize(&ladder, &room));
  for (int r = 0; r < ladder.count; r++) {
    struct dilp_room mark = room;
    int64_t limit = ladder.rung[r].cost.peak * 2;

    assert_true(dilp_ladder_pick(&ladder, limit, &plan, &replay, &room) >= 0);
    assert_true(replay.top <= limit && plan.peak == replay.peak);
    room = mark;
  }
}

/* Policies: storing all recomputes nothing, recomputing all saves nothing; both say what they take
   where the limit is too small. */
static void test_policies(void **state) {
  (void)state;
  for (int seed = 1; seed <= 20; seed++) {
    struct dilp_room room = dilp_room(memory, sizeof memory);
    struct dilp_answer store, recompute, none;
    struct dilp_problem p;

    random_problem(&p, (struct random_kind){4 + seed, 0, seed % 2}, (uint64_t)seed, &room);
    assert_true(dilp_answer_policy(&store, &p, DILP_STORE_ALL, &room) && store.planned);
    assert_true(dilp_answer_policy(&recompute, &p, DILP_RECOMPUTE_ALL, &room) && recompute.planned);
    for (int a = 0; a < store.plan.count; a++)
      assert_true(store.plan.action[a].act != DILP_RECOMPUTE);
    for (int a = 0; a < recompute.plan.count; a++)
      assert_true(recompute.plan.action[a].act != DILP_SAVE);
    p.limit = store.replay.top - 1;
    assert_true(dilp_answer_policy(&none, &p, DILP_STORE_ALL, &room) && !none.planned);
    assert_int_equal(none.least, store.replay.top);
  }
}

/* Nothing to plan. */
static void test_empty(void **state) {
  struct dilp_room room = dilp_room(memory, sizeof memory);
  struct dilp_problem p = {.limit = 0, .page = 1};
  struct dilp_ladder ladder;
  struct dilp_replay replay;
  struct dilp_cells cells;
  struct dilp_plan plan;
  struct dilp_own own;

  (void)state;
  assert_true(dilp_cells(&cells, &p, INFINITY, &room) && dilp_plan(&plan, &p, &cells, &room));
  assert_true(dilp_own(&own, &p, &cells, &room) && dilp_own_search(&own, 0, dilp_effort_high));
  assert_true(dilp_ladder(&ladder, &p, &cells, dilp_effort_high, NULL, NULL, &room));
  assert_int_equal(dilp_ladder_pick(&ladder, 0, &plan, &replay, &room), 0);
  assert_int_equal(plan.count, 0);
}

/* A large problem in which nothing can be recomputed without its history: an answer, and the same
   one each time. */
static void test_hard(void **state) {
  struct dilp_cost cost[2];

  (void)state;
  for (int k = 0; k < 2; k++) {
    struct dilp_room room = dilp_room(memory, sizeof memory);
    struct dilp_problem p;
    struct dilp_cells cells;
    struct dilp_own own;

    random_problem(&p, (struct random_kind){200, 1, false}, 1000, &room);
    assert_true(dilp_cells(&cells, &p, INFINITY, &room) && dilp_own(&own, &p, &cells, &room));
    dilp_own_store_all(&own);
    assert_true(dilp_own_search(&own, own.cost.peak / 2, dilp_effort_medium));
    cost[k] = own.cost;
  }
  assert_true(cost[0].time == cost[1].time && cost[0].peak == cost[1].peak);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_own_against_all_plans),
      cmocka_unit_test(test_ladder),
      cmocka_unit_test(test_ladder_with_other_sizes),
      cmocka_unit_test(test_policies),
      cmocka_unit_test(test_empty),
      cmocka_unit_test(test_hard),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
