/* gen_record.c: the struct types of the program and the functions that make and sum them. */
#include "gen.h"

#include <stdio.h>

/* How a member of each kind is declared, made from the array p and the number x, and summed. The
 * formats take the member's number and its length. */
static const struct {
  const char *declare, *make, *sum;
} member_text[] = {
    [GEN_MEMBER_REAL] = {"double m%1$d;", "s.m%1$d = 0.6 * x + 0.3 * p[%1$d %% N];",
                         "sum += s->m%1$d;"},
    [GEN_MEMBER_INT] = {"int m%1$d;", "s.m%1$d = (n + %1$d) %% 5;", "sum += 0.1 * s->m%1$d;"},
    [GEN_MEMBER_FLOAT] = {"float m%1$d;", "s.m%1$d = (float)(0.8 * p[1] - 0.2 * x);",
                          "sum += s->m%1$d;"},
    [GEN_MEMBER_SHORT] = {"double m%1$d[%2$d];",
                          "for (int i = 0; i < %2$d; i++)\n  s.m%1$d[i] = 0.5 * p[i] + 0.1 * x;",
                          "sum += s->m%1$d[0] * s->m%1$d[%2$d - 1];"},
    [GEN_MEMBER_FLOATS] = {"float m%1$d[%2$d];",
                           "for (int i = 0; i < %2$d; i++)\n  s.m%1$d[i] = (float)(0.7 * p[i]);",
                           "sum += s->m%1$d[0] - s->m%1$d[%2$d - 1];"},
    [GEN_MEMBER_MATRIX] = {"double m%1$d[2][%2$d];",
                           "for (int i = 0; i < 2 * %2$d; i++)\n"
                           "  s.m%1$d[i %% 2][i / 2] = 0.4 * p[i %% N] + 0.05 * i;",
                           "sum += s->m%1$d[1][0] * s->m%1$d[0][1] + s->m%1$d[1][%2$d - 1];"},
    [GEN_MEMBER_LONG] = {"double m%1$d[N + 2];",
                         "for (int i = 0; i < N + 2; i++)\n  s.m%1$d[i] = p[i %% N] - 0.2 * x;",
                         "sum += s->m%1$d[1] * s->m%1$d[N + 1];"},
    [GEN_MEMBER_POINTER] = {"double *m%1$d;", "s.m%1$d = p;", "sum += s->m%1$d[2];"},
    [GEN_MEMBER_SMALL] = {"struct small m%1$d;", "s.m%1$d = small_make(p, x, n);",
                          "sum += small_sum(&s->m%1$d);"},
};

/* A random member kind; "small" says that it is for the small type, which holds numbers only. */
static enum gen_member_kind choose_kind(struct gen *g, bool small) {
  static const enum gen_member_kind kinds[] = {
      GEN_MEMBER_REAL,   GEN_MEMBER_REAL,   GEN_MEMBER_INT,  GEN_MEMBER_FLOAT,   GEN_MEMBER_SHORT,
      GEN_MEMBER_FLOATS, GEN_MEMBER_MATRIX, GEN_MEMBER_LONG, GEN_MEMBER_POINTER, GEN_MEMBER_SMALL};
  enum gen_member_kind kind;
  do
    kind = kinds[gen_below(g, small ? 6 : 10)];
  while ((kind == GEN_MEMBER_FLOAT || kind == GEN_MEMBER_FLOATS) &&
         !(g->features & GEN_USES_FLOAT));
  return kind;
}

/* Choose "n" members for "record". One of them at least is a double. */
static void choose_members(struct gen *g, struct gen_record *record, int n) {
  int sure = gen_below(g, n);
  record->members = n;
  for (int i = 0; i < n; i++) {
    record->member[i].kind = choose_kind(g, record == &g->small);
    record->member[i].length = gen_between(g, 2, 3);
    record->member[i].node = g->nodes++;
    if (i == sure)
      record->member[i].kind = GEN_MEMBER_REAL;
  }
}

/* Choose the struct types of the program. */
void gen_record_choose(struct gen *g) {
  g->big.tag = "big";
  g->small.tag = "small";
  choose_members(g, &g->small, gen_between(g, 1, 3));
  choose_members(g, &g->big, gen_between(g, 2, 5));
}

/* Print a text of member "i" of "record" as lines; they belong to "node" too. */
static void member_lines(struct gen *g, const struct gen_record *record, int i, int node,
                         const char *format) {
  char text[512];
  struct gen_mark mark = gen_begin(g, record->member[i].node), own = gen_begin(g, node);
  snprintf(text, sizeof text, format, i, record->member[i].length);
  gen_lines(g, text);
  gen_end(g, own, "");
  gen_end(g, mark, "");
}

/* Print the type "record". */
static void print_type(struct gen *g, const struct gen_record *record) {
  gen_put(g, "struct %s {\n", record->tag);
  g->indent++;
  for (int i = 0; i < record->members; i++)
    member_lines(g, record, i, GEN_NO_NODE, member_text[record->member[i].kind].declare);
  g->indent--;
  gen_put(g, "};\n\n");
}

/* Print the function that makes a "record". */
static void print_make(struct gen *g, const struct gen_record *record) {
  struct gen_mark mark = gen_begin(g, g->nodes++);
  gen_put(g, "static struct %s %s_make(double *p, double x, int n) {\n", record->tag, record->tag);
  gen_put(g, "  struct %s s;\n", record->tag);
  g->indent++;
  for (int i = 0; i < record->members; i++)
    member_lines(g, record, i, GEN_NO_NODE, member_text[record->member[i].kind].make);
  gen_lines(g, "return s;");
  g->indent--;
  gen_put(g, "}\n\n");
  gen_end(g, mark, "");
}

/* Print the function that sums the members of a "record". */
static void print_sum(struct gen *g, const struct gen_record *record) {
  struct gen_mark mark = gen_begin(g, g->nodes++);
  gen_put(g, "static double %s_sum(const struct %s *s) {\n  double sum = 0;\n", record->tag,
          record->tag);
  g->indent++;
  for (int i = 0; i < record->members; i++)
    member_lines(g, record, i, g->nodes++, member_text[record->member[i].kind].sum);
  gen_lines(g, "return sum;");
  g->indent--;
  gen_put(g, "}\n\n");
  gen_end(g, mark, "");
}

/* Print the struct types and their functions. */
void gen_record_print(struct gen *g) {
  const struct gen_record *records[2] = {&g->small, &g->big};
  for (int i = 0; i < 2; i++) {
    struct gen_mark mark = gen_begin(g, g->nodes++);
    print_type(g, records[i]);
    print_make(g, records[i]);
    print_sum(g, records[i]);
    gen_end(g, mark, "");
  }
}
