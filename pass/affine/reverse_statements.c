/* reverse_statements.c: scale and accumulate. */
#include "reverse_statements.h"

#include <isl/mat.h>
#include <stdlib.h>

/* ---- the reversed time of the producer */

/* The search for the largest piece of a map. */
struct largest {
  int dimensions;          /* of the best piece so far */
  isl_multi_aff *function; /* what the map is there; owned */
  bool replaced;           /* by a piece of the map at hand */
};

static int dimensions_of(__isl_take isl_set *set) {
  isl_basic_set *hull = isl_set_affine_hull(set);
  isl_mat *equal =
      isl_basic_set_equalities_matrix(hull, isl_dim_set, isl_dim_param, isl_dim_div, isl_dim_cst);
  int n = isl_basic_set_dim(hull, isl_dim_set) - isl_mat_rows(equal);
  isl_mat_free(equal);
  isl_basic_set_free(hull);
  return n;
}

static isl_stat compare_piece(__isl_take isl_set *domain, __isl_take isl_multi_aff *function,
                              void *user) {
  struct largest *best = user;
  int n = dimensions_of(domain);
  if (n <= best->dimensions) {
    isl_multi_aff_free(function);
    return isl_stat_ok;
  }
  isl_multi_aff_free(best->function);
  *best = (struct largest){n, function, true};
  return isl_stat_ok;
}

/* Minus the time of the producer of need "need" of "a", as an affine function on all of its domain:
   that of the largest piece, extended; whether that is legal is for the schedule to say. NULL for
   versions that come from outside. */
static __isl_give isl_map *pull_time(const struct dad_affine *plan, const struct dad_assign *a,
                                     int need) {
  struct largest best = {.dimensions = -1};
  const struct dad_assign *from = NULL;
  for (int i = 0; i < plan->nest->n_assign; i++) {
    isl_map *part = dad_flow_part(plan->producer, a, need, &plan->nest->assign[i]);
    if (!part)
      continue;
    best.replaced = false;
    isl_pw_multi_aff *pieces = isl_pw_multi_aff_from_map(part);
    isl_pw_multi_aff_foreach_piece(pieces, compare_piece, &best);
    isl_pw_multi_aff_free(pieces);
    if (best.replaced)
      from = &plan->nest->assign[i];
  }
  isl_multi_aff *time = from ? dad_isl_affine(isl_map_copy(from->time)) : NULL;
  if (!time) {
    isl_multi_aff_free(best.function);
    return NULL;
  }
  time = isl_multi_aff_pullback_multi_aff(time, best.function);
  return isl_map_neg(isl_map_from_multi_aff(time));
}

/* ---- one reverse statement */

/* A reverse statement being made: which read of which assignment receives what, where. */
struct making {
  struct dad_affine *plan;
  int assign, read;             /* read -1: scaling */
  const struct dad_expr *value; /* in terms of the seed and needs */
  unsigned long needed;         /* what "value" reads */
  int *place;                   /* where, so far */
};

static __isl_give isl_map *on(__isl_take isl_map *map, __isl_keep isl_set *domain,
                              const char *name) {
  return dad_isl_named(isl_map_intersect_domain(map, isl_set_copy(domain)), name);
}

/* Adds the reverse statement "m" for the instances "domain". */
static bool add(const struct making *m, __isl_keep isl_set *domain) {
  struct dad_affine *plan = m->plan;
  const struct dad_assign *a = &plan->nest->assign[m->assign];
  if (plan->n_reverse == plan->option.most_reverse) {
    plan->refused = "the reverse sweep has too many statements";
    return false;
  }
  struct dad_reverse *r = &plan->reverse[plan->n_reverse++];
  const char *kind = m->read >= 0 ? "add" : dad_expr_is(m->value, 0) ? "clear" : "scale";
  r->name = dad_arena_printf(plan->arena, "%s_%s_%d", kind, a->name, plan->n_reverse - 1);
  r->assign = m->assign;
  r->read = m->read;
  r->value = m->value;
  r->place = DAD_ARRAY(plan->arena, int, a->n_read + 1);
  for (int k = 0; k <= a->n_read; k++)
    r->place[k] = m->needed >> k & 1 ? m->place[k] : -1;
  int target = m->read < 0 ? a->n_read : m->read;
  r->domain = isl_set_set_tuple_name(isl_set_copy(domain), r->name);
  r->source = on(isl_map_copy(a->write.map), domain, r->name);
  r->target = on(isl_map_copy(dad_assign_access(a, target)->map), domain, r->name);
  isl_multi_aff *time = dad_isl_affine(isl_map_copy(a->time));
  r->push = time ? on(isl_map_neg(isl_map_from_multi_aff(time)), domain, r->name) : NULL;
  r->pull = pull_time(plan, a, m->read < 0 ? a->n_read + 1 : m->read);
  if (r->pull)
    r->pull = on(r->pull, domain, r->name);
  if (!r->push)
    plan->refused = "the time of an assignment has pieces";
  return r->push != NULL;
}

/* Adds reverse statements for "m" on "domain", one for each combination of places of its needs from
   number "need" on. */
