/* isl_tools.c: small functions over isl. */
#include "isl_tools.h"

__isl_give isl_map *dad_isl_append(__isl_take isl_map *map, int value) {
  isl_size n = isl_map_dim(map, isl_dim_out);
  map = isl_map_add_dims(map, isl_dim_out, 1);
  return isl_map_fix_si(map, isl_dim_out, (unsigned)n, value);
}

__isl_give isl_map *dad_isl_columns(__isl_take isl_map *map, int from, int to) {
  isl_size n = isl_map_dim(map, isl_dim_out);
  if (n < to)
    return isl_map_free(map);
  map = isl_map_project_out(map, isl_dim_out, (unsigned)to, (unsigned)(n - to));
  return isl_map_project_out(map, isl_dim_out, 0, (unsigned)from);
}

struct pieces {
  int n;
  isl_multi_aff *first;
};

static isl_stat take_piece(__isl_take isl_set *domain, __isl_take isl_multi_aff *function,
                           void *user) {
  struct pieces *pieces = user;
  isl_set_free(domain);
  if (pieces->n++ == 0)
    pieces->first = function;
  else
    isl_multi_aff_free(function);
  return isl_stat_ok;
}

__isl_give isl_multi_aff *dad_isl_affine(__isl_take isl_map *map) {
  struct pieces pieces = {0};
  isl_pw_multi_aff *function = isl_pw_multi_aff_coalesce(isl_pw_multi_aff_from_map(map));
  isl_stat walked = isl_pw_multi_aff_foreach_piece(function, take_piece, &pieces);
  isl_pw_multi_aff_free(function);
  if (walked == isl_stat_ok && pieces.n == 1)
    return pieces.first;
  isl_multi_aff_free(pieces.first);
  return NULL;
}

void dad_isl_add_map(isl_union_map **to, __isl_take isl_map *map) {
  *to = *to ? isl_union_map_add_map(*to, map) : isl_union_map_from_map(map);
}

void dad_isl_add_set(isl_union_set **to, __isl_take isl_set *set) {
  *to = *to ? isl_union_set_add_set(*to, set) : isl_union_set_from_set(set);
}

void dad_isl_unite(isl_set **to, __isl_take isl_set *more) {
  *to = *to ? isl_set_coalesce(isl_set_union(*to, more)) : more;
}
