/* Covers: a GPT-2 training step in float. A model struct holds sizes, int arrays and float pointers
 * carved out of one block per group; it is passed by pointer, by value and copied with memcpy. */
#include "gpt2_backward.h"
#include "gpt2_model.h"

/* "out" = token embedding + position embedding. */
static void embed(float *out, const int *inputs, const float *token_table, const float *place_table,
                  struct sizes s) {
  int c = s.channels;
  for (int n = 0; n < s.batch * s.tokens; n++)
    for (int i = 0; i < c; i++)
      out[n * c + i] = token_table[inputs[n] * c + i] + place_table[n % s.tokens * c + i];
}

/* Layer norm of "rows" rows of "c" channels; "mean" and "rstd" keep the statistics of the rows. */
static void normalize(float *out, float *mean, float *rstd, const float *in, const float *scale,
                      const float *shift, int rows, int c) {
  for (int n = 0; n < rows; n++) {
    const float *x = in + n * c;
    float m = 0, v = 0;
    for (int i = 0; i < c; i++)
      m += x[i];
    m /= c;
    for (int i = 0; i < c; i++)
      v += (x[i] - m) * (x[i] - m);
    float r = 1 / sqrtf(v / c + 1e-5f);
    for (int i = 0; i < c; i++)
      out[n * c + i] = (x[i] - m) * r * scale[i] + shift[i];
    mean[n] = m;
    rstd[n] = r;
  }
}

/* "out" (rows x outputs) = "in" (rows x inputs) times the transpose of "weight" (outputs x inputs)
 * + "bias", if any. Eight rows at a time use a row of weights together. */
static void linear(float *out, const float *in, const float *weight, const float *bias, int rows,
                   int inputs, int outputs) {
  enum { TOGETHER = 8 };
  int first = 0;
  for (; first + TOGETHER <= rows; first += TOGETHER)
    for (int o = 0; o < outputs; o++) {
      float sum[TOGETHER];
      for (int r = 0; r < TOGETHER; r++)
        sum[r] = bias ? bias[o] : 0;
      for (int i = 0; i < inputs; i++) {
        float w = weight[o * inputs + i];
        for (int r = 0; r < TOGETHER; r++)
          sum[r] += in[(first + r) * inputs + i] * w;
      }
      for (int r = 0; r < TOGETHER; r++)
        out[(first + r) * outputs + o] = sum[r];
    }
  for (; first < rows; first++)
    for (int o = 0; o < outputs; o++) {
      float sum = bias ? bias[o] : 0;
      for (int i = 0; i < inputs; i++)
        sum += in[first * inputs + i] * weight[o * inputs + i];
      out[first * outputs + o] = sum;
    }
}

/* Attention of one head at one position: "row" gets the weights of positions 0 to "t", "out" the
 * mean of the values. "query" is the position's own; keys and values follow it at 1 and 2 times the
 * channels, those of position 0 begin at "first". */
static void attend(float *out, float *row, const float *query, const float *first, int t, int size,
                   int c) {
  float scale = 1 / sqrtf(size), largest = -1e30f, sum = 0;
  for (int j = 0; j <= t; j++) {
    const float *key = first + j * 3 * c + c;
    float score = 0;
    for (int i = 0; i < size; i++)
      score += query[i] * key[i];
    row[j] = score * scale;
    if (row[j] > largest)
      largest = row[j];
  }
  for (int j = 0; j <= t; j++) {
    row[j] = expf(row[j] - largest);
    sum += row[j];
  }
  for (int i = 0; i < size; i++)
    out[i] = 0;
  for (int j = 0; j <= t; j++) {
    const float *value = first + j * 3 * c + 2 * c;
    row[j] /= sum;
    for (int i = 0; i < size; i++)
      out[i] += row[j] * value[i];
  }
}

/* Causal attention of all heads. */
static void attention(float *out, float *weights, const float *qkv, struct sizes s) {
  int c = s.channels, size = c / s.heads;
  for (int b = 0; b < s.batch; b++)
    for (int t = 0; t < s.tokens; t++)
      for (int h = 0; h < s.heads; h++) {
        int n = b * s.tokens + t;
        float *row = weights + ((b * s.heads + h) * s.tokens + t) * s.tokens;
        attend(out + n * c + h * size, row, qkv + n * 3 * c + h * size,
               qkv + b * s.tokens * 3 * c + h * size, t, size, c);
      }
}

/* The usual approximation of x times the normal distribution function. */
static void gelu(float *out, const float *in, int n) {
  for (int i = 0; i < n; i++) {
    float x = in[i];
    out[i] = 0.5f * x * (1 + tanhf(gelu_factor * (x + 0.044715f * x * x * x)));
  }
}

