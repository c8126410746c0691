/* formulate.c: the planning problem as an integer program. */
#include "formulate.h"

#include <math.h>

/* Presence of an item in a stage, from some position on. */
struct level {
  int upto; /* the last item whose recomputation it holds for; all items: for the region too */
  int column;
};

/* An item in the stage that is written. */
struct local {
  int cell;
  bool used;  /* the region's reverse reads it */
  int levels; /* how many there are, */
  int first;  /* and where they begin; each holds for earlier positions than the one before it */
  int before; /* column: presence before its own position */
};

/* What is being written. */
struct writer {
  const struct dilp_problem *problem;
  const struct dilp_cells *cells;
  struct dilp_formulation how;
  struct dilp_model *model;
  struct dilp_decisions *at;
  struct local *item;  /* of each item that has a cell in the stage */
  int *after;          /* of each item: its first cell after the stage; -1: it has none */
  struct level *level; /* of all items in the stage */
  int stage, region;   /* the stage, and what it undoes */
  const int *cell;     /* its cells, */
  int count;           /* and their number */
};

/* "bytes" as a coefficient. */
static double share(const struct writer *w, int64_t bytes) {
  return (double)bytes / w->how.unit;
}

/* A row of memory in which "bytes" bytes are there in any case. */
static int bytes_row(struct writer *w, int64_t bytes) {
  int row = dilp_model_row(w->model, -INFINITY, 1 - share(w, bytes));

  w->model->row[row].bytes = true;
  return row;
}

/* Columns and rows of the loops. */
static void write_points(struct writer *w) {
  for (int l = 0; l < w->problem->loops; l++) {
    const struct dilp_loop *loop = &w->problem->loop[l];
    int row = dilp_model_row(w->model, 1, 1);

    for (int k = 0; k < loop->points; k++) {
      int column = dilp_model_column(w->model, 0, 1, w->how.scale * loop->point[k].time, true);

      w->at->point[l * DILP_MENU + k] = column;
      dilp_model_entry(w->model, row, column, 1);
    }
  }
}

/* Columns of the cells, and how those of one item follow each other. */
static void write_cells(struct writer *w) {
  const int *of = w->cells->of_item;

  for (int z = 0; z < w->cells->count; z++) {
    int i = w->cells->item[z], row;
    double save = z == of[i] ? w->problem->item[i].save : 0;
    double recompute = w->problem->item[i].recompute;

    w->at->retain[z] = dilp_model_column(w->model, 0, 1, w->how.scale * save, true);
    w->at->recompute[z] =
        dilp_model_column(w->model, 0, w->cells->may[z], w->how.scale * recompute, true);
    if (z > of[i]) {
      row = dilp_model_row(w->model, 0, INFINITY);
      dilp_model_entry(w->model, row, w->at->retain[z - 1], 1);
      dilp_model_entry(w->model, row, w->at->recompute[z - 1], 1);
      dilp_model_entry(w->model, row, w->at->retain[z], -1);
    }
    row = dilp_model_row(w->model, -INFINITY, 1);
    dilp_model_entry(w->model, row, w->at->retain[z], 1);
    dilp_model_entry(w->model, row, w->at->recompute[z], 1);
  }
}

/* Adds the bytes of all loops to "row": in region "region" of the forward sweep, or of its reverse;
   "inside": while the region itself is undone. */
static void add_loops(struct writer *w, int row, int region, bool forward, bool inside) {
  for (int l = 0; l < w->problem->loops; l++) {
    const struct dilp_loop *loop = &w->problem->loop[l];

    for (int k = 0; k < loop->points && loop->region <= region; k++) {
      const struct dilp_point *p = &loop->point[k];
      int64_t bytes = loop->region < region || (!forward && !inside) ? p->held
                      : forward                                      ? p->forward
                                                                     : p->reverse;

      dilp_model_entry(w->model, row, w->at->point[l * DILP_MENU + k], share(w, bytes));
    }
  }
}

