/* process_test.c: the program dacead-plan against all plans of small problems; problems by chance;
   programs that abort, hang, print garbage or are missing.

   The first argument of this program is the path of dacead-plan, the second the folder with
   programs that misbehave. */
#include "exhaustive.h"
#include "plan_process.h"
#include "problem_text.h"
#include "random_problem.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static _Alignas(16) char memory[1 << 28];
/* Seconds by the clock that dacead-plan may take: much more than it needs, for machines that are
 * busy. */
#define PATIENCE 600

static const char *program;
static const char *misbehaving;

/* The value of "variable" in the environment, or "otherwise". */
static int setting(const char *variable, int otherwise) {
  const char *value = getenv(variable);

  return value ? atoi(value) : otherwise;
}

/* Asks dacead-plan for a plan of "p". Returns whether it has answered itself: CBC aborts now and
   then, and the answer is that of our own planner then. */
static bool ask(struct dilp_answer *answer, const struct dilp_problem *p, struct dilp_room *room) {
  struct dilp_error why;

  assert_true(dilp_answer_process(answer, p, (struct dilp_process){program, PATIENCE},
                                  dilp_effort_high, room, &why));
  if (*why.text && strcmp(why.text, "it was ended by signal 6")) {
    dilp_problem_print(p, stderr);
    fail_msg("%s", why.text);
  }
  return !*why.text;
}

/* A limit between the least peak and that of storing all. */
static void set_limit(struct dilp_problem *p, uint64_t seed, struct dilp_room *room) {
  struct dilp_room mark = *room;
  uint64_t s = seed;
  struct dilp_cells cells;
  struct dilp_own own;
  int64_t low, high;

  dilp_cells(&cells, p, INFINITY, room);
  assert_true(dilp_own(&own, p, &cells, room));
  dilp_own_least(&own, dilp_effort_low);
  low = own.cost.peak;
  dilp_own_store_all(&own);
  high = own.cost.peak;
  p->limit = low + (int64_t)((double)(high - low) * random_below(&s, 1000) / 1000);
  *room = mark;
}

/* As fast as the fastest of all plans in 99 of 100 problems, never over the limit: answers have
   been replayed. Plans of ours recompute an item at most once in a stage, in the order in which the
   program makes items, and only where the stage may need it. The best of all plans do otherwise now
   and then: of 1000 problems that costs at most 6.0 % of the gradient's time, in problem 558. */
static void test_against_all_plans(void **state) {
  int problems = setting("DACEAD_ILP_PROBLEMS", 200), planned = 0, equal = 0, died = 0;
  double worst = 1;

  (void)state;
  for (int seed = 1; seed <= problems; seed++) {
    struct dilp_room room = dilp_room(memory, sizeof memory);
    bool loop = seed % 4 == 3;
    struct dilp_answer answer;
    struct dilp_problem p;
    double best, seconds, over;

    random_problem(&p, (struct random_kind){4 + (loop ? seed % 6 : seed % 11), loop, false},
                   (uint64_t)seed, &room);
    set_limit(&p, (uint64_t)seed, &room);
    best = exhaustive_time(&p, &room);
    died += !ask(&answer, &p, &room);
    assert_true(answer.planned || answer.least > p.limit);
    if (!answer.planned && isinf(best))
      continue;
    planned++;
    if (!answer.planned)
      continue;
    seconds = dilp_gradient_seconds(&p);
    over = (answer.plan.time + seconds) / (best + seconds);
    assert_true(answer.replay.top <= p.limit && over > 1 - 1e-9);
    equal += over < 1 + 1e-9;
    worst = fmax(worst, over);
  }
  printf(
      "dacead-plan: %d problems with plans, %d as fast as possible, worst %.4f, CBC died in %d\n",
      planned, equal, worst, died);
  assert_true(died * 100 <= problems);
  assert_true(equal * 100 >= planned * 99 && worst <= 1.06);
}

/* Problems of all kinds: an answer to each, and no plan where it says that there is none. */
static void test_many_problems(void **state) {
  int problems = setting("DACEAD_ILP_FUZZ", 300), died = 0;

  (void)state;
  for (int seed = 0; seed < problems; seed++) {
    struct dilp_room room = dilp_room(memory, sizeof memory);
    int items = seed % 20 ? seed % 13 : seed % 31;
    struct dilp_answer answer;
    struct dilp_problem p;

    random_problem(&p,
                   (struct random_kind){items, items > 3 ? seed % 3 : 0, items > 14 || seed % 4},
                   (uint64_t)(10000 + seed), &room);
    if (items)
      set_limit(&p, (uint64_t)seed, &room);
    if (seed % 7 == 0)
      p.limit /= 2;
    died += !ask(&answer, &p, &room);
    assert_true(answer.planned ? answer.replay.top <= p.limit : answer.least > p.limit);
  }
  printf("dacead-plan: %d problems answered, CBC died in %d\n", problems, died);
  assert_true(died * 100 <= problems);
}

