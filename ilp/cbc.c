/* cbc.c: the one file that uses CBC. */
#include "cbc.h"

#include <coin/Cbc_C_Interface.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A model by columns, as CBC wants it. */
struct by_column {
  int *start; /* of each column, and one more */
  int *row;
  double *value;
  double *low, *high, *cost, *row_low, *row_high;
};

/* "count" zeroes of "size" bytes. */
static void *zeroes(int count, size_t size) {
  void *memory = calloc((size_t)count + 1, size);

  if (!memory) {
    fputs("dacead-plan: too little memory\n", stderr);
    exit(3);
  }
  return memory;
}

/* Sorts the entries of "model" by column. */
static void transpose(const struct dilp_model *model, struct by_column *c) {
  int *next = zeroes(model->columns, sizeof *next);

  for (int k = 0; k < model->entries; k++)
    c->start[model->entry[k].column + 1]++;
  for (int j = 0; j < model->columns; j++) {
    c->start[j + 1] += c->start[j];
    next[j] = c->start[j];
  }
  for (int k = 0; k < model->entries; k++) {
    int to = next[model->entry[k].column]++;

    c->row[to] = model->entry[k].row;
    c->value[to] = model->entry[k].value;
  }
  free(next);
}

/* A solver that knows "model". */
static Cbc_Model *load(const struct dilp_model *model) {
  int n = model->columns, m = model->rows;
  struct by_column c = {zeroes(n, sizeof(int)),
                        zeroes(model->entries, sizeof(int)),
                        zeroes(model->entries, sizeof(double)),
                        zeroes(n, sizeof(double)),
                        zeroes(n, sizeof(double)),
                        zeroes(n, sizeof(double)),
                        zeroes(m, sizeof(double)),
                        zeroes(m, sizeof(double))};
  Cbc_Model *cbc = Cbc_newModel();

  for (int j = 0; j < n; j++) {
    c.low[j] = model->column[j].low;
    c.high[j] = model->column[j].high;
    c.cost[j] = model->column[j].cost;
  }
  for (int r = 0; r < m; r++) {
    c.row_low[r] = model->row[r].low;
    c.row_high[r] = model->row[r].high;
  }
  transpose(model, &c);
  Cbc_loadProblem(cbc, n, m, c.start, c.row, c.value, c.low, c.high, c.cost, c.row_low, c.row_high);
  for (int j = 0; j < n; j++)
    if (model->column[j].integer)
      Cbc_setInteger(cbc, j);
  free(c.start), free(c.row), free(c.value), free(c.low), free(c.high), free(c.cost);
  free(c.row_low), free(c.row_high);
  return cbc;
}

/* Gives the integer columns of "model" in "values" to "cbc" as its first solution. */
static void give_start(Cbc_Model *cbc, const struct dilp_model *model, const double *values) {
  int *column = zeroes(model->columns, sizeof *column), count = 0;
  double *value = zeroes(model->columns, sizeof *value);

  for (int j = 0; j < model->columns; j++)
    if (model->column[j].integer) {
      column[count] = j;
      value[count++] = values[j];
    }
  Cbc_setMIPStartI(cbc, count, column, value);
  free(column);
  free(value);
}

struct dilp_cbc_result dilp_cbc_solve(const struct dilp_model *model, double *values, bool started,
                                      struct dilp_cbc_limits limits) {
  struct dilp_cbc_result result = {.found = false};
  Cbc_Model *cbc = load(model);
  const double *found;
  char gap[32];

  Cbc_setObjSense(cbc, 1);
  Cbc_setLogLevel(cbc, 0);
  Cbc_setMaximumNodes(cbc, limits.nodes);
  snprintf(gap, sizeof gap, "%g", limits.gap > 1e-9 ? limits.gap : 1e-9);
  Cbc_setParameter(cbc, "ratioGap", "0");
  Cbc_setParameter(cbc, "allowableGap", gap);
  if (started)
    give_start(cbc, model, values);
  Cbc_solve(cbc);
  result.proven = Cbc_isProvenOptimal(cbc) || Cbc_isProvenInfeasible(cbc);
  result.bound = Cbc_getBestPossibleObjValue(cbc);
  result.nodes = Cbc_getNodeCount(cbc);
  found = Cbc_isProvenInfeasible(cbc) ? NULL : Cbc_bestSolution(cbc);
  if (found) {
    result.found = true;
    memcpy(values, found, (size_t)model->columns * sizeof *values);
  }
  Cbc_deleteModel(cbc);
  return result;
}
