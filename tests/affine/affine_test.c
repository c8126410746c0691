/* affine_test.c: the affine engine's mathematics on the loop nests of this folder. */
#include "affine/needs.h"
#include "affine/plan.h"
#include "affine/tape.h"
#include "nest_read.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* One nest from reading to the plan. */
struct example {
  struct dad_arena *arena;
  isl_ctx *ctx;
  struct dad_nest *nest;
  struct dad_affine *plan;
};

static struct example example_open(const char *name, const struct dad_affine_options *options) {
  struct example e = {.arena = dad_arena_create(), .ctx = isl_ctx_alloc()};
  const char *file = dad_arena_printf(e.arena, "%s/%s.scop", AFFINE_EXAMPLES, name);
  e.nest = nest_read(e.arena, e.ctx, nest_read_file(e.arena, file));
  assert_non_null(e.nest);
  e.plan = dad_affine_plan(e.nest, options);
  return e;
}

/* isl complains about objects that were not freed; no test may leave any. */
static void example_close(struct example *e) {
  e->plan = dad_affine_free(e->plan);
  e->nest = dad_nest_free(e->nest);
  isl_ctx_free(e->ctx);
  e->arena = dad_arena_free(e->arena);
}

/* What "print" says of "plan", in one string. */
static char *text_of(struct example *e, void (*print)(FILE *, const struct dad_affine *)) {
  char *text = DAD_ARRAY(e->arena, char, 1 << 16);
  FILE *out = fmemopen(text, 1 << 16, "w");
  print(out, e->plan);
  fclose(out);
  return text;
}

/* The sizes of the tapes, in the order in which they are made. */
static const struct {
  const char *name, *tapes;
} tape_sizes[] = {
    {"gemm", ""},
    {"mlp", ""},
    {"cholesky", ""},
    {"lu", ""},
    {"jacobi_2d", ""},
    {"seidel_2d", ""},
    {"heat_3d", ""},
    {"durbin", "tape_S3 8*(N - 1), tape_S0 8*(N - 1), tape_S5 8*((N^2 - N)/2)"},
    {"gramschmidt", "tape_S6 8*((N^2*M - N*M)/2)"},
    {"stencil", "tape_S1 8*(N^2*T - 4*N*T + 4*T), tape_S0 8*(N^2*T - 4*N*T + 4*T - N^2 + 4*N - 4)"},
    {"stencil_window", "tape_S1 8*(N^2*t1 - 4*N*t1 + 4*t1 - N^2*t0 + 4*N*t0 - 4*t0), tape_S0 "
                       "8*(N^2*t1 - 4*N*t1 + 4*t1 - N^2*t0 + 4*N*t0 - 4*t0 - N^2 + 4*N - 4)"},
    {"inplace_1d", "tape_S0 8*(N*T - 2*T)"},
    {"min_plus", "marks_S0 1*(N^3)"},
};

static void print_sizes(FILE *out, const struct dad_affine *plan) {
  for (int i = 0; i < plan->n_tape; i++) {
    fprintf(out, "%s%s %u*(", i ? ", " : "", plan->tape[i].name, plan->tape[i].bytes);
    dad_rank_print(out, &plan->tape[i].rank);
    fputc(')', out);
  }
}

static void test_tape_sizes(void **state) {
  (void)state;
  bool good = true;
  for (unsigned i = 0; i < sizeof tape_sizes / sizeof *tape_sizes; i++) {
    struct example e = example_open(tape_sizes[i].name, &DAD_AFFINE_DEFAULTS);
    const char *is = e.plan->refused ? e.plan->refused : text_of(&e, print_sizes);
    if (strcmp(is, tape_sizes[i].tapes)) {
      print_error("%s: \"%s\"\n", tape_sizes[i].name, is);
      good = false;
    }
    example_close(&e);
  }
  assert_true(good);
}

/* Whatever the quota, there is a plan or a reason. */
static void test_quota(void **state) {
  (void)state;
  unsigned refused = 0;
  for (unsigned long quota = 10; quota < 10000000; quota *= 10) {
    struct dad_affine_options options = DAD_AFFINE_DEFAULTS;
    options.stage_quota = quota;
    struct example e = example_open("gramschmidt", &options);
    refused += e.plan->refused != NULL;
    if (e.plan->refused)
      assert_non_null(strstr(e.plan->refused, "too many operations"));
    example_close(&e);
  }
  assert_in_range(refused, 1, 5);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_tape_sizes),
      cmocka_unit_test(test_quota),
  };
  return cmocka_run_group_tests_name("affine", tests, NULL, NULL);
}
