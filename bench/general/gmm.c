/* Benchmark: log likelihood of a Gaussian mixture with a Wishart prior, as in the ADBench suite.
 * The inverse covariances are given by triangular matrices with the logarithms of their diagonals.
 */
#include "../../tests/programs/check.h"
#include <string.h>

struct sizes {
  int dimensions; /* of a point */
  int components; /* of the mixture */
  int points;     /* observed */
};

/* Parameters of the prior. */
struct wishart {
  double gamma; /* scale */
  int m;        /* degrees of freedom beyond the dimensions */
};

/* Elements below the diagonal of a matrix of "d" rows. */
static int below(int d) {
  return d * (d - 1) / 2;
}

/* Logarithm of the sum of the exponentials of "x". */
static double log_sum_exp(const double *x, int n) {
  double largest = x[0], sum = 0;
  for (int i = 1; i < n; i++)
    if (x[i] > largest)
      largest = x[i];
  for (int i = 0; i < n; i++)
    sum += exp(x[i] - largest);
  return log(sum) + largest;
}

/* Squared norm of the lower triangular matrix with "diagonal" and "rest" (by columns) times "x";
 * the product is left in "product". */
static double triangular_norm(double *product, const double *diagonal, const double *rest,
                              const double *x, int d) {
  double sum = 0;
  for (int i = 0; i < d; i++)
    product[i] = diagonal[i] * x[i];
  for (int j = 0, k = 0; j < d; j++)
    for (int i = j + 1; i < d; i++, k++)
      product[i] += rest[k] * x[j];
  for (int i = 0; i < d; i++)
    sum += product[i] * product[i];
  return sum;
}

/* Logarithm of the multivariate gamma function, constant in the parameters. */
static double log_gamma(double a, int d) {
  double sum = 0.25 * d * (d - 1) * log(acos(-1.));
  for (int j = 1; j <= d; j++)
    sum += lgamma(a + 0.5 * (1 - j));
  return sum;
}

/* Logarithm of the prior of the matrices: "diagonals" are exponentiated, "log_traces" their sums
 * before that, "rest" the elements below them, at every "stride"-th place. */
static double log_prior(struct wishart prior, const double *diagonals, const double *log_traces,
                        const double *rest, int stride, int d, int k) {
  int n = d + prior.m + 1;
  double constant = n * d * (log(prior.gamma) - 0.5 * log(2.)) - log_gamma(0.5 * n, d), sum = 0;
  for (int c = 0; c < k; c++) {
    double squares = 0;
    for (int i = 0; i < d; i++)
      squares += diagonals[c * d + i] * diagonals[c * d + i];
    for (int i = 0; i < below(d); i++)
      squares += rest[c * stride + i] * rest[c * stride + i];
    sum += 0.5 * prior.gamma * prior.gamma * squares - prior.m * log_traces[c];
  }
  return sum - k * constant;
}

/* Log likelihood of "points": "alphas" are the logarithms of the weights, "means" the centres,
 * "factors" for each component the logarithms of the diagonal and then the rest of its matrix. */
static double likelihood(const double *alphas, const double *means, const double *factors,
                         const double *points, const struct sizes *s, const struct wishart *prior) {
  int d = s->dimensions, k = s->components, stride = d + below(d);
  double *diagonals = malloc(d * k * sizeof(double)), *log_traces = malloc(k * sizeof(double));
  double *centred = malloc(d * sizeof(double)), *product = malloc(d * sizeof(double));
  double *terms = malloc(k * sizeof(double)), sum = 0;
  for (int c = 0; c < k; c++) {
    log_traces[c] = 0;
    for (int i = 0; i < d; i++) {
      log_traces[c] += factors[c * stride + i];
      diagonals[c * d + i] = exp(factors[c * stride + i]);
    }
  }
  for (int p = 0; p < s->points; p++) {
    for (int c = 0; c < k; c++) {
      for (int i = 0; i < d; i++)
        centred[i] = points[p * d + i] - means[c * d + i];
      terms[c] =
          alphas[c] + log_traces[c] -
          0.5 * triangular_norm(product, diagonals + c * d, factors + c * stride + d, centred, d);
    }
    sum += log_sum_exp(terms, k);
  }
  sum -= s->points * (log_sum_exp(alphas, k) + 0.5 * d * log(2 * acos(-1.)));
  sum += log_prior(*prior, diagonals, log_traces, factors + d, stride, d, k);
  free(diagonals);
  free(log_traces);
  free(centred);
  free(product);
  free(terms);
  return sum;
}

/* What the driver works on: "count" parameters, namely alphas, means and factors. */
struct run {
  struct sizes sizes;
  struct wishart prior;
  int means, factors, count; /* where the means and the factors begin, and all end */
  double *parameters, *gradient, *direction, *moved, *points;
};

/* Clear the gradient. */
static void reset(void *context) {
  struct run *run = context;
  memset(run->gradient, 0, run->count * sizeof(double));
}

/* Likelihood with the parameters at "parameters". */
static double evaluate(const struct run *run, const double *parameters) {
  return likelihood(parameters, parameters + run->means, parameters + run->factors, run->points,
                    &run->sizes, &run->prior);
}

/* The program itself. */
static double primal(void *context) {
  const struct run *run = context;
  return evaluate(run, run->parameters);
}

/* Its gradient. */
static void gradient(void *context) {
  struct run *run = context;
  __dacead_autodiff((void *)likelihood, dacead_dup, run->parameters, run->gradient, dacead_dup,
                    run->parameters + run->means, run->gradient + run->means, dacead_dup,
                    run->parameters + run->factors, run->gradient + run->factors, dacead_const,
                    run->points, dacead_const, &run->sizes, dacead_const, &run->prior);
}

/* Likelihood with the parameters moved by "step". */
static double along(void *context, double step) {
  struct run *run = context;
  for (int i = 0; i < run->count; i++)
    run->moved[i] = run->parameters[i] + step * run->direction[i];
  return evaluate(run, run->moved);
}

/* "n" random numbers between "low" and "high". */
static double *random_vector(int n, double low, double high) {
  double *vector = check_alloc(n * sizeof(double));
  for (int i = 0; i < n; i++)
    vector[i] = check_random(low, high);
  return vector;
}

/* Arguments: dimensions, components, points. */
int main(int argc, char **argv) {
  struct run run = {.sizes = {check_size(argc, argv, 1, 10), check_size(argc, argv, 2, 25),
                              check_size(argc, argv, 3, 1000)},
                    .prior = {1, 0}};
  int d = run.sizes.dimensions, k = run.sizes.components;
  run.means = k;
  run.factors = run.means + k * d;
  run.count = run.factors + k * (d + below(d));
  run.parameters = random_vector(run.count, -1, 1);
  run.direction = random_vector(run.count, -1, 1);
  run.points = random_vector(run.sizes.points * d, -1, 1);
  run.gradient = check_alloc(run.count * sizeof(double));
  run.moved = check_alloc(run.count * sizeof(double));
  check_bench("gmm", reset, primal, gradient, &run);
  reset(&run);
  gradient(&run);
  check_close("directional difference", check_dot(run.gradient, run.direction, run.count),
              check_difference(along, &run, 1e-3), 1e-8);
  free(run.parameters);
  free(run.direction);
  free(run.points);
  free(run.gradient);
  free(run.moved);
  return check_done();
}
