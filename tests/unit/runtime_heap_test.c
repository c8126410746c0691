/* runtime_heap_test.c: shadows of heap blocks, delayed frees and the registry of shadows. */
#define _DEFAULT_SOURCE
#include "runtime_examples.h"
#include "stops.h"

#include "release.h"

#include <pthread.h>
#include <stdbool.h>

static const struct layout pointers = {8, 1, {{0, DRT_KIND_PTR}}};
static const struct layout doubles = {8, 1, {{0, DRT_KIND_F64}}};

/* ---- Heap */

static char released[256]; /* what the deallocators below were called with, in order */

static void note(const char *format, ...) {
  va_list arguments;
  size_t length = strlen(released);

  va_start(arguments, format);
  vsnprintf(released + length, sizeof released - length, format, arguments);
  va_end(arguments);
}

static void dealloc(void *p) {
  note("%s ", (const char *)p);
}

static void dealloc_sized(void *p, int64_t size) {
  note("%s:%d ", (const char *)p, (int)size);
}

static void dealloc_sized_aligned(void *p, int64_t size, int64_t alignment) {
  note("%s:%d:%d ", (const char *)p, (int)size, (int)alignment);
}

#define CODE(f) ((void (*)(void))(f))

/* Blocks a to e as the heap would have them. */
static char a[] = "a", b[] = "b", c[] = "c", d[] = "d", e[] = "e";

static void *shadow(void) {
  return drt_shadow_alloc(8, 0);
}

static void assert_released(const char *want) {
  assert_string_equal(released, want);
  released[0] = 0;
}

/* What the primal freed goes when the reverse sweep passes its allocation, the rest at the
   end, in the primal's order. */
static void test_frees_wait(void **state) {
  (void)state;
  drt_begin("f");
  drt_free_later(a, CODE(dealloc));
  drt_free_later_sized(b, CODE(dealloc_sized), 16);
  drt_free_later_sized_aligned(c, CODE(dealloc_sized_aligned), 32, 64);
  drt_free_at_end(d, CODE(dealloc));
  drt_free_at_end_sized(e, CODE(dealloc_sized), 8);
  drt_free_later(NULL, CODE(dealloc));
  drt_turn();
  assert_released("");
  drt_reverse_alloc(b, shadow(), 1);
  assert_released("b:16 ");
  drt_reverse_alloc(NULL, shadow(), 1);
  drt_reverse_alloc(NULL, NULL, 1);
  drt_end();
  assert_released("a c:32:64 d e:8 ");
}

static void test_frees_of_nested_calls(void **state) {
  (void)state;
  drt_begin("outer");
  drt_free_later(a, CODE(dealloc));
  drt_begin("inner");
  drt_free_later(b, CODE(dealloc));
  drt_free_later(c, CODE(dealloc));
  drt_turn();
  drt_reverse_alloc(b, shadow(), 1);
  assert_released("b ");
  drt_end();
  assert_released("");
  drt_turn();
  drt_reverse_alloc(c, shadow(), 1);
  assert_released("c ");
  drt_end();
  assert_released("a ");
}

/* A block that the primal leaves keeps its shadow until a later gradient frees it. */
static void test_blocks_that_stay(void **state) {
  void *of_a = shadow();

  (void)state;
  drt_begin("f");
  drt_turn();
  drt_reverse_alloc(a, of_a, 2);
  drt_end();
  assert_released("");
  assert_ptr_equal(drt_shadow_of(a), of_a);
  assert_ptr_equal(drt_shadow_of(a + 1), (char *)of_a + 1);
  drt_begin("g");
  drt_free_later(a, CODE(dealloc));
  drt_turn();
  drt_end();
  assert_released("a ");
  assert_null(drt_shadow_of(a));
}

/* The program freed "a" and its shadow by itself, and the address is used again: what was the
   shadow must not be freed, and is forgotten. */
static void test_stale_blocks_are_not_released_twice(void **state) {
  (void)state;
  drt_register_block(a, 2, (void *)8);
  drt_begin("f");
  drt_free_at_end(a, CODE(dealloc)); /* a block without derivatives */
  drt_turn();
  drt_end();
  assert_released("a ");
  assert_null(drt_shadow_of(a));
  drt_register_block(a, 2, (void *)8);
  drt_begin("f");
  drt_free_later(a, CODE(dealloc)); /* a block with a new shadow */
  drt_turn();
  drt_reverse_alloc(a, shadow(), 2);
  drt_end();
  assert_released("a ");
  assert_null(drt_shadow_of(a));
}

static void test_split_calls_keep_their_frees(void **state) {
  void *handle;

  (void)state;
  drt_split_begin("f");
  drt_free_later(a, CODE(dealloc));
  drt_free_later(b, CODE(dealloc));
  handle = drt_split_turn();
  drt_begin("g");
  drt_free_later(c, CODE(dealloc));
  drt_turn();
  drt_end();
  assert_released("c ");
  drt_split_resume(handle);
  drt_reverse_alloc(b, shadow(), 1);
  drt_split_end();
  assert_released("b a ");
}

