/* A small GPT-2: sizes, weights, activations and how they share memory. */
#ifndef GPT2_MODEL_H
#define GPT2_MODEL_H

#include "check.h"
#include <string.h>

static const float gelu_factor = 0.7978845608f; /* sqrt(2/pi) */

struct sizes {
  int layers;   /* transformer blocks */
  int channels; /* width of the residual stream */
  int heads;    /* attention heads, a divisor of channels */
  int batch;    /* sequences */
  int tokens;   /* tokens of a sequence */
  int vocab;    /* different tokens */
};

/* Weights of one block (in struct parameters: of all blocks, one after the other). */
struct block {
  float *norm1_scale, *norm1_shift; /* channels */
  float *qkv_weight, *qkv_bias;     /* 3 channels x channels, 3 channels */
  float *mix_weight, *mix_bias;     /* channels x channels, channels */
  float *norm2_scale, *norm2_shift; /* channels */
  float *wide_weight, *wide_bias;   /* 4 channels x channels, 4 channels */
  float *back_weight, *back_bias;   /* channels x 4 channels, channels */
};

struct parameters {
  float *token_table;               /* vocab x channels, also the output matrix */
  float *place_table;               /* tokens x channels */
  struct block blocks;              /* of all layers */
  float *final_scale, *final_shift; /* channels */
};

/* What one block computes for each position (in struct activations: of all blocks). */
struct trace {
  float *norm1, *mean1, *rstd1; /* first layer norm, its statistics */
  float *qkv;                   /* queries, keys and values */
  float *weights;               /* batch x heads x tokens x tokens attention weights */
  float *mixed, *projected;     /* attention result, after its output matrix */
  float *middle;                /* residual stream between attention and perceptron */
  float *norm2, *mean2, *rstd2; /* second layer norm, its statistics */
  float *wide, *bent, *back;    /* perceptron: before and after GELU, output */
  float *output;                /* residual stream after the block */
};

struct activations {
  float *embedded;                        /* residual stream at the start */
  struct trace traces;                    /* of all layers */
  float *final, *final_mean, *final_rstd; /* last layer norm, its statistics */
  float *probabilities;                   /* positions x vocab */
  float *losses;                          /* cross entropy of each position */
};

struct model {
  struct sizes sizes;
  int *inputs, *targets; /* batch x tokens each, one block of memory */
  struct parameters parameters;
  struct activations activations;
  float *parameter_memory, *activation_memory; /* the two blocks that the pointers divide */
  size_t parameter_count, activation_count;    /* their sizes */
  float mean_loss;                             /* result of the last step */
};

/* A block of memory that is handed out in pieces; without memory it only counts. */
struct arena {
  float *memory;
  size_t used;
};

/* The next "count" floats of "arena". */
static float *take(struct arena *arena, size_t count) {
  float *piece = arena->memory ? arena->memory + arena->used : NULL;
  arena->used += count;
  return piece;
}

/* Divide "arena" among the weights of a model of sizes "s". */
static struct parameters take_parameters(struct arena *arena, struct sizes s) {
  struct parameters p;
  size_t c = s.channels, lc = s.layers * c;
  p.token_table = take(arena, s.vocab * c);
  p.place_table = take(arena, s.tokens * c);
  p.blocks.norm1_scale = take(arena, lc);
  p.blocks.norm1_shift = take(arena, lc);
  p.blocks.qkv_weight = take(arena, lc * 3 * c);
  p.blocks.qkv_bias = take(arena, lc * 3);
  p.blocks.mix_weight = take(arena, lc * c);
  p.blocks.mix_bias = take(arena, lc);
  p.blocks.norm2_scale = take(arena, lc);
  p.blocks.norm2_shift = take(arena, lc);
  p.blocks.wide_weight = take(arena, lc * 4 * c);
  p.blocks.wide_bias = take(arena, lc * 4);
  p.blocks.back_weight = take(arena, lc * 4 * c);
  p.blocks.back_bias = take(arena, lc);
  p.final_scale = take(arena, c);
  p.final_shift = take(arena, c);
  return p;
}

