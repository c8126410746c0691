/* polynomial.c: closed forms of sums over affine bounds. */
#include "polynomial.h"

#include <isl/space.h>
#include <isl/val.h>

enum { MOST_TERMS = 64 };

static __isl_give isl_qpolynomial *divide(__isl_take isl_qpolynomial *q, int by) {
  isl_val *v = isl_val_int_from_si(isl_qpolynomial_get_ctx(q), by);
  return isl_qpolynomial_scale_val(q, isl_val_inv(v));
}

/* The sum of x^e over 0 <= x <= n; NULL for e > 3. */
static __isl_give isl_qpolynomial *power_sum(int e, __isl_keep isl_qpolynomial *n) {
  isl_space *space = isl_qpolynomial_get_domain_space(n);
  isl_qpolynomial *next =
      isl_qpolynomial_add(isl_qpolynomial_copy(n), isl_qpolynomial_one_on_domain(space));
  if (e == 0)
    return next;
  isl_qpolynomial *twice = isl_qpolynomial_add(isl_qpolynomial_copy(n), isl_qpolynomial_copy(next));
  isl_qpolynomial *half = divide(isl_qpolynomial_mul(isl_qpolynomial_copy(n), next), 2);
  if (e == 2)
    return isl_qpolynomial_mul(half, divide(twice, 3));
  isl_qpolynomial_free(twice);
  if (e == 1)
    return half;
  if (e == 3)
    return isl_qpolynomial_pow(half, 2);
  isl_qpolynomial_free(half);
  return NULL;
}

/* A sum over dimension "d", term by term. */
struct summing {
  int d;
  bool bad;                    /* no closed form */
  isl_qpolynomial *below, *hi; /* the bounds; below = lower bound - 1 */
  isl_qpolynomial *sum;        /* of the terms so far */
};

/* What "term" is without its power of dimension "d". */
static __isl_give isl_qpolynomial *without(__isl_keep isl_term *term, int d,
                                           __isl_take isl_space *space) {
  const enum isl_dim_type types[2] = {isl_dim_param, isl_dim_set};
  isl_val *factor = isl_term_get_coefficient_val(term);
  isl_qpolynomial *q = isl_qpolynomial_val_on_domain(isl_space_copy(space), factor);
  for (int i = 0; i < 2; i++)
    for (int v = 0; v < isl_term_dim(term, types[i]); v++) {
      isl_size e = isl_term_get_exp(term, types[i], (unsigned)v);
      if (e <= 0 || (i == 1 && v == d))
        continue;
      isl_qpolynomial *x =
          isl_qpolynomial_var_on_domain(isl_space_copy(space), types[i], (unsigned)v);
      q = isl_qpolynomial_mul(q, isl_qpolynomial_pow(x, (unsigned)e));
    }
  isl_space_free(space);
  return q;
}

static isl_stat sum_term(__isl_take isl_term *term, void *user) {
  struct summing *s = user;
  isl_size e = isl_term_get_exp(term, isl_dim_set, (unsigned)s->d);
  isl_qpolynomial *hi = power_sum(e, s->hi), *below = power_sum(e, s->below);
  if (!hi || !below || isl_term_dim(term, isl_dim_div) != 0) {
    s->bad = true;
    isl_qpolynomial_free(hi);
    isl_qpolynomial_free(below);
  } else {
    isl_qpolynomial *rest = without(term, s->d, isl_qpolynomial_get_domain_space(s->hi));
    rest = isl_qpolynomial_mul(rest, isl_qpolynomial_sub(hi, below));
    s->sum = isl_qpolynomial_add(s->sum, rest);
  }
  isl_term_free(term);
  return isl_stat_ok;
}

__isl_give isl_qpolynomial *dad_polynomial_sum(__isl_take isl_qpolynomial *q, int d,
                                               __isl_take isl_qpolynomial *lo,
                                               __isl_take isl_qpolynomial *hi) {
  isl_space *space = isl_qpolynomial_get_domain_space(hi);
  isl_qpolynomial *one = isl_qpolynomial_one_on_domain(isl_space_copy(space));
  struct summing s = {.d = d,
                      .below = isl_qpolynomial_sub(lo, one),
                      .hi = hi,
                      .sum = isl_qpolynomial_zero_on_domain(space)};
  if (isl_qpolynomial_foreach_term(q, sum_term, &s) != isl_stat_ok)
    s.bad = true;
  isl_qpolynomial_free(q);
  isl_qpolynomial_free(s.below);
  isl_qpolynomial_free(s.hi);
  if (!s.bad)
    return s.sum;
  isl_qpolynomial_free(s.sum);
  return NULL;
}

/* ---- as integers */

/* A conversion, which sees the terms twice: for the denominator, then for the numbers. */
struct converting {
  struct dad_arena *arena;
  struct dad_polynomial *p;
  isl_val *denominator; /* common to all terms */
  bool bad;             /* divisions, or too large */
};

