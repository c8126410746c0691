/* Benchmark: four species that compete and eat each other, integrated by the classical Runge-Kutta
 * method; the right-hand side is called through a pointer. */
#include "../../tests/programs/check.h"
#include <string.h>

enum { SPECIES = 4, PARAMETERS = SPECIES + SPECIES * SPECIES };

/* Right-hand side of the species' equations: each grows by its own rate and by what the others do
 * to it; "p" holds the rates and then the matrix of interactions. */
static void ecology(double *rate, const double *y, const double *p) {
  const double *interaction = p + SPECIES;
  for (int i = 0; i < SPECIES; i++) {
    double growth = p[i];
    for (int j = 0; j < SPECIES; j++)
      growth += interaction[i * SPECIES + j] * y[j];
    rate[i] = y[i] * growth;
  }
}

/* One step of length "h" from "y" to "next" with the right-hand side "f" and its parameters "p". */
static void step(void (*f)(double *, const double *, const double *), double *next, const double *y,
                 const double *p, double h) {
  double k1[SPECIES], k2[SPECIES], k3[SPECIES], k4[SPECIES], middle[SPECIES];
  f(k1, y, p);
  for (int i = 0; i < SPECIES; i++)
    middle[i] = y[i] + 0.5 * h * k1[i];
  f(k2, middle, p);
  for (int i = 0; i < SPECIES; i++)
    middle[i] = y[i] + 0.5 * h * k2[i];
  f(k3, middle, p);
  for (int i = 0; i < SPECIES; i++)
    middle[i] = y[i] + h * k3[i];
  f(k4, middle, p);
  for (int i = 0; i < SPECIES; i++)
    next[i] = y[i] + h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
}

/* Mean distance of the populations from one, squared, over "steps" steps of length "h" from
 * "start". */
static double distance(const double *start, const double *p, int steps, double h) {
  double y[SPECIES], sum = 0;
  memcpy(y, start, sizeof y);
  for (int t = 0; t < steps; t++) {
    double next[SPECIES];
    step(ecology, next, y, p, h);
    memcpy(y, next, sizeof y);
    for (int i = 0; i < SPECIES; i++)
      sum += (y[i] - 1) * (y[i] - 1);
  }
  return sum / steps;
}

/* What the driver works on: populations at the start, then parameters. */
struct run {
  double values[SPECIES + PARAMETERS], gradient[SPECIES + PARAMETERS];
  double direction[SPECIES + PARAMETERS]; /* of the difference */
  int steps;                              /* of the integration */
};

static const double step_length = 0.01;

/* Clear the gradient. */
static void reset(void *context) {
  struct run *run = context;
  memset(run->gradient, 0, sizeof run->gradient);
}

/* The program itself. */
static double primal(void *context) {
  const struct run *run = context;
  return distance(run->values, run->values + SPECIES, run->steps, step_length);
}

/* Its gradient. */
static void gradient(void *context) {
  struct run *run = context;
  __dacead_autodiff((void *)distance, dacead_dup, run->values, run->gradient, dacead_dup,
                    run->values + SPECIES, run->gradient + SPECIES, dacead_const, run->steps,
                    dacead_const, step_length);
}

/* Result with the values moved by "step". */
static double along(void *context, double step) {
  const struct run *run = context;
  struct run moved = *run;
  for (int i = 0; i < SPECIES + PARAMETERS; i++)
    moved.values[i] += step * run->direction[i];
  return primal(&moved);
}

/* Populations near one; matrix and rates such that all equal to one is a stable state. */
static void fill(struct run *run) {
  double *rate = run->values + SPECIES, *interaction = rate + SPECIES;
  for (int i = 0; i < SPECIES; i++) {
    run->values[i] = check_random(0.5, 1.5);
    rate[i] = 0;
    for (int j = 0; j < SPECIES; j++) {
      double eaten = j > i ? -check_random(0.2, 1) : 0;
      interaction[i * SPECIES + j] = i == j ? -0.02 : j > i ? eaten : -interaction[j * SPECIES + i];
      rate[i] -= interaction[i * SPECIES + j];
    }
  }
  for (int i = 0; i < SPECIES + PARAMETERS; i++)
    run->direction[i] = check_random(-1, 1);
}

/* Arguments: steps. */
int main(int argc, char **argv) {
  struct run run = {.steps = check_size(argc, argv, 1, 10000)};
  fill(&run);
  check_bench("rk4", reset, primal, gradient, &run);
  reset(&run);
  gradient(&run);
  check_close("directional difference",
              check_dot(run.gradient, run.direction, SPECIES + PARAMETERS),
              check_difference(along, &run, 1e-4), 1e-7);
  return check_done();
}
