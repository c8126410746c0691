/* runtime_test.c: the tape, gradient calls and statistics of the runtime. */
#define _DEFAULT_SOURCE
#include "runtime_examples.h"
#include "stops.h"

#include "include/dacead.h"
#include "stats.h"
#include "tape.h"

#include <pthread.h>
#include <stdbool.h>

/* The fast paths as generated code has them. */
static void *push(int64_t n) {
  char *p = drt_tape.top;

  if ((uintptr_t)drt_tape.end - (uintptr_t)p < (uint64_t)n || !p)
    return drt_push(n);
  drt_tape.top += n;
  return p;
}

static void *pop(int64_t n) {
  if ((uintptr_t)drt_tape.top - (uintptr_t)drt_tape.begin < (uint64_t)n || !drt_tape.top)
    return drt_pop(n);
  return drt_tape.top -= n;
}

/* ---- The tape */

static void test_frames_come_back_in_reverse(void **state) {
  static const int64_t size[] = {8, 64, 0, 800, 65536, 16, 3 << 20, 8, 100 << 20, 24};
  enum { N = COUNT(size) };
  char *frame[N];

  (void)state;
  for (int i = 0; i < N; i++) {
    frame[i] = push(size[i]);
    memset(frame[i], i + 1, (size_t)size[i]);
    assert_int_equal((uintptr_t)frame[i] % DRT_FRAME_ALIGN, 0);
  }
  for (int i = N; i-- > 0;) {
    char *p = pop(size[i]);

    if (size[i] == 0)
      continue;
    assert_ptr_equal(p, frame[i]);
    assert_int_equal(p[0], i + 1);
    assert_int_equal(p[size[i] - 1], i + 1);
  }
  assert_int_equal(drt_tape_live(), 0);
  dacead_release_memory();
}

/* The first frame of a tape, and one behind another, may have any size; both ends are memory. */
static void test_one_frame_of_any_size(void **state) {
  static const int64_t size[] = {
      8,       65536 - 72,    65536 - 64, 65536 - 56,      65536,   65544, 100000, (2 << 20) - 72,
      2 << 20, (2 << 20) + 8, 16 << 20,   (64 << 20) - 64, 70 << 20};

  (void)state;
  for (size_t i = 0; i < COUNT(size); i++)
    for (int64_t first = 0; first <= 8; first += 8) {
      char *p;

      push(first);
      p = push(size[i]);
      p[0] = p[size[i] - 1] = 1;
      assert_true(p + size[i] <= drt_tape.end);
      assert_ptr_equal(pop(size[i]), p);
      pop(first);
      dacead_release_memory();
      assert_int_equal(drt_stats_mapped_now(), 0);
    }
}

static void test_zeroed_arrays(void **state) {
  static const int64_t size[] = {0, 1, 8, 63, 64, 65, 1000, 65536, 3 << 20};

  (void)state;
  for (int round = 0; round < 2; round++) {
    for (size_t i = 0; i < COUNT(size); i++) {
      char *p;

      push(8 * (int64_t)i);
      p = drt_push_zeroed(size[i]);
      assert_int_equal((uintptr_t)p % DRT_ARRAY_ALIGN, 0);
      for (int64_t k = 0; k < size[i]; k++)
        assert_int_equal(p[k], 0);
      memset(p, 0xff, (size_t)size[i]);
    }
    for (size_t i = COUNT(size); i-- > 0;) {
      drt_pop_zeroed();
      pop(8 * (int64_t)i);
    }
    assert_int_equal(drt_tape_live(), 0);
  }
  dacead_release_memory();
}

/* A frame of the model. */
struct frame {
  int64_t size;
  uint64_t *words; /* first and last hold "stamp" */
  uint64_t stamp;
  bool array; /* from drt_push_zeroed */
};

/* A size from a mixture: mostly small, some as large as chunks. */
static int64_t random_size(uint64_t *state) {
  static const uint32_t most[] = {4, 16, 16, 64, 64, 64, 64, 1000, 20000};
  uint32_t limit = most[chance(state, 9)];

  if (chance(state, 1000) == 0)
    limit = 1 << 19;
  return 8 * (int64_t)(1 + chance(state, limit));
}

/* Makes "steps" random pushes and pops and compares with an array of frames. Returns the first
   fault. */
