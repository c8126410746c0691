/* memory_print.c: the objects and their cells as text.

     object 3: %struct.S, live, external (%s)
       [0,8) f64, varied, useful
       [8,16) ptr -> 4 at 0 + 8*[0,3)                                            */
#include "memory.h"

#include "activity.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Numbers of objects for people. */
static void number_objects(struct dad_memory *m, struct dad_map *number) {
  intptr_t n = 0;
  for (unsigned k = 0; k < m->heap.objects.n; k++) {
    struct dad_object *o = m->heap.objects.at[k];
    if (!o->up && o->n)
      dad_map_set_int(number, o, ++n);
  }
}

static void print_kinds(FILE *out, unsigned kinds) {
  static const struct {
    unsigned kind;
    const char *name;
  } names[] = {{DAD_F32, " f32"}, {DAD_F64, " f64"}, {DAD_F80, " f80"}, {DAD_PTR, " ptr"}};
  for (unsigned k = 0; k < sizeof names / sizeof *names; k++)
    if (kinds & names[k].kind)
      fputs(names[k].name, out);
  if (!kinds)
    fputs(" int", out);
}

static void print_repeats(FILE *out, const struct dad_pattern *p) {
  if (p->step)
    fprintf(out, " + %" PRId64 "*Z", p->step);
  for (unsigned k = 0; k < p->n; k++) {
    if (p->dim[k].count >= DAD_ENDLESS)
      fprintf(out, " + %" PRId64 "*N", p->dim[k].stride);
    else
      fprintf(out, " + %" PRId64 "*[0,%" PRId64 ")", p->dim[k].stride, p->dim[k].count);
  }
}

static void print_positions(FILE *out, const struct dad_positions *at) {
  for (unsigned k = 0; k < at->n; k++) {
    fprintf(out, "%s %" PRId64, k ? "," : " at", at->shape[k].p.lo);
    print_repeats(out, &at->shape[k].p);
  }
}

static void print_cell(struct dad_memory *m, FILE *out, const struct dad_map *number,
                       struct dad_cell *c) {
  struct dad_node *n = dad_node_find(c->content);
  unsigned flags = dad_activity_flags(m, n);
  fputs(" ", out);
  for (unsigned k = 0; k < c->n; k++) {
    const struct dad_span *s = &c->piece[k];
    fprintf(out, " [%" PRId64 ",%" PRId64 ")", s->p.lo, s->p.lo + s->width);
    print_repeats(out, &s->p);
  }
  print_kinds(out, dad_node_kinds(n));
  fputs(flags & DAD_VARIED ? ", varied" : "", out);
  fputs(flags & DAD_USEFUL ? ", useful" : "", out);
  unsigned count;
  const struct dad_target *t = dad_node_targets(&m->heap, n, &count);
  for (unsigned k = 0; k < count; k++) {
    fprintf(out, "%s %" PRIdPTR, k ? ";" : " ->", dad_map_int(number, t[k].object));
    print_positions(out, &t[k].at);
  }
  fputs("\n", out);
}

static void print_object(struct dad_memory *m, FILE *out, const struct dad_map *number,
                         struct dad_object *o) {
  fprintf(out, "object %" PRIdPTR ":", dad_map_int(number, o));
  if (o->type) {
    char *type = LLVMPrintTypeToString(o->type);
    fprintf(out, " %.*s,", (int)(strcspn(type, "=")), type);
    LLVMDisposeMessage(type);
  }
  fprintf(out, "%s%s%s", o->live ? " live" : " inert", o->one ? ", one cell" : "",
          o->external ? ", external" : "");
  if (o->site && *dad_name(o->site))
    fprintf(out, " (%s)", dad_name(o->site));
  fputs("\n", out);
  for (unsigned k = 0; k < o->n; k++)
    print_cell(m, out, number, o->cell[k]);
}

void dad_memory_print(struct dad_request *req) {
  struct dad_memory *m = req->memory;
  struct dad_map number = DAD_MAP(req->arena);
  number_objects(m, &number);
  fprintf(stderr, "memory of %s: %u constraints, %u rounds\n", dad_name(req->function),
          m->constraints.n, m->rounds);
  for (unsigned k = 0; k < number.n; k++)
    print_object(m, stderr, &number, (struct dad_object *)number.key[k]);
}
