/* ladder.c: plans for a fixed sequence of limits. */
#include "ladder.h"

/* Makes the next rung the choice "choice", which costs "cost", unless the one before is as good. */
static void add_rung(struct dilp_ladder *ladder, const struct dilp_choice *choice,
                     struct dilp_cost cost) {
  struct dilp_rung *rung = &ladder->rung[ladder->count];

  if (ladder->count && rung[-1].cost.peak <= cost.peak && rung[-1].cost.time <= cost.time)
    return;
  dilp_choice_copy(&rung->choice, choice, ladder->problem, ladder->cells);
  rung->cost = cost;
  rung->top = -1;
  ladder->count++;
}

/* The search "own" is at a choice under "limit": takes that of "planner" if it is better. */
static void improve(struct dilp_own *own, int64_t limit, dilp_planner planner, void *context) {
  struct dilp_cost cost;

  if (!planner || !planner(context, limit, &own->try))
    return;
  cost = dilp_evaluate(&own->evaluator, &own->try, NULL);
  if (cost.peak <= limit && cost.time < own->cost.time) {
    dilp_choice_copy(&own->choice, &own->try, &own->problem, own->evaluator.cells);
    own->cost = cost;
  }
}

/* Fills "ladder" with rungs from "highest" bytes down to the peak of "least", which costs "cost".
 */
static void climb_down(struct dilp_ladder *ladder, struct dilp_own *own, int64_t highest,
                       const struct dilp_choice *least, struct dilp_cost cost,
                       struct dilp_effort effort, dilp_planner planner, void *context) {
  for (int r = 0; r < DILP_RUNGS; r++) {
    int64_t limit = cost.peak + (int64_t)((double)(highest - cost.peak) * (DILP_RUNGS - 1 - r) /
                                          (DILP_RUNGS - 1));

    if (!dilp_own_search(own, limit, effort)) {
      dilp_choice_copy(&own->choice, least, &own->problem, own->evaluator.cells);
      own->cost = cost;
    }
    improve(own, limit, planner, context);
    add_rung(ladder, &own->choice, own->cost);
  }
}

bool dilp_ladder(struct dilp_ladder *ladder, const struct dilp_problem *problem,
                 const struct dilp_cells *cells, struct dilp_effort effort, dilp_planner planner,
                 void *context, struct dilp_room *room) {
  struct dilp_choice least;
  struct dilp_cost cost;
  struct dilp_room mark;
  struct dilp_own own;

  *ladder = (struct dilp_ladder){.problem = problem, .cells = cells};
  for (int r = 0; r < DILP_RUNGS; r++)
    if (!dilp_choice(&ladder->rung[r].choice, problem, cells, room))
      return false;
  mark = *room;
  if (!dilp_own(&own, problem, cells, room) || !dilp_choice(&least, problem, cells, room))
    return false;
  dilp_own_least(&own, effort);
  dilp_choice_copy(&least, &own.choice, problem, cells);
  cost = own.cost;
  dilp_own_search(&own, DILP_NO_LIMIT, effort);
  climb_down(ladder, &own, own.cost.peak, &least, cost, effort, planner, context);
  *room = mark;
  return true;
}

bool dilp_ladder_resize(struct dilp_ladder *ladder, struct dilp_room *room) {
  struct dilp_room mark = *room;
  struct dilp_evaluator evaluator;

  if (!dilp_evaluator(&evaluator, ladder->problem, ladder->cells, room))
    return false;
  for (int r = 0; r < ladder->count; r++) {
    ladder->rung[r].cost = dilp_evaluate(&evaluator, &ladder->rung[r].choice, NULL);
    ladder->rung[r].top = -1;
  }
  *room = mark;
  return true;
}

/* Is rung "a" to be preferred to rung "b" if both are under the limit? */
static bool better(const struct dilp_rung *a, const struct dilp_rung *b) {
  return a->cost.time != b->cost.time ? a->cost.time < b->cost.time : a->cost.peak < b->cost.peak;
}

/* Makes "plan" the plan of rung "r" and finds what memory it takes. Returns false if "room" is too
   small. */
static bool look_closely(struct dilp_ladder *ladder, int r, struct dilp_plan *plan,
                         struct dilp_replay *replay, struct dilp_room *room) {
  struct dilp_problem problem = *ladder->problem;
  struct dilp_rung *rung = &ladder->rung[r];
  struct dilp_room mark = *room;
  struct dilp_evaluator evaluator;
  struct dilp_error error;
  bool right;

  problem.limit = DILP_NO_LIMIT;
  if (!dilp_evaluator(&evaluator, &problem, ladder->cells, room))
    return false;
  dilp_evaluate(&evaluator, &rung->choice, plan);
  *room = mark;
  right = dilp_replay(replay, &problem, plan, room, &error);
  rung->top = replay->top;
  return right;
}

int dilp_ladder_pick(struct dilp_ladder *ladder, int64_t limit, struct dilp_plan *plan,
                     struct dilp_replay *replay, struct dilp_room *room) {
  struct dilp_room mark = *room;

  for (;;) {
    int best = -1;

    for (int r = 0; r < ladder->count; r++) {
      const struct dilp_rung *rung = &ladder->rung[r];

      if (rung->cost.peak <= limit && rung->top <= limit &&
          (best < 0 || better(rung, &ladder->rung[best])))
        best = r;
    }
    *room = mark;
    if (best < 0 || !look_closely(ladder, best, plan, replay, room))
      return -1;
    if (ladder->rung[best].top <= limit)
      return best;
  }
}
