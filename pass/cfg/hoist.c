/* hoist.c: numbers that a loop loads in every iteration from a place that it does not write move in front of it. Their adjoints then stay in a
   register, and reach the shadow cell once.

   The loop passes have done so where they could; in nested loops they do not tell the fields of an array's elements apart. */
#include "reload.h"

enum { MAX_QUERIES = 4096 };

/* The instructions in "loop" that may write memory. */
static struct dad_vec writers_in(struct dad_sweep *s, int loop) {
  struct dad_vec writers = DAD_VEC(s->arena);
  for (unsigned k = 0; k < s->writers.n; k++)
    if (dad_graph_inside(&s->g, dad_graph_loop_of(&s->g, s->writers.at[k]), loop))
      dad_vec_push(&writers, s->writers.at[k]);
  return writers;
}

/* Is "i" a plain load of a number from the same address in all iterations of "loop"? */
static bool is_candidate(struct dad_sweep *s, LLVMValueRef i, int loop) {
  if (!LLVMIsALoadInst(i) || LLVMGetVolatile(i) || LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic)
    return false;
  LLVMValueRef p = LLVMGetOperand(i, 0);
  bool moves = LLVMIsAInstruction(p) && dad_graph_inside(&s->g, dad_graph_loop_of(&s->g, p), loop);
  return !moves && dad_has_float(LLVMTypeOf(i)) && !dad_has_pointer(LLVMTypeOf(i));
}

/* Is the place that "load" reads left alone by all "writers"? */
static bool is_unwritten(struct dad_sweep *s, LLVMValueRef load, const struct dad_vec *writers) {
  for (unsigned k = 0; k < writers->n; k++)
    if (dad_bridge_alias_writes(s->alias, writers->at[k], load))
      return false;
  return true;
}

/* Moves loads in front of "loop". Only those of its header are sure to run, and only up to the first call that might not return. */
static void hoist_from(struct dad_sweep *s, int loop) {
  struct dad_graph *g = &s->g;
  struct dad_vec loads = DAD_VEC(s->arena);
  DAD_FOR_INSTRUCTIONS(i, g->block[g->loop[loop].header]) {
    if (LLVMIsACallInst(i) && dad_reload_may_write(s, i))
      break;
    if (is_candidate(s, i, loop))
      dad_vec_push(&loads, i);
  }
  if (!loads.n)
    return;
  struct dad_vec writers = writers_in(s, loop);
  if ((unsigned long)loads.n * writers.n > MAX_QUERIES)
    return;
  for (unsigned k = 0; k < loads.n; k++)
    if (is_unwritten(s, loads.at[k], &writers)) {
      LLVMInstructionRemoveFromParent(loads.at[k]);
      dad_build_at_end(s->ctx, g->block[g->loop[loop].preheader]);
      LLVMInsertIntoBuilder(s->ctx->builder, loads.at[k]);
    }
}

void dad_hoist_loads(struct dad_sweep *s) {
  for (int l = s->g.n_loops; s->alias && l-- > 0;)
    hoist_from(s, l);
}
