/* solve.c: plans by the integer program. */
#include "solve.h"

#include "cbc.h"
#include "formulate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const struct dilp_solver_limits dilp_solver_defaults = {-1, 2000, 500};

/* Problems with at most this many cells are solved without a gap by default, */
#define SMALL_CELLS 120

/* others with this share of the gradient's time. */
#define DEFAULT_GAP 0.005

/* A search may have as many nodes as this has rows times columns of the program: what a node takes
   grows with both. */
#define NODE_WORK 100000000.0

/* What the gradient's time counts in objectives. */
#define WHOLE 1000.0

bool dilp_solver(struct dilp_solver *solver, const struct dilp_problem *problem,
                 const struct dilp_cells *cells, struct dilp_solver_limits limits,
                 struct dilp_effort effort, struct dilp_room room) {
  *solver = (struct dilp_solver){
      .problem = *problem, .cells = cells, .limits = limits, .effort = effort, .room = room};
  return dilp_own(&solver->own, problem, cells, &solver->room) &&
         dilp_evaluator(&solver->evaluator, problem, cells, &solver->room) &&
         dilp_choice(&solver->found, problem, cells, &solver->room) &&
         dilp_plan(&solver->plan, problem, cells, &solver->room);
}

/* The cells that are worth deciding if there is a plan of "most" seconds: all that can be part of a
   better one, fewer where that is too many. */
static bool reduce(struct dilp_solver *s, struct dilp_cells *few, double most,
                   struct dilp_room *room) {
  struct dilp_room mark = *room;
  double low = 0, high = 0;

  if (!dilp_cells(few, &s->problem, most, room))
    return false;
  if (few->count <= s->limits.cells)
    return true;
  for (int i = 0; i < s->problem.items; i++)
    high += s->problem.item[i].recompute;
  high = fmin(high, most);
  for (int k = 0; k < 24; k++) {
    double middle = (low + high) / 2;

    *room = mark;
    if (!dilp_cells(few, &s->problem, middle, room))
      return false;
    if (few->count <= s->limits.cells)
      low = middle;
    else
      high = middle;
  }
  *room = mark;
  return dilp_cells(few, &s->problem, low, room);
}

/* The cell of "cells" of item "item" in stage "stage" or the first one after it. */
static int cell_from(const struct dilp_cells *cells, int item, int stage) {
  int z = cells->of_item[item];

  while (z < cells->of_item[item + 1] && cells->stage[z] < stage)
    z++;
  return z;
}

/* Sets the integer columns "values" of a program with cells "few" to "choice", which is the normal
   form of a plan. */
static void encode(const struct dilp_solver *s, const struct dilp_cells *few,
                   const struct dilp_decisions *at, const struct dilp_choice *choice,
                   double *values) {
  for (int z = 0; z < few->count; z++) {
    int full = cell_from(s->cells, few->item[z], few->stage[z]);

    values[at->retain[z]] = choice->retain[full];
    values[at->recompute[z]] = choice->recompute[full];
  }
  for (int l = 0; l < s->problem.loops; l++)
    for (int k = 0; k < s->problem.loop[l].points; k++)
      values[at->point[l * DILP_MENU + k]] = choice->point[l] == k;
}

/* Makes "choice" what the columns "values" of a program with cells "few" say. What is retained over
   a gap between them is so over all gaps inside it. */
static void decode(const struct dilp_solver *s, const struct dilp_cells *few,
                   const struct dilp_decisions *at, const double *values,
                   struct dilp_choice *choice) {
  memset(choice->retain, 0, (size_t)s->cells->count);
  memset(choice->recompute, 0, (size_t)s->cells->count);
  for (int z = 0; z < s->cells->count; z++) {
    int i = s->cells->item[z], y = cell_from(few, i, s->cells->stage[z]);

    if (y == few->of_item[i + 1])
      continue;
    choice->retain[z] = values[at->retain[y]] > 0.5;
    choice->recompute[z] = few->stage[y] == s->cells->stage[z] && values[at->recompute[y]] > 0.5;
  }
  for (int l = 0; l < s->problem.loops; l++) {
    const int *point = &at->point[l * DILP_MENU];

    choice->point[l] = 0;
    for (int k = 1; k < s->problem.loop[l].points; k++)
      if (values[point[k]] > values[point[choice->point[l]]])
        choice->point[l] = k;
  }
}

