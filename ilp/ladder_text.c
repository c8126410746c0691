/* ladder_text.c: the text form of ladders. */
#include "ladder_text.h"

#include "words.h"

#include <string.h>

bool dilp_ladder_print(const struct dilp_ladder *ladder, FILE *file, struct dilp_room *room) {
  struct dilp_room mark = *room;
  struct dilp_evaluator evaluator;
  struct dilp_plan plan;

  if (!dilp_evaluator(&evaluator, ladder->problem, ladder->cells, room) ||
      !dilp_plan(&plan, ladder->problem, ladder->cells, room))
    return false;
  fprintf(file, "ladder %d\n", ladder->count);
  for (int r = 0; r < ladder->count; r++) {
    dilp_evaluate(&evaluator, &ladder->rung[r].choice, &plan);
    dilp_plan_print(&plan, ladder->problem, file);
  }
  *room = mark;
  return true;
}

/* Reads the line "ladder COUNT". Returns the count; -1 if it is something else. */
static int read_count(char *line) {
  char *word = line ? dilp_next_word(&line) : NULL, *count = word ? dilp_next_word(&line) : NULL;
  int64_t value;

  if (!count || strcmp(word, "ladder") || !dilp_parse_count(count, &value) || value < 1 ||
      value > DILP_RUNGS || dilp_next_word(&line))
    return -1;
  return (int)value;
}

/* Reads the plan at "*text" to the next rung of "ladder". "plan" has space for it, "room" is for
   scratch memory. */
static bool read_rung(struct dilp_ladder *ladder, struct dilp_evaluator *evaluator,
                      struct dilp_plan *plan, char **text, struct dilp_room room,
                      struct dilp_error *error) {
  struct dilp_rung *rung = &ladder->rung[ladder->count];
  struct dilp_problem free = *ladder->problem;
  struct dilp_replay replay;

  free.limit = DILP_NO_LIMIT;
  plan->count = 0;
  if (!dilp_plan_read(plan, ladder->problem, text, error) ||
      !dilp_replay(&replay, &free, plan, &room, error))
    return false;
  dilp_plan_choice(plan, ladder->problem, ladder->cells, &rung->choice);
  rung->cost = dilp_evaluate(evaluator, &rung->choice, NULL);
  rung->top = -1;
  ladder->count++;
  return true;
}

bool dilp_ladder_read(struct dilp_ladder *ladder, const struct dilp_problem *problem,
                      const struct dilp_cells *cells, char *text, struct dilp_room *room,
                      struct dilp_error *error) {
  int count = read_count(dilp_next_line(&text));
  struct dilp_evaluator evaluator;
  struct dilp_room mark;
  struct dilp_plan plan;
  bool right = true;

  *ladder = (struct dilp_ladder){.problem = problem, .cells = cells};
  if (count < 0)
    return dilp_fail(error, 1, "this is no ladder");
  for (int r = 0; r < count; r++)
    dilp_choice(&ladder->rung[r].choice, problem, cells, room);
  mark = *room;
  if (room->full || !dilp_evaluator(&evaluator, problem, cells, room) ||
      !dilp_plan(&plan, problem, cells, room))
    return dilp_fail(error, 0, "too little memory for a ladder");
  while (right && ladder->count < count)
    right = read_rung(ladder, &evaluator, &plan, &text, *room, error);
  *room = mark;
  if (right && dilp_next_line(&text))
    return dilp_fail(error, 0, "there is something behind the ladder");
  return right;
}
