/* runtime_memory_test.c: copies, sums and clearing of shadows whose layout is known. */
#define _DEFAULT_SOURCE
#include "runtime_examples.h"
#include "stops.h"

#include "include/dacead.h"

#include <math.h>

/* A struct as programs have them, and its layout. */
struct mixed {
  int32_t n;
  float f;
  double d;
  double *p;
  long double l;
};

static const struct layout mixed = {sizeof(struct mixed),
                                    4,
                                    {{offsetof(struct mixed, f), DRT_KIND_F32},
                                     {offsetof(struct mixed, d), DRT_KIND_F64},
                                     {offsetof(struct mixed, p), DRT_KIND_PTR},
                                     {offsetof(struct mixed, l), DRT_KIND_F80}}};
static const struct layout one_mixed = {0,
                                        4,
                                        {{offsetof(struct mixed, f), DRT_KIND_F32},
                                         {offsetof(struct mixed, d), DRT_KIND_F64},
                                         {offsetof(struct mixed, p), DRT_KIND_PTR},
                                         {offsetof(struct mixed, l), DRT_KIND_F80}}};
static const struct layout doubles = {8, 1, {{0, DRT_KIND_F64}}};
static const struct layout floats = {4, 1, {{0, DRT_KIND_F32}}};
static const struct layout nothing = {8, 0, {{0, 0}}};

/* An array of mixed structs, whose numbers count up from "first". */
static void fill(struct mixed *m, int n, int first) {
  memset(m, 0, (size_t)n * sizeof *m);
  for (int i = 0; i < n; i++)
    m[i] = (struct mixed){first + i, (float)(first + 10 * i), first + 100 * i,
                          (double *)(intptr_t)(8 * (first + i)), first + 1000 * i};
}

static void assert_mixed(const struct mixed *got, const struct mixed *want, int n) {
  for (int i = 0; i < n; i++) {
    assert_int_equal(got[i].n, want[i].n);
    assert_true(got[i].f == want[i].f && got[i].d == want[i].d && got[i].l == want[i].l);
    assert_ptr_equal(got[i].p, want[i].p);
  }
}

enum { MOST = 12 };

/* What drt_copy_pointers(a + dst, a + src, n) is to do. */
static void expect_pointers(struct mixed *a, int dst, int src, int n) {
  struct mixed taken[MOST];

  memcpy(taken, a + src, (size_t)n * sizeof *a);
  for (int i = 0; i < n; i++)
    a[dst + i].p = taken[i].p;
}

/* What drt_accumulate(a + dst, a + src, n) is to do. */
static void expect_sum(struct mixed *a, int dst, int src, int n) {
  struct mixed taken[MOST];

  memcpy(taken, a + dst, (size_t)n * sizeof *a);
  for (int i = 0; i < n; i++)
    a[dst + i].f = 0, a[dst + i].d = 0, a[dst + i].l = 0;
  for (int i = 0; i < n; i++) {
    a[src + i].f += taken[i].f;
    a[src + i].d += taken[i].d;
    a[src + i].l += taken[i].l;
  }
}

static void test_copies_of_structs(void **state) {
  struct mixed got[MOST], want[MOST];

  (void)state;
  for (int dst = 0; dst < MOST; dst++)
    for (int src = 0; src < MOST; src++)
      for (int n = 0; n <= MOST - (dst > src ? dst : src); n++) {
        const struct layout *layout = n == 1 && (dst + src) % 2 ? &one_mixed : &mixed;

        fill(got, MOST, 1), fill(want, MOST, 1);
        drt_copy_pointers(got + dst, got + src, n * (int64_t)sizeof *got, LAYOUT(*layout));
        expect_pointers(want, dst, src, n);
        assert_mixed(got, want, MOST);
        drt_accumulate(got + dst, got + src, n * (int64_t)sizeof *got, LAYOUT(*layout));
        expect_sum(want, dst, src, n);
        assert_mixed(got, want, MOST);
      }
}

/* Plain arrays, by their own functions and through a layout, at any distance and any address. */
static void test_accumulate_arrays(void **state) {
  enum { N = 40 };
  char memory[2][8 * N + 1];

  (void)state;
  for (int dst = 0; dst < N; dst++)
    for (int src = 0; src < N; src++)
      for (int n = 0; n <= N - (dst > src ? dst : src); n += 3)
        for (int way = 0; way < 4; way++) {
          char *bytes = memory[0] + way % 2;
          double got[N], want[N], taken[N];

          for (int i = 0; i < N; i++)
            got[i] = want[i] = i + 1;
          memcpy(taken, want + dst, (size_t)n * 8);
          for (int i = 0; i < n; i++)
            want[dst + i] = 0;
          for (int i = 0; i < n; i++)
            want[src + i] += taken[i];
          memcpy(bytes, got, sizeof got);
          if (way < 2)
            drt_accumulate_f64(bytes + 8 * dst, bytes + 8 * src, 8 * n);
          else
            drt_accumulate(bytes + 8 * dst, bytes + 8 * src, 8 * n, LAYOUT(doubles));
          memcpy(got, bytes, sizeof got);
          for (int i = 0; i < N; i++)
            assert_true(got[i] == want[i]);
        }
}

