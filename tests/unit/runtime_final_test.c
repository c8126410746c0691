/* runtime_final_test.c: final values, which come back when a gradient call ends. */
#include "runtime_examples.h"
#include "stops.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE = 3 * 4096 + 100 };

/* What is kept of memory that holds 0, 1, 2 and so on, before all of it becomes 200. */
struct example {
  int from, bytes, step, n; /* the arguments of drt_keep_final, "from" as a position */
  int back[6];              /* positions that come back, the last of them -1 */
  int changed[4];           /* positions that stay changed, the last of them -1 */
};

static const struct example examples[] = {
    {8, 8, 8, 1, {8, 15, -1}, {7, 16, -1}},
    {3, 1, 1, 1, {3, -1}, {2, 4, -1}},
    {5, 4, 4, 10, {5, 20, 44, -1}, {4, 45, -1}},
    {4090, 8, 8, 2, {4090, 4095, 4096, 4105, -1}, {4089, 4106, -1}}, /* across a page */
    {100, 8, 24, 3, {100, 107, 124, 148, 155, -1}, {108, 123, 156, -1}},
    {148, 8, -24, 3, {100, 124, 131, 155, -1}, {99, 108, 156, -1}},
    {10, 4, 4, 3000, {10, 5000, 8192, 12009, -1}, {9, 12010, -1}},
    {50, 8, 8, 0, {-1}, {49, 50, -1}},
};

static unsigned char memory[SIZE];

static unsigned char at_first(int i) {
  return (unsigned char)(i % 199);
}

static void fill(void) {
  for (int i = 0; i < SIZE; i++)
    memory[i] = at_first(i);
}

static void test_bytes_come_back(void **state) {
  (void)state;
  for (size_t k = 0; k < COUNT(examples); k++) {
    const struct example *e = &examples[k];

    fill();
    drt_begin("f");
    drt_turn();
    drt_keep_final(memory + e->from, e->bytes, e->step, e->n);
    memset(memory, 200, SIZE);
    drt_end();
    for (int i = 0; e->back[i] >= 0; i++)
      assert_int_equal(memory[e->back[i]], at_first(e->back[i]));
    for (int i = 0; e->changed[i] >= 0; i++)
      assert_int_equal(memory[e->changed[i]], 200);
  }
}

/* The value that is there first counts, however often a byte is named, alone or among others. */
static void test_first_value_counts(void **state) {
  uint64_t random = 1;
  unsigned char want[SIZE];
  bool kept[SIZE];

  (void)state;
  for (int round = 0; round < 20; round++) {
    fill();
    memset(kept, 0, sizeof kept);
    drt_begin("f");
    drt_turn();
    for (int k = 0; k < 200; k++) {
      int bytes = 1 << chance(&random, 4), n = (int)chance(&random, 9),
          from = (int)chance(&random, SIZE - 64);

      drt_keep_final(memory + from, bytes, bytes, n);
      for (int i = from; i < from + bytes * n; i++) {
        if (!kept[i])
          want[i] = memory[i];
        kept[i] = true;
        memory[i] = (unsigned char)chance(&random, 256);
      }
    }
    drt_end();
    for (int i = 0; i < SIZE; i++)
      assert_int_equal(memory[i], kept[i] ? want[i] : at_first(i));
  }
}

static void test_calls_nest(void **state) {
  (void)state;
  fill();
  drt_begin("outer");
  drt_turn();
  drt_keep_final(memory, 1, 1, 1);
  memory[0] = 201;
  drt_begin("inner");
  drt_turn();
  drt_keep_final(memory, 1, 1, 2);
  memory[0] = memory[1] = 202;
  drt_end();
  assert_int_equal(memory[0], 201);
  assert_int_equal(memory[1], at_first(1));
  drt_end();
  assert_int_equal(memory[0], at_first(0));
}

static int frees; /* blocks that were freed below */

static void count_and_free(void *p) {
  assert_int_equal(*(char *)p, 'x');
  frees++;
  free(p);
}

/* A block is freed only when it has its values back, although its allocation was passed before. */
static void test_freed_blocks_wait(void **state) {
  char *p = malloc(8);

  (void)state;
  assert_non_null(p);
  *p = 'x';
  drt_begin("f");
  drt_free_later(p, (void (*)(void))count_and_free);
  drt_turn();
  drt_keep_final(p, 1, 1, 1);
  *p = 'y';
  drt_reverse_alloc(p, drt_shadow_alloc(8, 0), 8);
  assert_int_equal(frees, 0);
  drt_end();
  assert_int_equal(frees, 1);
}

static void keep_outside(void) {
  drt_keep_final(memory, 1, 1, 1);
}

static void test_faults(void **state) {
  (void)state;
  assert_stops(keep_outside, "outside of a gradient call");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_bytes_come_back), cmocka_unit_test(test_first_value_counts),
      cmocka_unit_test(test_calls_nest),      cmocka_unit_test(test_freed_blocks_wait),
      cmocka_unit_test(test_faults),
  };

  return cmocka_run_group_tests_name("runtime_final", tests, NULL, NULL);
}
