/* problem_test.c: texts of problems and plans, what plans cost, and what is refused. */
#include "evaluate.h"
#include "problem_text.h"
#include "random_problem.h"
#include "replay.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static _Alignas(16) char memory[1 << 24];

/* b is made from a; the reverse of the last region reads b, that of the second a. */
#define TWO                                                                                        \
  "limit 1000\n"                                                                                   \
  "region r0 reverse 10\nregion r1 forward 50 reverse 20\nregion r2 reverse 30\n"                  \
  "item a bytes 100 save 1 recompute 2 born r0 dies r0 uses r1\n"                                  \
  "item b bytes 200 natural 200 scratch 7 recompute 4 born r1 dies r2 needs a uses r2\n"

/* Reads the problem "text", which is right. */
static struct dilp_problem read_problem(const char *text, struct dilp_room *room) {
  struct dilp_problem problem;
  struct dilp_error error;

  if (!dilp_problem_read(&problem, text, room, &error))
    fail_msg("line %d: %s", error.line, error.text);
  return problem;
}

/* What is printed of "problem", in memory that is to be freed. */
static char *printed(const struct dilp_problem *problem) {
  char *text;
  size_t size;
  FILE *file = open_memstream(&text, &size);

  dilp_problem_print(problem, file);
  fclose(file);
  return text;
}

static void test_text_of_problem(void **state) {
  struct dilp_room room = dilp_room(memory, sizeof memory);
  struct dilp_problem p = read_problem(TWO, &room);
  char *text = printed(&p);

  (void)state;
  assert_string_equal(text, TWO);
  free(text);
}

static void test_random_problems_survive_printing(void **state) {
  (void)state;
  for (int seed = 0; seed < 50; seed++) {
    struct dilp_room room = dilp_room(memory, sizeof memory);
    struct dilp_problem p, q;
    char *first, *second;

    random_problem(&p, (struct random_kind){3 + seed, seed % 3 % (2 + seed / 3), seed % 2},
                   (uint64_t)seed, &room);
    first = printed(&p);
    q = read_problem(first, &room);
    second = printed(&q);
    assert_string_equal(first, second);
    for (int l = 0; l < p.loops; l++)
      assert_int_equal(p.loop[l].points, q.loop[l].points);
    free(first);
    free(second);
  }
}

/* Texts that are no problems, and what is said of them. */
static const struct {
  const char *text, *error;
} wrong_problem[] = {
    {"region", "region has no name"},
    {"colour red", "unknown word colour"},
    {"region r reverse ten", "reverse has no value that it can have"},
    {"region r reverse -1", "reverse has no value that it can have"},
    {"region r reverse", "reverse has no value that it can have"},
    {"region r\nregion r", "two are called r"},
    {"limit 9223372036854775807", "limit or base out of range"},
    {"region r reverse 2000000000000000000", "region r: bytes out of range"},
    {"region r\nitem a born r dies s", "dies has no value that it can have"},
    {"region r\nregion s\nitem a born s dies r", "item a: it dies before it is born"},
    {"region r\nregion s\nitem a born s dies s uses r",
     "item a: a region uses it that runs before it is born"},
    {"region r\nitem a born r dies r needs a", "needs has no value that it can have"},
    {"region r\nitem a born r dies r save nan", "save has no value that it can have"},
    {"region r\nitem a born r dies r uses r,r", "item a: a name is listed twice"},
    {"region r\npoint held 1", "point belongs to no loop"},
    {"region r\nloop l region r", "loop l: it has 0 points, not 1 to 24"},
    {"region r\nloop l region r\npoint held 2 forward 1 reverse 2",
     "loop l: point 0 is out of range"},
    {"region r\nloop l region r\npoint way repeat", "loop l: point 0 needs a first state"},
    {"region r\nloop l region r trip 3\npoint held 0", "loop l has both steps and points"},
    {"page 0", "size of pages out of range"},
};

