/* region_print.c: the graph of regions as text, for Graphviz and as JSON. */
#include "region.h"

#include <stdlib.h>

static const char *const kinds[] = {"affine", "loop", "branch", "block"};

/* ---- text */

static void print_node(FILE *out, const struct dad_region_graph *graph, int i, int indent) {
  const struct dad_region *node = &graph->node[i];
  fprintf(out, "%*s%s %d", indent, "", kinds[node->kind], i);
  if (node->scop) {
    const char *why = dad_scop_refusal(node->scop);
    fprintf(out, ": %d statements, %d containers%s%s\n", node->scop->n_stmt,
            node->scop->n_container, why ? ", left to the general engine: " : "", why ? why : "");
    dad_scop_print(out, node->scop, indent + 2);
    return;
  }
  fputc('\n', out);
  for (int k = i + 1; k < graph->n_node; k++)
    if (graph->node[k].parent == i)
      print_node(out, graph, k, indent + 2);
}

void dad_region_print(FILE *out, const struct dad_region_graph *graph, const char *name) {
  fprintf(out, "regions of %s\n", name);
  for (int i = 0; i < graph->n_node; i++)
    if (graph->node[i].parent < 0)
      print_node(out, graph, i, 2);
  fputs("  next", out);
  for (int i = 0; i < graph->n_edge; i++)
    fprintf(out, " %d->%d", graph->edge[i].from, graph->edge[i].to);
  fputc('\n', out);
}

/* ---- Graphviz */

static void dot_node(FILE *out, const struct dad_region_graph *graph, int i) {
  const struct dad_region *node = &graph->node[i];
  if (node->kind == DAD_REGION_LOOP) {
    fprintf(out, "subgraph cluster_%d { label=\"loop %d\";\n", i, i);
    for (int k = i + 1; k < graph->n_node; k++)
      if (graph->node[k].parent == i)
        dot_node(out, graph, k);
    fputs("}\n", out);
    return;
  }
  fprintf(out, "n%d [shape=%s label=\"%s %d", i,
          node->kind == DAD_REGION_BRANCH ? "diamond" : "box", kinds[node->kind], i);
  for (int k = 0; node->scop && k < node->scop->n_container; k++) {
    fprintf(out, "\\l%s ", isl_id_get_name(node->scop->container[k].id));
    dad_scop_print_shape(out, &node->scop->container[k]);
  }
  fputs("\"];\n", out);
}

void dad_region_print_dot(FILE *out, const struct dad_region_graph *graph, const char *name) {
  fprintf(out, "digraph \"%s\" {\n", name);
  for (int i = 0; i < graph->n_node; i++)
    if (graph->node[i].parent < 0)
      dot_node(out, graph, i);
  for (int i = 0; i < graph->n_edge; i++)
    fprintf(out, "n%d -> n%d;\n", graph->edge[i].from, graph->edge[i].to);
  fputs("}\n", out);
}

/* ---- JSON */

/* "key": "text", where isl's text needs no escapes; releases "text". */
static void json_text(FILE *out, const char *key, char *text, const char *after) {
  fprintf(out, "\"%s\": \"%s\"%s", key, text ? text : "?", after);
  free(text);
}

static void json_relation(FILE *out, const struct dad_scop *scop, enum dad_scop_direction which,
                          const char *key, const char *after) {
  isl_union_map *relation = dad_scop_relation(scop, which);
  json_text(out, key, isl_union_map_to_str(relation), after);
  isl_union_map_free(relation);
}

static void json_scop(FILE *out, const struct dad_scop *scop) {
  fputs(", \"containers\": [", out);
  for (int i = 0; i < scop->n_container; i++) {
    fprintf(out, "%s{\"name\": \"%s\", \"type\": \"", i ? ", " : "",
            isl_id_get_name(scop->container[i].id));
    dad_scop_print_shape(out, &scop->container[i]);
    fputs("\"}", out);
  }
  fputs("], \"statements\": [", out);
  for (int i = 0; i < scop->n_stmt; i++) {
    fprintf(out, "%s{\"name\": \"%s\", ", i ? ", " : "", isl_id_get_name(scop->stmt[i].id));
    json_text(out, "instances", isl_set_to_str(scop->stmt[i].domain), ", ");
    json_text(out, "time", isl_map_to_str(scop->stmt[i].time), "}");
  }
  fputs("], ", out);
  json_relation(out, scop, DAD_SCOP_READ, "reads", ", ");
  json_relation(out, scop, DAD_SCOP_MAY_WRITE, "writes", ", ");
  json_relation(out, scop, DAD_SCOP_WRITE, "kills", "");
}

void dad_region_print_json(FILE *out, const struct dad_region_graph *graph, const char *name) {
  fprintf(out, "{\"function\": \"%s\", \"regions\": [\n", name);
  for (int i = 0; i < graph->n_node; i++) {
    fprintf(out, "  {\"id\": %d, \"kind\": \"%s\", \"parent\": %d", i, kinds[graph->node[i].kind],
            graph->node[i].parent);
    if (graph->node[i].scop)
      json_scop(out, graph->node[i].scop);
    fprintf(out, "}%s\n", i + 1 < graph->n_node ? "," : "");
  }
  fputs("], \"next\": [", out);
  for (int i = 0; i < graph->n_edge; i++)
    fprintf(out, "%s[%d, %d]", i ? ", " : "", graph->edge[i].from, graph->edge[i].to);
  fputs("]}\n", out);
}