static bool split(const struct making *m, __isl_take isl_set *domain, int need) {
  const struct dad_assign *a = &m->plan->nest->assign[m->assign];
  const struct dad_need *needs = m->plan->backward[m->assign].need;
  bool good = true;
  while (need <= a->n_read && !(m->needed >> need & 1))
    need++;
  if (need > a->n_read)
    good = add(m, domain);
  for (int i = 0; need <= a->n_read && i < needs[need].n && good; i++) {
    isl_set *part =
        isl_set_intersect(isl_set_copy(domain), isl_set_copy(needs[need].place[i].domain));
    part = isl_set_coalesce(part);
    isl_bool empty = isl_set_is_empty(part);
    m->place[need] = i;
    if (dad_isl_no(empty))
      good = split(m, part, need + 1);
    else
      isl_set_free(part);
    good &= empty != isl_bool_error;
  }
  isl_set_free(domain);
  return good;
}

/* Adds reverse statements on "domain" in which read "read" of "assign", or -1 for the written cell,
   receives "value". */
static bool receive(struct dad_affine *plan, int assign, int read, const struct dad_expr *value,
                    __isl_keep isl_set *domain) {
  struct dad_assign *a = &plan->nest->assign[assign];
  const struct dad_backward *b = &plan->backward[assign];
  struct dad_expr_needs needs = {0};
  dad_expr_needs(&a->pool, value, b->marked ? &b->marks : NULL, &needs);
  struct making m = {plan,
                     assign,
                     read,
                     value,
                     needs.reads | (needs.result ? 1ul << a->n_read : 0),
                     DAD_ARRAY(plan->arena, int, a->n_read + 1)};
  return split(&m, isl_set_copy(domain), 0);
}

/* Adds the reverse statements of "assign" on "domain", where the reads in "own" are those of the
   written cell itself. */
static bool reverse_part(struct dad_affine *plan, int assign, __isl_keep isl_set *domain,
                         unsigned long own) {
  struct dad_assign *a = &plan->nest->assign[assign];
  const struct dad_backward *b = &plan->backward[assign];
  const struct dad_expr *scale = dad_expr_number(&a->pool, 0);
  bool good = true;
  for (int k = 0; k < a->n_read && good; k++)
    if (b->by[k] && own >> k & 1)
      scale = dad_expr_operator(&a->pool, DAD_OP_ADD, scale, b->by[k], NULL);
    else if (b->by[k])
      good = receive(plan, assign, k, b->by[k], domain);
  if (good && scale->kind != DAD_EXPR_SEED)
    good = receive(plan, assign, -1, scale, domain);
  return good;
}

/* Whether a read is of the written cell may depend on the instance: cuts "domain" into parts where
   it does not, from read "read" on. */
static bool reverse_assign(struct dad_affine *plan, int assign, __isl_take isl_set *domain,
                           int read, unsigned long own) {
  const struct dad_assign *a = &plan->nest->assign[assign];
  const struct dad_backward *b = &plan->backward[assign];
  isl_bool empty = isl_set_is_empty(domain);
  while (read < a->n_read && (!b->by[read] || a->read[read].array != a->write.array))
    read++;
  if (!dad_isl_no(empty) || read == a->n_read) {
    bool good =
        dad_isl_yes(empty) || (dad_isl_no(empty) && reverse_part(plan, assign, domain, own));
    isl_set_free(domain);
    return good;
  }
  isl_map *same = isl_map_intersect(isl_map_copy(a->read[read].map), isl_map_copy(a->write.map));
  isl_set *equal = isl_map_domain(same);
  isl_set *inside = isl_set_coalesce(isl_set_intersect(isl_set_copy(domain), isl_set_copy(equal)));
  isl_set *outside = isl_set_coalesce(isl_set_subtract(domain, equal));
  bool good = reverse_assign(plan, assign, inside, read + 1, own | 1ul << read);
  return reverse_assign(plan, assign, outside, read + 1, own) && good;
}

bool dad_reverse_make(struct dad_affine *plan) {
  const struct dad_nest *nest = plan->nest;
  bool good = true;
  plan->reverse = DAD_ARRAY(plan->arena, struct dad_reverse, plan->option.most_reverse + 1);
  for (int i = 0; i < nest->n_assign && good; i++)
    if (nest->array[nest->assign[i].write.array].active)
      good = reverse_assign(plan, i, isl_set_copy(nest->assign[i].domain), 0, 0);
  return good;
}

void dad_reverse_print(FILE *out, const struct dad_affine *plan) {
  for (int i = 0; i < plan->n_reverse; i++) {
    const struct dad_reverse *r = &plan->reverse[i];
    const struct dad_nest *nest = plan->nest;
    const struct dad_assign *a = &nest->assign[r->assign];
    char *domain = isl_set_to_str(r->domain);
    fprintf(out, "%s: ", r->name);
    dad_expr_print(out, r->value);
    fprintf(out, " -> %s",
            nest->array[dad_assign_access(a, r->read < 0 ? a->n_read : r->read)->array].name);
    fprintf(out, " (%s), for %s\n", r->how ? r->how : "?", domain ? domain : "?");
    free(domain);
  }
}