static void test_wrong_problems(void **state) {
  (void)state;
  for (size_t k = 0; k < sizeof wrong_problem / sizeof *wrong_problem; k++) {
    struct dilp_room room = dilp_room(memory, sizeof memory);
    struct dilp_problem problem;
    struct dilp_error error;

    assert_false(dilp_problem_read(&problem, wrong_problem[k].text, &room, &error));
    assert_string_equal(error.text, wrong_problem[k].error);
  }
}

/* However little memory there is, that is said and nothing is written behind it. */
static void test_little_memory(void **state) {
  (void)state;
  for (size_t size = 0; size < 2000; size += 8) {
    struct dilp_room room = dilp_room(memory, size);
    struct dilp_problem problem;
    struct dilp_error error;

    memset(memory, 0x55, sizeof TWO + 4000);
    if (!dilp_problem_read(&problem, TWO, &room, &error))
      assert_true(room.full);
    for (size_t k = size; k < 4000; k++)
      assert_int_equal(memory[k], 0x55);
  }
}

/* Plans for TWO, and what the replay says of them. */
static const struct {
  const char *plan, *error;
} replayed[] = {
    {"plan time 1 peak 350\nsave a\nsave b\nreverse r2\nfree b\nreverse r1\nfree a\nreverse "
     "r0\nend\n",
     NULL},
    {"plan time 4 peak 257\nrecompute a\nfree a\nend\n",
     "the plan ends before region r2 is undone"},
    /* a is made twice, b once: 2 + 4 + 2 seconds; 100 + 200 + 7 bytes while b is made */
    {"plan time 8 peak 307\nrecompute a\nrecompute b\nfree a\nreverse r2\nfree b\nrecompute a\n"
     "reverse r1\nreverse r0\nend\n",
     NULL},
    {"plan time 8 peak 306\nrecompute a\nrecompute b\nfree a\nreverse r2\nfree b\nrecompute a\n"
     "reverse r1\nreverse r0\nend\n",
     "the plan says 306 bytes and has 307"},
    {"plan time 7 peak 307\nrecompute a\nrecompute b\nfree a\nreverse r2\nfree b\nrecompute a\n"
     "reverse r1\nreverse r0\nend\n",
     "the plan says 7 seconds and takes 8"},
    {"plan time 1 peak 0\nsave a\nreverse r2\nend\n", "action 2: b is missing where it is used"},
    {"plan time 1 peak 0\nrecompute b\nend\n", "action 1: a is missing for a recomputation"},
    {"plan time 1 peak 0\nsave a\nsave a\nend\n", "action 2: a is saved twice"},
    {"plan time 1 peak 0\nsave a\nrecompute a\nend\n", "action 2: a is recomputed and there"},
    {"plan time 1 peak 0\nfree a\nend\n", "action 1: a is freed and not there"},
    {"plan time 1 peak 0\nreverse r1\nend\n", "action 1: r1 is undone out of order"},
    {"plan time 1 peak 0\nsave b\nreverse r2\nsave a\nend\n",
     "action 3: a is saved after the forward sweep"},
    {"plan time 1 peak 0\nsave c\nend\n", "this is no action"},
    {"plan time 1 peak 0\nsave\nend\n", "this is no action"},
    {"plan time 1 peak 0\nsave a\n", "the plan has no end"},
    {"plan time 1\n", "this is no plan"},
    {"", "this is no plan"},
};

static void test_replay(void **state) {
  (void)state;
  for (size_t k = 0; k < sizeof replayed / sizeof *replayed; k++) {
    struct dilp_room room = dilp_room(memory, sizeof memory);
    struct dilp_problem p = read_problem(TWO, &room);
    char text[400], *at = text;
    struct dilp_replay replay;
    struct dilp_cells cells;
    struct dilp_error error;
    struct dilp_plan plan;
    bool right;

    strcpy(text, replayed[k].plan);
    dilp_cells(&cells, &p, INFINITY, &room);
    dilp_plan(&plan, &p, &cells, &room);
    right =
        dilp_plan_read(&plan, &p, &at, &error) && dilp_replay(&replay, &p, &plan, &room, &error);
    if (right && replayed[k].error)
      fail_msg("accepted although %s", replayed[k].error);
    if (!right)
      assert_string_equal(error.text, replayed[k].error);
  }
}

