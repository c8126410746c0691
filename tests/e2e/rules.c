// Covers: every row of the rule table, for float, double and long double, against differences in
// long double.
// ALSO: -O2 -fno-math-errno
// ALSO: -O2 -fno-builtin
/* Each row of rules.def becomes a function of its operands for each of the three types, and a call
   that differentiates it. With RULES_FORWARD, forward mode is tested instead of reverse mode. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "../programs/check.h"

#include <float.h>
#include <string.h>

enum { OPERANDS = 3, POINTS = 5 };

/* ---- what rows are called in C, where that is not the name of the row */

#define fneg(a)    (-(a))
#define fnegf      fneg
#define fnegl      fneg
#define fadd(a, b) ((a) + (b))
#define faddf      fadd
#define faddl      fadd
#define fsub(a, b) ((a) - (b))
#define fsubf      fsub
#define fsubl      fsub
#define fmul(a, b) ((a) * (b))
#define fmulf      fmul
#define fmull      fmul
#define fdiv(a, b) ((a) / (b))
#define fdivf      fdiv
#define fdivl      fdiv
#define powi       __builtin_powi
#define powif      __builtin_powif
#define powil      __builtin_powil
#define same       __builtin_canonicalize
#define samef      __builtin_canonicalizef
#define samel      __builtin_canonicalizel
#define lgamma_rf  lgammaf_r
#define lgamma_rl  lgammal_r

/* Rows that C cannot call: functions of Fortran's library; the angle of a complex number, which is
 * one operand in C. */
#define OMIT_fortran_mod ~, 1
#define OMIT_fraction    ~, 1
#define OMIT_erfc_scaled ~, 1
#define OMIT_carg        ~, 1

/* Functions of C23: their rows are passed over where the C library lacks them. */
#define DECLARE(name, ...)                                                                         \
  extern double name(double, ##__VA_ARGS__) __attribute__((weak));                                 \
  extern float name##f(float, ##__VA_ARGS__) __attribute__((weak));                                \
  extern long double name##l(long double, ##__VA_ARGS__) __attribute__((weak));
#define MAYBE_rsqrt ~, (const void *)rsqrt
DECLARE(rsqrt)
#define MAYBE_compoundn ~, (const void *)compoundn
DECLARE(compoundn, int)
#define MAYBE_rootn ~, (const void *)rootn
DECLARE(rootn, int)
#define MAYBE_exp2m1 ~, (const void *)exp2m1
DECLARE(exp2m1)
#define MAYBE_exp10m1 ~, (const void *)exp10m1
DECLARE(exp10m1)
#define MAYBE_log2p1 ~, (const void *)log2p1
DECLARE(log2p1)
#define MAYBE_log10p1 ~, (const void *)log10p1
DECLARE(log10p1)
#define MAYBE_sinpi ~, (const void *)sinpi
DECLARE(sinpi)
#define MAYBE_cospi ~, (const void *)cospi
DECLARE(cospi)
#define MAYBE_tanpi ~, (const void *)tanpi
DECLARE(tanpi)
#define MAYBE_asinpi ~, (const void *)asinpi
DECLARE(asinpi)
#define MAYBE_acospi ~, (const void *)acospi
DECLARE(acospi)
#define MAYBE_atanpi ~, (const void *)atanpi
DECLARE(atanpi)
#define MAYBE_atan2pi ~, (const void *)atan2pi
extern double atan2pi(double, double) __attribute__((weak));
extern float atan2pif(float, float) __attribute__((weak));
extern long double atan2pil(long double, long double) __attribute__((weak));

#define SECOND(first, second, ...) second
#define IS_OMITTED(...)            SECOND(__VA_ARGS__, 0, ~)
#define IS_HERE(...)               SECOND(__VA_ARGS__, &check_failures, ~)
#define PASTE(a, b)                PASTE_EXPANDED(a, b)
#define PASTE_EXPANDED(a, b)       a##b

/* ---- calls: "v" holds the operands, "n" is the integer among them */

#define CALL_F(f)   f(v[0])
#define CALL_F_(f)  f(v[0], &ignored)
#define CALL_FF(f)  f(v[0], v[1])
#define CALL_FFF(f) f(v[0], v[1], v[2])
#define CALL_FI(f)  f(v[0], n)
#define CALL_IF(f)  f(n, v[1])

#ifdef RULES_FORWARD
double __dacead_fwddiff(void *, ...);
float __dacead_fwddiff_f(void *, ...);
long double __dacead_fwddiff_l(void *, ...);
/* The derivative by each operand, by its own direction. */
#define DIFFERENTIATE(function, type, suffix)                                                      \
  for (int k = 0; k < OPERANDS; k++) {                                                             \
    type direction[OPERANDS] = {0};                                                                \
    direction[k] = 1;                                                                              \
    d[k] = __dacead_fwddiff##suffix((void *)function, v, direction, n);                            \
  }
#else
#define DIFFERENTIATE(function, type, suffix) __dacead_autodiff((void *)function, v, d, n);
#endif

/* The function "name" for "type" and the function that differentiates it. */
#define FUNCTIONS(name, call, type, form, suffix)                                                  \
  static type value_##form(type *v, int n) {                                                       \
    (void)v, (void)n;                                                                              \
    return call(name);                                                                             \
  }                                                                                                \
  static void derive_##form(type *v, type *d, int n) {                                             \
    DIFFERENTIATE(value_##form, type, suffix)                                                      \
  }

