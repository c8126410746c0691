/* shape.c: linear algebra on small matrices of integers. */
#include "shape.h"

#include <isl/mat.h>
#include <isl/val.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = DAD_SCHEDULE_DIMENSIONS };

/* ---- making */

static struct dad_matrix matrix(struct dad_arena *arena, int n_row) {
  struct dad_matrix m = {.n_row = n_row, .exact = true};
  m.row = dad_arena_alloc(arena, sizeof *m.row * (size_t)(n_row + 1));
  m.constant = DAD_ARRAY(arena, long, n_row + 1);
  return m;
}

/* The linear parts of "map", which may be NULL. */
static struct dad_matrix matrix_of(const struct dad_affine *plan, __isl_keep isl_map *map) {
  isl_multi_aff *function = map ? dad_isl_affine(isl_map_copy(map)) : NULL;
  if (!function)
    return (struct dad_matrix){.exact = false};
  struct dad_linear *l = dad_linear_make(plan->arena, function, plan->nest->context);
  struct dad_matrix m = matrix(plan->arena, isl_multi_aff_dim(function, isl_dim_out));
  for (int d = 0; d < m.n_row; d++) {
    for (int i = 0; i < l[d].n_in && i < MOST; i++)
      m.row[d][i] = l[d].in[i];
    for (int i = 0; i < l[d].n_div; i++)
      m.exact &= l[d].div[i] == 0;
    m.constant[d] = l[d].constant;
  }
  isl_multi_aff_free(function);
  return m;
}

static struct dad_matrix equalities(const struct dad_affine *plan, __isl_keep isl_set *set, int n) {
  isl_basic_set *hull = isl_set_affine_hull(isl_set_copy(set));
  isl_mat *all =
      isl_basic_set_equalities_matrix(hull, isl_dim_set, isl_dim_param, isl_dim_div, isl_dim_cst);
  isl_size rows = isl_mat_rows(all);
  struct dad_matrix m = matrix(plan->arena, rows > 0 ? rows : 0);
  for (int d = 0; d < m.n_row; d++)
    for (int i = 0; i < n; i++) {
      isl_val *v = isl_mat_get_element_val(all, d, i);
      m.row[d][i] = isl_val_get_num_si(v);
      isl_val_free(v);
    }
  isl_mat_free(all);
  isl_basic_set_free(hull);
  return m;
}

struct dad_shape dad_shape_make(const struct dad_affine *plan, const struct dad_reverse *r) {
  const struct dad_assign *a = &plan->nest->assign[r->assign];
  struct dad_shape shape = {.n = isl_set_dim(r->domain, isl_dim_set)};
  shape.equal = equalities(plan, r->domain, shape.n);
  shape.push = matrix_of(plan, r->push);
  shape.pull = matrix_of(plan, r->pull);
  shape.target = matrix_of(plan, r->target);
  shape.source = matrix_of(plan, r->source);
  shape.load = DAD_ARRAY(plan->arena, struct dad_matrix, a->n_read + 1);
  for (int k = 0; k <= a->n_read; k++) {
    if (r->place[k] < 0)
      continue;
    const struct dad_place *place = &plan->backward[r->assign].need[k].place[r->place[k]];
    isl_map *where = place->killer < 0 ? isl_map_copy(dad_assign_access(a, k)->map)
                                       : isl_map_from_multi_aff(isl_multi_aff_copy(place->slot));
    where = isl_map_intersect_domain(where, isl_set_copy(place->domain));
    shape.load[shape.n_load++] = matrix_of(plan, where);
    isl_map_free(where);
  }
  return shape;
}

/* ---- rows that are independent of each other */

/* Independent rows, each with a pivot where the others are 0. */
struct basis {
  int n, rank;
  long row[MOST][MOST];
  int pivot[MOST];
};

/* Row "a" as a combination of itself and "b" in which column "at" is 0. */
static void eliminate(long *a, const long *b, int at, int n) {
  long p = b[at], q = a[at], common = 0;
  if (q == 0)
    return;
  for (int i = 0; i < n; i++) {
    a[i] = a[i] * p - b[i] * q;
    long x = labs(a[i]);
    while (x) { /* greatest common divisor of all */
      long rest = common % x;
      common = x;
      x = rest;
    }
  }
  for (int i = 0; i < n && common > 1; i++)
    a[i] /= common;
}

