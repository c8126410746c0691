/* The backward pass of a small GPT-2, written by hand: each function adds to the gradients of the
 * inputs of its namesake in gpt2.c, given "dout", the gradient of the output. */
#ifndef GPT2_BACKWARD_H
#define GPT2_BACKWARD_H

#include "gpt2_model.h"

/* Backward of embed. */
static void embed_back(const float *dout, const int *inputs, float *dtoken, float *dplace,
                       struct sizes s) {
  int c = s.channels;
  for (int n = 0; n < s.batch * s.tokens; n++)
    for (int i = 0; i < c; i++) {
      dtoken[inputs[n] * c + i] += dout[n * c + i];
      dplace[n % s.tokens * c + i] += dout[n * c + i];
    }
}

/* Backward of normalize. */
static void normalize_back(float *din, float *dscale, float *dshift, const float *dout,
                           const float *in, const float *scale, const float *mean,
                           const float *rstd, int rows, int c) {
  for (int n = 0; n < rows; n++) {
    const float *g = dout + n * c, *x = in + n * c;
    float sum = 0, moment = 0;
    for (int i = 0; i < c; i++) {
      float hat = (x[i] - mean[n]) * rstd[n], dhat = g[i] * scale[i];
      sum += dhat;
      moment += dhat * hat;
      dscale[i] += g[i] * hat;
      dshift[i] += g[i];
    }
    for (int i = 0; i < c; i++) {
      float hat = (x[i] - mean[n]) * rstd[n];
      din[n * c + i] += (g[i] * scale[i] - sum / c - hat * moment / c) * rstd[n];
    }
  }
}

/* Backward of linear. */
static void linear_back(float *din, float *dweight, float *dbias, const float *dout,
                        const float *in, const float *weight, int rows, int inputs, int outputs) {
  for (int n = 0; n < rows; n++)
    for (int o = 0; o < outputs; o++) {
      float g = dout[n * outputs + o];
      if (dbias)
        dbias[o] += g;
      for (int i = 0; i < inputs; i++) {
        din[n * inputs + i] += weight[o * inputs + i] * g;
        dweight[o * inputs + i] += in[n * inputs + i] * g;
      }
    }
}

/* Backward of attend: the first pass finds the mean that the softmax subtracts. */
static void attend_back(float *dquery, float *dfirst, const float *dout, const float *row,
                        const float *query, const float *first, int t, int size, int c) {
  float scale = 1 / sqrtf(size), mean = 0;
  for (int pass = 0; pass < 2; pass++)
    for (int j = 0; j <= t; j++) {
      const float *key = first + j * 3 * c + c, *value = key + c;
      float *dkey = dfirst + j * 3 * c + c, *dvalue = dkey + c, dweight = 0;
      for (int i = 0; i < size; i++)
        dweight += dout[i] * value[i];
      if (!pass) {
        mean += row[j] * dweight;
        continue;
      }
      float dscore = row[j] * (dweight - mean) * scale;
      for (int i = 0; i < size; i++) {
        dvalue[i] += row[j] * dout[i];
        dquery[i] += dscore * key[i];
        dkey[i] += dscore * query[i];
      }
    }
}

/* Backward of attention. */
static void attention_back(float *dqkv, const float *dout, const float *weights, const float *qkv,
                           struct sizes s) {
  int c = s.channels, size = c / s.heads;
  for (int b = 0; b < s.batch; b++)
    for (int t = 0; t < s.tokens; t++)
      for (int h = 0; h < s.heads; h++) {
        int n = b * s.tokens + t, own = n * 3 * c + h * size;
        int start = b * s.tokens * 3 * c + h * size;
        attend_back(dqkv + own, dqkv + start, dout + n * c + h * size,
                    weights + ((b * s.heads + h) * s.tokens + t) * s.tokens, qkv + own, qkv + start,
                    t, size, c);
      }
}

/* Backward of gelu. */
static void gelu_back(float *din, const float *dout, const float *in, int n) {
  for (int i = 0; i < n; i++) {
    float x = in[i], t = tanhf(gelu_factor * (x + 0.044715f * x * x * x));
    float slope = gelu_factor * (1 + 3 * 0.044715f * x * x);
    din[i] += dout[i] * (0.5f * (1 + t) + 0.5f * x * (1 - t * t) * slope);
  }
}

/* Backward of add. */
static void add_back(float *da, float *db, const float *dout, int n) {
  for (int i = 0; i < n; i++) {
    da[i] += dout[i];
    db[i] += dout[i];
  }
}

/* Backward of forward_block: "w" and "a" of the model, "dw" and "da" of its gradient. */
static void backward_block(float *din, const float *in, struct block w, struct block dw,
                           struct trace a, struct trace da, struct sizes s) {
  int n = s.batch * s.tokens, c = s.channels;
  add_back(da.middle, da.back, da.output, n * c);
  linear_back(da.bent, dw.back_weight, dw.back_bias, da.back, a.bent, w.back_weight, n, 4 * c, c);
  gelu_back(da.wide, da.bent, a.wide, n * 4 * c);
  linear_back(da.norm2, dw.wide_weight, dw.wide_bias, da.wide, a.norm2, w.wide_weight, n, c, 4 * c);
  normalize_back(da.middle, dw.norm2_scale, dw.norm2_shift, da.norm2, a.middle, w.norm2_scale,
                 a.mean2, a.rstd2, n, c);
  add_back(din, da.projected, da.middle, n * c);
  linear_back(da.mixed, dw.mix_weight, dw.mix_bias, da.projected, a.mixed, w.mix_weight, n, c, c);
  attention_back(da.qkv, da.mixed, a.weights, a.qkv, s);
  linear_back(da.norm1, dw.qkv_weight, dw.qkv_bias, da.qkv, a.norm1, w.qkv_weight, n, c, 3 * c);
  normalize_back(din, dw.norm1_scale, dw.norm1_shift, da.norm1, in, w.norm1_scale, a.mean1, a.rstd1,
                 n, c);
}

/* The backward pass by hand, after forward on "m"; "g" is zeroed but for the results. */
static void backward(const struct model *m, struct model *g) {
  struct sizes s = m->sizes;
  const struct activations *a = &m->activations, *da = &g->activations;
  const struct parameters *p = &m->parameters, *dp = &g->parameters;
  int n = s.batch * s.tokens, c = s.channels;
  for (int i = 0; i < n; i++)
    for (int v = 0; v < s.vocab; v++)
      da->probabilities[i * s.vocab + v] =
          (a->probabilities[i * s.vocab + v] - (v == m->targets[i])) / n;
  linear_back(da->final, dp->token_table, NULL, da->probabilities, a->final, p->token_table, n, c,
              s.vocab);
  normalize_back(trace_of(da->traces, s, s.layers - 1).output, dp->final_scale, dp->final_shift,
                 da->final, trace_of(a->traces, s, s.layers - 1).output, p->final_scale,
                 a->final_mean, a->final_rstd, n, c);
  for (int l = s.layers - 1; l >= 0; l--)
    backward_block(l ? trace_of(da->traces, s, l - 1).output : da->embedded,
                   l ? trace_of(a->traces, s, l - 1).output : a->embedded,
                   block_of(p->blocks, s, l), block_of(dp->blocks, s, l), trace_of(a->traces, s, l),
                   trace_of(da->traces, s, l), s);
  embed_back(da->embedded, m->inputs, dp->token_table, dp->place_table, s);
}

#endif