static void free_twice(void) {
  drt_begin("f");
  drt_free_later(a, CODE(dealloc));
  drt_free_at_end(a, CODE(dealloc));
}

static void free_outside(void) {
  drt_free_later(a, CODE(dealloc));
}

static void shadow_negative(void) {
  drt_shadow_alloc(-8, 0);
}

static void shadow_too_large(void) {
  drt_shadow_alloc(INT64_MAX - 100, 64);
}

static void test_heap_faults(void **state) {
  (void)state;
  assert_stops(free_twice, "is freed twice");
  assert_stops(free_outside, "outside of a gradient call");
  assert_stops(shadow_negative, "a shadow of -8 bytes");
  assert_stops(shadow_too_large, "no memory for the shadow of a heap block of 9223372036854775707");
}

static void test_shadows_are_zero_and_aligned(void **state) {
  static const int64_t alignment[] = {0, 1, 8, 16, 32, 64, 4096};

  (void)state;
  for (size_t i = 0; i < COUNT(alignment); i++)
    for (int64_t n = 0; n < 5000; n = 3 * n + 1) {
      char *dirty = malloc((size_t)n + 1), *p;

      memset(dirty, 0xff, (size_t)n + 1);
      free(dirty);
      p = drt_shadow_alloc(n, alignment[i]);
      if (alignment[i])
        assert_int_equal((uintptr_t)p % (uint64_t)alignment[i], 0);
      for (int64_t k = 0; k < n; k++)
        assert_int_equal(p[k], 0);
      free(p);
    }
}

/* 100,000 random additions and removals, compared with an array. */
static void test_release_set(void **state) {
  enum { BLOCKS = 5000, STEPS = 100000 };
  static bool in[BLOCKS];
  struct drt_release_set set = {0};
  struct drt_release r;
  uint64_t random = 3;
  size_t live = 0;

  (void)state;
  for (int i = 0; i < STEPS; i++) {
    uint32_t k = chance(&random, BLOCKS);
    void *block = (void *)(uintptr_t)(64 * (uint64_t)(k + 1));

    if (in[k]) {
      assert_true(drt_release_take(&set, block, &r));
      assert_ptr_equal(r.block, block);
      assert_int_equal(r.extra[0], k);
      live--;
    } else {
      assert_false(drt_release_take(&set, block, &r));
      drt_release_add(&set, &(struct drt_release){block, CODE(dealloc), 1, true, {k, 0}});
      live++;
    }
    in[k] = !in[k];
    assert_int_equal(set.live, live);
  }
  assert_true(set.capacity <= 4 * BLOCKS);
  drt_release_empty(&set);
  assert_false(drt_release_take(&set, (void *)64, &r));
  drt_release_clear(&set);
}

/* realloc(p, n) under differentiation: a new block, a copy, and a free that waits. */
static void test_realloc_moves(void **state) {
  double **p, **q, **of_p, **of_q;

  (void)state;
  drt_begin("f");
  p = drt_realloc(NULL, 16);
  of_p = drt_shadow_alloc(16, 0);
  p[0] = (double *)8, p[1] = (double *)16;
  of_p[0] = (double *)800, of_p[1] = (double *)1600;
  q = drt_realloc(p, 4000);
  of_q = drt_shadow_alloc(4000, 0);
  drt_realloc_pointers(of_q, of_p, 4000, LAYOUT(pointers));
  assert_true(q != p && q[0] == p[0] && q[1] == p[1]);
  assert_true(of_q[0] == of_p[0] && of_q[1] == of_p[1]);
  assert_null(drt_realloc(q, 0));
  drt_turn();
  memset(of_p, 0, 16), memset(of_q, 0, 16);
  ((double *)of_q)[1] = 5;
  drt_realloc_accumulate(of_q, of_p, 4000, LAYOUT(doubles));
  assert_true(((double *)of_p)[1] == 5 && ((double *)of_q)[1] == 0);
  drt_realloc_accumulate(of_q, NULL, 4000, LAYOUT(doubles));
  drt_realloc_pointers(NULL, of_p, 4000, LAYOUT(pointers));
  drt_reverse_alloc(q, of_q, 4000);
  drt_reverse_alloc(p, of_p, 16);
  drt_end();
}

static void test_realloc_shrinks_and_fails(void **state) {
  char *p = malloc(100), *q;

  (void)state;
  memset(p, 7, 100);
  drt_begin("f");
  assert_null(drt_realloc(p, INT64_MAX));
  q = drt_realloc(p, 10);
  assert_int_equal(q[9], 7);
  drt_turn();
  drt_end();
  free(q);
}

