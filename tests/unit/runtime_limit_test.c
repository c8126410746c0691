/* runtime_limit_test.c: the memory that gradients use is counted, and held under a limit. */
#define _DEFAULT_SOURCE
#include "memory_limit.h"
#include "runtime_examples.h"
#include "stops.h"
#include "tape.h"

#include "include/dacead.h"

#include <malloc.h>
#include <pthread.h>

enum { FIRST = 1 << 16 };

/* A gradient of "f" whose tape has one frame of "bytes" bytes. */
static void gradient(int64_t bytes) {
  drt_begin("f");
  drt_push(bytes);
  drt_turn();
  drt_pop(bytes);
  drt_end();
}

/* Texts of DACEAD_MEMORY_LIMIT and what they mean. */
static const struct {
  const char *text;
  int64_t limit;
} texts[] = {
    {"", DRT_NO_LIMIT},       {"0", 0},         {"1000", 1000},
    {"64K", 64 << 10},        {"3M", 3 << 20},  {"2G", (int64_t)2 << 30},
    {"1T", (int64_t)1 << 40}, {"process:1", 0},
};

static int case_number; /* of "texts" or "wrong", for the process that is started */

static void compare_limit(void) {
  setenv("DACEAD_MEMORY_LIMIT", texts[case_number].text, 1);
  exit(drt_memory_limit() == texts[case_number].limit ? 0 : 1);
}

static void test_texts(void **state) {
  char text[1000];

  (void)state;
  for (case_number = 0; case_number < (int)COUNT(texts); case_number++)
    assert_int_equal(outcome(compare_limit, text, sizeof text), 0);
}

static const char *const wrong[] = {"much",     "-1",      "1X", "1GB", "99999999999999999999",
                                    "9999999T", "process:"};

static void use_wrong_limit(void) {
  setenv("DACEAD_MEMORY_LIMIT", wrong[case_number], 1);
  gradient(8);
}

static void test_wrong_texts(void **state) {
  (void)state;
  for (case_number = 0; case_number < (int)COUNT(wrong); case_number++)
    assert_stops(use_wrong_limit, "which is no number of bytes");
}

/* With a limit for the whole process, what it has already does not count for gradients. */
static void limit_process(void) {
  enum { THERE = 64 << 20 };
  static char *volatile there;

  there = malloc(THERE);
  memset(there, 1, THERE);
  setenv("DACEAD_MEMORY_LIMIT", "process:1G", 1);
  exit(drt_memory_limit() < (1 << 30) - THERE && drt_memory_limit() > (1 << 29) && there[THERE - 1]
           ? 0
           : 1);
}

static void test_process(void **state) {
  char text[1000];

  (void)state;
  assert_int_equal(outcome(limit_process, text, sizeof text), 0);
}

static void pass_limit_of_environment(void) {
  setenv("DACEAD_MEMORY_LIMIT", "1M", 1);
  gradient(1 << 20);
}

/* What is said later counts. */
static void pass_limit_of_function(void) {
  setenv("DACEAD_MEMORY_LIMIT", "1G", 1);
  gradient(1000);
  dacead_set_memory_limit(2 * FIRST);
  gradient(FIRST);
}

static void test_tape_over_the_limit(void **state) {
  (void)state;
  assert_stops(
      pass_limit_of_environment,
      "in the gradient of 'f', the tape, which holds 0 bytes, needs 1052672 bytes more, where 0 "
      "bytes are in use of a memory limit of 1048576. Raise the limit (DACEAD_MEMORY_LIMIT, "
      "dacead_set_memory_limit) to 1052672 bytes");
  assert_stops(pass_limit_of_function, "of a memory limit of 131072");
}

/* A tape may use its limit to the last page: chunks are as small as they must be. */
static void test_tape_fills_the_limit(void **state) {
  (void)state;
  dacead_set_memory_limit(FIRST + 12 * 4096);
  drt_begin("f");
  drt_push(FIRST - 1000);
  drt_push(12 * 4096 - DRT_ARRAY_ALIGN);
  assert_int_equal(drt_memory_used(), FIRST + 12 * 4096);
  assert_false(drt_memory_take(1));
  drt_turn();
  drt_pop(12 * 4096 - DRT_ARRAY_ALIGN);
  drt_pop(FIRST - 1000);
  drt_end();
  dacead_release_memory();
  assert_int_equal(drt_memory_used(), 0);
  dacead_set_memory_limit(-1);
}