static const char *play(int steps, uint64_t seed) {
  struct frame *stack = calloc((size_t)steps, sizeof *stack), *f;
  const char *fault = NULL;
  size_t live = 0;
  int depth = 0;

  for (int i = 0; i < steps && !fault; i++) {
    bool up = chance(&seed, 1000) < (i / 5000 % 2 ? 470 : 530);

    if (up || depth == 0) {
      f = &stack[depth++];
      *f = (struct frame){random_size(&seed), NULL, seed, chance(&seed, 10) == 0};
      f->words = f->array ? drt_push_zeroed(f->size) : push(f->size);
      if (f->array && (f->words[0] || f->words[f->size / 8 - 1]))
        fault = "an array is not zero";
      f->words[0] = f->words[f->size / 8 - 1] = f->stamp;
      live += (size_t)(f->size + (f->array ? DRT_ARRAY_ALIGN : 0));
    } else {
      f = &stack[--depth];
      if (f->words[0] != f->stamp || f->words[f->size / 8 - 1] != f->stamp)
        fault = "a frame was overwritten";
      live -= (size_t)(f->size + (f->array ? DRT_ARRAY_ALIGN : 0));
      if (f->array)
        drt_pop_zeroed();
      else if (pop(f->size) != f->words)
        fault = "a frame has moved";
    }
    if (drt_tape_live() != live)
      fault = "the bytes are miscounted";
  }
  while (depth > 0) {
    f = &stack[--depth];
    if (f->array)
      drt_pop_zeroed();
    else if (pop(f->size) != f->words)
      fault = "a frame has moved";
  }
  free(stack);
  return fault;
}

static void test_random_frames(void **state) {
  const char *fault = play(100000, 1);

  (void)state;
  if (fault)
    fail_msg("%s", fault);
  dacead_release_memory();
}

static void *play_on_thread(void *seed) {
  return (void *)(uintptr_t)play(20000, (uint64_t)(uintptr_t)seed);
}

/* Each thread has a tape of its own, and gives it back at its end. */
static void test_threads(void **state) {
  pthread_t thread[4];

  (void)state;
  for (uintptr_t i = 0; i < 4; i++)
    assert_int_equal(pthread_create(&thread[i], NULL, play_on_thread, (void *)(i + 10)), 0);
  for (int i = 0; i < 4; i++) {
    void *fault;

    pthread_join(thread[i], &fault);
    if (fault)
      fail_msg("%s", (const char *)fault);
  }
  assert_int_equal(drt_stats_mapped_now(), 0);
}

/* Memory is kept for the next gradient: the same frames again map nothing more, also where a
   frame is larger than the chunks that are kept. */
static void test_memory_is_kept(void **state) {
  static const int64_t size[] = {1000, 70000, 10 << 20, 5 << 20, 1000, 40 << 20, 8};
  enum { N = COUNT(size) };
  int64_t mapped[4];

  (void)state;
  for (int round = 0; round < 4; round++) {
    drt_begin("f");
    for (int i = 0; i < N; i++)
      push(size[i]);
    for (int i = N; i-- > 0;)
      pop(size[i]);
    for (int i = N; i-- > 0;) {
      push(size[i]);
      pop(size[i]);
    }
    drt_end();
    mapped[round] = drt_stats_mapped_now();
  }
  assert_true(mapped[0] < 200 << 20);
  assert_int_equal(mapped[1], mapped[0]);
  assert_int_equal(mapped[3], mapped[0]);
  dacead_release_memory();
  assert_int_equal(drt_stats_mapped_now(), 0);
}

/* A chunk that is kept takes a frame of its whole capacity, and none that is larger. */
static void test_kept_chunks_end_where_they_end(void **state) {
  int64_t capacity;

  (void)state;
  push(65000);
  push(1000);
  capacity = drt_tape.end - drt_tape.begin;
  for (int64_t n = capacity - 16; n <= capacity + 16; n += 8) {
    char *p;

    pop(1000);
    pop(65000);
    push(65000);
    p = push(n);
    assert_true(p + n <= drt_tape.end);
    p[n - 1] = 1;
    pop(n);
    push(1000);
  }
  pop(1000);
  pop(65000);
  dacead_release_memory();
}