/* Memory of the forward sweep. */
static void write_forward(struct writer *w) {
  const struct dilp_problem *p = w->problem;

  for (int r = 0; r < p->regions; r++) {
    int64_t bytes = p->base + p->region[r].forward;
    int row;

    for (int i = 0; i < p->items; i++)
      if (p->item[i].born <= r && r <= p->item[i].dies)
        bytes += p->item[i].natural;
    row = bytes_row(w, bytes);
    for (int i = 0; i < p->items; i++)
      if (r > p->item[i].dies && w->cells->of_item[i + 1] > w->cells->of_item[i])
        dilp_model_entry(w->model, row, w->at->retain[w->cells->of_item[i]],
                         share(w, p->item[i].bytes));
    add_loops(w, row, r, true, false);
  }
}

/* Item "i", in the stage or needed in it, is there or is recomputed: adds that to "row". */
static void add_there(struct writer *w, int row, int i) {
  dilp_model_entry(w->model, row, w->at->recompute[w->item[i].cell], 1);
  dilp_model_entry(w->model, row, w->at->retain[w->item[i].cell], 1);
}

/* What must be there in the stage: what the region reads, and what recomputations read. */
static void write_needs(struct writer *w) {
  for (int k = 0; k < w->count; k++) {
    int z = w->cell[k], i = w->cells->item[z];
    const struct dilp_list *needs = &w->problem->item[i].needs;

    if (w->item[i].used)
      add_there(w, dilp_model_row(w->model, 1, INFINITY), i);
    for (int d = 0; w->cells->may[z] && d < needs->count; d++) {
      int row = dilp_model_row(w->model, 0, INFINITY);

      add_there(w, row, needs->of[d]);
      dilp_model_entry(w->model, row, w->at->recompute[z], -1);
    }
  }
}

/* Item "i" is the first state of loops that are undone in the stage: where a point needs it, it is
   there, and "present" is 1. */
static void write_first_state(struct writer *w, int i, int present) {
  for (int l = 0; l < w->problem->loops; l++) {
    const struct dilp_loop *loop = &w->problem->loop[l];
    int there, seen;

    if (loop->region != w->region || loop->first != i)
      continue;
    there = dilp_model_row(w->model, 0, INFINITY);
    seen = dilp_model_row(w->model, 0, INFINITY);
    add_there(w, there, i);
    dilp_model_entry(w->model, seen, present, 1);
    for (int k = 0; k < loop->points; k++)
      if (loop->point[k].way == DILP_REPEAT) {
        dilp_model_entry(w->model, there, w->at->point[l * DILP_MENU + k], -1);
        dilp_model_entry(w->model, seen, w->at->point[l * DILP_MENU + k], -1);
      }
  }
}

/* Adds a level to item "x". */
static void add_level(struct writer *w, struct local *x, int upto, int column) {
  w->level[x->first + x->levels++] = (struct level){upto, column};
}

/* Presence of the item at position "k" of the stage: one level while the region is undone, one for
   each recomputation that may read it, and what is there before its own position. Each is at least
   every later one. Its levels begin at "first"; returns where they end. */
static int write_presence(struct writer *w, int k, int first) {
  int z = w->cell[k], i = w->cells->item[z], row;
  struct local *x = &w->item[i];
  int column = dilp_model_column(w->model, x->used, 1, 0, false);

  x->first = first;
  x->levels = 0;
  if (z + 1 < w->cells->of_item[i + 1])
    dilp_model_order(w->model, column, w->at->retain[z + 1]);
  write_first_state(w, i, column);
  add_level(w, x, w->problem->items, column);
  for (int q = w->count - 1; q > k; q--) {
    int y = w->cell[q], j = w->cells->item[y];

    if (!w->cells->may[y] || !dilp_listed(&w->problem->item[j].needs, i))
      continue;
    if (!x->used) {
      int wider = dilp_model_column(w->model, 0, 1, 0, false);

      dilp_model_order(w->model, wider, column);
      dilp_model_order(w->model, wider, w->at->recompute[y]);
      column = wider;
    }
    add_level(w, x, j, column);
  }
  dilp_model_order(w->model, column, w->at->recompute[z]);
  x->before = dilp_model_column(w->model, 0, 1, 0, false);
  row = dilp_model_row(w->model, 0, INFINITY);
  dilp_model_entry(w->model, row, x->before, 1);
  dilp_model_entry(w->model, row, column, -1);
  dilp_model_entry(w->model, row, w->at->recompute[z], 1);
  return first + x->levels;
}

/* The column that says whether item "i" of the stage is there when "position" runs: an item that is
   recomputed, or all items for the region. */