#define ROW_0(name, operands)                                                                      \
  FUNCTIONS(name##f, CALL_##operands, float, name##_f, _f)                                         \
  FUNCTIONS(name, CALL_##operands, double, name##_d, )                                             \
  FUNCTIONS(name##l, CALL_##operands, long double, name##_l, _l)
#define ROW_1(name, operands)
#define RULE(name, opcode, names, operands, value, by_x, by_y, by_z, low, high)                    \
  PASTE(ROW_, IS_OMITTED(OMIT_##name))(name, operands)
#include "../../pass/rules/rules.def"

/* ---- the table */

static const struct row {
  const char *name, *operands;
  const void *here; /* NULL: the C library lacks the function */
  long double low, high;
  float (*value_f)(float *v, int n);
  void (*derive_f)(float *v, float *d, int n);
  double (*value_d)(double *v, int n);
  void (*derive_d)(double *v, double *d, int n);
  long double (*value_l)(long double *v, int n);
  void (*derive_l)(long double *v, long double *d, int n);
} rows[] = {
#define ENTRY_0(name, operands, low, high)                                                         \
  {#name,                                                                                          \
   #operands,                                                                                      \
   IS_HERE(MAYBE_##name),                                                                          \
   low,                                                                                            \
   high,                                                                                           \
   value_##name##_f,                                                                               \
   derive_##name##_f,                                                                              \
   value_##name##_d,                                                                               \
   derive_##name##_d,                                                                              \
   value_##name##_l,                                                                               \
   derive_##name##_l},
#define ENTRY_1(name, operands, low, high)
#define RULE(name, opcode, names, operands, value, by_x, by_y, by_z, low, high)                    \
  PASTE(ENTRY_, IS_OMITTED(OMIT_##name))(name, operands, low, high)
#include "../../pass/rules/rules.def"
};

/* ---- the comparison */

/* The derivative of the row's function by operand "k", by differences of fourth order. */
static long double difference(const struct row *row, const long double *v, int k, int n) {
  const long double h = 1.0L / 2048;
  long double values[4];
  static const int steps[4] = {1, -1, 2, -2};
  for (int i = 0; i < 4; i++) {
    long double moved[OPERANDS] = {v[0], v[1], v[2]};
    moved[k] += steps[i] * h;
    values[i] = row->value_l(moved, n);
  }
  return (8 * (values[0] - values[1]) - (values[2] - values[3])) / (12 * h);
}

static int compared;

static void compare(const struct row *row, const char *type, int k, long double is,
                    long double should, long double tolerance) {
  compared++;
  if (fabsl(is - should) <= tolerance * fmaxl(1, fabsl(should)))
    return;
  printf("%s by operand %d, %s: %.12Lg instead of %.12Lg\n", row->name, k, type, is, should);
  check_failures++;
}

/* The row at the operands "v" and "n", which all types can hold. */
static void check_row(const struct row *row, const long double *v, int n) {
  float v_f[OPERANDS] = {v[0], v[1], v[2]}, d_f[OPERANDS] = {0};
  double v_d[OPERANDS] = {v[0], v[1], v[2]}, d_d[OPERANDS] = {0};
  long double v_l[OPERANDS] = {v[0], v[1], v[2]}, d_l[OPERANDS] = {0};
  row->derive_f(v_f, d_f, n);
  row->derive_d(v_d, d_d, n);
  row->derive_l(v_l, d_l, n);
  for (int k = 0; row->operands[k]; k++) {
    if (row->operands[k] != 'F')
      continue;
    long double should = difference(row, v, k, n);
    compare(row, "float", k, d_f[k], should, 64 * (long double)FLT_EPSILON);
    compare(row, "double", k, d_d[k], should, 1e-9L);
    compare(row, "long double", k, d_l[k], should, 1e-9L);
  }
}

int main(void) {
  static const int integers[POINTS] = {2, 3, 1, 4, 5};
  for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
    for (int point = 0; rows[i].here && point < POINTS; point++) {
      long double v[OPERANDS];
      for (int k = 0; k < OPERANDS; k++) {
        long double part = fmodl((3 * point + k + 1) * 0.6180339887498948482L, 1);
        v[k] = (float)(rows[i].low + (rows[i].high - rows[i].low) * part);
      }
      check_row(&rows[i], v, integers[point]);
    }
  if (compared < 900) {
    printf("only %d derivatives were compared\n", compared);
    check_failures++;
  }
  puts(check_failures ? "failed" : "ok");
  return check_failures != 0;
}