static void test_tangents_of_heap_blocks(void **state) {
  double *p = malloc(16), *of_p = drt_shadow_alloc(16, 0), *q, *of_q;

  (void)state;
  of_p[0] = 1, of_p[1] = 2;
  drt_register_block(p, 16, of_p);
  assert_ptr_equal(drt_tangent_realloc(p, NULL, of_p, 1 << 20), of_p);
  q = malloc(8000);
  of_q = drt_tangent_realloc(p, q, of_p, 8000);
  assert_true(of_q[0] == 1 && of_q[1] == 2 && of_q[2] == 0 && of_q[999] == 0);
  assert_null(drt_shadow_of(p));
  free(p);
  drt_register_block(q, 8000, of_q);
  drt_tangent_free(NULL, NULL);
  drt_tangent_free(q, of_q);
  assert_null(drt_shadow_of(q));
  drt_tangent_free(q, q);
  assert_null(drt_tangent_realloc(q, NULL, drt_shadow_alloc(8, 0), 0));
  free(q);
}

/* ---- Registry */

/* An address that nothing is at. */
static char *place(uintptr_t at) {
  return (char *)at;
}

static void test_lookups(void **state) {
  static const struct {
    uintptr_t pointer, shadow;
  } row[] = {{999, 0},     {1000, 5000}, {1050, 5050}, {1099, 5099}, {1100, 6000},
             {1109, 6009}, {1110, 6010}, {1111, 0},    {2000, 7000}, {2001, 0},
             {1999, 0},    {0, 0},       {1500, 8000}, {1501, 8001}, {1502, 0}};

  (void)state;
  drt_register(place(1100), 10, place(6000)); /* begins where the next one ends */
  drt_register(place(1000), 100, place(5000));
  drt_register(place(2000), 0, place(7000));
  drt_register(place(1500), 1, place(8000));
  drt_register(place(1500), 1, place(8000));
  drt_register(NULL, 1, place(8000));
  drt_register(place(3000), 1, NULL);
  for (size_t i = 0; i < COUNT(row); i++)
    assert_int_equal((uintptr_t)drt_shadow_of(place(row[i].pointer)), row[i].shadow);
  drt_register(place(1050), 55, place(9000)); /* those it overlaps are no more */
  assert_null(drt_shadow_of(place(1000)));
  assert_null(drt_shadow_of(place(1109)));
  assert_int_equal((uintptr_t)drt_shadow_of(place(1104)), 9054);
  drt_unregister(place(1051)); /* nothing begins there */
  assert_int_equal((uintptr_t)drt_shadow_of(place(1050)), 9000);
  drt_unregister(place(1050));
  drt_unregister(place(1500));
  drt_unregister(place(2000));
  assert_null(drt_shadow_of(place(1050)));
}

/* Arguments come before what the process knows, inner calls before outer ones, until their
   call ends. */
static void test_arguments(void **state) {
  (void)state;
  drt_register(place(1000), 100, place(5000));
  drt_begin("f");
  for (uintptr_t i = 0; i < 20; i++)
    drt_register_argument(place(1010 + i), 1, place(6000 + 100 * i));
  drt_register_argument(place(3000), 0, place(7000));
  assert_int_equal((uintptr_t)drt_shadow_of(place(1009)), 5009);
  assert_int_equal((uintptr_t)drt_shadow_of(place(1010)), 6000);
  assert_int_equal((uintptr_t)drt_shadow_of(place(1029)), 7900);
  assert_int_equal((uintptr_t)drt_shadow_of(place(1030)), 5030);
  assert_int_equal((uintptr_t)drt_shadow_of(place(3000)), 7000);
  assert_null(drt_shadow_of(place(3001)));
  drt_begin("g");
  drt_register_argument(place(1010), 4, place(9000));
  assert_int_equal((uintptr_t)drt_shadow_of(place(1010)), 9000);
  assert_int_equal((uintptr_t)drt_shadow_of(place(1014)), 6400);
  drt_turn();
  drt_end();
  assert_int_equal((uintptr_t)drt_shadow_of(place(1010)), 6000);
  drt_turn();
  drt_end();
  assert_int_equal((uintptr_t)drt_shadow_of(place(1010)), 5010);
  drt_unregister(place(1000));
}