static void test_replay_keeps_the_limit(void **state) {
  struct dilp_room room = dilp_room(memory, sizeof memory);
  struct dilp_problem p = read_problem(TWO, &room);
  char text[] = "plan time 1 peak 350\nsave a\nsave b\nreverse r2\nreverse r1\nreverse r0\nend\n",
       *at = text;
  struct dilp_replay replay;
  struct dilp_cells cells;
  struct dilp_error error;
  struct dilp_plan plan;

  (void)state;
  dilp_cells(&cells, &p, INFINITY, &room);
  dilp_plan(&plan, &p, &cells, &room);
  assert_true(dilp_plan_read(&plan, &p, &at, &error));
  p.limit = 350;
  assert_true(dilp_replay(&replay, &p, &plan, &room, &error));
  p.limit = 349;
  assert_false(dilp_replay(&replay, &p, &plan, &room, &error));
  assert_string_equal(error.text, "the plan takes 350 bytes of 349");
}

/* Pages and huge pages: amounts are rounded up, by the reader and by the replay. */
static void test_rounding(void **state) {
  struct dilp_room room = dilp_room(memory, sizeof memory);
  struct dilp_problem p =
      read_problem("page 64\nhuge 256\nregion r reverse 1\n"
                   "item a bytes 65 natural 255 scratch 257 born r dies r uses r",
                   &room);

  (void)state;
  assert_int_equal(p.region[0].reverse, 64);
  assert_int_equal(p.item[0].bytes, 128);
  assert_int_equal(p.item[0].natural, 256);
  assert_int_equal(p.item[0].scratch, 512);
}

/* A choice by chance. */
static void random_choice(struct dilp_choice *choice, const struct dilp_problem *p,
                          const struct dilp_cells *cells, uint64_t *s) {
  int often = 1 + random_below(s, 4);

  for (int z = 0; z < cells->count; z++) {
    choice->retain[z] = random_below(s, often) > 0;
    choice->recompute[z] = !random_below(s, 8);
  }
  for (int l = 0; l < p->loops; l++)
    choice->point[l] = random_below(s, p->loop[l].points);
}

/* The evaluator and the replay agree on any choice, and a plan turns into a choice that is at least
   as good. */
static void test_evaluator_agrees_with_replay(void **state) {
  uint64_t s = 1;

  (void)state;
  for (int seed = 0; seed < 300; seed++) {
    struct dilp_room room = dilp_room(memory, sizeof memory);
    struct dilp_choice choice, again;
    struct dilp_evaluator evaluator;
    struct dilp_replay replay;
    struct dilp_problem p;
    struct dilp_cells cells;
    struct dilp_error error;
    struct dilp_cost cost;
    struct dilp_plan plan;

    random_problem(&p, (struct random_kind){1 + seed % 40, seed % 3 && seed % 40 > 8, seed % 2},
                   (uint64_t)seed, &room);
    dilp_cells(&cells, &p, INFINITY, &room);
    dilp_choice(&choice, &p, &cells, &room);
    dilp_choice(&again, &p, &cells, &room);
    dilp_plan(&plan, &p, &cells, &room);
    assert_true(dilp_evaluator(&evaluator, &p, &cells, &room));
    random_choice(&choice, &p, &cells, &s);
    cost = dilp_evaluate(&evaluator, &choice, &plan);
    if (!dilp_replay(&replay, &p, &plan, &room, &error))
      fail_msg("seed %d: %s", seed, error.text);
    assert_true(replay.top >= replay.peak);
    dilp_plan_choice(&plan, &p, &cells, &again);
    assert_true(dilp_evaluate(&evaluator, &again, NULL).time <= cost.time + 1e-9);
    assert_true(evaluator.cost.peak <= cost.peak);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_text_of_problem),
      cmocka_unit_test(test_random_problems_survive_printing),
      cmocka_unit_test(test_wrong_problems),
      cmocka_unit_test(test_little_memory),
      cmocka_unit_test(test_replay),
      cmocka_unit_test(test_replay_keeps_the_limit),
      cmocka_unit_test(test_rounding),
      cmocka_unit_test(test_evaluator_agrees_with_replay),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
