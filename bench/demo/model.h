/* model.h: hares and lynxes by the equations of Lotka and Volterra, and how far they are from what
 * the Hudson's Bay Company counted. Nothing here knows of derivatives. */
#ifndef MODEL_H
#define MODEL_H

enum { YEARS = 21, FIRST_YEAR = 1900, STEPS_PER_YEAR = 100 };

/* What is fitted, in this order. Animals are counted in thousands of pelts, time in years. */
enum parameter { BIRTH, PREDATION, DEATH, GROWTH, HARES, LYNXES, PARAMETERS };

/* Numbers of both species, in thousands of pelts. */
struct population {
  double hares, lynxes;
};

/* Integrates over "steps" steps of 1/STEPS_PER_YEAR years from the populations that the parameters
   "p" name, and stores the populations after each "every" steps, the first ones included, in "out".
 */
void simulate(const double p[PARAMETERS], int steps, int every, struct population *out);

/* The sum over all years and both species of (log model - log data)^2. "log_p" holds the logarithms
   of the parameters: they are all positive, and of quite different size. */
double misfit(const double log_p[PARAMETERS], const struct population data[YEARS]);

#endif
