/* scop_print.c: the text of an affine region. */
#include "scop.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* One line: "indent" spaces, and a text as for printf. */
static void line(FILE *out, int indent, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static void line(FILE *out, int indent, const char *format, ...) {
  va_list args;
  va_start(args, format);
  fprintf(out, "%*s", indent, "");
  vfprintf(out, format, args);
  va_end(args);
}

/* Ends a line with "text", which is released; isl gives NULL when it gives up. */
static void end_line(FILE *out, char *text) {
  fprintf(out, "%s\n", text ? text : "?");
  free(text);
}

/* The expression in the text of a function without pieces, "[p] -> { [] -> [(EXPRESSION)] }"; else
 * all of "text". */
static char *expression_in(char *text) {
  char *first = text ? strstr(text, "[(") : NULL, *last = first ? strstr(first, ")]") : NULL;
  if (!last || strstr(last, "[("))
    return text;
  *last = 0;
  return first + 2;
}

void dad_scop_print_shape(FILE *out, const struct dad_scop_container *c) {
  char *type = LLVMPrintTypeToString(c->element);
  fputs(type, out);
  LLVMDisposeMessage(type);
  for (int d = 0; d < c->n_dim; d++) {
    char *size = c->size[d] ? isl_pw_aff_to_str(c->size[d]) : NULL;
    fprintf(out, d ? "[%s]" : " [%s]", size ? expression_in(size) : "*");
    free(size);
  }
}

static void print_container(FILE *out, const struct dad_scop *scop, int i, int indent) {
  static const char *const kinds[] = {"array", "value", "phi", "result"};
  const struct dad_scop_container *c = &scop->container[i];
  line(out, indent, "%s %s ", kinds[c->kind], isl_id_get_name(c->id));
  dad_scop_print_shape(out, c);
  if (c->origin >= 0)
    fprintf(out, ", at an address in %s", isl_id_get_name(scop->container[c->origin].id));
  fputs(c->escapes ? ", used behind\n" : "\n", out);
}

static void print_stmt(FILE *out, const struct dad_scop_stmt *s, int indent) {
  static const char *const words[] = {"", "read", "write", "may write"};
  line(out, indent, "statement %s, %d instructions%s\n", isl_id_get_name(s->id), s->n_instruction,
       s->branches ? ", branches on data" : "");
  line(out, indent + 2, "for ");
  end_line(out, isl_set_to_str(s->domain));
  line(out, indent + 2, "at ");
  end_line(out, isl_map_to_str(s->time));
  for (int k = 0; k < s->n_access; k++) {
    line(out, indent + 2, "%s ", words[s->access[k].direction]);
    end_line(out, isl_map_to_str(s->access[k].map));
  }
}

static void print_relation(FILE *out, const struct dad_scop *scop, enum dad_scop_direction which,
                           const char *what, int indent) {
  isl_union_map *relation = dad_scop_relation(scop, which);
  line(out, indent, "%s ", what);
  end_line(out, isl_union_map_to_str(relation));
  isl_union_map_free(relation);
}

void dad_scop_print(FILE *out, const struct dad_scop *scop, int indent) {
  for (int i = 0; i < scop->n_param; i++)
    line(out, indent, "parameter %s%s\n", isl_id_get_name(scop->param[i].id),
         scop->param[i].value ? "" : ", computed inside");
  for (int i = 0; i < scop->n_container; i++)
    print_container(out, scop, i, indent);
  for (int i = 0; i < scop->n_stmt; i++)
    print_stmt(out, &scop->stmt[i], indent);
  print_relation(out, scop, DAD_SCOP_READ, "reads", indent);
  print_relation(out, scop, DAD_SCOP_MAY_WRITE, "writes", indent);
  print_relation(out, scop, DAD_SCOP_WRITE, "kills", indent);
  line(out, indent, "context ");
  end_line(out, isl_set_to_str(scop->context));
  line(out, indent, "assumed ");
  end_line(out, isl_set_to_str(scop->assumed));
  line(out, indent, "invalid ");
  end_line(out, isl_set_to_str(scop->invalid));
  line(out, indent, "checks: %u comparisons of ranges, %d invariant loads\n",
       dad_scop_comparisons(scop), scop->n_hoist);
}