/* Random ranges against an array with the shadow of every address. */
static void test_random_ranges(void **state) {
  enum { SPACE = 3000, STEPS = 3000 };
  static uintptr_t shadow_of[SPACE + 200], begin_of[SPACE + 200];
  uint64_t random = 5;

  (void)state;
  for (int step = 1; step <= STEPS; step++) {
    uint32_t at = chance(&random, SPACE), n = 1 + chance(&random, 40), look;

    if (chance(&random, 4) == 0) { /* forget what begins at "at", mostly nothing */
      drt_unregister(place(1 + at));
      for (uint32_t k = at; begin_of[at] == at + 1 && k < at + 40; k++)
        if (k != at && begin_of[k] == at + 1)
          shadow_of[k] = begin_of[k] = 0;
      if (begin_of[at] == at + 1)
        shadow_of[at] = begin_of[at] = 0;
    } else {
      uintptr_t shadow = 1000000 + 1000 * (uintptr_t)step;

      drt_register(place(1 + at), n, place(shadow));
      for (uint32_t k = at; k < at + n; k++)
        for (uint32_t old = (uint32_t)begin_of[k], j = old; old && begin_of[j - 1] == old; j++)
          shadow_of[j - 1] = begin_of[j - 1] = 0;
      for (uint32_t k = 0; k < n; k++)
        shadow_of[at + k] = shadow + k, begin_of[at + k] = at + 1;
    }
    look = chance(&random, SPACE);
    if (shadow_of[look])
      assert_int_equal((uintptr_t)drt_shadow_of(place(1 + look)), shadow_of[look]);
    else if (look && shadow_of[look - 1]) /* one past the end */
      assert_int_equal((uintptr_t)drt_shadow_of(place(1 + look)), shadow_of[look - 1] + 1);
    else
      assert_null(drt_shadow_of(place(1 + look)));
  }
  for (int at = 0; at < SPACE; at++)
    drt_unregister(place((uintptr_t)(1 + at)));
}

static void *register_many(void *first) {
  for (uintptr_t i = 0; i < 5000; i++)
    drt_register(place(((uintptr_t)first + 4 * i) * 16), 16,
                 place(((uintptr_t)first + 4 * i) * 32));
  return NULL;
}

/* Ranges by the ten thousand, in ascending order, from four threads: found at once. */
static void test_many_ranges(void **state) {
  pthread_t thread[4];

  (void)state;
  for (uintptr_t i = 0; i < 4; i++)
    assert_int_equal(pthread_create(&thread[i], NULL, register_many, (void *)(i + 1)), 0);
  for (int i = 0; i < 4; i++)
    pthread_join(thread[i], NULL);
  for (uintptr_t i = 1; i <= 20000; i++)
    assert_int_equal((uintptr_t)drt_shadow_of(place(16 * i + 5)), 32 * i + 5);
  for (uintptr_t i = 1; i <= 20000; i++)
    drt_unregister(place(16 * i));
  assert_null(drt_shadow_of(place(16)));
}

static void test_mirror(void **state) {
  struct {
    char *p;
    double x;
    char *q;
  } object[2] = {{place(1000), 1, NULL}, {place(1100), 2, place(5)}}, shadow[2];
  static const struct layout layout = {24, 2, {{0, DRT_KIND_PTR}, {16, DRT_KIND_PTR}}};

  (void)state;
  memset(shadow, 0x77, sizeof shadow);
  shadow[0].x = shadow[1].x = 3;
  drt_register(place(1000), 100, place(5000));
  drt_mirror(object, shadow, sizeof object, LAYOUT(layout));
  assert_ptr_equal(shadow[0].p, place(5000));
  assert_ptr_equal(shadow[1].p, place(5100)); /* one past the end */
  assert_null(shadow[0].q);
  assert_null(shadow[1].q); /* not known */
  assert_true(shadow[0].x == 3 && shadow[1].x == 3);
  drt_unregister(place(1000));
}

static void register_negative(void) {
  drt_register(a, -1, b);
}

static void argument_outside(void) {
  drt_register_argument(a, 1, b);
}

static void test_registry_faults(void **state) {
  (void)state;
  assert_stops(register_negative, "a shadow of -1 bytes");
  assert_stops(argument_outside, "outside of a gradient call");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_frees_wait),
      cmocka_unit_test(test_frees_of_nested_calls),
      cmocka_unit_test(test_blocks_that_stay),
      cmocka_unit_test(test_stale_blocks_are_not_released_twice),
      cmocka_unit_test(test_split_calls_keep_their_frees),
      cmocka_unit_test(test_heap_faults),
      cmocka_unit_test(test_shadows_are_zero_and_aligned),
      cmocka_unit_test(test_release_set),
      cmocka_unit_test(test_realloc_moves),
      cmocka_unit_test(test_realloc_shrinks_and_fails),
      cmocka_unit_test(test_tangents_of_heap_blocks),
      cmocka_unit_test(test_lookups),
      cmocka_unit_test(test_arguments),
      cmocka_unit_test(test_random_ranges),
      cmocka_unit_test(test_many_ranges),
      cmocka_unit_test(test_mirror),
      cmocka_unit_test(test_registry_faults),
  };

  return cmocka_run_group_tests_name("runtime_heap", tests, NULL, NULL);
}