static isl_stat see_denominator(__isl_take isl_term *term, void *user) {
  struct converting *c = user;
  isl_val *factor = isl_term_get_coefficient_val(term);
  isl_val *den = isl_val_int_from_si(isl_val_get_ctx(factor), isl_val_get_den_si(factor));
  isl_val *common = isl_val_gcd(isl_val_copy(c->denominator), isl_val_copy(den));
  c->denominator = isl_val_mul(c->denominator, isl_val_div(den, common));
  c->bad |= isl_term_dim(term, isl_dim_div) != 0 || c->p->n == MOST_TERMS;
  c->p->n++;
  isl_val_free(factor);
  isl_term_free(term);
  return isl_stat_ok;
}

static isl_stat take_term(__isl_take isl_term *term, void *user) {
  struct converting *c = user;
  struct dad_polynomial *p = c->p;
  struct dad_monomial *m = &p->term[p->n++];
  isl_val *factor = isl_val_mul(isl_term_get_coefficient_val(term), isl_val_copy(c->denominator));
  m->factor = isl_val_get_num_si(factor);
  m->power = DAD_ARRAY(c->arena, unsigned char, p->n_param + p->n_dim + 1);
  for (int v = 0; v < p->n_param + p->n_dim; v++) {
    bool param = v < p->n_param;
    isl_size e = isl_term_get_exp(term, param ? isl_dim_param : isl_dim_set,
                                  (unsigned)(param ? v : v - p->n_param));
    m->power[v] = (unsigned char)e;
  }
  isl_val_free(factor);
  isl_term_free(term);
  return isl_stat_ok;
}

static void take_names(struct converting *c, __isl_take isl_space *space) {
  struct dad_polynomial *p = c->p;
  p->n_param = isl_space_dim(space, isl_dim_param);
  p->n_dim = isl_space_dim(space, isl_dim_set);
  const char **name = DAD_ARRAY(c->arena, const char *, p->n_param + p->n_dim + 1);
  for (int v = 0; v < p->n_param; v++)
    name[v] =
        dad_arena_printf(c->arena, "%s", isl_space_get_dim_name(space, isl_dim_param, (unsigned)v));
  for (int v = 0; v < p->n_dim; v++)
    name[p->n_param + v] = dad_arena_printf(c->arena, "i%d", v);
  p->name = name;
  isl_space_free(space);
}

struct dad_polynomial *dad_polynomial_make(struct dad_arena *arena, __isl_take isl_qpolynomial *q) {
  if (!q)
    return NULL;
  struct dad_polynomial *p = DAD_NEW(arena, struct dad_polynomial);
  struct converting c = {arena, p, isl_val_one(isl_qpolynomial_get_ctx(q)), false};
  take_names(&c, isl_qpolynomial_get_domain_space(q));
  if (isl_qpolynomial_foreach_term(q, see_denominator, &c) != isl_stat_ok)
    c.bad = true;
  p->term = DAD_ARRAY(arena, struct dad_monomial, p->n + 1);
  p->n = 0;
  p->denominator = isl_val_get_num_si(c.denominator);
  if (!c.bad && isl_qpolynomial_foreach_term(q, take_term, &c) != isl_stat_ok)
    c.bad = true;
  isl_val_free(c.denominator);
  isl_qpolynomial_free(q);
  return c.bad ? NULL : p;
}

long dad_polynomial_evaluate(const struct dad_polynomial *p, const long *value) {
  long sum = 0;
  for (int t = 0; t < p->n; t++) {
    long product = p->term[t].factor;
    for (int v = 0; v < p->n_param + p->n_dim; v++)
      for (int e = 0; e < p->term[t].power[v]; e++)
        product *= value[v];
    sum += product;
  }
  return sum / p->denominator;
}

static void print_monomial(FILE *out, const struct dad_polynomial *p, const struct dad_monomial *m,
                           bool first) {
  long factor = m->factor < 0 ? -m->factor : m->factor;
  bool any = false;
  if (m->factor < 0)
    fputs(first ? "-" : " - ", out);
  else if (!first)
    fputs(" + ", out);
  for (int v = 0; v < p->n_param + p->n_dim; v++) {
    if (!m->power[v])
      continue;
    if (!any && factor != 1)
      fprintf(out, "%ld*", factor);
    fprintf(out, any ? "*%s" : "%s", p->name[v]);
    if (m->power[v] > 1)
      fprintf(out, "^%d", m->power[v]);
    any = true;
  }
  if (!any)
    fprintf(out, "%ld", factor);
}

void dad_polynomial_print(FILE *out, const struct dad_polynomial *p) {
  bool quotient = p->denominator != 1 && p->n > 0;
  fputs(quotient ? "(" : p->n ? "" : "0", out);
  for (int t = p->n; t-- > 0;) /* isl has the lowest powers first */
    print_monomial(out, p, &p->term[t], t == p->n - 1);
  if (quotient)
    fprintf(out, ")/%ld", p->denominator);
}