static int presence(const struct writer *w, int i, int position) {
  const struct local *x = &w->item[i];
  int level = 0;

  if (i > position)
    return x->before;
  while (level + 1 < x->levels && w->level[x->first + level + 1].upto >= position)
    level++;
  return w->level[x->first + level].column;
}

/* The row of memory for "position" of the stage. */
static void write_memory(struct writer *w, int position) {
  const struct dilp_problem *p = w->problem;
  bool region = position == p->items;
  int row = bytes_row(w, p->base + (region ? p->region[w->region].reverse : 0));

  if (!region)
    dilp_model_entry(w->model, row, w->at->recompute[w->item[position].cell],
                     share(w, p->item[position].scratch));
  add_loops(w, row, w->region, false, region);
  for (int i = 0; i < p->items; i++) {
    bool here = w->item[i].cell >= 0;

    if (here)
      dilp_model_entry(w->model, row, presence(w, i, position), share(w, p->item[i].bytes));
    else if (w->after[i] >= 0)
      dilp_model_entry(w->model, row, w->at->retain[w->after[i]], share(w, p->item[i].bytes));
  }
}

/* Goes to stage "stage". */
static void enter(struct writer *w, int stage) {
  const struct dilp_cells *c = w->cells;

  w->stage = stage;
  w->region = dilp_mirror(w->problem, stage);
  w->cell = c->cell + c->of_stage[stage];
  w->count = c->of_stage[stage + 1] - c->of_stage[stage];
  for (int i = 0; i < w->problem->items; i++) {
    int z = c->of_item[i];

    while (z < c->of_item[i + 1] && c->stage[z] < stage)
      z++;
    w->item[i] = (struct local){.cell = -1};
    if (z < c->of_item[i + 1] && c->stage[z] == stage)
      w->item[i] =
          (struct local){.cell = z, .used = dilp_listed(&w->problem->item[i].uses, w->region)};
    w->after[i] = z < c->of_item[i + 1] ? z : -1;
  }
}

/* Everything of stage "stage". */
static void write_stage(struct writer *w, int stage) {
  int levels = 0;

  enter(w, stage);
  write_needs(w);
  for (int k = w->count - 1; k >= 0; k--)
    levels = write_presence(w, k, levels);
  for (int k = 0; k < w->count; k++)
    if (w->cells->may[w->cell[k]])
      write_memory(w, w->cells->item[w->cell[k]]);
  write_memory(w, w->problem->items);
}

/* Makes the least peak the objective. */
static void minimise_peak(struct dilp_model *model) {
  int top;

  for (int c = 0; c < model->columns; c++)
    model->column[c].cost = 0;
  top = dilp_model_column(model, 0, INFINITY, 1, false);
  for (int r = 0; r < model->rows; r++)
    if (model->row[r].bytes) {
      dilp_model_entry(model, r, top, -1);
      model->row[r].high -= 1;
    }
}

bool dilp_formulate(struct dilp_model *model, struct dilp_decisions *decisions,
                    const struct dilp_problem *problem, const struct dilp_cells *cells,
                    struct dilp_formulation formulation, struct dilp_room *room) {
  struct writer w = {
      .problem = problem, .cells = cells, .how = formulation, .model = model, .at = decisions};
  size_t count = (size_t)cells->count, items = (size_t)problem->items, levels = items;
  struct dilp_room mark;

  for (int i = 0; i < problem->items; i++)
    levels += (size_t)problem->item[i].needs.count;
  decisions->retain = dilp_take(room, count, sizeof *decisions->retain);
  decisions->recompute = dilp_take(room, count, sizeof *decisions->recompute);
  decisions->point = dilp_take(room, (size_t)problem->loops * DILP_MENU, sizeof *decisions->point);
  mark = *room;
  w.item = dilp_take(room, items, sizeof *w.item);
  w.after = dilp_take(room, items, sizeof *w.after);
  w.level = dilp_take(room, levels, sizeof *w.level);
  if (room->full)
    return false;
  write_points(&w);
  write_cells(&w);
  write_forward(&w);
  for (int t = 0; t < problem->regions; t++)
    write_stage(&w, t);
  if (formulation.least)
    minimise_peak(model);
  else
    dilp_model_tighten(model);
  *room = mark;
  return true;
}
