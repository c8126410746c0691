/* model.c: the solver, a Runge-Kutta method of order 4 with a fixed step. */
#include "model.h"

#include <math.h>

/* How fast the populations "x" change, per year. */
static struct population change(const double *p, struct population x) {
  struct population rate = {(p[BIRTH] - p[PREDATION] * x.lynxes) * x.hares,
                            (p[GROWTH] * x.hares - p[DEATH]) * x.lynxes};
  return rate;
}

/* "x" + "h" * "rate". */
static struct population along(struct population x, double h, struct population rate) {
  x.hares += h * rate.hares;
  x.lynxes += h * rate.lynxes;
  return x;
}

/* One step of "h" years from "x". */
static struct population step(const double *p, struct population x, double h) {
  struct population k1 = change(p, x);
  struct population k2 = change(p, along(x, h / 2, k1));
  struct population k3 = change(p, along(x, h / 2, k2));
  struct population k4 = change(p, along(x, h, k3));
  x = along(x, h / 6, k1);
  x = along(x, h / 3, k2);
  x = along(x, h / 3, k3);
  return along(x, h / 6, k4);
}

void simulate(const double p[PARAMETERS], int steps, int every, struct population *out) {
  struct population x = {p[HARES], p[LYNXES]};
  for (int n = 0; n <= steps; n++) {
    if (n % every == 0)
      out[n / every] = x;
    x = step(p, x, 1.0 / STEPS_PER_YEAR);
  }
}

double misfit(const double log_p[PARAMETERS], const struct population data[YEARS]) {
  double p[PARAMETERS], sum = 0;
  struct population model[YEARS];
  for (int i = 0; i < PARAMETERS; i++)
    p[i] = exp(log_p[i]);
  simulate(p, (YEARS - 1) * STEPS_PER_YEAR, STEPS_PER_YEAR, model);
  for (int i = 0; i < YEARS; i++) {
    double hares = log(model[i].hares / data[i].hares);
    double lynxes = log(model[i].lynxes / data[i].lynxes);
    sum += hares * hares + lynxes * lynxes;
  }
  return sum;
}
