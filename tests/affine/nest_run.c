/* nest_run.c: an interpreter of plans. */
#include "nest_run.h"
#include "affine/affine_sweep.h"
#include "affine/affine_tape.h"
#include "affine/linear.h"
#include "affine/window.h"
#include "base/map.h"
#include "nest_plain.h"
#include "nest_tree.h"
#include "nest_value.h"

#include <isl/ast_build.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A tape in use. */
struct run_tape {
  long size;          /* cells */
  long *low, *extent; /* of a box, for each dimension */
  long double *value; /* the cells */
  bool *full;         /* which have been written */
};

/* Both sweeps. */
struct running {
  struct nest_run *run;
  struct plain_assign *functions;
  struct run_tape *tape;        /* for each tape of the plan */
  struct dad_map slots;         /* place -> the functions of its slot */
  struct dad_snapshot snapshot; /* of a window */
  long double **kept;           /* the snapshot at hand, for each array */
  struct value_scope scope;     /* the parameters */
};

/* ---- tapes */

static long bound(struct nest_run *run, struct tree_run *tree, __isl_keep isl_pw_aff *bound) {
  isl_ast_build *builder = isl_ast_build_from_context(isl_set_copy(run->plan->nest->context));
  isl_ast_expr *e = isl_ast_build_expr_from_pw_aff(builder, isl_pw_aff_copy(bound));
  isl_ast_build_free(builder);
  return tree_value(tree, e);
}

static void open_tape(struct nest_run *run, struct tree_run *tree, const struct dad_tape *tape,
                      struct run_tape *t) {
  const struct dad_rank *rank = &tape->rank;
  t->size = rank->size ? dad_tape_bytes(tape, run->param) / tape->bytes : 1;
  t->low = DAD_ARRAY(run->arena, long, rank->n + 1);
  t->extent = DAD_ARRAY(run->arena, long, rank->n + 1);
  for (int d = 0; d < rank->n && !rank->size; d++) {
    t->low[d] = bound(run, tree, rank->low[d]);
    t->extent[d] = bound(run, tree, rank->high[d]) - t->low[d] + 1;
    t->size *= t->extent[d];
  }
  t->value = DAD_ARRAY(run->arena, long double, t->size + 1);
  t->full = DAD_ARRAY(run->arena, bool, t->size + 1);
  run->tape_bytes += t->size * tape->bytes;
}

/* The cell of tape "tape" for "point", or the one behind the last if it has none. */
static long cell_of(struct running *r, const struct dad_tape *tape, const long *point) {
  const struct dad_rank *rank = &tape->rank;
  const struct run_tape *t = &r->tape[tape - r->run->plan->tape];
  long value[32], at = 0;
  int n_param = r->scope.n_param;
  memcpy(value, r->run->param, (size_t)n_param * sizeof *value);
  memcpy(value + n_param, point, (size_t)rank->n * sizeof *value);
  for (int d = 0; d < rank->n; d++)
    if (rank->size)
      at += dad_polynomial_evaluate(rank->step[d], value);
    else
      at = at * t->extent[d] + point[d] - t->low[d];
  if (at >= 0 && at < t->size)
    return at;
  r->run->wrong = "a tape is used outside its bounds";
  return t->size;
}

static void save(struct running *r, const struct dad_tape *tape, const long *point,
                 long double value) {
  struct run_tape *t = &r->tape[tape - r->run->plan->tape];
  long at = cell_of(r, tape, point);
  if (t->full[at])
    r->run->wrong = "two values share a cell of a tape";
  t->full[at] = true;
  t->value[at] = value;
}

static long double load(struct running *r, const struct dad_tape *tape, const long *point) {
  struct run_tape *t = &r->tape[tape - r->run->plan->tape];
  long at = cell_of(r, tape, point);
  if (!t->full[at])
    r->run->wrong = "a cell of a tape is read that was not written";
  return t->value[at];
}

/* ---- events */

static struct cell *written(struct running *r, int assign, const long *point) {
  const struct dad_assign *a = &r->run->plan->nest->assign[assign];
  return plain_cell(r->run, &a->write, r->functions[assign].write, point);
}

/* The reads of "assign" at "point", now. */
static void read_all(struct running *r, int assign, const long *point, long double *read) {
  const struct dad_assign *a = &r->run->plan->nest->assign[assign];
  for (int k = 0; k < a->n_read; k++)
    read[k] = plain_cell(r->run, &a->read[k], r->functions[assign].read[k], point)->value;
}

