/* answer.c: from a problem to a plan that has been replayed. */
#include "answer.h"

#include "words.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* How often a smaller limit is tried. */
#define TRIES 6

bool dilp_answer_plan(struct dilp_answer *answer, const struct dilp_problem *problem,
                      const struct dilp_cells *cells, dilp_planner planner, void *context,
                      struct dilp_room *room) {
  int64_t limit = problem->limit;
  struct dilp_evaluator evaluator;
  struct dilp_choice choice;
  struct dilp_room mark;

  answer->planned = false;
  if (!dilp_plan(&answer->plan, problem, cells, room) ||
      !dilp_choice(&choice, problem, cells, room) ||
      !dilp_evaluator(&evaluator, problem, cells, room))
    return false;
  mark = *room;
  for (int try = 0; try < TRIES && limit >= 0; try++) {
    struct dilp_error error;

    if (!planner(context, limit, &choice))
      return false;
    dilp_evaluate(&evaluator, &choice, &answer->plan);
    *room = mark;
    answer->planned = dilp_replay(&answer->replay, problem, &answer->plan, room, &error);
    if (answer->planned || answer->replay.top <= problem->limit)
      break;
    limit = answer->plan.peak - 1 < limit ? answer->plan.peak - 1 : limit;
    limit -= (answer->replay.top - problem->limit) / 2;
  }
  return answer->planned;
}

/* Our own planner, and how hard it may try. */
struct own_planner {
  struct dilp_own own;
  struct dilp_effort effort;
};

/* Our own planner as a dilp_planner; "context" is a struct own_planner. */
static bool plan_by_own(void *context, int64_t limit, struct dilp_choice *choice) {
  struct own_planner *p = context;

  if (!dilp_own_search(&p->own, limit, p->effort))
    return false;
  dilp_choice_copy(choice, &p->own.choice, &p->own.problem, p->own.evaluator.cells);
  return true;
}

/* Makes the choice of "own" the plan of "answer" if it is under the limit of "problem"; "least" is
   what it takes. */
static void answer_choice(struct dilp_answer *answer, const struct dilp_problem *problem,
                          struct dilp_own *own, struct dilp_room *room) {
  struct dilp_problem free = *problem;
  struct dilp_error error;

  free.limit = DILP_NO_LIMIT;
  dilp_evaluate(&own->evaluator, &own->choice, &answer->plan);
  dilp_replay(&answer->replay, &free, &answer->plan, room, &error);
  answer->least = answer->replay.top;
  answer->planned = answer->replay.top <= problem->limit;
}

bool dilp_answer_own(struct dilp_answer *answer, const struct dilp_problem *problem,
                     struct dilp_effort effort, struct dilp_room *room) {
  struct dilp_cells *cells = dilp_take(room, 1, sizeof *cells);
  struct own_planner *p = dilp_take(room, 1, sizeof *p);

  *answer = (struct dilp_answer){.proven = false};
  if (room->full || !dilp_cells(cells, problem, INFINITY, room) ||
      !dilp_own(&p->own, problem, cells, room))
    return false;
  p->effort = effort;
  if (!dilp_answer_plan(answer, problem, cells, plan_by_own, p, room) && !room->full) {
    dilp_own_least(&p->own, effort);
    answer_choice(answer, problem, &p->own, room);
  }
  return !room->full;
}

bool dilp_answer_policy(struct dilp_answer *answer, const struct dilp_problem *problem,
                        enum dilp_policy policy, struct dilp_room *room) {
  struct dilp_cells cells;
  struct dilp_own own;

  *answer = (struct dilp_answer){.proven = false};
  if (!dilp_cells(&cells, problem, INFINITY, room) || !dilp_own(&own, problem, &cells, room) ||
      !dilp_plan(&answer->plan, problem, &cells, room))
    return false;
  if (policy == DILP_STORE_ALL)
    dilp_own_store_all(&own);
  else
    dilp_own_recompute_all(&own);
  answer_choice(answer, problem, &own, room);
  return !room->full;
}

void dilp_answer_print(const struct dilp_answer *answer, const struct dilp_problem *problem,
                       FILE *file) {
  if (answer->planned)
    dilp_plan_print(&answer->plan, problem, file);
  else
    fprintf(file, "none least %" PRId64 "\n", answer->least);
  if (answer->proven)
    fputs("proven\n", file);
}

/* Reads the line "none least BYTES". */
static bool read_none(struct dilp_answer *answer, char *line) {
  char *none = dilp_next_word(&line), *least = dilp_next_word(&line);
  char *bytes = dilp_next_word(&line);

  return bytes && !strcmp(none, "none") && !strcmp(least, "least") &&
         dilp_parse_count(bytes, &answer->least) && !dilp_next_word(&line);
}

bool dilp_answer_read(struct dilp_answer *answer, const struct dilp_problem *problem, char *text,
                      struct dilp_room *room, struct dilp_error *error) {
  struct dilp_cells cells;
  char *line;

  *answer = (struct dilp_answer){.planned = strncmp(text, "none", 4) != 0};
  if (answer->planned) {
    if (!dilp_cells(&cells, problem, INFINITY, room) ||
        !dilp_plan(&answer->plan, problem, &cells, room))
      return dilp_fail(error, 0, "too little memory for a plan");
    if (!dilp_plan_read(&answer->plan, problem, &text, error) ||
        !dilp_replay(&answer->replay, problem, &answer->plan, room, error))
      return false;
  } else if (!read_none(answer, dilp_next_line(&text)) || answer->least <= problem->limit) {
    return dilp_fail(error, 1, "this is no answer");
  }
  line = dilp_next_line(&text);
  answer->proven = line && !strcmp(line, "proven");
  if (line && !answer->proven)
    return dilp_fail(error, 0, "there is something behind the answer");
  return true;
}
