/* needs.c: operand or result, value or comparison. */
#include "needs.h"

#include <stdlib.h>

/* Does "a" take part in the reverse sweep? */
static bool is_active(const struct dad_affine *plan, const struct dad_assign *a) {
  return plan->nest->array[a->write.array].active;
}

/* Sets what the adjoint of assignment "at" is and reads, in the form that "b" says. */
static void derive(const struct dad_affine *plan, struct dad_assign *a, struct dad_backward *b) {
  struct dad_expr_needs needs = {0};
  dad_expr_adjoint(&a->pool, a->value, b->result, (unsigned)a->n_read, b->by);
  for (int k = 0; k < a->n_read; k++) {
    if (!plan->nest->array[a->read[k].array].active)
      b->by[k] = NULL;
    dad_expr_needs(&a->pool, b->by[k], b->marked ? &b->marks : NULL, &needs);
  }
  b->needed = needs.reads | (needs.result ? 1ul << a->n_read : 0);
}

/* On how many parts of their domains the needs of "b", of "n" reads and the result, must be kept.
 */
static int kept(const struct dad_backward *b, int n) {
  int places = 0;
  for (int k = 0; k <= n; k++)
    for (int i = 0; b->needed >> k & 1 && i < b->need[k].n; i++)
      places += b->need[k].place[i].killer >= 0;
  return places;
}

/* Are there comparisons in the adjoint of "a" that fit in a byte? */
static bool find_marks(struct dad_assign *a, struct dad_backward *b) {
  b->marks.n = 0;
  for (int k = 0; k < a->n_read; k++)
    if (b->by[k] && !dad_expr_marks(&a->pool, b->by[k], &b->marks))
      return false;
  return b->marks.n > 0;
}

static void choose(const struct dad_affine *plan, struct dad_assign *a, struct dad_backward *b) {
  b->result = true;
  derive(plan, a, b);
  int with_result = kept(b, a->n_read);
  b->result = false;
  derive(plan, a, b);
  if (with_result <= kept(b, a->n_read)) {
    b->result = true;
    derive(plan, a, b);
  }
  int without = kept(b, a->n_read);
  if (without == 0 || !find_marks(a, b))
    return;
  b->marked = true;
  derive(plan, a, b);
  if (kept(b, a->n_read) < without)
    return;
  b->marked = false;
  derive(plan, a, b);
}

bool dad_needs_choose(struct dad_affine *plan) {
  const struct dad_nest *nest = plan->nest;
  for (int i = 0; i < nest->n_assign; i++) {
    struct dad_assign *a = &nest->assign[i];
    struct dad_backward *b = &plan->backward[i];
    b->tape = b->mark_tape = -1;
    b->by = DAD_ARRAY(plan->arena, const struct dad_expr *, a->n_read + 1);
    b->need = DAD_ARRAY(plan->arena, struct dad_need, a->n_read + 1);
    if (a->n_read >= DAD_READS) {
      plan->refused = "an assignment has too many reads";
      return false;
    }
    for (int k = 0; k <= a->n_read && is_active(plan, a); k++)
      if (!dad_flow_locate(nest, plan->kill, i, k, plan->option.most_places, &b->need[k])) {
        plan->refused = "a value is kept in too many places";
        return false;
      }
    if (is_active(plan, a))
      choose(plan, a, b);
  }
  return true;
}

static void print_need(FILE *out, const struct dad_affine *plan, const struct dad_need *need) {
  for (int i = 0; i < need->n; i++) {
    const struct dad_place *place = &need->place[i];
    char *where = isl_set_to_str(place->domain);
    if (place->killer < 0)
      fprintf(out, "    reload %s\n", where ? where : "?");
    else
      fprintf(out, "    tape of %s %s\n", plan->nest->assign[place->killer].name,
              where ? where : "?");
    free(where);
  }
}

void dad_needs_print(FILE *out, const struct dad_affine *plan) {
  for (int i = 0; i < plan->nest->n_assign; i++) {
    const struct dad_assign *a = &plan->nest->assign[i];
    const struct dad_backward *b = &plan->backward[i];
    fprintf(out, "assign %s", a->name);
    for (unsigned k = 0; b->marked && k < b->marks.n; k++) {
      fputs(k ? ", " : " marks ", out);
      dad_expr_print(out, b->marks.test[k]);
    }
    fputc('\n', out);
    for (int k = 0; k <= a->n_read; k++) {
      if (!(b->needed >> k & 1))
        continue;
      if (k == a->n_read)
        fputs("  r\n", out);
      else
        fprintf(out, "  r%d\n", k);
      print_need(out, plan, &b->need[k]);
    }
  }
}
