/* Benchmark: loss of a chain of LSTM cells that predicts the next element of a sequence. The
 * weights act element by element, as in the LSTM of the ADBench suite. */
#include "../../tests/programs/check.h"
#include <string.h>

enum gate { FORGET, INPUT, OUTPUT, CHANGE, GATES };

struct sizes {
  int layers; /* cells on top of each other */
  int width;  /* elements of every vector */
  int steps;  /* length of the sequence */
};

/* The logistic function. */
static double sigmoid(double x) {
  return 1 / (1 + exp(-x));
}

/* One cell: "weights" holds a weight vector for each gate, then a bias vector for each; "hidden"
 * and "memory" are its state. */
static void cell(const double *weights, double *hidden, double *memory, const double *input,
                 int width) {
  const double *bias = weights + GATES * width;
  for (int i = 0; i < width; i++) {
    double forget = sigmoid(input[i] * weights[FORGET * width + i] + bias[FORGET * width + i]);
    double admit = sigmoid(hidden[i] * weights[INPUT * width + i] + bias[INPUT * width + i]);
    double emit = sigmoid(input[i] * weights[OUTPUT * width + i] + bias[OUTPUT * width + i]);
    double change = tanh(hidden[i] * weights[CHANGE * width + i] + bias[CHANGE * width + i]);
    memory[i] = memory[i] * forget + admit * change;
    hidden[i] = emit * tanh(memory[i]);
  }
}

/* Prediction of the element after "input". "ends" holds a scale for the input, a scale for the
 * output and a bias for the output; "state" hidden and memory vectors of each layer. */
static void predict(double *output, const double *weights, const double *ends, double *state,
                    const double *input, struct sizes s) {
  const double *x = output;
  for (int i = 0; i < s.width; i++)
    output[i] = input[i] * ends[i];
  for (int l = 0; l < s.layers; l++) {
    double *hidden = state + 2 * l * s.width;
    cell(weights + 2 * GATES * l * s.width, hidden, hidden + s.width, x, s.width);
    x = hidden;
  }
  for (int i = 0; i < s.width; i++)
    output[i] = x[i] * ends[s.width + i] + ends[2 * s.width + i];
}

/* Mean negative log likelihood of "sequence", from the state "start". */
static double loss(const double *weights, const double *ends, const double *start,
                   const double *sequence, int layers, int width, int steps) {
  struct sizes s = {layers, width, steps};
  double *state = malloc(2 * layers * width * sizeof(double));
  double *output = malloc(width * sizeof(double)), total = 0;
  memcpy(state, start, 2 * layers * width * sizeof(double));
  for (int t = 0; t + 1 < steps; t++) {
    const double *wanted = sequence + (t + 1) * width;
    double sum = 2;
    predict(output, weights, ends, state, sequence + t * width, s);
    for (int i = 0; i < width; i++)
      sum += exp(output[i]);
    double normalizer = log(sum);
    for (int i = 0; i < width; i++)
      total += wanted[i] * (output[i] - normalizer);
  }
  free(state);
  free(output);
  return -total / ((steps - 1) * width);
}

/* What the driver works on: "count" parameters, the weights and then the ends. */
struct run {
  struct sizes sizes;
  int weights, count;
  double *parameters, *gradient, *direction, *moved;
  double *start, *sequence;
};

/* Clear the gradient. */
static void reset(void *context) {
  struct run *run = context;
  memset(run->gradient, 0, run->count * sizeof(double));
}

/* Loss with the parameters at "parameters". */
static double evaluate(const struct run *run, const double *parameters) {
  return loss(parameters, parameters + run->weights, run->start, run->sequence, run->sizes.layers,
              run->sizes.width, run->sizes.steps);
}

/* The program itself. */
static double primal(void *context) {
  const struct run *run = context;
  return evaluate(run, run->parameters);
}

/* Its gradient. */
static void gradient(void *context) {
  struct run *run = context;
  __dacead_autodiff((void *)loss, dacead_dup, run->parameters, run->gradient, dacead_dup,
                    run->parameters + run->weights, run->gradient + run->weights, dacead_const,
                    run->start, dacead_const, run->sequence, dacead_const, run->sizes.layers,
                    dacead_const, run->sizes.width, dacead_const, run->sizes.steps);
}

/* Loss with the parameters moved by "step". */
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

/* Arguments: layers, width, steps. */
int main(int argc, char **argv) {
  struct sizes s = {check_size(argc, argv, 1, 2), check_size(argc, argv, 2, 14),
                    check_size(argc, argv, 3, 1024)};
  struct run run = {.sizes = s, .weights = 2 * GATES * s.layers * s.width};
  run.count = run.weights + 3 * s.width;
  run.parameters = random_vector(run.count, -1, 1);
  run.direction = random_vector(run.count, -1, 1);
  run.start = random_vector(2 * s.layers * s.width, -1, 1);
  run.sequence = random_vector(s.steps * s.width, 0, 1);
  run.gradient = check_alloc(run.count * sizeof(double));
  run.moved = check_alloc(run.count * sizeof(double));
  check_bench("lstm", reset, primal, gradient, &run);
  reset(&run);
  gradient(&run);
  check_close("directional difference", check_dot(run.gradient, run.direction, run.count),
              check_difference(along, &run, 1e-3), 1e-8);
  free(run.parameters);
  free(run.direction);
  free(run.start);
  free(run.sequence);
  free(run.gradient);
  free(run.moved);
  return check_done();
}
