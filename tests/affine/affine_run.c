/* affine_run.c: plans the nest in a file, prints every stage, and with numbers for its parameters
 * executes it. */
#include "affine/affine_tape.h"
#include "affine/needs.h"
#include "affine/reverse_statements.h"
#include "nest_read.h"
#include "nest_run.h"

#include <stdlib.h>

int main(int argc, char **argv) {
  long param[16] = {0};
  if (argc < 2 || argc > 17) {
    fputs("usage: affine_run FILE [PARAMETER...]\n", stderr);
    return 2;
  }
  struct dad_arena *arena = dad_arena_create();
  struct dad_nest *nest = nest_read(arena, isl_ctx_alloc(), nest_read_file(arena, argv[1]));
  if (!nest)
    return 2;
  struct dad_affine *plan = dad_affine_plan(nest, &DAD_AFFINE_DEFAULTS);
  dad_nest_print(stdout, nest);
  dad_needs_print(stdout, plan);
  dad_tape_print(stdout, plan);
  dad_reverse_print(stdout, plan);
  if (plan->refused) {
    printf("refused: %s\n", plan->refused);
    return 1;
  }
  char *code = isl_ast_node_to_C_str(plan->augmented);
  fputs(code, stdout);
  free(code);
  code = isl_ast_node_to_C_str(plan->reversed);
  fputs(code, stdout);
  free(code);
  if (argc == 2)
    return 0;
  for (int i = 2; i < argc; i++)
    param[i - 2] = atol(argv[i]);
  struct nest_run run = nest_run_plan(arena, plan, param, argc - 2);
  printf("%s, %ld bytes of tape, %ld reverse statements\n", run.wrong ? run.wrong : "right",
         run.tape_bytes, run.instances);
  return run.wrong != NULL;
}
