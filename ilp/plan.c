/* plan.c: what the planner decides. */
#include "plan.h"

#include "words.h"

#include <inttypes.h>
#include <string.h>

bool dilp_choice(struct dilp_choice *choice, const struct dilp_problem *problem,
                 const struct dilp_cells *cells, struct dilp_room *room) {
  choice->retain = dilp_take(room, (size_t)cells->count, 1);
  choice->recompute = dilp_take(room, (size_t)cells->count, 1);
  choice->point = dilp_take(room, (size_t)problem->loops, sizeof *choice->point);
  return !room->full;
}

void dilp_choice_copy(struct dilp_choice *to, const struct dilp_choice *from,
                      const struct dilp_problem *problem, const struct dilp_cells *cells) {
  memcpy(to->retain, from->retain, (size_t)cells->count);
  memcpy(to->recompute, from->recompute, (size_t)cells->count);
  memcpy(to->point, from->point, (size_t)problem->loops * sizeof *to->point);
}

/* Every save and every recomputation is freed at most once. */
bool dilp_plan(struct dilp_plan *plan, const struct dilp_problem *problem,
               const struct dilp_cells *cells, struct dilp_room *room) {
  *plan = (struct dilp_plan){.room = 2 * (problem->items + cells->count) + problem->regions +
                                     problem->loops};
  plan->action = dilp_take(room, (size_t)plan->room, sizeof *plan->action);
  return !room->full;
}

void dilp_plan_add(struct dilp_plan *plan, enum dilp_act act, int what, int point) {
  plan->action[plan->count++] = (struct dilp_action){act, what, point};
}

/* The cell of item "item" in stage "stage" or the first one after it; the end of the item's cells
   if there is none. */
static int cell_from(const struct dilp_cells *cells, int item, int stage) {
  int z = cells->of_item[item];

  while (z < cells->of_item[item + 1] && cells->stage[z] < stage)
    z++;
  return z;
}

/* Retains the item of action "a" of "plan", a save or a recomputation in stage "from" (-1: in the
   forward sweep), up to the last stage in which it is there. */
static void retain(const struct dilp_plan *plan, const struct dilp_cells *cells,
                   struct dilp_choice *choice, int a, int from) {
  int item = plan->action[a].what, stage = from < 0 ? 0 : from, to = from;

  for (int b = a + 1; b < plan->count; b++) {
    if (plan->action[b].act == DILP_FREE && plan->action[b].what == item)
      break;
    if (plan->action[b].act == DILP_RECOMPUTE || plan->action[b].act == DILP_REVERSE)
      to = stage;
    if (plan->action[b].act == DILP_REVERSE)
      stage++;
  }
  for (int z = cell_from(cells, item, from + 1); z < cell_from(cells, item, to + 1); z++)
    choice->retain[z] = 1;
}

void dilp_plan_choice(const struct dilp_plan *plan, const struct dilp_problem *problem,
                      const struct dilp_cells *cells, struct dilp_choice *choice) {
  int stage = 0;

  memset(choice->retain, 0, (size_t)cells->count);
  memset(choice->recompute, 0, (size_t)cells->count);
  for (int a = 0; a < plan->count; a++) {
    struct dilp_action action = plan->action[a];

    if (action.act == DILP_POINT)
      choice->point[action.what] = action.point;
    if (action.act == DILP_REVERSE)
      stage = dilp_mirror(problem, action.what) + 1;
    if (action.act == DILP_RECOMPUTE)
      choice->recompute[cell_from(cells, action.what, stage)] = 1;
    if (action.act == DILP_SAVE || action.act == DILP_RECOMPUTE)
      retain(plan, cells, choice, a, action.act == DILP_SAVE ? -1 : stage);
  }
}

/* The words of actions. */
static const char *const act_word[] = {"save", "loop", "recompute", "free", "reverse"};

enum { ACTS = sizeof act_word / sizeof *act_word };

/* The name of number "what" of "problem" in an action "act". */
static const char *name_of(const struct dilp_problem *problem, enum dilp_act act, int what) {
  return act == DILP_POINT     ? problem->loop[what].name
         : act == DILP_REVERSE ? problem->region[what].name
                               : problem->item[what].name;
}

void dilp_plan_print(const struct dilp_plan *plan, const struct dilp_problem *problem, FILE *file) {
  fputs("plan time ", file);
  dilp_print_seconds(plan->time, file);
  fprintf(file, " peak %" PRId64 "\n", plan->peak);
  for (int a = 0; a < plan->count; a++) {
    struct dilp_action action = plan->action[a];

    fprintf(file, "%s %s", act_word[action.act], name_of(problem, action.act, action.what));
    if (action.act == DILP_POINT)
      fprintf(file, " point %d", action.point);
    fputc('\n', file);
  }
  fputs("end\n", file);
}

/* How many things an action "act" can speak of. */
static int number_of(const struct dilp_problem *problem, enum dilp_act act) {
  return act == DILP_POINT     ? problem->loops
         : act == DILP_REVERSE ? problem->regions
                               : problem->items;
}

/* Reads "line" to "action". */
static bool read_action(const struct dilp_problem *problem, char *line,
                        struct dilp_action *action) {
  char *word = dilp_next_word(&line), *name = dilp_next_word(&line);
  int64_t point = 0;
  int act = 0;

  while (act < ACTS && word && strcmp(word, act_word[act]))
    act++;
  if (!name || act == ACTS)
    return false;
  *action = (struct dilp_action){.act = act};
  while (action->what < number_of(problem, act) &&
         strcmp(name_of(problem, act, action->what), name))
    action->what++;
  if (act == DILP_POINT) {
    char *key = dilp_next_word(&line), *value = dilp_next_word(&line);

    if (!value || strcmp(key, "point") || !dilp_parse_count(value, &point) || point > DILP_MENU)
      return false;
    action->point = (int)point;
  }
  return action->what < number_of(problem, act) && !dilp_next_word(&line);
}

/* Reads the first line of a plan. */
static bool read_head(struct dilp_plan *plan, char *line) {
  char *word[5] = {NULL};

  for (int k = 0; k < 5; k++)
    if (!(word[k] = dilp_next_word(&line)))
      return false;
  return !strcmp(word[0], "plan") && !strcmp(word[1], "time") &&
         dilp_parse_seconds(word[2], &plan->time) && !strcmp(word[3], "peak") &&
         dilp_parse_count(word[4], &plan->peak) && !dilp_next_word(&line);
}

bool dilp_plan_read(struct dilp_plan *plan, const struct dilp_problem *problem, char **text,
                    struct dilp_error *error) {
  char *line = dilp_next_line(text);

  if (!line || !read_head(plan, line))
    return dilp_fail(error, 1, "this is no plan");
  for (int number = 2; (line = dilp_next_line(text)); number++) {
    if (!strcmp(line, "end"))
      return true;
    if (plan->count == plan->room)
      return dilp_fail(error, number, "more actions than any plan has");
    if (!read_action(problem, line, &plan->action[plan->count++]))
      return dilp_fail(error, number, "this is no action");
  }
  return dilp_fail(error, 0, "the plan has no end");
}