/* Adds "row" to "basis"; false if it depends on its rows. */
static bool extend(struct basis *basis, const long *row) {
  long rest[MOST];
  int at = 0;
  memcpy(rest, row, sizeof rest);
  for (int r = 0; r < basis->rank; r++)
    eliminate(rest, basis->row[r], basis->pivot[r], basis->n);
  while (at < basis->n && rest[at] == 0)
    at++;
  if (at == basis->n || basis->rank == basis->n)
    return false;
  for (int r = 0; r < basis->rank; r++)
    eliminate(basis->row[r], rest, at, basis->n);
  memcpy(basis->row[basis->rank], rest, sizeof rest);
  basis->pivot[basis->rank++] = at;
  return true;
}

/* The vector that all rows of "basis", one less than its columns, map to 0. */
static void kernel(const struct basis *basis, long *v) {
  bool is_pivot[MOST] = {false};
  int free_column = 0;
  long scale = 1;
  for (int r = 0; r < basis->rank; r++) {
    is_pivot[basis->pivot[r]] = true;
    scale *= basis->row[r][basis->pivot[r]];
  }
  while (is_pivot[free_column])
    free_column++;
  memset(v, 0, MOST * sizeof *v);
  v[free_column] = scale;
  for (int r = 0; r < basis->rank; r++)
    v[basis->pivot[r]] = -basis->row[r][free_column] * (scale / basis->row[r][basis->pivot[r]]);
  long common = 0;
  for (int i = 0; i < basis->n; i++)
    for (long x = labs(v[i]); x;) {
      long rest = common % x;
      common = x;
      x = rest;
    }
  for (int i = 0; i < basis->n && common > 1; i++)
    v[i] /= common;
}

static struct basis basis_of(const struct dad_shape *shape) {
  struct basis basis = {.n = shape->n};
  for (int d = 0; d < shape->equal.n_row; d++)
    extend(&basis, shape->equal.row[d]);
  return basis;
}

/* ---- questions */

const long *dad_shape_time(const struct dad_shape *shape, const struct dad_schedule *s, int d) {
  const struct dad_matrix *tau = s->pull ? &shape->pull : &shape->push;
  return d < tau->n_row && d < s->depth ? tau->row[d] : NULL;
}

/* Row "d" of the time vector of "shape" without what is constant: first tau, then own dimensions.
 */
static void time_row(const struct dad_shape *shape, const struct dad_schedule *s, int d,
                     long *row) {
  const long *tau = dad_shape_time(shape, s, d);
  memset(row, 0, MOST * sizeof *row);
  if (tau)
    memcpy(row, tau, MOST * sizeof *row);
  else if (d >= s->depth)
    row[s->order[d - s->depth]] = 1;
}

/* Which dimension of the whole time vector row "d" is (affine_schedule.h). */
static int dimension_of(const struct dad_schedule *s, int d) {
  return d < s->depth ? 2 * d + 1 : d + s->depth + 3;
}

struct dad_direction dad_shape_innermost(const struct dad_shape *shape,
                                         const struct dad_schedule *s) {
  struct dad_direction direction = {.any = false};
  struct basis basis = basis_of(shape);
  long row[MOST], along = 0;
  for (int d = 0; d < s->depth + shape->n; d++) {
    struct basis before = basis;
    time_row(shape, s, d, row);
    if (!extend(&basis, row) || basis.rank < basis.n)
      continue;
    direction.any = true;
    direction.row = dimension_of(s, d);
    kernel(&before, direction.step);
    for (int i = 0; i < shape->n; i++)
      along += row[i] * direction.step[i];
    for (int i = 0; i < shape->n && along < 0; i++)
      direction.step[i] = -direction.step[i];
    break;
  }
  return direction;
}

enum dad_stride dad_shape_stride(const struct dad_matrix *access, int n,
                                 const struct dad_direction *direction) {
  enum dad_stride stride = DAD_STRIDE_NONE;
  if (!access->exact)
    return DAD_STRIDE_FAR;
  for (int d = 0; d < access->n_row; d++) {
    long moved = 0;
    for (int i = 0; i < n; i++)
      moved += access->row[d][i] * direction->step[i];
    if (moved != 0 && (d < access->n_row - 1 || labs(moved) > 1))
      return DAD_STRIDE_FAR;
    if (moved != 0)
      stride = moved > 0 ? DAD_STRIDE_UP : DAD_STRIDE_DOWN;
  }
  return stride;
}

bool dad_shape_meets_outside(const struct dad_shape *shape, const struct dad_schedule *s) {
  struct basis basis = basis_of(shape), outer = basis;
  long row[MOST];
  for (int d = 0; d < shape->target.n_row; d++)
    extend(&basis, shape->target.row[d]);
  for (int d = 0; d < s->depth + shape->n; d++) {
    time_row(shape, s, d, row);
    if (extend(&outer, row)) /* the outermost loop: is it determined by the cell? */
      return extend(&basis, row);
  }
  return false;
}
