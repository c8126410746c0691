/* affine_test.c: the affine engine's mathematics on the loop nests of this folder. */
#include "affine/affine_plan.h"
#include "affine/affine_tape.h"
#include "affine/needs.h"
#include "affine/reverse_statements.h"
#include "nest_read.h"
#include "nest_run.h"
#include "nest_tree.h"

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

/* For each nest: the sizes of its tapes, in the order in which they are made; parameters to execute
   it with; what the tapes then have; how many instances the reverse sweep executes. */
static const struct expectation {
  const char *name, *tapes;
  long param[4], tape_bytes, instances;
  int loops, parallel;
} expectations[] = {
    /* what linear and what only results are read of needs no tape */
    {"gemm", "", {8}, 0, 1088, 8, 6},
    {"mlp", "", {8, 9, 10}, 0, 1656, 12, 9},
    {"cholesky", "", {9}, 0, 285, 5, 2},
    {"lu", "", {9}, 0, 480, 8, 2},
    {"jacobi_2d", "", {8, 3}, 0, 1296, 27, 26},
    {"seidel_2d", "", {8, 3}, 0, 972, 3, 0},
    {"heat_3d", "", {8, 2}, 0, 6912, 96, 95},
    /* triangles */
    {"durbin",
     "tape_S3 8*(N - 1), tape_S0 8*(N - 1), tape_S5 8*((N^2 - N)/2)",
     {10},
     504,
     446,
     10,
     7},
    {"gramschmidt", "tape_S6 8*((N^2*M - N*M)/2)", {8, 9}, 2016, 1348, 20, 14},
    /* one version for each cell and sweep; the border, which is never written, beside them */
    {"stencil", "tape_S1 8*(N^2*T), tape_S0 8*(N^2*T - N^2)", {8, 3}, 2560, 1296, 27, 26},
    {"stencil_window",
     "tape_S1 8*(N^2*t1 - N^2*t0), tape_S0 8*(N^2*t1 - N^2*t0 - N^2)",
     {8, 2, 5},
     2560,
     1296,
     27,
     26},
    {"inplace_1d", "tape_S0 8*(N*T)", {12, 4}, 384, 120, 3, 0},
    /* a byte of comparisons instead of eight of a number */
    {"min_plus", "marks_S0 1*(N^3)", {8}, 512, 1408, 17, 8},
};

static void print_sizes(FILE *out, const struct dad_affine *plan) {
  for (int i = 0; i < plan->n_tape; i++) {
    fprintf(out, "%s%s %u*(", i ? ", " : "", plan->tape[i].name, plan->tape[i].bytes);
    dad_rank_print(out, &plan->tape[i].rank);
    fputc(')', out);
  }
}

/* Plans and executes one nest; false, with a message, if anything is not as expected. */
static bool check(const struct expectation *expected, const struct dad_affine_options *options) {
  struct example e = example_open(expected->name, options);
  const char *wrong = e.plan->refused;
  if (!wrong && strcmp(text_of(&e, print_sizes), expected->tapes))
    wrong = text_of(&e, print_sizes);
  struct nest_run run = {0};
  if (!wrong)
    run = nest_run_plan(e.arena, e.plan, expected->param, 4);
  if (!wrong)
    wrong = run.wrong;
  int loops = 0, parallel = 0;
  if (!e.plan->refused)
    tree_count(e.plan->reversed, &loops, &parallel);
  bool same = loops == expected->loops && parallel == expected->parallel &&
              run.tape_bytes == expected->tape_bytes && run.instances == expected->instances;
  if (wrong || !same)
    print_error("%s: %s, %ld bytes of tape, %ld instances, %d loops, %d parallel\n", expected->name,
                wrong ? wrong : "right", run.tape_bytes, run.instances, loops, parallel);
  example_close(&e);
  return !wrong && same;
}

static void print_stages(FILE *out, const struct dad_affine *plan) {
  dad_nest_print(out, plan->nest);
  dad_needs_print(out, plan);
  dad_tape_print(out, plan);
  dad_reverse_print(out, plan);
}

static void test_nests(void **state) {
  (void)state;
  bool good = true;
  for (unsigned i = 0; i < sizeof expectations / sizeof *expectations; i++)
    good &= check(&expectations[i], &DAD_AFFINE_DEFAULTS);
  assert_true(good);
}

/* A time loop in windows, each executed again from a snapshot before its reverse sweep. Only the
   inside of A is read before it is written; the tapes are as large as one window's. */
static void test_windows(void **state) {
  (void)state;
  static const struct {
    long step, tape_bytes;
  } windows[] = {{1, 8 * 64}, {2, 8 * 64 * 3}, {4, 8 * 64 * 7}, {7, 8 * 64 * 13}};
  for (unsigned i = 0; i < sizeof windows / sizeof *windows; i++) {
    struct example e = example_open("stencil_window", &DAD_AFFINE_DEFAULTS);
    const long param[] = {8, 0, 7};
    struct nest_run run = nest_run_windows(e.arena, e.plan, param, 3, windows[i].step);
    if (run.wrong)
      print_error("windows of %ld: %s\n", windows[i].step, run.wrong);
    assert_null(run.wrong);
    assert_int_equal(run.snapshot_cells, 36);
    assert_int_equal(run.tape_bytes, windows[i].tape_bytes);
    example_close(&e);
  }
}

/* What the stages say of an activation in place. */
static const char stages[] = "array A of 1 dimensions, 8 bytes a cell\n"
                             "array w of 1 dimensions, 8 bytes a cell, inactive\n"
                             "assign S\n"
                             "  for [N] -> { S[i] : 0 <= i < N }\n"
                             "  at [N] -> { S[i] -> [i] : N > 0 and 0 <= i < N }\n"
                             "  r0   = [N] -> { S[i] -> A[i] : 0 <= i < N }\n"
                             "  r1   = [N] -> { S[i] -> w[i] : N > 0 and 0 <= i < N }\n"
                             "  write [N] -> { S[i] -> A[i] : 0 <= i < N }\n"
                             "  value select(r0 < 0, 0.01 * r0, r1 * r0)\n"
                             "assign S marks r0 < 0\n"
                             "  r1\n"
                             "    reload [N] -> { S[i] : 0 <= i < N }\n"
                             "marks_S: 1 * (N) bytes, for [N] -> { S[i] : 0 <= i < N }\n"
                             "scale_S_0: select(r0 < 0, 0, g * r1) + select(r0 < 0, g * 0.01, 0) "
                             "-> A (push to the end), for [N] -> { scale_S_0[i] : 0 <= i < N }\n";

static void test_prints(void **state) {
  (void)state;
  struct example e = example_open("relu", &DAD_AFFINE_DEFAULTS);
  char *text = text_of(&e, print_stages);
  assert_string_equal(text, stages);
  example_close(&e);
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
      cmocka_unit_test(test_windows),
      cmocka_unit_test(test_nests),
      cmocka_unit_test(test_prints),
      cmocka_unit_test(test_quota),
  };
  return cmocka_run_group_tests_name("affine", tests, NULL, NULL);
}