/* A loop around the end of a chunk stays in the chunks that there are. */
static void test_loop_at_a_boundary(void **state) {
  int64_t mapped;

  (void)state;
  while ((uintptr_t)drt_tape.end - (uintptr_t)drt_tape.top > 100 || !drt_tape.top)
    push(8);
  push(800);
  mapped = drt_stats_mapped_now();
  for (int i = 0; i < 1000; i++) {
    pop(800);
    for (int k = 0; k < i % 7; k++)
      pop(8);
    for (int k = 0; k < i % 7; k++)
      push(8);
    push(800);
  }
  assert_int_equal(drt_stats_mapped_now(), mapped);
  dacead_release_memory();
  assert_int_equal(drt_stats_mapped_now(), mapped);
  pop(800);
  while (drt_tape_live())
    pop(8);
  dacead_release_memory();
  assert_int_equal(drt_stats_mapped_now(), 0);
}

static void push_too_much(void) {
  push(8);
  push(INT64_C(1) << 50);
}

static void push_most(void) {
  push(INT64_MAX & ~INT64_C(7));
}

static void push_negative(void) {
  push(8);
  push(-8);
}

static void push_array_negative(void) {
  drt_push_zeroed(-1);
}

static void pop_empty(void) {
  pop(8);
}

static void pop_more_than_pushed(void) {
  push(8);
  pop(16);
}

static void pop_array_empty(void) {
  drt_pop_zeroed();
}

static void pop_array_of_frame(void) {
  memset(push(64), 0x55, 64);
  drt_pop_zeroed();
}

static void test_tape_faults(void **state) {
  (void)state;
  assert_stops(push_too_much,
               "no memory for the tape: it holds 8 bytes and needs 1125899906842624");
  assert_stops(push_most, "no memory for the tape: it holds 0 bytes and needs 9223372036854775800");
  assert_stops(push_negative, "a tape frame of -8 bytes");
  assert_stops(push_array_negative, "a stack array of -1 bytes");
  assert_stops(pop_empty, "a frame of 8 bytes is to be taken off the tape");
  assert_stops(pop_more_than_pushed, "a frame of 16 bytes");
  assert_stops(pop_array_empty, "a frame of 0 bytes");
  assert_stops(pop_array_of_frame, "is to be taken off the tape");
}

/* ---- Gradient calls */

static void test_calls_nest(void **state) {
  (void)state;
  drt_begin("outer");
  push(800);
  drt_begin("inner");
  push(80);
  drt_turn();
  pop(80);
  drt_end();
  drt_turn();
  drt_begin("inner in the reverse sweep");
  push(100 << 20);
  drt_turn();
  pop(100 << 20);
  drt_end();
  pop(800);
  drt_end();
  dacead_release_memory();
  assert_int_equal(drt_stats_mapped_now(), 0);
}

static void end_without_begin(void) {
  drt_end();
}

static void end_with_frames(void) {
  drt_begin("f");
  push(16);
  drt_turn();
  pop(8);
  drt_end();
}

static void end_of_wrong_mode(void) {
  drt_split_begin("f");
  drt_end();
}

/* Memory that is in use stays when the rest is given back. */
static void test_release_within_a_call(void **state) {
  char *kept;

  (void)state;
  drt_begin("f");
  kept = push(1000);
  memset(kept, 7, 1000);
  push(50 << 20);
  pop(50 << 20);
  dacead_release_memory();
  assert_int_equal(drt_stats_mapped_now(), 1 << 16);
  assert_ptr_equal(pop(1000), kept);
  assert_int_equal(kept[999], 7);
  drt_end();
  dacead_release_memory();
  assert_int_equal(drt_stats_mapped_now(), 0);
}

/* The augmented half of a split call: "frames" frames, the k-th holds k. */
static void *augment(int frames) {
  drt_split_begin("f");
  for (int k = 0; k < frames; k++)
    *(int64_t *)push(8) = k;
  return drt_split_turn();
}

/* The reverse half: the sum of what the frames hold. */
static int64_t reverse(void *handle, int frames) {
  int64_t sum = 0;

  drt_split_resume(handle);
  for (int k = frames; k-- > 0;) {
    int64_t value = *(int64_t *)pop(8);

    sum += value == k ? value : -1000000;
  }
  drt_split_end();
  return sum;
}

/* Split calls are finished in any order, inside other calls too, and take turns with them. */
static void test_split_calls(void **state) {
  void *a, *b, *c;

  (void)state;
  for (int round = 0; round < 3; round++) {
    *(int64_t *)push(8) = 42;
    a = augment(10);
    b = augment(100000);
    drt_begin("between");
    push(16);
    c = augment(3);
    assert_int_equal(reverse(b, 100000), INT64_C(100000) * 99999 / 2);
    pop(16);
    drt_end();
    assert_int_equal(reverse(a, 10), 45);
    assert_int_equal(reverse(c, 3), 3);
    assert_int_equal(*(int64_t *)pop(8), 42);
  }
  dacead_release_memory();
  assert_int_equal(drt_stats_mapped_now(), 0);
}