/* Divide "arena" among the activations of a model of sizes "s". */
static struct activations take_activations(struct arena *arena, struct sizes s) {
  struct activations a;
  size_t n = (size_t)s.batch * s.tokens, c = s.channels, ln = s.layers * n;
  a.embedded = take(arena, n * c);
  a.traces.norm1 = take(arena, ln * c);
  a.traces.mean1 = take(arena, ln);
  a.traces.rstd1 = take(arena, ln);
  a.traces.qkv = take(arena, ln * 3 * c);
  a.traces.weights = take(arena, ln * s.heads * s.tokens);
  a.traces.mixed = take(arena, ln * c);
  a.traces.projected = take(arena, ln * c);
  a.traces.middle = take(arena, ln * c);
  a.traces.norm2 = take(arena, ln * c);
  a.traces.mean2 = take(arena, ln);
  a.traces.rstd2 = take(arena, ln);
  a.traces.wide = take(arena, ln * 4 * c);
  a.traces.bent = take(arena, ln * 4 * c);
  a.traces.back = take(arena, ln * c);
  a.traces.output = take(arena, ln * c);
  a.final = take(arena, n * c);
  a.final_mean = take(arena, n);
  a.final_rstd = take(arena, n);
  a.probabilities = take(arena, n * s.vocab);
  a.losses = take(arena, n);
  return a;
}

/* The weights of block "l" out of "all". */
static struct block block_of(struct block all, struct sizes s, size_t l) {
  size_t c = s.channels, lc = l * c;
  struct block b = {
      all.norm1_scale + lc,   all.norm1_shift + lc,         all.qkv_weight + lc * 3 * c,
      all.qkv_bias + lc * 3,  all.mix_weight + lc * c,      all.mix_bias + lc,
      all.norm2_scale + lc,   all.norm2_shift + lc,         all.wide_weight + lc * 4 * c,
      all.wide_bias + lc * 4, all.back_weight + lc * 4 * c, all.back_bias + lc};
  return b;
}

/* The activations of block "l" out of "all". */
static struct trace trace_of(struct trace all, struct sizes s, size_t l) {
  size_t ln = l * s.batch * s.tokens, lnc = ln * s.channels;
  all.norm1 += lnc;
  all.mean1 += ln;
  all.rstd1 += ln;
  all.qkv += 3 * lnc;
  all.weights += ln * s.heads * s.tokens;
  all.mixed += lnc;
  all.projected += lnc;
  all.middle += lnc;
  all.norm2 += lnc;
  all.mean2 += ln;
  all.rstd2 += ln;
  all.wide += 4 * lnc;
  all.bent += 4 * lnc;
  all.back += lnc;
  all.output += lnc;
  return all;
}

/* A model of sizes "s" with zeroed memory. */
static struct model make_model(struct sizes s) {
  struct model m;
  struct arena arena = {NULL, 0};
  size_t positions = (size_t)s.batch * s.tokens;
  memset(&m, 0, sizeof m);
  m.sizes = s;
  m.inputs = check_alloc(2 * positions * sizeof(int));
  m.targets = m.inputs + positions;
  take_parameters(&arena, s);
  m.parameter_count = arena.used;
  arena.memory = m.parameter_memory = check_alloc(m.parameter_count * sizeof(float));
  arena.used = 0;
  m.parameters = take_parameters(&arena, s);
  arena.memory = NULL;
  arena.used = 0;
  take_activations(&arena, s);
  m.activation_count = arena.used;
  arena.memory = m.activation_memory = check_alloc(m.activation_count * sizeof(float));
  arena.used = 0;
  m.activations = take_activations(&arena, s);
  return m;
}

/* Release the memory of "m". */
static void free_model(struct model *m) {
  free(m->inputs);
  free(m->parameter_memory);
  free(m->activation_memory);
}

#endif
