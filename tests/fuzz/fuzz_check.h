/* fuzz_check.h: what every generated program includes: small functions that keep it valid, and the
 * main function that checks its gradient.
 *
 * The program defines N, FLOATS and CONTRACT before, and after it f, prepare and state. The
 * objective is f's result plus a fixed linear function of what f leaves in "in" and "out"; the
 * reverse mode gets the coefficients as seeds in the shadows. Checked are
 *   - the arrays and globals after the gradient against those after a plain call, bit by bit (not
 *     in programs with contraction: LLVM folds a contracted operation on constants with one
 * rounding and compiles it to two, so that two copies of one function differ);
 *   - two gradients in a row, bit by bit;
 *   - with -DFORWARD, the forward mode along a direction against the reverse mode;
 *   - central differences with two steps, along each coordinate and the direction. Where the two
 *     steps or the two sides disagree there is a jump or a kink: such a component is skipped.
 * "prog FILE" also compares its gradient with the one in FILE, or writes it there if there is no
 * such file. -DPLAIN prints the plain results and checks nothing; -DWIDE makes each float a double.
 */
#ifndef FUZZ_CHECK_H
#define FUZZ_CHECK_H

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if CONTRACT && !defined(PLAIN)
#pragma STDC FP_CONTRACT ON
#else
#pragma STDC FP_CONTRACT OFF
#endif

#ifdef WIDE
#define float double
#define sinf sin
#define expf exp
#endif

enum {
  LENGTH = N + 2,
  COMPONENTS = 2 * LENGTH,
  PRECISE = !FLOATS || sizeof(float) == sizeof(double)
};

double __dacead_autodiff(void *, ...);
double __dacead_fwddiff(void *, ...);
extern int dacead_const;

/* ---- for the programs */

/* A list of numbers. */
struct link {
  double value;      /* the number */
  struct link *next; /* the rest, or NULL */
};

/* A number and its bits. */
union word {
  double number; /* as a number */
  uint64_t bits; /* as an integer */
};

/* Two numbers by name or by index. */
union pair {
  struct {
    double left, right;
  } side;         /* by name */
  double both[2]; /* by index */
};

static double square(double a) {
  return a * a;
}

/* "a" where it is small; bounded and monotonous elsewhere. */
static double clip(double a) {
  if (a > 1.5)
    return 1.5 + 0.5 * tanh(a - 1.5);
  if (a < -1.5)
    return -1.5 + 0.5 * tanh(a + 1.5);
  return a;
}

/* An index in [0, N) that depends on "a". */
static int slot(double a) {
  return (int)fmin(fabs(a) * 9, 1000) % N;
}

static double soft(double a) {
  return a > 0 ? a / (1 + a) : 0.1 * a;
}

static double wave(double a) {
  double sum = 0;
  for (int i = 1; i < 4; i++)
    sum += sin(i * a) / i;
  return sum;
}

/* ---- the program's own */
double f(double *in, double *out, const int *map, int n);
static void prepare(void);
static double state(void);

/* ---- the check */

static int fuzz_map[N]; /* argument of f: a permutation of the indices */

/* Fill "z", the values of in and out before the call, and "seed", the coefficients of their values
 * after the call. "direction" is arbitrary. */
static void fuzz_inputs(double *z, double *seed, double *direction) {
  for (int i = 0; i < COMPONENTS; i++) {
    z[i] = 0.2 + 0.7 * fmod(0.6180339887 * (i + 1) + 0.1123, 1);
    seed[i] = (i % 3 ? 0.4 : -0.7) + 0.03 * i;
    direction[i] = cos(1 + 2.3 * i);
  }
  for (int i = 0; i < N; i++)
    fuzz_map[i] = (i * (N == 5 ? 3 : N - 1) + 1) % N;
}

/* Call f with "z"; it is overwritten by the arrays after the call. */
static double fuzz_call(double *z) {
  double in[LENGTH], out[LENGTH];
  memcpy(in, z, sizeof in);
  memcpy(out, z + LENGTH, sizeof out);
  prepare();
  double result = f(in, out, fuzz_map, N);
  memcpy(z, in, sizeof in);
  memcpy(z + LENGTH, out, sizeof out);
  return result;
}

/* The objective at "z0" moved by "step" along "direction". */
static double fuzz_objective(const double *z0, const double *seed, const double *direction,
                             double step) {
  double z[COMPONENTS];
  for (int i = 0; i < COMPONENTS; i++)
    z[i] = z0[i] + step * direction[i];
  double sum = fuzz_call(z);
  for (int i = 0; i < COMPONENTS; i++)
    sum += seed[i] * z[i];
  return sum;
}

