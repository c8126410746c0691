/* shape.h: a reverse statement as matrices of integers: what the cost of a schedule depends on. */
#ifndef DAD_SHAPE_H
#define DAD_SHAPE_H

#include "affine.h"
#include "linear.h"

/* Linear parts over the iterators of a statement: "n_row" rows of DAD_SCHEDULE_DIMENSIONS numbers.
 */
struct dad_matrix {
  int n_row;
  bool exact; /* false where quotients take part: nothing is known then */
  long (*row)[DAD_SCHEDULE_DIMENSIONS];
  long *constant; /* of each row */
};

struct dad_shape {
  int n;                        /* iterators */
  struct dad_matrix equal;      /* what holds in all instances */
  struct dad_matrix push, pull; /* the times; n_row = 0 where there is none */
  struct dad_matrix target;     /* the cell that receives */
  struct dad_matrix source;     /* the cell whose adjoint is read */
  struct dad_matrix *load;      /* the primal values that are read */
  int n_load;                   /* how many */
};

/* The direction in which the innermost loop moves. */
struct dad_direction {
  bool any;                           /* is there a loop? */
  int row;                            /* of the time vector: which dimension is the innermost one */
  long step[DAD_SCHEDULE_DIMENSIONS]; /* of the iterators */
};

/* How a cell moves with a loop. */
enum dad_stride { DAD_STRIDE_NONE, DAD_STRIDE_UP, DAD_STRIDE_DOWN, DAD_STRIDE_FAR };

/* The shape of "r". */
struct dad_shape dad_shape_make(const struct dad_affine *plan, const struct dad_reverse *r);
/* The innermost loop of "shape" under the schedule "s". */
struct dad_direction dad_shape_innermost(const struct dad_shape *shape,
                                         const struct dad_schedule *s);
/* How the cell "access" moves in "direction". */
enum dad_stride dad_shape_stride(const struct dad_matrix *access, int n,
                                 const struct dad_direction *direction);
/* Can two iterations of the outermost loop under "s" have the same target? */
bool dad_shape_meets_outside(const struct dad_shape *shape, const struct dad_schedule *s);
/* The linear part of dimension "d" of tau under "s", or NULL. */
const long *dad_shape_time(const struct dad_shape *shape, const struct dad_schedule *s, int d);

#endif
