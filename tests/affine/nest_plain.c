/* nest_plain.c: the nest itself, as the independent judge of plans: no dataflow, no schedules of
   ours, no syntax trees. */
#include "nest_plain.h"
#include "nest_value.h"

#include <isl/point.h>
#include <isl/val.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DIMENSIONS = 16 };

static struct dad_linear *function_of(struct dad_arena *arena, const struct dad_nest *nest,
                                      __isl_keep isl_map *map) {
  isl_multi_aff *function = dad_isl_affine(isl_map_copy(map));
  struct dad_linear *l = function ? dad_linear_make(arena, function, nest->context) : NULL;
  isl_multi_aff_free(function);
  return l;
}

struct plain_assign *plain_functions(struct dad_arena *arena, const struct dad_nest *nest) {
  struct plain_assign *all = DAD_ARRAY(arena, struct plain_assign, nest->n_assign + 1);
  for (int i = 0; i < nest->n_assign; i++) {
    const struct dad_assign *a = &nest->assign[i];
    all[i].time = function_of(arena, nest, a->time);
    all[i].write = function_of(arena, nest, a->write.map);
    all[i].read = DAD_ARRAY(arena, struct dad_linear *, a->n_read + 1);
    for (int k = 0; k < a->n_read; k++)
      all[i].read[k] = function_of(arena, nest, a->read[k].map);
  }
  return all;
}

struct cell *plain_cell(struct nest_run *run, const struct dad_nest_access *access,
                        const struct dad_linear *function, const long *point) {
  long subscript[CELL_DIMENSIONS] = {0};
  int n = run->plan->nest->array[access->array].n_dim;
  for (int d = 0; d < n; d++)
    subscript[d] = dad_linear_evaluate(&function[d], run->param, point);
  return cells_at(&run->cells, access->array, n, subscript);
}

struct value_scope plain_scope(const struct nest_run *run) {
  isl_set *context = run->plan->nest->context;
  struct value_scope scope = {.param = run->param, .n_param = isl_set_dim(context, isl_dim_param)};
  const char **name = DAD_ARRAY(run->arena, const char *, scope.n_param + 1);
  for (int i = 0; i < scope.n_param; i++)
    name[i] = isl_set_get_dim_name(context, isl_dim_param, (unsigned)i);
  scope.name = name;
  return scope;
}

/* One instance. */
struct instance {
  int assign;
  long time[DIMENSIONS], point[DIMENSIONS];
};

/* All instances, as they are collected. */
struct collecting {
  struct nest_run *run;
  const struct plain_assign *functions;
  int assign; /* whose instances come */
  struct dad_vec all;
};

static isl_stat collect_point(__isl_take isl_point *point, void *user) {
  struct collecting *c = user;
  const struct dad_nest *nest = c->run->plan->nest;
  struct instance *x = DAD_NEW(c->run->arena, struct instance);
  isl_size n = isl_set_dim(nest->assign[c->assign].domain, isl_dim_set);
  x->assign = c->assign;
  for (int d = 0; d < n; d++) {
    isl_val *v = isl_point_get_coordinate_val(point, isl_dim_set, d);
    x->point[d] = isl_val_get_num_si(v);
    isl_val_free(v);
  }
  for (int d = 0; d < nest->n_time; d++)
    x->time[d] = dad_linear_evaluate(&c->functions[c->assign].time[d], c->run->param, x->point);
  dad_vec_push(&c->all, x);
  isl_point_free(point);
  return isl_stat_ok;
}

static int by_time(const void *a, const void *b) {
  const struct instance *x = *(struct instance *const *)a, *y = *(struct instance *const *)b;
  for (int d = 0; d < DIMENSIONS; d++)
    if (x->time[d] != y->time[d])
      return x->time[d] < y->time[d] ? -1 : 1;
  return 0;
}

static void execute(struct nest_run *run, const struct plain_assign *functions,
                    const struct instance *x, struct value_scope *scope) {
  const struct dad_assign *a = &run->plan->nest->assign[x->assign];
  long double read[DAD_READS + 4], tangent[DAD_READS + 4];
  for (int k = 0; k < a->n_read; k++) {
    struct cell *c = plain_cell(run, &a->read[k], functions[x->assign].read[k], x->point);
    read[k] = c->plain;
    tangent[k] = c->tangent;
  }
  scope->read = read;
  scope->tangent = tangent;
  struct cell *c = plain_cell(run, &a->write, functions[x->assign].write, x->point);
  bool passive = run->cells.passive[a->write.array];
  long double moved = passive ? 0 : tangent_of(a->value, scope);
  c->plain = value_of(a->value, scope);
  c->tangent = moved;
  run->wild |= !(fabsl(c->plain) < 1e3L) || !(fabsl(moved) < 1e6L);
}

/* Are the parameters of "run" such as the nest says? */
static bool in_context(const struct nest_run *run, int n_param) {
  isl_set *context = isl_set_copy(run->plan->nest->context);
  for (int i = 0; i < n_param; i++)
    context = isl_set_fix_si(context, isl_dim_param, (unsigned)i, (int)run->param[i]);
  bool empty = isl_set_is_empty(context) == isl_bool_true;
  isl_set_free(context);
  return !empty;
}

void plain_execute(struct nest_run *run, const struct plain_assign *functions) {
  const struct dad_nest *nest = run->plan->nest;
  struct collecting c = {.run = run, .functions = functions, .all = DAD_VEC(run->arena)};
  struct value_scope scope = plain_scope(run);
  if (!in_context(run, scope.n_param))
    run->wrong = "the nest does not allow these parameters";
  for (c.assign = 0; c.assign < nest->n_assign; c.assign++) {
    isl_set *points = isl_set_align_params(isl_set_copy(nest->assign[c.assign].domain),
                                           isl_set_get_space(nest->context));
    for (int i = 0; i < scope.n_param; i++)
      points = isl_set_fix_si(points, isl_dim_param, (unsigned)i, (int)run->param[i]);
    points = isl_set_project_out(points, isl_dim_param, 0, (unsigned)scope.n_param);
    isl_set_foreach_point(points, collect_point, &c);
    isl_set_free(points);
  }
  qsort(c.all.at, c.all.n, sizeof *c.all.at, by_time);
  for (unsigned i = 0; i < c.all.n; i++)
    if (i > 0 && by_time(&c.all.at[i - 1], &c.all.at[i]) == 0)
      run->wrong = "two instances have the same time";
  for (unsigned i = 0; i < c.all.n && !run->wrong; i++)
    execute(run, functions, c.all.at[i], &scope);
}