#ifndef PLAIN
/* Reverse mode: "d" holds the seeds and becomes the gradient; "z" as in fuzz_call. */
static void fuzz_reverse(double *z, double *d) {
  double in[LENGTH], out[LENGTH], din[LENGTH], dout[LENGTH];
  memcpy(in, z, sizeof in);
  memcpy(out, z + LENGTH, sizeof out);
  memcpy(din, d, sizeof din);
  memcpy(dout, d + LENGTH, sizeof dout);
  prepare();
  __dacead_autodiff((void *)f, in, din, out, dout, dacead_const, fuzz_map, N);
  memcpy(z, in, sizeof in);
  memcpy(z + LENGTH, out, sizeof out);
  memcpy(d, din, sizeof din);
  memcpy(d + LENGTH, dout, sizeof dout);
}

#ifdef FORWARD
/* Forward mode: "d" holds the direction and becomes the tangents after the call; "z" as in
 * fuzz_call. Returns the tangent of the result. */
static double fuzz_forward(double *z, double *d) {
  double in[LENGTH], out[LENGTH], din[LENGTH], dout[LENGTH];
  memcpy(in, z, sizeof in);
  memcpy(out, z + LENGTH, sizeof out);
  memcpy(din, d, sizeof din);
  memcpy(dout, d + LENGTH, sizeof dout);
  prepare();
  double tangent = __dacead_fwddiff((void *)f, in, din, out, dout, dacead_const, fuzz_map, N);
  memcpy(z, in, sizeof in);
  memcpy(z + LENGTH, out, sizeof out);
  memcpy(d, din, sizeof din);
  memcpy(d + LENGTH, dout, sizeof dout);
  return tangent;
}
#endif

/* Say that "got" should have been "want" and end the program. */
static void fuzz_mismatch(const char *what, int component, double got, double want) {
  printf("MISMATCH %s component %d: got %.17g want %.17g\n", what, component, got, want);
  exit(1);
}

/* Compare "got" and "want", bit by bit. */
static void fuzz_same(const char *what, const double *got, const double *want, int n) {
  for (int i = 0; i < n; i++)
    if (memcmp(&got[i], &want[i], sizeof *got))
      fuzz_mismatch(what, i, got[i], want[i]);
}

/* Compare what is in memory after the call of f, "got", with that after a plain call, "want". */
static void fuzz_primal(const char *what, const double *got, const double *want, int n) {
  if (!CONTRACT)
    fuzz_same(what, got, want, n);
  for (int i = 0; i < n; i++)
    if (!(fabs(got[i] - want[i]) <= 1e-13 * (1 + fabs(want[i]))))
      fuzz_mismatch(what, i, got[i], want[i]);
}

/* Product of the vectors "a" and "b". */
static double fuzz_dot(const double *a, const double *b) {
  double sum = 0;
  for (int i = 0; i < COMPONENTS; i++)
    sum += a[i] * b[i];
  return sum;
}

/* Largest component of "a". */
static double fuzz_largest(const double *a) {
  double largest = 0;
  for (int i = 0; i < COMPONENTS; i++)
    largest = fmax(largest, fabs(a[i]));
  return largest;
}

/* Differences of the objective along "direction": true if they are reliable, then "derivative" is
 * the best of them. */
static int fuzz_difference(const double *z, const double *seed, const double *direction,
                           double *derivative) {
  double h[2] = {PRECISE ? 1e-5 : 2e-3, PRECISE ? 3e-6 : 7e-4}, d[2], bend[2];
  double middle = fuzz_objective(z, seed, direction, 0), tolerance = PRECISE ? 1e-5 : 1e-3;
  for (int k = 0; k < 2; k++) {
    double right = fuzz_objective(z, seed, direction, h[k]);
    double left = fuzz_objective(z, seed, direction, -h[k]);
    d[k] = (right - left) / (2 * h[k]);
    bend[k] = (right - 2 * middle + left) / h[k];
  }
  *derivative = d[1];
  double scale = 1 + fabs(d[1]);
  return fabs(d[0] - d[1]) <= tolerance * scale && fabs(bend[0]) <= 3e3 * tolerance * scale &&
         fabs(bend[1]) <= 1e3 * tolerance * scale;
}

