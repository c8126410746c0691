/* runtime_check_test.c: diagnosed stops, checks of gradients, special functions. */
#define _DEFAULT_SOURCE
#include "runtime_examples.h"
#include "stops.h"

#include "include/dacead.h"

#include <math.h>

/* ---- Diagnosed stops */

static void some_function(void) {
}

static void other_function(void) {
}

static const void *const good[DRT_DESCRIPTOR_WORDS] = {some_function, some_function, some_function};
static const void *const without[DRT_DESCRIPTOR_WORDS] = {drt_no_derivative, drt_no_derivative,
                                                          some_function};

static void check_good(void) {
  drt_check_function(good, some_function, "f.c:1");
}

static void check_none(void) {
  drt_check_function(NULL, some_function, "f.c:12");
}

static void check_other(void) {
  drt_check_function(good, other_function, "f.c:12");
}

static void check_without(void) {
  drt_check_function(without, some_function, NULL);
}

static void no_shadow_named(void) {
  drt_no_shadow("buffer", "f.c:7");
}

static void no_shadow_unnamed(void) {
  drt_no_shadow(NULL, NULL);
}

static void test_checks(void **state) {
  char text[256];

  (void)state;
  assert_int_equal(outcome(check_good, text, sizeof text), 0);
  assert_string_equal(text, "");
  assert_stops(check_none,
               "dacead: f.c:12: a function is called through a pointer that has no shadow");
  assert_stops(check_other, "dacead: f.c:12: a function is called through a pointer whose shadow "
                            "belongs to another");
  assert_stops(check_without, "dacead: a function without a derivative is called");
  assert_stops(drt_no_derivative, "dacead: a function without a derivative is called");
  assert_stops(no_shadow_named, "dacead: f.c:7: 'buffer' points to memory that has no shadow");
  assert_stops(no_shadow_unnamed, "dacead: a pointer points to memory that has no shadow");
}

/* ---- Checks of gradients */

/* sum of exp(x[i] / s) sin(i + x[i] / s), with the scale s in "context". */
static double smooth(const double *x, void *context) {
  double s = *(double *)context, sum = 0;

  for (int i = 0; i < 5; i++)
    sum += exp(x[i] / s) * sin(i + x[i] / s);
  return sum;
}

static double at_root(const double *x, void *context) {
  (void)context;
  return sqrt(x[0] * x[0] - 1); /* not a number left of 1 */
}

static double constant(const double *x, void *context) {
  (void)context;
  return 3 + 0 * x[0];
}

static void test_check_gradient(void **state) {
  static const double scale[] = {1e-8, 1, 1e6};
  double zero[2] = {0, 0}, one[2] = {1, 1}, bad[2] = {NAN, 0};

  (void)state;
  for (size_t k = 0; k < COUNT(scale); k++)
    for (unsigned seed = 0; seed < 20; seed++) {
      double s = scale[k], x[5], g[5];

      for (int i = 0; i < 5; i++) {
        x[i] = s * (0.3 * i - 0.6); /* x[2] is zero */
        g[i] = exp(x[i] / s) * (sin(i + x[i] / s) + cos(i + x[i] / s)) / s;
      }
      assert_true(dacead_check_gradient(smooth, &s, 5, x, g, seed) < 1e-9);
      g[2] *= 1.01;
      assert_true(dacead_check_gradient(smooth, &s, 5, x, g, seed) > 1e-6);
      g[2] = 0;
      assert_true(dacead_check_gradient(smooth, &s, 5, x, g, seed) > 1e-4);
    }
  assert_true(dacead_check_gradient(constant, NULL, 2, one, zero, 1) == 0);
  assert_true(dacead_check_gradient(constant, NULL, 2, zero, one, 1) > 0.1);
  assert_true(dacead_check_gradient(constant, NULL, 2, one, bad, 1) == INFINITY);
  assert_true(dacead_check_gradient(at_root, NULL, 1, zero, one, 1) == INFINITY);
  one[0] = 1.05; /* only the small steps stay where it is defined */
  zero[0] = 1.05 / sqrt(1.05 * 1.05 - 1);
  assert_true(dacead_check_gradient(at_root, NULL, 1, one, zero, 3) < 1e-8);
}

static void test_check_adjoint(void **state) {
  const double j[2][3] = {{1, 2, 3}, {-4, 5, 0.1}}, v[3] = {0.3, -7, 11}, y[2] = {2, 1e-3};
  double jv[2] = {0, 0}, jty[3] = {0, 0, 0};

  (void)state;
  for (int r = 0; r < 2; r++)
    for (int k = 0; k < 3; k++)
      jv[r] += j[r][k] * v[k], jty[k] += j[r][k] * y[r];
  assert_true(dacead_check_adjoint(2, y, jv, 3, v, jty) < 1e-15);
  jty[1] *= 1 + 1e-6;
  assert_true(dacead_check_adjoint(2, y, jv, 3, v, jty) > 1e-7);
  jv[1] = INFINITY;
  assert_true(dacead_check_adjoint(2, y, jv, 3, v, jty) == INFINITY);
  assert_true(dacead_check_adjoint(0, y, jv, 0, v, jty) == 0);
}

/* ---- Special functions */

static void test_digamma(void **state) {
  static const struct {
    double x, value;
  } row[] = {
      {1, -0.5772156649015328606065121},      {0.5, -1.963510026021423479440976},
      {0.25, -4.22745353337626540808953},     {10, 2.251752589066721107647456},
      {1e-3, -1000.575571931810279654757},    {1.4616321449683623, -9.24126552172942747920073e-17},
      {2.5, 0.7031566406452431872256903},     {-0.5, 0.03648997397857652055902367},
      {-1.5, 0.7031566406452431872256903},    {-2.25, 4.158583564657972274817558},
      {-10.75, -0.7208957601671611740093725}, {-100.3, 6.895643124860435034953165},
      {1e10, 23.02585092989045684017908},     {0.1, -10.4237549404110762321003},
      {7.999, 2.01550833209034803825226},     {100, 4.600161852738087400198606},
      {-0.001, 999.421138197891333756828},    {-3.999, -998.4908138087341641629294}};

  (void)state;
  for (size_t i = 0; i < COUNT(row); i++) {
    double scale = fmax(1, fabs(row[i].value));

    assert_true(fabs(drt_digamma(row[i].x) - row[i].value) <= 1e-14 * scale);
    assert_true(fabsl(drt_digammal(row[i].x) - row[i].value) <= 1e-15L * scale);
    assert_true(fabsf(drt_digammaf((float)row[i].x) - (float)drt_digammal((float)row[i].x)) <=
                1e-6F * (float)scale);
  }
  for (double x = -20.03; x < 20; x += 0.0517) {
    long double precise = drt_digammal(x), scale = fmaxl(1, fabsl(precise));

    assert_true(fabsl(drt_digamma(x) - precise) <= 1e-14L * scale);
    assert_true(fabsl(drt_digammal(x + 1.0L) - precise - 1 / (long double)x) <=
                1e-16L * (scale + fabsl(1 / (long double)x)));
  }
  assert_true(drt_digamma(0.0) == -INFINITY && drt_digamma(-0.0) == INFINITY);
  assert_true(isnan(drt_digamma(-3)) && isnan(drt_digamma(NAN)) && isnan(drt_digamma(-INFINITY)));
  assert_true(drt_digamma(INFINITY) == INFINITY);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_checks),
      cmocka_unit_test(test_check_gradient),
      cmocka_unit_test(test_check_adjoint),
      cmocka_unit_test(test_digamma),
  };

  return cmocka_run_group_tests_name("runtime_check", tests, NULL, NULL);
}
