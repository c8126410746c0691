/* expr_adjoint.h: the adjoint of an expression, and the primal values that it reads. */
#ifndef DAD_EXPR_ADJOINT_H
#define DAD_EXPR_ADJOINT_H

#include "expr.h"

/* What an expression reads: reads 0 to n - 1 of the assignment and comparisons as bit sets. */
struct dad_expr_needs {
  unsigned long reads; /* bit k: read k */
  bool result;         /* what the assignment writes */
};

enum { DAD_MARKS = 8, DAD_READS = 60 }; /* comparisons in a byte; reads of an assignment */

/* Comparisons whose outcome is kept instead of their operands. */
struct dad_marks {
  unsigned n;
  const struct dad_expr *test[DAD_MARKS];
};

/* Sets by[k] to what read "k" of "value" receives when the assignment of "value" has the adjoint
   SEED; NULL for nothing. "by" has room for "n" reads. With "result", derivatives may use what the
   assignment writes in place of "value". */
void dad_expr_adjoint(struct dad_expr_pool *pool, const struct dad_expr *value, bool result,
                      unsigned n, const struct dad_expr *by[]);
/* Adds what "e" reads to "needs". Comparisons in "marks" (may be NULL) read nothing. */
void dad_expr_needs(struct dad_expr_pool *pool, const struct dad_expr *e,
                    const struct dad_marks *marks, struct dad_expr_needs *needs);
/* Adds the comparisons in "e" of primal values to "marks"; false if they are too many. */
bool dad_expr_marks(struct dad_expr_pool *pool, const struct dad_expr *e, struct dad_marks *marks);

#endif
