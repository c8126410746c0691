/* order.c: dependences through memory among reverse statements. */
#include "order.h"

/* Pairs of instances of "x" and "y" in which "a" of the one and "b" of the other are the same cell,
   added to "*to". */
static void add_conflict(isl_map **to, __isl_keep isl_map *a, __isl_keep isl_map *b) {
  isl_space *of_a = isl_space_range(isl_map_get_space(a));
  isl_space *of_b = isl_space_range(isl_map_get_space(b));
  bool same = dad_isl_yes(isl_space_has_equal_tuples(of_a, of_b));
  isl_space_free(of_a);
  isl_space_free(of_b);
  if (!same)
    return;
  isl_map *pairs = isl_map_apply_range(isl_map_copy(a), isl_map_reverse(isl_map_copy(b)));
  *to = *to ? isl_map_union(*to, pairs) : pairs;
}

/* "pairs" (NULL for none) as far as the first comes before the second; NULL for none. */
static __isl_give isl_map *in_order(__isl_take isl_map *pairs, __isl_keep isl_map *before) {
  if (!pairs)
    return NULL;
  pairs = isl_map_coalesce(isl_map_intersect(pairs, isl_map_copy(before)));
  if (!dad_isl_yes(isl_map_is_empty(pairs)))
    return pairs;
  isl_map_free(pairs);
  return NULL;
}

/* When "r" runs in the reversed order of the nest: minus the time of its assignment, and within
   that accumulations before the scaling. */
static __isl_give isl_map *first_time(const struct dad_reverse *r) {
  return dad_isl_append(isl_map_copy(r->push), r->read < 0);
}

static void relate(struct dad_affine *plan, int i, int j) {
  const struct dad_reverse *x = &plan->reverse[i], *y = &plan->reverse[j];
  isl_map *order = NULL, *meet = NULL;
  bool sums = x->read >= 0 && y->read >= 0;
  add_conflict(sums ? &meet : &order, x->target, y->target);
  if (x->read >= 0)
    add_conflict(&order, x->source, y->target);
  if (y->read >= 0)
    add_conflict(&order, x->target, y->source);
  if (!order && !meet)
    return;
  isl_map *before = isl_map_lex_lt_map(first_time(x), first_time(y));
  plan->order[i * plan->n_reverse + j] = in_order(order, before);
  plan->meet[i * plan->n_reverse + j] = in_order(meet, before);
  isl_map_free(before);
}

bool dad_order_make(struct dad_affine *plan) {
  int n = plan->n_reverse;
  plan->order = DAD_ARRAY(plan->arena, isl_map *, n * n + 1);
  plan->meet = DAD_ARRAY(plan->arena, isl_map *, n * n + 1);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      relate(plan, i, j);
  return isl_ctx_last_error(plan->nest->ctx) == isl_error_none;
}

/* Does no pair in "order" run the wrong way? */
static bool respected(__isl_keep isl_map *order, const struct dad_reverse *x,
                      const struct dad_reverse *y) {
  isl_map *times = isl_map_apply_domain(isl_map_copy(order), isl_map_copy(x->time));
  times = isl_map_apply_range(times, isl_map_copy(y->time));
  isl_map *wrong = isl_map_lex_ge(isl_space_range(isl_map_get_space(x->time)));
  wrong = isl_map_intersect(wrong, times);
  bool none = dad_isl_yes(isl_map_is_empty(wrong));
  isl_map_free(wrong);
  return none;
}

bool dad_order_legal(const struct dad_affine *plan, const bool *moved) {
  int n = plan->n_reverse;
  for (int i = 0; i < n; i++)
    if (!plan->reverse[i].time)
      return false;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      if (plan->order[i * n + j] && (moved[i] || moved[j]) &&
          !respected(plan->order[i * n + j], &plan->reverse[i], &plan->reverse[j]))
        return false;
  return true;
}

bool dad_order_carried(const struct dad_affine *plan, int to, int d) {
  int n = plan->n_reverse;
  bool carried = false;
  for (int i = 0; i < n && !carried; i++) {
    if (!plan->order[i * n + to])
      continue;
    isl_map *before = isl_map_copy(plan->reverse[i].time);
    isl_map *after = isl_map_copy(plan->reverse[to].time);
    isl_map *pairs = isl_map_copy(plan->order[i * n + to]);
    pairs = isl_map_apply_domain(pairs, dad_isl_columns(before, 0, d + 1));
    pairs = isl_map_apply_range(pairs, dad_isl_columns(after, 0, d + 1));
    for (int k = 0; k < d; k++)
      pairs = isl_map_equate(pairs, isl_dim_in, k, isl_dim_out, k);
    isl_map *level = isl_map_universe(isl_map_get_space(pairs));
    level = isl_map_equate(level, isl_dim_in, d, isl_dim_out, d);
    carried = !dad_isl_yes(isl_map_is_subset(pairs, level));
    isl_map_free(level);
    isl_map_free(pairs);
  }
  return carried;
}
