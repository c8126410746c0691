/* gen_scope.c: the names that are in scope. */
#include "gen.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Bring a name into scope; "life" matters for arrays and pointers only. It leaves the scope when
 * somebody restores the number of variables. */
void gen_declare(struct gen *g, enum gen_kind kind, enum gen_life life, const char *format, ...) {
  va_list arguments;
  if (g->variables == GEN_VARIABLES) {
    fprintf(stderr, "generate: too many names in scope\n");
    exit(2);
  }
  struct gen_variable *variable = &g->variable[g->variables++];
  variable->kind = kind;
  variable->life = life;
  va_start(arguments, format);
  vsnprintf(variable->text, sizeof variable->text, format, arguments);
  va_end(arguments);
}

/* Bring member "i" of a struct of type "record" into scope; "member" is how it is written. Memory
 * in the struct itself is never assigned to a pointer: a copy of the struct may outlive it. */
static void declare_member(struct gen *g, const struct gen_record *record, int i,
                           const char *member) {
  int length = record->member[i].length;
  switch (record->member[i].kind) {
  case GEN_MEMBER_REAL: gen_declare(g, GEN_REAL, GEN_BLOCK, "%s", member); break;
  case GEN_MEMBER_INT: gen_declare(g, GEN_INTEGER, GEN_BLOCK, "%s", member); break;
  case GEN_MEMBER_FLOAT: gen_declare(g, GEN_FLOAT, GEN_BLOCK, "%s", member); break;
  case GEN_MEMBER_SHORT: gen_declare(g, GEN_REAL, GEN_BLOCK, "%s[$i %% %d]", member, length); break;
  case GEN_MEMBER_FLOATS:
    gen_declare(g, GEN_FLOAT, GEN_BLOCK, "%s[$i %% %d]", member, length);
    break;
  case GEN_MEMBER_MATRIX:
    gen_declare(g, GEN_REAL, GEN_BLOCK, "%s[$y %% 2][$i %% %d]", member, length);
    break;
  case GEN_MEMBER_LONG:
    gen_declare(g, GEN_LONG, GEN_BLOCK, "%s", member);
    gen_declare(g, GEN_REAL, GEN_BLOCK, "%s[$i]", member);
    break;
  case GEN_MEMBER_POINTER: gen_declare(g, GEN_POINTER, g->life, "%s", member); break;
  case GEN_MEMBER_SMALL: gen_declare_record(g, &g->small, member); break;
  }
}

/* Bring the struct "name" of type "record" and all of its members into scope. */
void gen_declare_record(struct gen *g, const struct gen_record *record, const char *name) {
  gen_declare(g, record == &g->big ? GEN_BIG : GEN_SMALL, GEN_BLOCK, "%s", name);
  for (int i = 0; i < record->members; i++) {
    char member[48];
    snprintf(member, sizeof member, "%s.m%d", name, i);
    declare_member(g, record, i, member);
  }
}

/* A random variable in scope whose kind is in the bit set "kinds" and whose memory lives "least" as
 * long as said, or NULL where there is none. */
const struct gen_variable *gen_choose(struct gen *g, unsigned kinds, enum gen_life least) {
  int fit[GEN_VARIABLES], n = 0;
  for (int i = 0; i < g->variables; i++)
    if (kinds >> g->variable[i].kind & 1 && g->variable[i].life >= least)
      fit[n++] = i;
  return n ? &g->variable[fit[gen_below(g, n)]] : NULL;
}