/* What earlier calls have left is given back before a tape is refused. */
static void test_spare_memory_is_given_back(void **state) {
  void *handle;

  (void)state;
  drt_split_begin("g");
  drt_push(1 << 20);
  handle = drt_split_turn();
  drt_split_resume(handle);
  drt_pop(1 << 20);
  drt_split_end();
  assert_true(drt_memory_used() > 1 << 20);
  dacead_set_memory_limit(drt_memory_used());
  gradient(1 << 20);
  assert_true(drt_memory_used() <= drt_memory_limit());
  dacead_release_memory();
  assert_int_equal(drt_memory_used(), 0);
  dacead_set_memory_limit(-1);
}

static void pass_limit_by_shadow(void) {
  dacead_set_memory_limit(1 << 20);
  drt_begin("f");
  drt_shadow_alloc(1 << 21, 0);
}

static void pass_limit_by_free(void) {
  drt_begin("f");
  dacead_set_memory_limit(1 << 20);
  drt_free_later(malloc(1 << 21), (void (*)(void))free);
}

/* Shadows of heap blocks count while they live, and blocks from their free to their release. */
static void test_heap(void **state) {
  const int64_t size = 100000;
  void *block = malloc((size_t)size), *shadow;
  int64_t of_shadow, of_block = (int64_t)malloc_usable_size(block);

  (void)state;
  drt_begin("f");
  shadow = drt_shadow_alloc(size, 0);
  of_shadow = (int64_t)malloc_usable_size(shadow);
  assert_true(of_shadow >= size);
  assert_int_equal(drt_memory_used(), of_shadow);
  drt_free_later(block, (void (*)(void))free);
  assert_int_equal(drt_memory_used(), of_shadow + of_block);
  drt_turn();
  drt_reverse_alloc(block, shadow, size);
  assert_int_equal(drt_memory_used(), 0);
  drt_end();
  assert_stops(pass_limit_by_shadow, "the shadow of a heap block needs");
  assert_stops(pass_limit_by_free,
               "a heap block that the reverse sweep reads after it is freed needs");
}

enum { TURNS = 20000, MOST = 1000 };

/* Takes and gives memory; counts how often it was refused in "*argument". */
static void *take_and_give(void *argument) {
  uint64_t chances = (uintptr_t)argument;
  int *refused = argument;

  for (int n = 0; n < TURNS; n++) {
    int64_t bytes = chance(&chances, MOST);

    if (drt_memory_take(bytes))
      drt_memory_give(bytes);
    else
      ++*refused;
  }
  return NULL;
}

/* Several threads together never have more than the limit. */
static void count_in_threads(void) {
  enum { THREADS = 4 };
  pthread_t thread[THREADS];
  int refused[THREADS] = {0};

  dacead_set_memory_limit(MOST * 3 / 2);
  drt_memory_take(MOST / 2);
  for (int t = 0; t < THREADS; t++)
    pthread_create(&thread[t], NULL, take_and_give, &refused[t]);
  for (int t = 0; t < THREADS; t++)
    pthread_join(thread[t], NULL);
  exit(drt_memory_used() == MOST / 2 && drt_memory_peak() <= MOST * 3 / 2 &&
               drt_memory_peak() > MOST
           ? 0
           : 1);
}

static void test_threads(void **state) {
  char text[1000];

  (void)state;
  assert_int_equal(outcome(count_in_threads, text, sizeof text), 0);
}

static void print_statistics(void) {
  setenv("DACEAD_STATS", "1", 1);
  setenv("DACEAD_MEMORY_LIMIT", "1M", 1);
  gradient(1000);
}

static void test_statistics(void **state) {
  char text[1000];

  (void)state;
  assert_int_equal(outcome(print_statistics, text, sizeof text), 0);
  assert_non_null(
      strstr(text, "dacead: memory limit             1048576 bytes, at most 65536 used\n"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_texts),
      cmocka_unit_test(test_wrong_texts),
      cmocka_unit_test(test_process),
      cmocka_unit_test(test_threads),
      cmocka_unit_test(test_statistics),
      cmocka_unit_test(test_tape_over_the_limit),
      cmocka_unit_test(test_heap),
      cmocka_unit_test(test_tape_fills_the_limit),
      cmocka_unit_test(test_spare_memory_is_given_back),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
