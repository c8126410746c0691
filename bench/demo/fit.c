/* fit.c: fits the model to the pelts of 1900 to 1920. Its gradient comes from the plugin, the
 * minimiser (limited-memory BFGS) from the library NLopt. Usage: fit PLOT.svg
 *
 * Squares of logarithms are summed, since catches err by a factor, not by a number of pelts: plain
 * squares would fit the three peaks of the hares and ignore every year with few animals. */
#include "model.h"
#include "plot.h"

#include <dacead.h>
#include <math.h>
#include <nlopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Pelts that the Hudson's Bay Company took in, in thousands. */
static const struct population pelts[YEARS] = {
    {30, 4},     {47.2, 6.1},  {70.2, 9.8},  {77.4, 35.2}, {36.3, 59.4}, {20.6, 41.7},
    {18.1, 19},  {21.4, 13},   {22, 8.3},    {25.4, 9.1},  {27.1, 7.4},  {40.3, 8},
    {57, 12.3},  {76.6, 19.5}, {52.3, 45.7}, {19.5, 51.1}, {11.2, 29.7}, {7.6, 15.8},
    {14.6, 9.7}, {16.2, 10.1}, {24.7, 8.6}};

static const char *const meaning[PARAMETERS] = {"birth of hares",  "predation",
                                                "death of lynxes", "growth of lynxes",
                                                "hares in 1900",   "lynxes in 1900"};
static const char *const unit[PARAMETERS] = {"per year", "per year and thousand lynxes",
                                             "per year", "per year and thousand hares",
                                             "thousand", "thousand"};

static double norm(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += x[i] * x[i];
  return sqrt(sum);
}

/* The misfit at "log_p"; its derivatives go to "gradient". */
static double misfit_and_gradient(const double *log_p, double *gradient) {
  memset(gradient, 0, PARAMETERS * sizeof *gradient);
  return __dacead_autodiff((void *)misfit, dacead_primal_return, dacead_dup, log_p, gradient,
                           dacead_const, pelts);
}

/* What the minimiser calls. "data" counts the calls. */
static double objective(unsigned n, const double *log_p, double *gradient, void *data) {
  double unused[PARAMETERS], *g = gradient ? gradient : unused;
  double value = misfit_and_gradient(log_p, g);
  printf("%5d   %12.6f   %12.3e\n", ++*(int *)data, value, norm(g, n));
  return value;
}

/* Minimises from "log_p", which becomes the best place; returns the misfit there. Bounds keep the
   first step, whose length the minimiser can only guess, where the solver is stable: no parameter
   changes by more than a factor of four. */
static double minimise(double *log_p) {
  double lower[PARAMETERS], upper[PARAMETERS];
  int calls = 0;
  double least = NAN;
  nlopt_opt opt = nlopt_create(NLOPT_LD_LBFGS, PARAMETERS);
  nlopt_set_min_objective(opt, objective, &calls);
  for (int i = 0; i < PARAMETERS; i++) {
    lower[i] = log_p[i] - log(4);
    upper[i] = log_p[i] + log(4);
  }
  nlopt_set_lower_bounds(opt, lower);
  nlopt_set_upper_bounds(opt, upper);
  nlopt_set_ftol_rel(opt, 1e-12);
  nlopt_set_maxeval(opt, 500);
  printf(" call         misfit       |gradient|\n");
  nlopt_result result = nlopt_optimize(opt, log_p, &least);
  nlopt_destroy(opt);
  if (result < 0) {
    fprintf(stderr, "fit: the minimiser gave up (%s)\n", nlopt_result_to_string(result));
    exit(1);
  }
  return least;
}

static double misfit_for_check(const double *log_p, void *data) {
  return misfit(log_p, data);
}

/* The relative error of the gradient at "log_p" against differences of the misfit. */
static double gradient_error(const double *log_p) {
  double gradient[PARAMETERS];
  misfit_and_gradient(log_p, gradient);
  return dacead_check_gradient(misfit_for_check, (void *)pelts, PARAMETERS, log_p, gradient, 1);
}

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec + 1e-9 * now.tv_nsec;
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Prints the median times of the misfit and of the misfit with its gradient. All results go to
   "sink", for what nobody reads is not computed. */
static void print_times(const double *log_p) {
  enum { CALLS = 1001 };
  static double alone[CALLS], both[CALLS];
  double gradient[PARAMETERS];
  volatile double sink;
  for (int i = 0; i < CALLS; i++) {
    double start = seconds();
    sink = misfit(log_p, pelts);
    double middle = seconds();
    sink = misfit_and_gradient(log_p, gradient);
    alone[i] = middle - start;
    sink += norm(gradient, PARAMETERS);
    both[i] = seconds() - middle;
  }
  (void)sink;
  qsort(alone, CALLS, sizeof *alone, ascending);
  qsort(both, CALLS, sizeof *both, ascending);
  printf(
      "  misfit %.1f us, misfit with gradient %.1f us: %.2f times as long (medians of %d calls)\n",
      1e6 * alone[CALLS / 2], 1e6 * both[CALLS / 2], both[CALLS / 2] / alone[CALLS / 2], CALLS);
}

/* Prints the parameters "p" and how well they fit; "least" is the misfit. */
static void print_fit(const double *p, double least) {
  struct population model[YEARS];
  double hares = 0, lynxes = 0;
  simulate(p, (YEARS - 1) * STEPS_PER_YEAR, STEPS_PER_YEAR, model);
  for (int i = 0; i < YEARS; i++) {
    hares += pow(model[i].hares - pelts[i].hares, 2);
    lynxes += pow(model[i].lynxes - pelts[i].lynxes, 2);
  }
  printf("\nFitted parameters\n");
  for (int i = 0; i < PARAMETERS; i++)
    printf("  %-18s %9.5f %s\n", meaning[i], p[i], unit[i]);
  printf("Root mean square error\n  of the logarithms %.3f, that is a factor of %.2f\n",
         sqrt(least / (2 * YEARS)), exp(sqrt(least / (2 * YEARS))));
  printf("  %.1f thousand hares, %.1f thousand lynxes\n", sqrt(hares / YEARS),
         sqrt(lynxes / YEARS));
}

int main(int argc, char **argv) {
  double p[PARAMETERS] = {0.5, 0.02, 0.5, 0.02, pelts[0].hares, pelts[0].lynxes};
  double log_p[PARAMETERS];
  if (argc != 2) {
    fprintf(stderr, "usage: fit PLOT.svg\n");
    return 2;
  }
  for (int i = 0; i < PARAMETERS; i++)
    log_p[i] = log(p[i]);
  double error = gradient_error(log_p);
  double least = minimise(log_p);
  for (int i = 0; i < PARAMETERS; i++)
    p[i] = exp(log_p[i]);
  print_fit(p, least);
  printf("Gradient\n  differs from differences of the misfit by %.1e (relative)\n", error);
  print_times(log_p);
  if (plot_fit(argv[1], p, pelts)) {
    perror(argv[1]);
    return 1;
  }
  printf("Plot\n  %s\n", argv[1]);
  return error < 1e-6 ? 0 : 1;
}
