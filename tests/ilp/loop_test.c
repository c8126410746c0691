/* loop_test.c: closed forms of checkpointing against schedules that are carried out, menus, and
   loops of unknown length. */
#include "menu.h"
#include "online.h"
#include "schedule.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static _Alignas(16) char memory[1 << 22];

/* A schedule that is carried out over windows of steps. */
struct sweep {
  int64_t window;  /* steps of a window */
  int64_t missing; /* steps that the first window has not */
  int64_t next;    /* the window to be reversed next */
  int64_t plain;   /* plain steps so far */
  int slots, most; /* snapshots that are kept, and the most that were */
};

/* Runs plain steps over "count" windows from "first" on. */
static void advance(struct sweep *s, int64_t first, int64_t count) {
  s->plain += count * s->window - (first == 0 && count ? s->missing : 0);
}

/* Reverses windows "first" .. "first + count - 1" from the snapshot before "first", with "slots"
   snapshots, that one included. */
static void reverse(struct sweep *s, int64_t first, int64_t count, int64_t slots) {
  int64_t move;

  if (count == 1) {
    assert_int_equal(s->next--, first);
    return;
  }
  if (slots == 1) {
    for (int64_t j = count - 1; j >= 0; j--) {
      advance(s, first, j);
      reverse(s, first + j, 1, 1);
    }
    return;
  }
  move = dilp_first_move(count, slots);
  advance(s, first, move);
  if (++s->slots > s->most)
    s->most = s->slots;
  reverse(s, first + move, count - move, slots - 1);
  s->slots--;
  reverse(s, first, move, slots);
}

/* Plain steps of the schedule for "steps" steps in windows of "window", carried out. */
static double carried_out(int64_t steps, int64_t window, int64_t slots, bool separated) {
  int64_t windows = (steps + window - 1) / window;
  struct sweep s = {window, windows * window - steps, windows + separated - 1, 0, 1, 1};

  reverse(&s, 0, windows + separated, slots);
  assert_int_equal(s.next, -1);
  assert_true(s.most <= slots);
  return (double)s.plain;
}

static void test_closed_forms(void **state) {
  (void)state;
  for (int64_t steps = 1; steps <= 60; steps++)
    for (int64_t slots = 1; slots <= 9; slots++)
      for (int separated = 0; separated < 2; separated++)
        assert_true(dilp_plain_steps(steps, slots, separated) ==
                    carried_out(steps, 1, slots, separated));
  for (int64_t steps = 1; steps <= 40; steps++)
    for (int64_t window = 1; window <= steps; window++)
      for (int64_t slots = 1; slots <= 6; slots++)
        for (int separated = 0; separated < 2; separated++)
          assert_true(dilp_window_steps(steps, window, slots, separated) ==
                      carried_out(steps, window, slots, separated));
}

/* No schedule is better: the recurrence over all first moves. */
static void test_closed_form_is_optimal(void **state) {
  enum { STEPS = 40, SLOTS = 6 };
  static double best[STEPS + 1][SLOTS + 1];

  (void)state;
  for (int slots = 1; slots <= SLOTS; slots++)
    for (int steps = 1; steps <= STEPS; steps++) {
      double least = steps == 1 ? 0 : (double)steps * (steps - 1) / 2;

      for (int move = 1; slots > 1 && move < steps; move++)
        least = fmin(least, move + best[steps - move][slots - 1] + best[move][slots]);
      best[steps][slots] = least;
      assert_true(dilp_plain_steps(steps, slots, false) == least);
    }
}

/* The least bytes of a reverse sweep in the menu of "loop". */
static int64_t least_reverse(const struct dilp_loop *loop) {
  int64_t least = INT64_MAX;

  for (int p = 0; p < loop->points; p++)
    if (loop->point[p].reverse < least)
      least = loop->point[p].reverse;
  return least;
}

/* Is "a" as good as "b" in everything? */
static bool better(const struct dilp_point *a, const struct dilp_point *b) {
  return a->held <= b->held && a->forward <= b->forward && a->reverse <= b->reverse &&
         a->time <= b->time && (a->way != DILP_REPEAT || b->way == DILP_REPEAT);
}

/* Menus: at most DILP_MENU points, none as good as another one but perhaps that with the least
 * bytes, from storing all to a few states.
 */
