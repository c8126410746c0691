/* affine_tape.c: one cell for each version that is destroyed, whatever the number of its readers.
 */
#include "affine_tape.h"
#include "pad.h"

#include <stdlib.h>

/* The instances of the killer of "place" that destroy what is read there. */
static __isl_give isl_set *slots_of(const struct dad_place *place) {
  isl_map *slot = isl_map_from_multi_aff(isl_multi_aff_copy(place->slot));
  return isl_set_apply(isl_set_copy(place->domain), slot);
}

static int add_tape(struct dad_affine *plan, int assign, bool marks) {
  const struct dad_assign *a = &plan->nest->assign[assign];
  struct dad_tape *t = &plan->tape[plan->n_tape];
  t->name = dad_arena_printf(plan->arena, "%s_%s", marks ? "marks" : "tape", a->name);
  t->assign = assign;
  t->marks = marks;
  t->bytes = marks ? 1 : plan->nest->array[a->write.array].bytes;
  return plan->n_tape++;
}

/* Adds what need "need" reads of versions that do not survive. */
static void add_saves(struct dad_affine *plan, const struct dad_need *need) {
  for (int i = 0; i < need->n; i++) {
    const struct dad_place *place = &need->place[i];
    if (place->killer < 0)
      continue;
    struct dad_backward *killer = &plan->backward[place->killer];
    if (killer->tape < 0)
      killer->tape = add_tape(plan, place->killer, false);
    dad_isl_unite(&plan->tape[killer->tape].saves, slots_of(place));
  }
}

/* Says where each point of "tape" has its cell. */
static bool number_cells(struct dad_affine *plan, struct dad_tape *tape) {
  isl_space *params = isl_set_get_space(plan->nest->context); /* in the order that callers know */
  isl_set *points = isl_set_copy(tape->saves);
  if (tape->pads)
    dad_isl_unite(&points, isl_set_copy(tape->pads));
  points = isl_set_coalesce(isl_set_align_params(points, params));
  bool good = points && dad_rank_make(plan->arena, points, &tape->rank);
  isl_set_free(points);
  return good;
}

bool dad_tape_make(struct dad_affine *plan) {
  const struct dad_nest *nest = plan->nest;
  plan->tape = DAD_ARRAY(plan->arena, struct dad_tape, 2 * nest->n_assign + 1);
  for (int i = 0; i < nest->n_assign; i++) {
    struct dad_backward *b = &plan->backward[i];
    for (int k = 0; k <= nest->assign[i].n_read; k++)
      if (b->needed >> k & 1)
        add_saves(plan, &b->need[k]);
    if (b->marked) {
      b->mark_tape = add_tape(plan, i, true);
      plan->tape[b->mark_tape].saves = isl_set_copy(nest->assign[i].domain);
    }
  }
  dad_pad_tapes(plan);
  for (int i = 0; i < plan->n_tape; i++)
    if (!number_cells(plan, &plan->tape[i])) {
      plan->refused = "a tape has no bounds";
      return false;
    }
  return true;
}

long dad_tape_bytes(const struct dad_tape *tape, const long *param) {
  if (!tape->rank.size)
    return -1;
  long cells = dad_polynomial_evaluate(tape->rank.size, param);
  return cells > 0 ? cells * tape->bytes : 0;
}

void dad_tape_print(FILE *out, const struct dad_affine *plan) {
  for (int i = 0; i < plan->n_tape; i++) {
    const struct dad_tape *t = &plan->tape[i];
    char *saves = isl_set_to_str(t->saves);
    fprintf(out, "%s: %u * (", t->name, t->bytes);
    dad_rank_print(out, &t->rank);
    fprintf(out, ") bytes, for %s\n", saves ? saves : "?");
    free(saves);
  }
}
