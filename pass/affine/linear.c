/* linear.c: taking isl's affine expressions apart. */
#include "linear.h"

#include <isl/space.h>
#include <isl/val.h>

/* The coefficients of "aff" for the variables "type", times its denominator. */
static long *coefficients(struct dad_arena *arena, __isl_keep isl_aff *aff, enum isl_dim_type type,
                          int n) {
  long *c = DAD_ARRAY(arena, long, n + 1);
  isl_val *den = isl_aff_get_denominator_val(aff);
  for (int i = 0; i < n; i++) {
    isl_val *v = isl_aff_get_coefficient_val(aff, type, i);
    v = isl_val_mul(v, isl_val_copy(den));
    c[i] = isl_val_get_num_si(v);
    isl_val_free(v);
  }
  isl_val_free(den);
  return c;
}

/* Fills in "l" for "aff"; "floor": it is a quotient of another. */
static void take_apart(struct dad_arena *arena, __isl_take isl_aff *aff, struct dad_linear *l) {
  isl_val *den = isl_aff_get_denominator_val(aff);
  isl_val *constant = isl_val_mul(isl_aff_get_constant_val(aff), isl_val_copy(den));
  l->denominator = isl_val_get_num_si(den);
  l->constant = isl_val_get_num_si(constant);
  isl_val_free(den);
  isl_val_free(constant);
  l->n_param = isl_aff_dim(aff, isl_dim_param);
  l->n_in = isl_aff_dim(aff, isl_dim_in);
  l->n_div = isl_aff_dim(aff, isl_dim_div);
  l->param = coefficients(arena, aff, isl_dim_param, l->n_param);
  l->in = coefficients(arena, aff, isl_dim_in, l->n_in);
  l->div = coefficients(arena, aff, isl_dim_div, l->n_div);
  l->quotient = DAD_ARRAY(arena, struct dad_linear, l->n_div + 1);
  for (int i = 0; i < l->n_div; i++) {
    isl_aff *quotient = l->div[i] ? isl_aff_get_div(aff, i) : NULL;
    if (quotient)
      take_apart(arena, quotient, &l->quotient[i]);
  }
  isl_aff_free(aff);
}

struct dad_linear *dad_linear_make(struct dad_arena *arena, __isl_keep isl_multi_aff *function,
                                   __isl_keep isl_set *context) {
  isl_size n = isl_multi_aff_dim(function, isl_dim_out);
  struct dad_linear *l = DAD_ARRAY(arena, struct dad_linear, n + 1);
  for (int i = 0; i < n; i++) {
    isl_aff *aff = isl_multi_aff_get_aff(function, i);
    take_apart(arena, isl_aff_align_params(aff, isl_set_get_space(context)), &l[i]);
  }
  return l;
}

long dad_linear_evaluate(const struct dad_linear *l, const long *param, const long *in) {
  long sum = l->constant;
  for (int i = 0; i < l->n_param; i++)
    sum += l->param[i] * param[i];
  for (int i = 0; i < l->n_in; i++)
    sum += l->in[i] * in[i];
  for (int i = 0; i < l->n_div; i++)
    if (l->div[i])
      sum += l->div[i] * dad_linear_evaluate(&l->quotient[i], param, in);
  long down = sum / l->denominator;
  return sum % l->denominator < 0 ? down - 1 : down;
}