static void test_accumulate_floats(void **state) {
  float a[5] = {1, 2, 3, 4, 5}, b[3] = {10, 20, 30};

  (void)state;
  drt_accumulate_f32(b, a, 12); /* all of b goes to the front of a */
  assert_true(a[0] == 11 && a[1] == 22 && a[2] == 33 && a[3] == 4 && b[0] + b[1] + b[2] == 0);
  drt_accumulate_f32(a + 1, a, 16); /* memmove(a + 1, a, 16) backwards */
  assert_true(a[0] == 33 && a[1] == 33 && a[2] == 4 && a[3] == 5 && a[4] == 0);
  drt_accumulate(a, a + 1, 16, LAYOUT(floats)); /* memmove(a, a + 1, 16) backwards */
  assert_true(a[0] == 0 && a[1] == 33 && a[2] == 33 && a[3] == 4 && a[4] == 5);
}

/* Copying memory onto itself changes nothing: the bits stay, those of negative zero and NaN
   too. */
static void test_self_copy(void **state) {
  double bits[3] = {-0.0, NAN, 3}, same[3];
  struct mixed m[2], again[2];

  (void)state;
  memcpy(same, bits, sizeof bits);
  drt_accumulate_f64(bits, bits, sizeof bits);
  drt_accumulate(bits, bits, sizeof bits, LAYOUT(doubles));
  assert_memory_equal(bits, same, sizeof bits);
  fill(m, 2, 5), fill(again, 2, 5);
  drt_accumulate(m, m, sizeof m, LAYOUT(mixed));
  drt_copy_pointers(m, m, sizeof m, LAYOUT(mixed));
  assert_mixed(m, again, 2);
}

/* Only fields that lie wholly in the range take part: of struct mixed in n bytes, these. */
static void test_ranges_that_end_inside(void **state) {
  static const struct {
    int64_t n;
    int f, d, p, l; /* does the field take part? */
  } row[] = {{-8, 0, 0, 0, 0}, {0, 0, 0, 0, 0},  {7, 0, 0, 0, 0},  {8, 1, 0, 0, 0},
             {15, 1, 0, 0, 0}, {16, 1, 1, 0, 0}, {23, 1, 1, 0, 0}, {24, 1, 1, 1, 0},
             {41, 1, 1, 1, 0}, {42, 1, 1, 1, 1}, {48, 1, 1, 1, 1}};

  (void)state;
  for (size_t i = 0; i < COUNT(row); i++) {
    struct mixed a, b;
    int64_t n = row[i].n;

    fill(&a, 1, 1), fill(&b, 1, 2);
    drt_accumulate(&a, &b, n, LAYOUT(mixed));
    drt_copy_pointers(&a, &b, n, LAYOUT(mixed));
    assert_true(b.f == (row[i].f ? 3 : 2) && a.f == !row[i].f);
    assert_true(b.d == (row[i].d ? 3 : 2) && a.d == !row[i].d);
    assert_true(b.l == (row[i].l ? 3 : 2) && a.l == !row[i].l);
    assert_int_equal((intptr_t)a.p, row[i].p ? 16 : 8);
    fill(&a, 1, 1);
    drt_zero_numbers(&a, n, LAYOUT(mixed));
    drt_set_pointers(&a, 0xff, n, LAYOUT(mixed));
    assert_true(a.n == 1 && a.f == !row[i].f && a.d == !row[i].d && a.l == !row[i].l);
    assert_int_equal((intptr_t)a.p, row[i].p ? -1 : 8);
  }
}

static void test_set_and_zero(void **state) {
  struct mixed m[3];
  double a[3] = {1, 2, 3};

  (void)state;
  fill(m, 3, 1);
  drt_zero_numbers(m, 2 * sizeof *m, LAYOUT(mixed));
  drt_set_pointers(m + 1, 0, 2 * sizeof *m, LAYOUT(mixed));
  for (int i = 0; i < 3; i++) {
    assert_int_equal(m[i].n, 1 + i);
    assert_true(m[i].d == (i < 2 ? 0 : 201) && m[i].f == (i < 2 ? 0 : 21));
    assert_true(m[i].l == (i < 2 ? 0 : 2001));
    assert_ptr_equal(m[i].p, i < 1 ? (double *)8 : NULL);
  }
  drt_zero_numbers(a, 16, LAYOUT(doubles));
  assert_true(a[0] == 0 && a[1] == 0 && a[2] == 3);
  drt_zero_numbers(a, 24, LAYOUT(nothing));
  assert_true(a[2] == 3);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_copies_of_structs),      cmocka_unit_test(test_accumulate_arrays),
      cmocka_unit_test(test_accumulate_floats),      cmocka_unit_test(test_self_copy),
      cmocka_unit_test(test_ranges_that_end_inside), cmocka_unit_test(test_set_and_zero),
  };

  return cmocka_run_group_tests_name("runtime_memory", tests, NULL, NULL);
}
