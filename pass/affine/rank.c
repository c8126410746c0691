/* rank.c: numbering by sums where every dimension has one affine lower and one upper bound. */
#include "rank.h"

#include <isl/space.h>
#include <stdlib.h>

/* The lower or, with "max", the upper bound of dimension "d" of "set" in terms of those before it,
   as a polynomial in all dimensions; NULL if it has pieces or divisions. */
static __isl_give isl_qpolynomial *bound(__isl_keep isl_set *set, int d, bool max) {
  isl_size n = isl_set_dim(set, isl_dim_set);
  isl_set *outer =
      isl_set_project_out(isl_set_copy(set), isl_dim_set, (unsigned)d + 1, (unsigned)(n - d - 1));
  isl_map *map = isl_map_from_range(isl_set_reset_tuple_id(outer));
  map = isl_map_move_dims(map, isl_dim_in, 0, isl_dim_out, 0, (unsigned)d);
  isl_multi_aff *function = dad_isl_affine(max ? isl_map_lexmax(map) : isl_map_lexmin(map));
  if (!function)
    return NULL;
  isl_aff *aff = isl_multi_aff_get_aff(function, 0);
  isl_multi_aff_free(function);
  if (isl_aff_dim(aff, isl_dim_div) != 0) {
    isl_aff_free(aff);
    return NULL;
  }
  return isl_qpolynomial_from_aff(isl_aff_add_dims(aff, isl_dim_in, (unsigned)(n - d)));
}

/* "count": how many points there are for one value of dimensions 0 to d. Sums it over dimension "d"
   up to its bound or, with "before", up to just before the point itself. NULL without a closed
   form. */
static __isl_give isl_qpolynomial *count_over(__isl_keep isl_set *set, int d,
                                              __isl_keep isl_qpolynomial *count, bool before) {
  isl_qpolynomial *lo = bound(set, d, false), *hi = bound(set, d, true);
  if (before && hi) {
    isl_space *space = isl_qpolynomial_get_domain_space(hi);
    isl_qpolynomial_free(hi);
    hi = isl_qpolynomial_var_on_domain(isl_space_copy(space), isl_dim_set, (unsigned)d);
    hi = isl_qpolynomial_sub(hi, isl_qpolynomial_one_on_domain(space));
  }
  if (lo && hi)
    return dad_polynomial_sum(isl_qpolynomial_copy(count), d, lo, hi);
  isl_qpolynomial_free(lo);
  isl_qpolynomial_free(hi);
  return NULL;
}

/* Is "set" the integer points of one polyhedron? Then bounds that are affine leave no holes. */
static bool is_convex(__isl_keep isl_set *set) {
  isl_set *hull = isl_set_from_basic_set(isl_set_simple_hull(isl_set_copy(set)));
  isl_bool same = isl_set_is_equal(hull, set);
  isl_set_free(hull);
  return dad_isl_yes(same);
}

/* The space of polynomials in the parameters and dimensions of "set". */
static __isl_give isl_space *space_of(__isl_keep isl_set *set) {
  isl_size n = isl_set_dim(set, isl_dim_set);
  isl_space *space = isl_space_set_from_params(isl_space_params(isl_set_get_space(set)));
  return isl_space_add_dims(space, isl_dim_set, (unsigned)n);
}

static bool make_exact(struct dad_arena *arena, __isl_keep isl_set *set, struct dad_rank *rank) {
  if (!is_convex(set))
    return false;
  isl_qpolynomial *count = isl_qpolynomial_one_on_domain(space_of(set));
  rank->step = DAD_ARRAY(arena, struct dad_polynomial *, rank->n + 1);
  for (int d = rank->n - 1; d >= 0 && count; d--) {
    rank->step[d] = dad_polynomial_make(arena, count_over(set, d, count, true));
    isl_qpolynomial *outer = rank->step[d] ? count_over(set, d, count, false) : NULL;
    isl_qpolynomial_free(count);
    count = outer;
  }
  rank->size = dad_polynomial_make(arena, count);
  rank->exact = rank->size != NULL;
  return rank->exact;
}

