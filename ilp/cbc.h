/* cbc.h: solves linear programs with integer columns by CBC.

   CBC can abort, prints to standard output, reads standard input, keeps global state and leaks: so
   nothing but the program dacead-plan may use this. */
#ifndef DILP_CBC_H
#define DILP_CBC_H

#include "model.h"

/* How far it goes. All of it is counted, none is measured, so that answers can be repeated. */
struct dilp_cbc_limits {
  double gap; /* stop at solutions that may be this far from the best, in units of the objective */
  int nodes;  /* nodes of the search */
};

/* What it has found. */
struct dilp_cbc_result {
  bool found;   /* there is a solution */
  bool proven;  /* it is the best within the gap, or there is provably none */
  double bound; /* no solution is better */
  int nodes;
};

/* Solves "model". "values", one for each column, is a solution to start from where "started" says
   so, and the solution on return if one was found. */
struct dilp_cbc_result dilp_cbc_solve(const struct dilp_model *model, double *values, bool started,
                                      struct dilp_cbc_limits limits);

#endif
