/* problem.c: what holds for every planning problem. */
#include "problem.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

bool dilp_fail(struct dilp_error *error, int line, const char *format, ...) {
  va_list arguments;

  error->line = line;
  va_start(arguments, format);
  vsnprintf(error->text, sizeof error->text, format, arguments);
  va_end(arguments);
  return false;
}

bool dilp_listed(const struct dilp_list *list, int index) {
  for (int k = 0; k < list->count; k++)
    if (list->of[k] == index)
      return true;
  return false;
}

int64_t dilp_block_bytes(const struct dilp_problem *problem, int64_t bytes) {
  int64_t unit = problem->huge && bytes >= problem->huge ? problem->huge : problem->page;

  return (bytes + unit - 1) / unit * unit;
}

/* Rounds "*bytes" up. */
static void round_up(const struct dilp_problem *problem, int64_t *bytes) {
  *bytes = dilp_block_bytes(problem, *bytes);
}

void dilp_problem_round(struct dilp_problem *problem) {
  round_up(problem, &problem->base);
  for (int r = 0; r < problem->regions; r++) {
    round_up(problem, &problem->region[r].forward);
    round_up(problem, &problem->region[r].reverse);
  }
  for (int i = 0; i < problem->items; i++) {
    round_up(problem, &problem->item[i].bytes);
    round_up(problem, &problem->item[i].natural);
    round_up(problem, &problem->item[i].scratch);
  }
  for (int l = 0; l < problem->loops; l++)
    for (int k = 0; k < problem->loop[l].points; k++) {
      round_up(problem, &problem->loop[l].point[k].held);
      round_up(problem, &problem->loop[l].point[k].forward);
      round_up(problem, &problem->loop[l].point[k].reverse);
    }
}

double dilp_gradient_seconds(const struct dilp_problem *problem) {
  double once = 0;

  if (problem->gradient > 0)
    return problem->gradient;
  for (int i = 0; i < problem->items; i++)
    once += problem->item[i].recompute;
  return 3 * once;
}

/* Is "bytes" an amount? */
static bool amount(int64_t bytes) {
  return bytes >= 0 && bytes <= DILP_MOST_BYTES;
}

/* Is "seconds" a time? */
static bool duration(double seconds) {
  return isfinite(seconds) && seconds >= 0;
}

/* Are all indices of "list" at least "from" and below "end"? */
static bool within(const struct dilp_list *list, int from, int end) {
  for (int k = 0; k < list->count; k++)
    if (list->of[k] < from || list->of[k] >= end)
      return false;
  return true;
}

/* Does "list" name something twice? */
static bool repeats(const struct dilp_list *list) {
  for (int k = 1; k < list->count; k++)
    for (int j = 0; j < k; j++)
      if (list->of[j] == list->of[k])
        return true;
  return false;
}

/* Is item "i" of "problem" right? */
static bool item_valid(const struct dilp_problem *problem, int i, struct dilp_error *error) {
  const struct dilp_item *x = &problem->item[i];

  if (!amount(x->bytes) || !amount(x->natural) || !amount(x->scratch))
    return dilp_fail(error, 0, "item %s: bytes out of range", x->name);
  if (!duration(x->save) || !duration(x->recompute))
    return dilp_fail(error, 0, "item %s: seconds out of range", x->name);
  if (x->born < 0 || x->dies < x->born || x->dies >= problem->regions)
    return dilp_fail(error, 0, "item %s: it dies before it is born", x->name);
  if (!within(&x->needs, 0, i))
    return dilp_fail(error, 0, "item %s: it needs an item that is not an earlier one", x->name);
  if (!within(&x->uses, x->born, problem->regions))
    return dilp_fail(error, 0, "item %s: a region uses it that runs before it is born", x->name);
  if (repeats(&x->needs) || repeats(&x->uses))
    return dilp_fail(error, 0, "item %s: a name is listed twice", x->name);
  return true;
}

/* Is "point" right? */
static bool point_valid(const struct dilp_point *point) {
  return amount(point->held) && amount(point->forward) && amount(point->reverse) &&
         point->held <= point->forward && point->held <= point->reverse && duration(point->time);
}

/* Is "loop" of "problem" right? */
static bool loop_valid(const struct dilp_problem *problem, const struct dilp_loop *loop,
                       struct dilp_error *error) {
  if (loop->region < 0 || loop->region >= problem->regions)
    return dilp_fail(error, 0, "loop %s: it is no region", loop->name);
  if (loop->first < -1 || loop->first >= problem->items ||
      (loop->first >= 0 && problem->item[loop->first].born > loop->region))
    return dilp_fail(error, 0, "loop %s: its first state is made after it", loop->name);
  if (loop->points < 1 || loop->points > DILP_MENU)
    return dilp_fail(error, 0, "loop %s: it has %d points, not 1 to %d", loop->name, loop->points,
                     DILP_MENU);
  for (int k = 0; k < loop->points; k++) {
    if (!point_valid(&loop->point[k]))
      return dilp_fail(error, 0, "loop %s: point %d is out of range", loop->name, k);
    if (loop->point[k].way == DILP_REPEAT && loop->first < 0)
      return dilp_fail(error, 0, "loop %s: point %d needs a first state", loop->name, k);
  }
  return true;
}

bool dilp_problem_valid(const struct dilp_problem *problem, struct dilp_error *error) {
  if (problem->regions > DILP_MOST || problem->items > DILP_MOST || problem->loops > DILP_MOST)
    return dilp_fail(error, 0, "more than %d regions, items or loops", DILP_MOST);
  if (problem->limit < 0 || problem->limit > DILP_NO_LIMIT || !amount(problem->base))
    return dilp_fail(error, 0, "limit or base out of range");
  if (problem->page < 1 || problem->page > DILP_MOST_BYTES || !amount(problem->huge))
    return dilp_fail(error, 0, "size of pages out of range");
  if (!duration(problem->gradient))
    return dilp_fail(error, 0, "seconds of the gradient out of range");
  for (int r = 0; r < problem->regions; r++)
    if (!amount(problem->region[r].forward) || !amount(problem->region[r].reverse))
      return dilp_fail(error, 0, "region %s: bytes out of range", problem->region[r].name);
  for (int i = 0; i < problem->items; i++)
    if (!item_valid(problem, i, error))
      return false;
  for (int l = 0; l < problem->loops; l++)
    if (!loop_valid(problem, &problem->loop[l], error))
      return false;
  return true;
}