/* "out" = "a" + "b". */
static void add(float *out, const float *a, const float *b, int n) {
  for (int i = 0; i < n; i++)
    out[i] = a[i] + b[i];
}

/* Turn the "rows" rows of logits in "table" into probabilities, in place; "losses" gets the cross
 * entropy of "targets". */
static void cross_entropy(float *losses, float *table, const int *targets, int rows, int vocab) {
  for (int n = 0; n < rows; n++) {
    float *row = table + n * vocab, largest = row[0], sum = 0;
    for (int v = 1; v < vocab; v++)
      largest = fmaxf(largest, row[v]);
    for (int v = 0; v < vocab; v++) {
      row[v] = expf(row[v] - largest);
      sum += row[v];
    }
    for (int v = 0; v < vocab; v++)
      row[v] /= sum;
    losses[n] = -logf(row[targets[n]]);
  }
}

/* One transformer block: from the residual stream "in" to a.output. */
static void forward_block(const float *in, struct block w, struct trace a, struct sizes s) {
  int n = s.batch * s.tokens, c = s.channels;
  normalize(a.norm1, a.mean1, a.rstd1, in, w.norm1_scale, w.norm1_shift, n, c);
  linear(a.qkv, a.norm1, w.qkv_weight, w.qkv_bias, n, c, 3 * c);
  attention(a.mixed, a.weights, a.qkv, s);
  linear(a.projected, a.mixed, w.mix_weight, w.mix_bias, n, c, c);
  add(a.middle, in, a.projected, n * c);
  normalize(a.norm2, a.mean2, a.rstd2, a.middle, w.norm2_scale, w.norm2_shift, n, c);
  linear(a.wide, a.norm2, w.wide_weight, w.wide_bias, n, c, 4 * c);
  gelu(a.bent, a.wide, n * 4 * c);
  linear(a.back, a.bent, w.back_weight, w.back_bias, n, 4 * c, c);
  add(a.output, a.middle, a.back, n * c);
}

/* Mean loss of the model on its inputs and targets. */
static float forward(struct model m) {
  struct sizes s = m.sizes;
  struct parameters p = m.parameters;
  struct activations a = m.activations;
  int n = s.batch * s.tokens, c = s.channels;
  const float *stream = a.embedded;
  float sum = 0;
  embed(a.embedded, m.inputs, p.token_table, p.place_table, s);
  for (int l = 0; l < s.layers; l++) {
    struct trace t = trace_of(a.traces, s, l);
    forward_block(stream, block_of(p.blocks, s, l), t, s);
    stream = t.output;
  }
  normalize(a.final, a.final_mean, a.final_rstd, stream, p.final_scale, p.final_shift, n, c);
  linear(a.probabilities, a.final, p.token_table, NULL, n, c, s.vocab);
  cross_entropy(a.losses, a.probabilities, m.targets, n, s.vocab);
  for (int i = 0; i < n; i++)
    sum += a.losses[i];
  return sum / n;
}

/* Loss of "model" on the sequences in "text", each of one token more than the model reads: inputs
 * are all but the last token, targets all but the first. */
static float training_loss(struct model *model, const int *text) {
  struct model step;
  int tokens = model->sizes.tokens;
  memcpy(&step, model, sizeof step);
  for (int b = 0; b < model->sizes.batch; b++) {
    memcpy(step.inputs + b * tokens, text + b * (tokens + 1), tokens * sizeof(int));
    memcpy(step.targets + b * tokens, text + b * (tokens + 1) + 1, tokens * sizeof(int));
  }
  step.mean_loss = forward(step);
  *model = step;
  return model->mean_loss;
}

/* What the driver works on. */
struct run {
  struct model model, shadow, hand; /* program, its shadow, gradient by hand */
  int *text;                        /* batch x (tokens + 1) */
  float *start;                     /* parameters at the start */
};

/* Clear the gradients. */
static void reset(void *context) {
  struct run *run = context;
  size_t parameters = run->model.parameter_count * sizeof(float);
  size_t activations = run->model.activation_count * sizeof(float);
  memset(run->shadow.parameter_memory, 0, parameters);
  memset(run->shadow.activation_memory, 0, activations);
  memset(run->hand.parameter_memory, 0, parameters);
  memset(run->hand.activation_memory, 0, activations);
  run->shadow.mean_loss = 0;
}

/* The program itself. */
static double primal(void *context) {
  struct run *run = context;
  return training_loss(&run->model, run->text);
}

