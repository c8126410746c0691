/* scop.c: the model of an affine region: release, names, what follows from it. */
#include "scop.h"

#include <string.h>

static void free_range(struct dad_scop_range *range) {
  isl_pw_multi_aff_free(range->first);
  isl_pw_multi_aff_free(range->last);
}

static void free_stmt(struct dad_scop_stmt *stmt) {
  isl_id_free(stmt->id);
  isl_set_free(stmt->domain);
  isl_map_free(stmt->time);
  for (int k = 0; k < stmt->n_access; k++)
    isl_map_free(stmt->access[k].map);
}

static void free_container(struct dad_scop_container *container) {
  isl_id_free(container->id);
  for (int d = 0; d < container->n_dim; d++)
    isl_pw_aff_free(container->size[d]);
}

struct dad_scop *dad_scop_free(DAD_TAKE struct dad_scop *scop) {
  for (int i = 0; i < scop->n_param; i++)
    isl_id_free(scop->param[i].id);
  for (int i = 0; i < scop->n_container; i++)
    free_container(&scop->container[i]);
  for (int i = 0; i < scop->n_stmt; i++)
    free_stmt(&scop->stmt[i]);
  for (int i = 0; i < scop->n_alias; i++) {
    for (int k = 0; k < scop->alias[i].n_written; k++)
      free_range(&scop->alias[i].written[k]);
    for (int k = 0; k < scop->alias[i].n_read; k++)
      free_range(&scop->alias[i].read[k]);
  }
  for (int i = 0; i < scop->n_hoist; i++)
    isl_set_free(scop->hoist[i].when);
  isl_set_free(scop->context);
  isl_set_free(scop->assumed);
  isl_set_free(scop->invalid);
  return NULL;
}

bool dad_scop_contains(const struct dad_scop *scop, LLVMBasicBlockRef block) {
  for (int i = 0; i < scop->n_block; i++)
    if (scop->block[i] == block)
      return true;
  return false;
}

/* ---- names */

static void rename_container(struct dad_scop *scop, int i) {
  struct dad_scop_container *c = &scop->container[i];
  size_t length;
  const char *name = LLVMGetValueName2(c->base, &length);
  bool taken = length == 0;
  for (int k = 0; k < i && !taken; k++)
    taken = !strcmp(isl_id_get_name(scop->container[k].id), name);
  if (taken)
    name = dad_arena_printf(scop->arena, "%c%d", c->kind == DAD_SCOP_ARRAY ? 'A' : 's', i);
  isl_id_free(c->id);
  c->id = isl_id_alloc(scop->ctx, name, NULL);
}

void dad_scop_rename(struct dad_scop *scop) {
  for (int i = 0; i < scop->n_container; i++)
    rename_container(scop, i);
  for (int i = 0; i < scop->n_stmt; i++) {
    struct dad_scop_stmt *s = &scop->stmt[i];
    isl_id_free(s->id);
    s->id = isl_id_alloc(scop->ctx, dad_arena_printf(scop->arena, "S%d", i), NULL);
    s->domain = isl_set_set_tuple_id(s->domain, isl_id_copy(s->id));
    s->time = isl_map_set_tuple_id(s->time, isl_dim_in, isl_id_copy(s->id));
    for (int k = 0; k < s->n_access; k++) {
      struct dad_scop_access *a = &s->access[k];
      a->map = isl_map_set_tuple_id(a->map, isl_dim_in, isl_id_copy(s->id));
      a->map =
          isl_map_set_tuple_id(a->map, isl_dim_out, isl_id_copy(scop->container[a->container].id));
    }
  }
}

/* ---- what follows */

static const char *access_refusal(const struct dad_scop *scop, const struct dad_scop_access *a) {
  const struct dad_scop_container *c = &scop->container[a->container];
  if (!a->affine)
    return "an access whose cells are not an affine function of the iterators";
  if (c->kind != DAD_SCOP_ARRAY)
    return NULL;
  if (a->element != c->element)
    return "memory that is accessed with several types, or moved as bytes";
  if (LLVMIsACallInst(a->instruction))
    return "a call that moves memory";
  return NULL;
}

const char *dad_scop_refusal(const struct dad_scop *scop) {
  for (int i = 0; i < scop->n_stmt; i++) {
    const struct dad_scop_stmt *s = &scop->stmt[i];
    if (s->branches)
      return "a store under a condition that depends on data";
    for (int k = 0; k < s->n_access; k++) {
      const char *why = access_refusal(scop, &s->access[k]);
      if (why)
        return why;
    }
  }
  for (int i = 0; i < scop->n_param; i++)
    if (!scop->param[i].value)
      return "a bound or a subscript that is computed inside";
  return NULL;
}

static bool selected(enum dad_scop_direction direction, enum dad_scop_direction which) {
  return direction == which || (which == DAD_SCOP_MAY_WRITE && direction == DAD_SCOP_WRITE);
}

__isl_give isl_union_map *dad_scop_relation(const struct dad_scop *scop,
                                            enum dad_scop_direction which) {
  isl_union_map *all = isl_union_map_empty(isl_set_get_space(scop->context));
  for (int i = 0; i < scop->n_stmt; i++)
    for (int k = 0; k < scop->stmt[i].n_access; k++) {
      const struct dad_scop_access *a = &scop->stmt[i].access[k];
      if (!selected(a->direction, which))
        continue;
      isl_map *map =
          isl_map_intersect_domain(isl_map_copy(a->map), isl_set_copy(scop->stmt[i].domain));
      all = isl_union_map_union(all, isl_union_map_from_map(map));
    }
  return isl_union_map_coalesce(all);
}

unsigned dad_scop_comparisons(const struct dad_scop *scop) {
  unsigned n = 0;
  for (int i = 0; i < scop->n_alias; i++) {
    unsigned written = (unsigned)scop->alias[i].n_written;
    n += written * (written - 1) / 2 + written * (unsigned)scop->alias[i].n_read;
  }
  return n;
}