/* The same problem, the same text. */
static void test_repeats_itself(void **state) {
  struct dilp_room room = dilp_room(memory, sizeof memory);
  struct dilp_answer answer[2];
  struct dilp_problem p;

  (void)state;
  random_problem(&p, (struct random_kind){25, 1, false}, 4, &room);
  set_limit(&p, 4, &room);
  assert_true(ask(&answer[0], &p, &room) && ask(&answer[1], &p, &room));
  assert_true(answer[0].planned && answer[0].plan.count == answer[1].plan.count);
  assert_memory_equal(answer[0].plan.action, answer[1].plan.action,
                      (size_t)answer[0].plan.count * sizeof *answer[0].plan.action);
}

/* Ladders: printed, read again, and no slower than those of our own planner; ours where the program
 * fails. */
static void test_ladder(void **state) {
  struct dilp_room room = dilp_room(memory, sizeof memory);
  static struct dilp_ladder by_program, own, otherwise;
  struct dilp_process process = {program, PATIENCE};
  struct dilp_problem p;
  struct dilp_cells cells;
  struct dilp_error why;

  (void)state;
  random_problem(&p, (struct random_kind){12, 1, true}, 6, &room);
  dilp_cells(&cells, &p, INFINITY, &room);
  assert_true(dilp_ladder_process(&by_program, &p, &cells, process, dilp_effort_low, &room, &why));
  assert_string_equal(why.text, "");
  assert_true(dilp_ladder(&own, &p, &cells, dilp_effort_low, NULL, NULL, &room));
  assert_true(by_program.count > 3);
  for (int r = 0, faster = 0; r < own.count; r++, faster = 0) {
    for (int k = 0; k < by_program.count; k++)
      faster |= by_program.rung[k].cost.peak <= own.rung[r].cost.peak * 21 / 20 &&
                by_program.rung[k].cost.time <= own.rung[r].cost.time * (1 + 1e-9);
    assert_true(faster);
  }
  process.program = "/nonexistent";
  assert_true(dilp_ladder_process(&otherwise, &p, &cells, process, dilp_effort_low, &room, &why));
  assert_true(*why.text && otherwise.count == own.count);
}

/* Programs that do not do what they should, the seconds that they have, and what is said of them.
 */
static const struct {
  const char *name;
  double seconds;
  const char *why;
} failing[] = {
    {"aborts", 60, "it was ended by signal 6"},
    {"hangs", 0.3, "it has not answered in time"},
    {"hangs-silently", 0.3, "it has not ended in time"},
    {"prints-garbage", 60, "this is no plan"},
    {"prints-for-ever", 60, "it prints more than any plan has"},
    {"prints-half-a-plan", 60, "the plan has no end"},
    {"prints-a-wrong-plan", 60, "action 1: v10 is missing where it is used"},
    {"says-none", 60, "this is no answer"},
    {"fails", 60, "it has ended with status 7"},
    {"prints-nothing", 60, "this is no plan"},
    {"is-missing", 60, "it cannot be started: No such file or directory"},
};

static void test_programs_that_fail(void **state) {
  (void)state;
  for (size_t k = 0; k < sizeof failing / sizeof *failing; k++) {
    struct dilp_room room = dilp_room(memory, sizeof memory);
    struct dilp_process process = {NULL, failing[k].seconds};
    char path[1000];
    struct dilp_answer answer;
    struct dilp_problem p;
    struct dilp_error why;

    random_problem(&p, (struct random_kind){12, 0, true}, 3, &room);
    set_limit(&p, 3, &room);
    snprintf(path, sizeof path, "%s/%s", misbehaving, failing[k].name);
    process.program = path;
    assert_true(dilp_answer_process(&answer, &p, process, dilp_effort_medium, &room, &why));
    assert_string_equal(why.text, failing[k].why);
    assert_true(answer.planned && answer.replay.top <= p.limit);
  }
}

int main(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_against_all_plans),  cmocka_unit_test(test_many_problems),
      cmocka_unit_test(test_repeats_itself),     cmocka_unit_test(test_ladder),
      cmocka_unit_test(test_programs_that_fail),
  };

  if (argc != 3)
    return 2;
  program = argv[1];
  misbehaving = argv[2];
  return cmocka_run_group_tests(tests, NULL, NULL);
}
