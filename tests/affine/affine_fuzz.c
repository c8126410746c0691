/* affine_fuzz.c: plans and executes random loop nests: seeds FIRST to FIRST + COUNT - 1. Prints
   what is wrong and a summary; with one seed, the nest as well. */
#include "nest_random.h"
#include "nest_read.h"
#include "nest_run.h"

#include <stdlib.h>

/* What can become of a nest. */
enum outcome { RIGHT, WRONG, REFUSED, WILD, OUTCOMES };

static enum outcome try_seed(unsigned long seed, bool show) {
  struct dad_arena *arena = dad_arena_create();
  isl_ctx *ctx = isl_ctx_alloc();
  const char *text = nest_random(arena, seed), *why = NULL;
  enum outcome outcome = RIGHT;
  if (show)
    fputs(text, stdout);
  struct dad_nest *nest = nest_read(arena, ctx, text);
  if (!nest)
    return WRONG;
  struct dad_affine *plan = dad_affine_plan(nest, &DAD_AFFINE_DEFAULTS);
  if (plan->refused) {
    outcome = REFUSED;
    why = plan->refused;
  } else {
    struct nest_run run = nest_run_plan(arena, plan, (long[]){9, 4}, 2);
    outcome = run.wild ? WILD : run.wrong ? WRONG : RIGHT;
    why = run.wrong;
  }
  if (outcome == WRONG || outcome == REFUSED)
    printf("seed %lu: %s\n", seed, why);
  fflush(stdout);
  dad_affine_free(plan);
  dad_nest_free(nest);
  isl_ctx_free(ctx);
  dad_arena_free(arena);
  return outcome;
}

int main(int argc, char **argv) {
  unsigned n[OUTCOMES] = {0};
  if (argc != 3) {
    fputs("usage: affine_fuzz FIRST COUNT\n", stderr);
    return 2;
  }
  unsigned long first = strtoul(argv[1], NULL, 10), count = strtoul(argv[2], NULL, 10);
  for (unsigned long seed = first; seed < first + count; seed++)
    n[try_seed(seed, count == 1)]++;
  printf("%u right, %u wrong, %u refused, %u not judged\n", n[RIGHT], n[WRONG], n[REFUSED],
         n[WILD]);
  return n[WRONG] > 0 || 10 * n[REFUSED] > count;
}