static void *reverse_on_thread(void *handle) {
  return (void *)(intptr_t)reverse(handle, 1000);
}

static void test_split_call_changes_thread(void **state) {
  void *handle = augment(1000), *sum;
  pthread_t thread;

  (void)state;
  assert_int_equal(pthread_create(&thread, NULL, reverse_on_thread, handle), 0);
  pthread_join(thread, &sum);
  assert_int_equal((intptr_t)sum, 499500);
  dacead_release_memory();
  assert_int_equal(drt_stats_mapped_now(), 0);
}

static void reverse_twice(void) {
  void *handle = augment(2);

  reverse(handle, 2);
  reverse(handle, 2);
}

static void reverse_without_handle(void) {
  reverse(NULL, 2);
}

static void test_call_faults(void **state) {
  (void)state;
  assert_stops(end_without_begin, "drt_end without its beginning");
  assert_stops(end_with_frames,
               "after the gradient of 'f' the tape holds 8 bytes, before it held 0");
  assert_stops(end_of_wrong_mode, "drt_end without its beginning");
  assert_stops(reverse_twice, "with a handle that was used before");
  assert_stops(reverse_without_handle, "with a handle that is NULL");
}

/* ---- Statistics */

/* Two gradients: the tape of the first is longest at its turn, that of the second is shorter. */
static void run_gradients(void) {
  setenv("DACEAD_STATS", "1", 1);
  drt_begin("f");
  push(8);
  push(1000);
  drt_turn();
  pop(1000);
  pop(8);
  drt_end();
  drt_begin("f");
  push(16);
  drt_turn();
  pop(16);
  drt_end();
}

static void run_accounted_gradients(void) {
  run_gradients();
  drt_account(DRT_FRAME_LOOP, 1000);
  drt_account(DRT_FRAME_LOOP, 16);
  drt_account(DRT_FRAME_FUNCTION, 8);
}

static void run_silent_gradients(void) {
  run_gradients();
  setenv("DACEAD_STATS", "0", 1);
}

static void account_for_nothing(void) {
  drt_account(DRT_FRAME_KINDS, 8);
}

static void test_statistics(void **state) {
  char text[4096];

  (void)state;
  assert_int_equal(outcome(run_gradients, text, sizeof text), 0);
  assert_string_equal(text,
                      "dacead: gradient calls           2\n"
                      "dacead: tape peak                1008 bytes\n"
                      "dacead: mapped at most           65536 bytes\n"
                      "dacead: bytes per kind of frame  compile with -mllvm -dacead-account\n");
  assert_int_equal(outcome(run_accounted_gradients, text, sizeof text), 0);
  assert_string_equal(text, "dacead: gradient calls           2\n"
                            "dacead: tape peak                1008 bytes\n"
                            "dacead: mapped at most           65536 bytes\n"
                            "dacead: function frames          8 bytes in 1 frames\n"
                            "dacead: loop frames              1016 bytes in 2 frames\n");
  assert_int_equal(outcome(run_silent_gradients, text, sizeof text), 0);
  assert_string_equal(text, "");
  assert_stops(account_for_nothing, "5 is no kind of tape frame");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_statistics), /* first: its children begin with totals of zero */
      cmocka_unit_test(test_frames_come_back_in_reverse),
      cmocka_unit_test(test_one_frame_of_any_size),
      cmocka_unit_test(test_zeroed_arrays),
      cmocka_unit_test(test_random_frames),
      cmocka_unit_test(test_threads),
      cmocka_unit_test(test_memory_is_kept),
      cmocka_unit_test(test_kept_chunks_end_where_they_end),
      cmocka_unit_test(test_loop_at_a_boundary),
      cmocka_unit_test(test_tape_faults),
      cmocka_unit_test(test_calls_nest),
      cmocka_unit_test(test_release_within_a_call),
      cmocka_unit_test(test_split_calls),
      cmocka_unit_test(test_split_call_changes_thread),
      cmocka_unit_test(test_call_faults),
  };

  return cmocka_run_group_tests_name("runtime", tests, NULL, NULL);
}