/* How far the search of "model", which decides "cells" cells, goes. */
static struct dilp_cbc_limits limits_for(const struct dilp_solver *s,
                                         const struct dilp_model *model, int cells) {
  double gap = s->limits.gap >= 0 ? s->limits.gap : cells <= SMALL_CELLS ? 0 : DEFAULT_GAP;
  double nodes = NODE_WORK / ((double)model->rows + 1) / ((double)model->columns + 1);

  return (struct dilp_cbc_limits){gap * WHOLE,
                                  nodes < s->limits.nodes ? (int)nodes + 1 : s->limits.nodes};
}

/* Solves the program with cells "few" as "how" says, starting from "start" unless that is NULL.
   "found" is the solution then. Returns whether there is one; "report" says more. */
static bool search(struct dilp_solver *s, const struct dilp_cells *few, struct dilp_formulation how,
                   const struct dilp_choice *start, struct dilp_room *room) {
  struct dilp_model model = {0};
  struct dilp_decisions at;
  struct dilp_cbc_result result = {.found = false};
  double *values;

  if (!dilp_formulate(&model, &at, &s->problem, few, how, room)) {
    dilp_model_clear(&model);
    return false;
  }
  values = calloc((size_t)model.columns + 1, sizeof *values);
  s->report = (struct dilp_solver_report){
      .cells = few->count, .rows = model.rows, .columns = model.columns, .proven = true};
  if (values && few->count + s->problem.loops > 0) {
    struct dilp_cbc_limits limits = limits_for(s, &model, few->count);

    if (how.least)
      limits.gap = 0;
    if (start)
      encode(s, few, &at, start, values);
    result = dilp_cbc_solve(&model, values, start, limits);
    s->report.proven = result.proven;
    s->report.nodes = result.nodes;
    if (result.found)
      decode(s, few, &at, values, &s->found);
  }
  free(values);
  dilp_model_clear(&model);
  return result.found;
}

/* The choice of our own search with all that it implies made explicit: what CBC can start from. */
static const struct dilp_choice *normal_start(struct dilp_solver *s) {
  dilp_evaluate(&s->own.evaluator, &s->own.choice, &s->plan);
  dilp_plan_choice(&s->plan, &s->problem, s->cells, &s->own.try);
  return &s->own.try;
}

bool dilp_solver_plan(void *context, int64_t limit, struct dilp_choice *choice) {
  struct dilp_solver *s = context;
  struct dilp_room room = s->room;
  double seconds = dilp_gradient_seconds(&s->problem);
  struct dilp_formulation how = {(double)(limit > 0 ? limit : 1), seconds > 0 ? WHOLE / seconds : 1,
                                 false};
  bool own = dilp_own_search(&s->own, limit, s->effort), exact;
  double most = own ? s->own.cost.time * (1 + 1e-9) : INFINITY;
  struct dilp_cells few;

  s->problem.limit = limit;
  if (own)
    dilp_choice_copy(choice, &s->own.choice, &s->problem, s->cells);
  if (own && s->own.cost.time == 0) {
    s->report = (struct dilp_solver_report){.proven = true};
    return true;
  }
  if (!reduce(s, &few, most, &room))
    return own;
  exact = s->cells->count <= s->limits.cells || few.count < s->limits.cells;
  if (search(s, &few, how, own ? normal_start(s) : NULL, &room)) {
    struct dilp_cost cost = dilp_evaluate(&s->evaluator, &s->found, NULL);

    if (cost.peak <= limit && (!own || cost.time < s->own.cost.time)) {
      dilp_choice_copy(choice, &s->found, &s->problem, s->cells);
      own = true;
    }
  }
  s->report.proven &= exact;
  return own;
}

bool dilp_solver_least(void *context, int64_t limit, struct dilp_choice *choice) {
  struct dilp_solver *s = context;
  struct dilp_room room = s->room;
  struct dilp_formulation how = {.least = true, .scale = 1};
  struct dilp_cost cost;
  struct dilp_cells few;

  (void)limit;
  dilp_own_least(&s->own, s->effort);
  dilp_choice_copy(choice, &s->own.choice, &s->problem, s->cells);
  how.unit = s->own.cost.peak > 0 ? (double)s->own.cost.peak : 1;
  if (!reduce(s, &few, INFINITY, &room))
    return true;
  if (search(s, &few, how, normal_start(s), &room)) {
    cost = dilp_evaluate(&s->evaluator, &s->found, NULL);
    if (cost.peak < s->own.cost.peak)
      dilp_choice_copy(choice, &s->found, &s->problem, s->cells);
  }
  s->report.proven &= s->cells->count <= s->limits.cells;
  return true;
}
