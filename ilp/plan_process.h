/* plan_process.h: plans by the program dacead-plan, in a process of its own, or by our own planner
   where that fails. */
#ifndef DILP_PLAN_PROCESS_H
#define DILP_PLAN_PROCESS_H

#include "answer.h"
#include "ladder_text.h"

/* Which program, and how long it may take. */
struct dilp_process {
  const char *program; /* its path */
  double seconds;      /* from start to end, by the clock; then it is killed */
};

/* Answers "problem" by "process", in memory of "room"; by our own planner with "effort" if the
   program is missing, does not end in time, ends with an error, or prints anything but a plan that
   the replay accepts. "why" is empty if the program has answered, else it says in half a sentence
   why not. Returns false if "room" is too small for our own planner. Nothing that the program does
   harms the caller. */
bool dilp_answer_process(struct dilp_answer *answer, const struct dilp_problem *problem,
                         struct dilp_process process, struct dilp_effort effort,
                         struct dilp_room *room, struct dilp_error *why);

/* The same for the ladder of "problem" with all its "cells". */
bool dilp_ladder_process(struct dilp_ladder *ladder, const struct dilp_problem *problem,
                         const struct dilp_cells *cells, struct dilp_process process,
                         struct dilp_effort effort, struct dilp_room *room, struct dilp_error *why);

#endif