static void visit_forward(void *user, void *statement, const long *point) {
  struct running *r = user;
  const struct dad_event *event = statement;
  const struct dad_assign *a = &r->run->plan->nest->assign[event->assign];
  const struct dad_marks *marks = &r->run->plan->backward[event->assign].marks;
  long double read[DAD_READS + 4];
  struct value_scope scope = r->scope;
  scope.read = read;
  if (event->kind == DAD_EVENT_ASSIGN || event->kind == DAD_EVENT_MARK)
    read_all(r, event->assign, point, read);
  if (event->kind == DAD_EVENT_ASSIGN) {
    written(r, event->assign, point)->value = value_of(a->value, &scope);
    return;
  }
  long double kept = written(r, event->assign, point)->value;
  if (event->kind == DAD_EVENT_MARK) {
    unsigned bits = 0;
    for (unsigned k = 0; k < marks->n; k++)
      bits |= (unsigned)(value_of(marks->test[k], &scope) != 0) << k;
    kept = bits;
  }
  save(r, event->tape, point, kept);
}

/* The value of need "need" of "assign" at "point", from place "place". */
static long double need_value(struct running *r, int assign, int need, int place,
                              const long *point) {
  const struct dad_affine *plan = r->run->plan;
  const struct dad_place *p = &plan->backward[assign].need[need].place[place];
  const struct dad_assign *a = &plan->nest->assign[assign];
  if (p->killer < 0) {
    const struct dad_linear *cell =
        need < a->n_read ? r->functions[assign].read[need] : r->functions[assign].write;
    return plain_cell(r->run, dad_assign_access(a, need), cell, point)->value;
  }
  const struct dad_tape *tape = &plan->tape[plan->backward[p->killer].tape];
  struct dad_linear *slot = dad_map_get(&r->slots, p);
  if (!slot) {
    slot = dad_linear_make(r->run->arena, p->slot, plan->nest->context);
    dad_map_set(&r->slots, p, slot);
  }
  long at[16];
  for (int d = 0; d < tape->rank.n; d++)
    at[d] = dad_linear_evaluate(&slot[d], r->run->param, point);
  return load(r, tape, at);
}

static void visit_backward(void *user, void *statement, const long *point) {
  struct running *r = user;
  const struct dad_event *event = statement;
  const struct dad_reverse *x = event->reverse;
  const struct dad_affine *plan = r->run->plan;
  const struct dad_assign *a = &plan->nest->assign[x->assign];
  const struct dad_backward *b = &plan->backward[x->assign];
  long double read[DAD_READS + 4];
  struct value_scope scope = r->scope;
  for (int k = 0; k <= a->n_read; k++) {
    long double v = x->place[k] < 0 ? NAN : need_value(r, x->assign, k, x->place[k], point);
    *(k < a->n_read ? &read[k] : &scope.result) = v;
  }
  scope.read = read;
  if (b->marked) {
    scope.marks = &b->marks;
    scope.marked = (unsigned)load(r, &plan->tape[b->mark_tape], point);
  }
  struct cell *source = written(r, x->assign, point);
  scope.seed = source->shadow;
  long double value = value_of(x->value, &scope);
  if (x->read < 0)
    source->shadow = value;
  else
    plain_cell(r->run, &a->read[x->read], r->functions[x->assign].read[x->read], point)->shadow +=
        value;
  r->run->instances++;
}

/* ---- the judgement */

static void judge(struct nest_run *run) {
  long double forward = 0, backward = 0, size = 1;
  for (unsigned i = 0; i < run->cells.capacity; i++) {
    const struct cell *c = run->cells.slot[i];
    if (!c)
      continue;
    forward += c->first_shadow * c->tangent;
    backward += c->shadow * c->first_tangent;
    size += fabsl(c->first_shadow * c->tangent) + fabsl(c->shadow * c->first_tangent);
    if (c->value != c->plain)
      run->wrong = "a result is not that of the nest";
  }
  if (!(fabsl(forward - backward) <= 1e-13L * size))
    run->wrong = "the gradient is not that of forward mode";
}

/* ---- both sweeps */

/* Prepares "r" for "run", which has its plan and parameters. */
static void open_run(struct running *r, struct nest_run *run) {
  const struct dad_affine *plan = run->plan;
  *r = (struct running){.run = run, .slots = DAD_MAP(run->arena)};
  run->cells.arena = run->arena;
  for (int i = 0; i < plan->nest->n_array; i++)
    run->cells.passive[i] = !plan->nest->array[i].active;
  r->functions = plain_functions(run->arena, plan->nest);
  r->scope = plain_scope(run);
}

/* Executes "node" for the parameters of the run, visiting with "visit". */
static void execute(struct running *r, __isl_keep isl_ast_node *node,
                    void (*visit)(void *, void *, const long *)) {
  struct tree_run tree = {.user = r, .visit = visit, .n = r->scope.n_param};
  for (int i = 0; i < tree.n; i++) {
    tree.name[i] = r->scope.name[i];
    tree.value[i] = r->run->param[i];
  }
  if (!r->run->wrong)
    tree_execute(&tree, node);
  if (tree.wrong)
    r->run->wrong = tree.wrong;
}