static void test_menu(void **state) {
  static const struct dilp_steps loops[] = {
      {1, 8, 8, 1, 0.1},           {2, 8, 8, 1, 0.1},
      {100, 8, 8, 1, 0.1},         {100, 32, 8, 1, 0.1},
      {10000, 8000, 8000, 1, 0.1}, {100000, 8, 80, 1e-6, 1e-7},
      {7, 1000, 1, 1, 0.1},        {64, 0, 8, 1, 0}};

  (void)state;
  for (size_t k = 0; k < sizeof loops / sizeof *loops; k++)
    for (int first = -1; first < 1; first++) {
      struct dilp_room room = dilp_room(memory, sizeof memory);
      struct dilp_loop loop = {.name = "l", .first = first, .steps = loops[k]};
      bool stores = false;

      assert_true(dilp_menu(&loop, &room));
      assert_in_range(loop.points, 1, DILP_MENU);
      for (int p = 0; p < loop.points; p++) {
        const struct dilp_point *x = &loop.point[p];

        stores |= x->way == DILP_STORE && x->held == loops[k].trip * loops[k].tape && x->time == 0;
        assert_true(x->way != DILP_REPEAT || first >= 0);
        assert_true(x->held <= x->forward && x->held <= x->reverse && x->time >= 0);
        for (int q = 0; q < p && x->reverse > least_reverse(&loop); q++)
          assert_false(better(&loop.point[q], x));
      }
      assert_true(stores);
    }
}

/* At a tenth of the memory that storing all takes, 100 steps run 1.65 more times, 10,000 steps 0.9
   times: the best mixture of snapshots and tapes comes to 1.54 for 100. */
static void test_menu_at_a_tenth(void **state) {
  static const struct {
    int64_t trip;
    double most; /* extra steps per step */
  } rows[] = {{100, 1.9}, {1000, 1.05}, {10000, 1.0}};

  (void)state;
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    struct dilp_room room = dilp_room(memory, sizeof memory);
    struct dilp_loop loop = {.first = -1, .steps = {rows[k].trip, 1000, 1000, 1, 0}};
    double best = INFINITY;

    assert_true(dilp_menu(&loop, &room));
    for (int p = 0; p < loop.points; p++)
      if (loop.point[p].reverse <= rows[k].trip * 1000 / 10)
        best = fmin(best, loop.point[p].time);
    assert_true(best <= rows[k].most * (double)rows[k].trip);
  }
}

/* A nest of 20 x 50 steps: memory from everything down to a few states, times that fit its points.
 */
static void test_nest(void **state) {
  struct dilp_room room = dilp_room(memory, sizeof memory);
  struct dilp_loop inner = {.first = -1, .steps = {50, 8, 8, 1, 0.1}};
  struct dilp_loop outer = {.first = -1, .steps = {20, 8, 0, 50, 0.1}};
  int64_t least = INT64_MAX;

  (void)state;
  assert_true(dilp_menu(&inner, &room) && dilp_menu_nest(&outer, &inner, &room));
  assert_in_range(outer.points, 2, DILP_MENU);
  assert_true(outer.point[0].way == DILP_STORE && outer.point[0].held == 8000 &&
              outer.point[0].time == 0);
  for (int p = 0; p < outer.points; p++) {
    const struct dilp_point *x = &outer.point[p], *in = &inner.point[x->inner];

    least = x->reverse < least ? x->reverse : least;
    assert_true(x->time >= 20 * in->time);
    if (x->way == DILP_WARM)
      assert_int_equal(x->held, x->snapshots * 8 + x->window * in->held);
  }
  assert_true(least <= 40);
}

/* Loops of unknown length: with any number of slots, the steps are within 1.5 of those that knowing
   the length would take, and slots hold what they are said to. */
static void test_unknown_length(void **state) {
  (void)state;
  for (int slots = 2; slots <= 16; slots *= 2)
    for (int64_t steps = 1; steps <= 600; steps += steps < 40 ? 1 : 37) {
      struct dilp_room room = dilp_room(memory, sizeof memory);
      struct dilp_online online;
      int64_t held[16];
      double plain, best = dilp_plain_steps(steps, slots, true);

      assert_true(dilp_online(&online, slots, &room));
      for (int64_t step = 0; step < steps; step++) {
        int slot = dilp_online_slot(&online, step);

        if (slot >= 0)
          held[slot] = step;
      }
      plain = dilp_online_turn(&online, steps, &room);
      assert_true(online.at[0].step == 0);
      for (int k = 0; k < online.kept; k++) {
        assert_in_range(online.at[k].slot, 0, slots - 1);
        assert_int_equal(held[online.at[k].slot], online.at[k].step);
        assert_true(k == 0 || online.at[k].step > online.at[k - 1].step);
      }
      assert_true(plain >= 0 && (double)steps + plain <= 1.5 * best + (double)(steps == 1));
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_closed_forms), cmocka_unit_test(test_closed_form_is_optimal),
      cmocka_unit_test(test_menu),         cmocka_unit_test(test_menu_at_a_tenth),
      cmocka_unit_test(test_nest),         cmocka_unit_test(test_unknown_length),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
