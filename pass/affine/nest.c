/* nest.c: the model of a loop nest. */
#include "nest.h"

#include <stdlib.h>

struct dad_nest *dad_nest_free(DAD_TAKE struct dad_nest *nest) {
  for (int i = 0; i < nest->n_assign; i++) {
    struct dad_assign *a = &nest->assign[i];
    isl_set_free(a->domain);
    isl_map_free(a->time);
    isl_map_free(a->write.map);
    for (int k = 0; k < a->n_read; k++)
      isl_map_free(a->read[k].map);
  }
  isl_set_free(nest->context);
  return NULL;
}

__isl_give isl_set *dad_nest_written(const struct dad_nest *nest, int array) {
  isl_set *written = NULL;
  for (int i = 0; i < nest->n_assign; i++) {
    const struct dad_assign *a = &nest->assign[i];
    if (a->write.array == array)
      dad_isl_unite(&written, isl_map_range(isl_map_intersect_domain(isl_map_copy(a->write.map),
                                                                     isl_set_copy(a->domain))));
  }
  return written;
}

static void print_map(FILE *out, const char *what, __isl_keep isl_map *map) {
  char *text = isl_map_to_str(map);
  fprintf(out, "  %s %s\n", what, text ? text : "?");
  free(text);
}

void dad_nest_print(FILE *out, const struct dad_nest *nest) {
  for (int i = 0; i < nest->n_array; i++) {
    const struct dad_nest_array *array = &nest->array[i];
    fprintf(out, "array %s of %d dimensions, %u bytes a cell%s\n", array->name, array->n_dim,
            array->bytes, array->active ? "" : ", inactive");
  }
  for (int i = 0; i < nest->n_assign; i++) {
    const struct dad_assign *a = &nest->assign[i];
    char *domain = isl_set_to_str(a->domain);
    fprintf(out, "assign %s\n  for %s\n", a->name, domain ? domain : "?");
    free(domain);
    print_map(out, "at", a->time);
    for (int k = 0; k < a->n_read; k++) {
      fprintf(out, "  r%d", k);
      print_map(out, " =", a->read[k].map);
    }
    print_map(out, "write", a->write.map);
    fputs("  value ", out);
    dad_expr_print(out, a->value);
    fputc('\n', out);
  }
}
