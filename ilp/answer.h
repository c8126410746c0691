/* answer.h: from a problem to a plan that has been replayed. */
#ifndef DILP_ANSWER_H
#define DILP_ANSWER_H

#include "ladder.h"

/* What there is to say about a problem. */
struct dilp_answer {
  bool planned;              /* there is a plan under the limit */
  struct dilp_plan plan;     /* that plan, */
  struct dilp_replay replay; /* and what it has been found to take */
  int64_t least;             /* without a plan: a limit under which there is one */
  bool proven; /* the plan is the fastest there is, or no limit below "least" has a plan; up to
                  the gap of the solver */
};

/* Asks "planner" with "context" for a plan of "problem" with all its "cells", and replays it. Where
   blocks cannot be placed under the limit it asks again with a smaller one. Sets "planned", "plan"
   and "replay" of "answer", in memory of "room"; returns "planned". */
bool dilp_answer_plan(struct dilp_answer *answer, const struct dilp_problem *problem,
                      const struct dilp_cells *cells, dilp_planner planner, void *context,
                      struct dilp_room *room);

/* Answers "problem" by our own planner with "effort", in memory of "room". Returns false if that is
   too small. */
bool dilp_answer_own(struct dilp_answer *answer, const struct dilp_problem *problem,
                     struct dilp_effort effort, struct dilp_room *room);

/* What a user may ask for by name. */
enum dilp_policy {
  DILP_STORE_ALL,    /* every item that is needed is saved, loops run by their fastest point */
  DILP_RECOMPUTE_ALL /* nothing is retained, loops run by the point with least bytes */
};

/* Answers "problem" by "policy", in memory of "room": "least" is what that takes if it is over the
   limit. Returns false if "room" is too small. */
bool dilp_answer_policy(struct dilp_answer *answer, const struct dilp_problem *problem,
                        enum dilp_policy policy, struct dilp_room *room);

/* Prints "answer" to "problem": its plan, or a line "none least BYTES", and a line "proven" where
   it is. */
void dilp_answer_print(const struct dilp_answer *answer, const struct dilp_problem *problem,
                       FILE *file);

/* Reads what dilp_answer_print has printed from "text", which is changed, and replays it, in memory
   of "room". Returns false, with the reason in "error", if it is something else, or wrong. */
bool dilp_answer_read(struct dilp_answer *answer, const struct dilp_problem *problem, char *text,
                      struct dilp_room *room, struct dilp_error *error);

#endif