/* Its gradient, added to run->shadow. */
static void gradient(void *context) {
  struct run *run = context;
  __dacead_autodiff((void *)training_loss, dacead_dup, &run->model, &run->shadow, dacead_const,
                    run->text);
}

/* The same by hand, added to run->hand. */
static void gradient_by_hand(void *context) {
  struct run *run = context;
  primal(run);
  backward(&run->model, &run->hand);
}

/* Loss with the parameters moved by "step" along the gradient by hand. */
static double along(void *context, double step) {
  struct run *run = context;
  for (size_t i = 0; i < run->model.parameter_count; i++)
    run->model.parameter_memory[i] = run->start[i] + (float)(step * run->hand.parameter_memory[i]);
  double loss = primal(run);
  memcpy(run->model.parameter_memory, run->start, run->model.parameter_count * sizeof(float));
  return loss;
}

/* Random weights (layer norm scales near one) and text. */
static void fill(struct run *run) {
  struct sizes s = run->model.sizes;
  struct parameters *p = &run->model.parameters;
  size_t c = s.channels;
  for (size_t i = 0; i < run->model.parameter_count; i++)
    run->model.parameter_memory[i] = (float)(check_random_normal() / sqrt((double)c));
  for (size_t i = 0; i < s.layers * c; i++) {
    p->blocks.norm1_scale[i] += 1;
    p->blocks.norm2_scale[i] += 1;
  }
  for (size_t i = 0; i < c; i++)
    p->final_scale[i] += 1;
  for (int i = 0; i < s.batch * (s.tokens + 1); i++)
    run->text[i] = (int)check_random(0, s.vocab);
  memcpy(run->start, p->token_table, run->model.parameter_count * sizeof(float));
}

/* Compare the gradient with the one by hand, tensor by tensor, and with a difference. */
static void check_gradients(struct run *run) {
  static const char *name[] = {"embeddings",  "norm1 scale", "qkv weight",  "mix weight",
                               "norm2 scale", "wide weight", "back weight", "final scale"};
  struct parameters *p = &run->hand.parameters;
  float *start[] = {p->token_table,        p->blocks.norm1_scale, p->blocks.qkv_weight,
                    p->blocks.mix_weight,  p->blocks.norm2_scale, p->blocks.wide_weight,
                    p->blocks.back_weight, p->final_scale,        NULL};
  float *hand = run->hand.parameter_memory, *got = run->shadow.parameter_memory;
  double along_gradient = 0, length = 0;
  start[8] = hand + run->hand.parameter_count;
  for (int t = 0; t < 8; t++) {
    struct check_worst worst = {0, 0, 0};
    for (size_t i = start[t] - hand; i < (size_t)(start[t + 1] - hand); i++)
      check_enter(&worst, i, got[i], hand[i]);
    check_judge(name[t], &worst, 1e-4);
  }
  for (size_t i = 0; i < run->hand.parameter_count; i++) {
    along_gradient += (double)got[i] * hand[i];
    length += (double)hand[i] * hand[i];
  }
  check_close("directional difference", along_gradient,
              check_difference(along, run, 0.04 / sqrt(length)), 2e-3);
}

/* Arguments: layers, channels, heads, sequences, tokens, vocabulary. */
int main(int argc, char **argv) {
  struct sizes s = {check_size(argc, argv, 1, 2), check_size(argc, argv, 2, 16),
                    check_size(argc, argv, 3, 2), check_size(argc, argv, 4, 2),
                    check_size(argc, argv, 5, 8), check_size(argc, argv, 6, 32)};
  struct run run = {make_model(s), make_model(s), make_model(s), NULL, NULL};
  struct model own = run.shadow;
  run.text = check_alloc(s.batch * (s.tokens + 1) * sizeof(int));
  run.start = check_alloc(run.model.parameter_count * sizeof(float));
  fill(&run);
  check_bench("gpt2", reset, primal, gradient, &run);
  check_bench("gpt2-by-hand", reset, primal, gradient_by_hand, &run);
  reset(&run);
  gradient(&run);
  gradient_by_hand(&run);
  check_gradients(&run);
  check_true("the shadow keeps its own pointers",
             run.shadow.inputs == own.inputs && run.shadow.targets == own.targets &&
                 !memcmp(&run.shadow.parameters, &own.parameters, sizeof own.parameters) &&
                 !memcmp(&run.shadow.activations, &own.activations, sizeof own.activations));
  free_model(&run.model);
  free_model(&own);
  free_model(&run.hand);
  free(run.text);
  free(run.start);
  return check_done();
}