static isl_stat take_function(__isl_take isl_set *domain, __isl_take isl_aff *function,
                              void *user) {
  isl_qpolynomial **q = user;
  bool plain = !*q && isl_aff_dim(function, isl_dim_div) == 0;
  isl_set_free(domain);
  if (plain)
    *q = isl_qpolynomial_from_aff(function);
  else
    isl_aff_free(function);
  return plain ? isl_stat_ok : isl_stat_error;
}

/* "bound", in the parameters, as a polynomial on "space"; NULL if it has pieces or divisions. */
static __isl_give isl_qpolynomial *side(__isl_keep isl_pw_aff *bound, __isl_take isl_space *space) {
  isl_qpolynomial *q = NULL;
  isl_pw_aff *wide = isl_pw_aff_insert_domain(isl_pw_aff_copy(bound), space);
  if (isl_pw_aff_foreach_piece(wide, take_function, &q) != isl_stat_ok) {
    isl_qpolynomial_free(q);
    q = NULL;
  }
  isl_pw_aff_free(wide);
  return q;
}

/* Numbers the box "rank" by polynomials, where its sides are affine. */
static void close_box(struct dad_arena *arena, __isl_keep isl_set *set, struct dad_rank *rank) {
  isl_qpolynomial *count = isl_qpolynomial_one_on_domain(space_of(set));
  rank->step = DAD_ARRAY(arena, struct dad_polynomial *, rank->n + 1);
  for (int d = rank->n - 1; d >= 0 && count; d--) {
    isl_qpolynomial *low = side(rank->low[d], space_of(set));
    isl_qpolynomial *extent = side(rank->high[d], space_of(set));
    if (!low || !extent) {
      isl_qpolynomial_free(low);
      isl_qpolynomial_free(extent);
      isl_qpolynomial_free(count);
      return;
    }
    isl_qpolynomial *at = isl_qpolynomial_var_on_domain(space_of(set), isl_dim_set, (unsigned)d);
    at = isl_qpolynomial_sub(at, isl_qpolynomial_copy(low));
    at = isl_qpolynomial_mul(at, isl_qpolynomial_copy(count));
    rank->step[d] = dad_polynomial_make(arena, at);
    extent = isl_qpolynomial_sub(extent, low);
    extent = isl_qpolynomial_add(extent, isl_qpolynomial_one_on_domain(space_of(set)));
    count = isl_qpolynomial_mul(count, extent);
  }
  rank->size = dad_polynomial_make(arena, count);
  for (int d = 0; d < rank->n; d++)
    if (!rank->step[d])
      rank->size = NULL;
}

bool dad_rank_make(struct dad_arena *arena, __isl_keep isl_set *set, struct dad_rank *rank) {
  bool good = true;
  *rank = (struct dad_rank){.n = isl_set_dim(set, isl_dim_set)};
  if (rank->n < 0)
    return false;
  if (make_exact(arena, set, rank))
    return true;
  rank->low = DAD_ARRAY(arena, isl_pw_aff *, rank->n + 1);
  rank->high = DAD_ARRAY(arena, isl_pw_aff *, rank->n + 1);
  for (int d = 0; d < rank->n; d++) {
    rank->low[d] = isl_pw_aff_coalesce(isl_set_dim_min(isl_set_copy(set), d));
    rank->high[d] = isl_pw_aff_coalesce(isl_set_dim_max(isl_set_copy(set), d));
    good &= rank->low[d] && rank->high[d];
  }
  if (good)
    close_box(arena, set, rank);
  return good;
}

void dad_rank_clear(struct dad_rank *rank) {
  for (int d = 0; d < rank->n && rank->low; d++) {
    isl_pw_aff_free(rank->low[d]);
    isl_pw_aff_free(rank->high[d]);
  }
  rank->low = rank->high = NULL;
}

void dad_rank_print(FILE *out, const struct dad_rank *rank) {
  if (rank->size) {
    dad_polynomial_print(out, rank->size);
    return;
  }
  fputs("box", out);
  for (int d = 0; d < rank->n; d++) {
    isl_pw_aff *extent =
        isl_pw_aff_sub(isl_pw_aff_copy(rank->high[d]), isl_pw_aff_copy(rank->low[d]));
    char *text = isl_pw_aff_to_str(extent);
    fprintf(out, "%s (1 + %s)", d ? " *" : "", text ? text : "?");
    free(text);
    isl_pw_aff_free(extent);
  }
}