/* Executes the plan with new tapes. */
static void execute_plan(struct running *r) {
  struct nest_run *run = r->run;
  struct tree_run tree = {.n = r->scope.n_param};
  long most = run->tape_bytes;
  for (int i = 0; i < tree.n; i++) {
    tree.name[i] = r->scope.name[i];
    tree.value[i] = run->param[i];
  }
  run->tape_bytes = 0;
  r->tape = DAD_ARRAY(run->arena, struct run_tape, run->plan->n_tape + 1);
  for (int i = 0; i < run->plan->n_tape; i++)
    open_tape(run, &tree, &run->plan->tape[i], &r->tape[i]);
  run->tape_bytes = run->tape_bytes > most ? run->tape_bytes : most;
  execute(r, run->plan->augmented, visit_forward);
  execute(r, run->plan->reversed, visit_backward);
}

struct nest_run nest_run_plan(struct dad_arena *arena, const struct dad_affine *plan,
                              const long *param, int n_param) {
  struct nest_run run = {.plan = plan, .arena = arena};
  struct running r;
  memcpy(run.param, param, (size_t)n_param * sizeof *param);
  open_run(&r, &run);
  plain_execute(&run, r.functions);
  execute_plan(&r);
  if (!run.wrong)
    judge(&run);
  return run;
}

/* ---- windows */

/* A snapshot being copied. */
static struct cell *snapshot_cell(struct running *r, void *statement, const long *point,
                                  long double **kept) {
  const struct dad_event *event = statement;
  const struct dad_rank *rank = &r->snapshot.rank[event->assign];
  struct cell *c = cells_at(&r->run->cells, event->assign, rank->n, point);
  long value[32], at = 0;
  memcpy(value, r->run->param, (size_t)r->scope.n_param * sizeof *value);
  memcpy(value + r->scope.n_param, point, (size_t)rank->n * sizeof *value);
  for (int d = 0; d < rank->n; d++)
    at += dad_polynomial_evaluate(rank->step[d], value);
  if (at < 0 || at >= dad_polynomial_evaluate(rank->size, value)) {
    r->run->wrong = "a snapshot is used outside its bounds";
    at = 0;
  }
  *kept = &r->kept[event->assign][at];
  return c;
}

static void visit_save(void *user, void *statement, const long *point) {
  long double *kept;
  struct cell *c = snapshot_cell(user, statement, point, &kept);
  *kept = c->value;
  ((struct running *)user)->run->snapshot_cells++;
}

static void visit_restore(void *user, void *statement, const long *point) {
  long double *kept;
  struct cell *c = snapshot_cell(user, statement, point, &kept);
  c->value = *kept;
}

/* An empty snapshot, for each array. */
static long double **new_snapshot(struct running *r) {
  struct dad_arena *arena = r->run->arena;
  long double **kept = DAD_ARRAY(arena, long double *, r->snapshot.n_array + 1);
  for (int i = 0; i < r->snapshot.n_array; i++)
    if (r->snapshot.cells[i])
      kept[i] = DAD_ARRAY(arena, long double,
                          dad_polynomial_evaluate(r->snapshot.rank[i].size, r->run->param));
  r->run->snapshot_cells = 0;
  return kept;
}

/* Keeps the results, which outlive the windows, or with "back" makes them the values again. */
static void keep_results(struct nest_run *run, bool back) {
  for (unsigned i = 0; i < run->cells.capacity; i++) {
    struct cell *c = run->cells.slot[i];
    if (c && back)
      c->value = c->result;
    else if (c)
      c->result = c->value;
  }
}

struct nest_run nest_run_windows(struct dad_arena *arena, const struct dad_affine *plan,
                                 const long *param, int n_param, long step) {
  struct nest_run run = {.plan = plan, .arena = arena};
  struct running r;
  long first = param[1], last = param[2], n = (last - first + step - 1) / step;
  long double ***kept = DAD_ARRAY(arena, long double **, n + 1);
  memcpy(run.param, param, (size_t)n_param * sizeof *param);
  open_run(&r, &run);
  plain_execute(&run, r.functions);
  isl_ast_node *forward = dad_sweep_forward(plan, false);
  if (!dad_window_snapshot(plan, &r.snapshot))
    run.wrong = "there is no snapshot";
  isl_ast_node *cells = dad_sweep_cells(plan, &r.snapshot);
  for (long w = 0; w < n && !run.wrong; w++) {
    run.param[1] = first + w * step;
    run.param[2] = run.param[1] + step < last ? run.param[1] + step : last;
    r.kept = kept[w] = new_snapshot(&r);
    execute(&r, cells, visit_save);
    execute(&r, forward, visit_forward);
  }
  keep_results(&run, false);
  for (long w = n; w-- > 0 && !run.wrong;) {
    run.param[1] = first + w * step;
    run.param[2] = run.param[1] + step < last ? run.param[1] + step : last;
    r.kept = kept[w];
    execute(&r, cells, visit_restore);
    execute_plan(&r);
  }
  keep_results(&run, true);
  if (!run.wrong)
    judge(&run);
  dad_snapshot_clear(&r.snapshot);
  isl_ast_node_free(forward);
  isl_ast_node_free(cells);
  return run;
}