/* Compare the gradient "g" with differences; returns how many components were skipped. */
static int fuzz_differences(const double *z, const double *seed, const double *direction,
                            const double *g) {
  double tolerance = PRECISE ? 3e-5 : 3e-3, derivative;
  int skipped = 0;
  for (int i = 0; i <= COMPONENTS; i++) {
    double unit[COMPONENTS] = {0};
    if (i < COMPONENTS)
      unit[i] = 1;
    const double *along = i < COMPONENTS ? unit : direction;
    double got = fuzz_dot(g, along);
    if (!fuzz_difference(z, seed, along, &derivative))
      skipped++;
    else if (!(fabs(got - derivative) <= tolerance * (1 + fabs(derivative))))
      fuzz_mismatch("differences", i, got, derivative);
  }
  return skipped;
}

/* Compare the gradient "g" with the one in the file "path", or write it there. */
static void fuzz_file(const char *path, const double *g) {
  double tolerance = (PRECISE ? 1e-9 : 1e-5) * fuzz_largest(g), want;
  FILE *file = fopen(path, "r");
  for (int i = 0; file && i < COMPONENTS; i++)
    if (fscanf(file, "%lf", &want) != 1 || !(fabs(g[i] - want) <= tolerance))
      fuzz_mismatch("level", i, g[i], want);
  if (!file && (file = fopen(path, "w")))
    for (int i = 0; i < COMPONENTS; i++)
      fprintf(file, "%.17g\n", g[i]);
  if (!file || fclose(file)) {
    perror(path);
    exit(2);
  }
}

/* Compute the gradient "g" at "z" twice and compare what the gradient leaves in memory. */
static void fuzz_gradient(const double *z, const double *seed, double *g) {
  double plain[COMPONENTS + 1], after[COMPONENTS + 1], again[COMPONENTS];
  memcpy(plain, z, sizeof again);
  fuzz_call(plain);
  plain[COMPONENTS] = state();
  for (int run = 0; run < 2; run++) {
    memcpy(after, z, sizeof again);
    memcpy(again, seed, sizeof again);
    fuzz_reverse(after, again);
    after[COMPONENTS] = state();
    fuzz_primal("primal", after, plain, COMPONENTS + 1);
    if (run)
      fuzz_same("repeat", again, g, COMPONENTS);
    memcpy(g, again, sizeof again);
  }
}

#ifdef FORWARD
/* Compare the forward mode along "direction" with the gradient "g" at "z". */
static void fuzz_tangent(const double *z, const double *seed, const double *direction,
                         const double *g) {
  double plain[COMPONENTS + 1], after[COMPONENTS + 1], d[COMPONENTS];
  memcpy(plain, z, sizeof d);
  memcpy(after, z, sizeof d);
  memcpy(d, direction, sizeof d);
  fuzz_call(plain);
  plain[COMPONENTS] = state();
  double got = fuzz_forward(after, d);
  after[COMPONENTS] = state();
  fuzz_primal("primal of the forward mode", after, plain, COMPONENTS + 1);
  got += fuzz_dot(seed, d);
  double want = fuzz_dot(g, direction), scale = 1 + fuzz_largest(g) * COMPONENTS;
  if (!(fabs(got - want) <= (PRECISE ? 1e-9 : 1e-4) * scale))
    fuzz_mismatch("forward", 0, got, want);
}
#endif

int main(int argc, char **argv) {
  double z[COMPONENTS], seed[COMPONENTS], direction[COMPONENTS], g[COMPONENTS];
  int nonzero = 0;
  fuzz_inputs(z, seed, direction);
  fuzz_gradient(z, seed, g);
#ifdef FORWARD
  fuzz_tangent(z, seed, direction, g);
#endif
  int skipped = fuzz_differences(z, seed, direction, g);
  if (argc > 1)
    fuzz_file(argv[1], g);
  for (int i = 0; i < COMPONENTS; i++)
    nonzero += g[i] != seed[i] && fabs(g[i]) > 1e-12;
  printf("ok checked=%d skipped=%d nonzero=%d\n", COMPONENTS + 1 - skipped, skipped, nonzero);
  return 0;
}

#else

/* Print what the plain program computes, for comparisons between compilers. */
int main(void) {
  double z[COMPONENTS], seed[COMPONENTS], direction[COMPONENTS];
  fuzz_inputs(z, seed, direction);
  for (int i = 0; i < 4; i++)
    printf("%.17g\n", fuzz_objective(z, seed, direction, 0.05 * i));
  printf("%.17g\n", state());
  return 0;
}
#endif

#endif
