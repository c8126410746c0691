/* isl_tools.h: what isl's interface lacks and every stage of the affine engine uses. */
#ifndef DAD_ISL_TOOLS_H
#define DAD_ISL_TOOLS_H

#include <isl/aff.h>
#include <isl/ctx.h>
#include <isl/map.h>
#include <isl/set.h>
#include <isl/space.h>
#include <isl/union_map.h>
#include <isl/union_set.h>
#include <stdbool.h>

/* isl answers with an error where it ran out of its quota: that is neither yes nor no. */
static inline bool dad_isl_yes(isl_bool answer) {
  return answer == isl_bool_true;
}
static inline bool dad_isl_no(isl_bool answer) {
  return answer == isl_bool_false;
}

/* "map" with one more range dimension, of the constant value "value". */
__isl_give isl_map *dad_isl_append(__isl_take isl_map *map, int value);
/* "map" with dimensions "from" to "to" - 1 of its range alone. */
__isl_give isl_map *dad_isl_columns(__isl_take isl_map *map, int from, int to);
/* The affine function that "map" is on its domain, extended to the whole space; NULL where it has
   several pieces. */
__isl_give isl_multi_aff *dad_isl_affine(__isl_take isl_map *map);
/* Adds "map" to "*to", which may be NULL. */
void dad_isl_add_map(isl_union_map **to, __isl_take isl_map *map);
/* Adds "set" to "*to", which may be NULL. */
void dad_isl_add_set(isl_union_set **to, __isl_take isl_set *set);
/* Adds the points of "more" to "*to", which may be NULL. */
void dad_isl_unite(isl_set **to, __isl_take isl_set *more);
/* "map" with the name "in" for the tuple of its domain. */
static inline __isl_give isl_map *dad_isl_named(__isl_take isl_map *map, const char *in) {
  return isl_map_set_tuple_name(map, isl_dim_in, in);
}

#endif
