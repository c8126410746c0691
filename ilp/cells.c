/* cells.c: where a plan can decide something. */
#include "cells.h"

#include <math.h>
#include <string.h>

/* Sets "cost[i]" to the least seconds of recomputations that would need item i of "problem" in
   stage "stage"; INFINITY if none would. */
static void reach(const struct dilp_problem *problem, int stage, double *cost) {
  int region = dilp_mirror(problem, stage);

  for (int i = 0; i < problem->items; i++)
    cost[i] = dilp_listed(&problem->item[i].uses, region) ? 0 : INFINITY;
  for (int l = 0; l < problem->loops; l++)
    if (problem->loop[l].region == region && problem->loop[l].first >= 0)
      cost[problem->loop[l].first] = 0;
  for (int i = problem->items - 1; i >= 0; i--)
    for (int d = 0; d < problem->item[i].needs.count; d++) {
      double *needed = &cost[problem->item[i].needs.of[d]];

      *needed = fmin(*needed, cost[i] + problem->item[i].recompute);
    }
}

/* Counts the cells of "problem" within "most" seconds by item and by stage. */
static void count(struct dilp_cells *cells, const struct dilp_problem *problem, double most,
                  double *cost) {
  for (int t = 0; t < problem->regions; t++) {
    reach(problem, t, cost);
    for (int i = 0; i < problem->items; i++)
      if (isfinite(cost[i]) && cost[i] <= most) {
        cells->of_item[i + 1]++;
        cells->of_stage[t + 1]++;
      }
  }
  for (int i = 0; i < problem->items; i++)
    cells->of_item[i + 1] += cells->of_item[i];
  for (int t = 0; t < problem->regions; t++)
    cells->of_stage[t + 1] += cells->of_stage[t];
  cells->count = cells->of_item[problem->items];
}

/* Fills in the cells that have been counted; "filled[i]" of item i are done. */
static void fill(struct dilp_cells *cells, const struct dilp_problem *problem, double most,
                 double *cost, int *filled) {
  int entry = 0;

  for (int t = 0; t < problem->regions; t++) {
    reach(problem, t, cost);
    for (int i = 0; i < problem->items; i++) {
      int z = cells->of_item[i] + filled[i];

      if (!isfinite(cost[i]) || cost[i] > most)
        continue;
      filled[i]++;
      cells->stage[z] = t;
      cells->item[z] = i;
      cells->may[z] = cost[i] + problem->item[i].recompute <= most;
      cells->cell[entry++] = z;
    }
  }
}

bool dilp_cells(struct dilp_cells *cells, const struct dilp_problem *problem, double most,
                struct dilp_room *room) {
  struct dilp_room mark;
  double *cost;
  int *filled;

  memset(cells, 0, sizeof *cells);
  cells->of_item = dilp_take(room, (size_t)problem->items + 1, sizeof *cells->of_item);
  cells->of_stage = dilp_take(room, (size_t)problem->regions + 1, sizeof *cells->of_stage);
  mark = *room;
  cost = dilp_take(room, (size_t)problem->items, sizeof *cost);
  if (room->full)
    return false;
  count(cells, problem, most, cost);
  *room = mark;
  cells->stage = dilp_take(room, (size_t)cells->count, sizeof *cells->stage);
  cells->item = dilp_take(room, (size_t)cells->count, sizeof *cells->item);
  cells->may = dilp_take(room, (size_t)cells->count, sizeof *cells->may);
  cells->cell = dilp_take(room, (size_t)cells->count, sizeof *cells->cell);
  mark = *room;
  cost = dilp_take(room, (size_t)problem->items, sizeof *cost);
  filled = dilp_take(room, (size_t)problem->items, sizeof *filled);
  if (room->full)
    return false;
  fill(cells, problem, most, cost, filled);
  *room = mark;
  return true;
}
