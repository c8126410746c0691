/* affine_sweep.h: both sweeps as isl's syntax trees. The identifier of every statement in them
   leads to an event, which says what to do. */
#ifndef DAD_AFFINE_SWEEP_H
#define DAD_AFFINE_SWEEP_H

#include "affine.h"
#include "window.h"

#include <isl/ast.h>

enum dad_event_kind {
  DAD_EVENT_ASSIGN,  /* the assignment itself */
  DAD_EVENT_SAVE,    /* what the assignment is about to overwrite goes to "tape" */
  DAD_EVENT_PAD,     /* the same for the cell that it would overwrite there, which nobody does */
  DAD_EVENT_MARK,    /* its comparisons go to "tape" */
  DAD_EVENT_REVERSE, /* "reverse" */
  DAD_EVENT_CELL     /* a cell of array "assign"; the arguments are its subscripts */
};

struct dad_event {
  enum dad_event_kind kind;
  int assign;                        /* index of the assignment; the arguments are its iterators */
  const struct dad_tape *tape;       /* of SAVE, PAD and MARK */
  const struct dad_reverse *reverse; /* of REVERSE */
};

/* What is known about a loop of the reverse sweep: the user pointer of the loop's annotation. */
struct dad_loop {
  bool parallel; /* its iterations may run in any order, but for accumulations that meet */
  bool *meet; /* meet[i * n_reverse + j]: accumulations i and j of different iterations add to one
                 cell; NULL: none do, and the iterations may run at the same time */
};

/* The nest itself and, with "save", all saving. NULL if isl gives up. */
__isl_give isl_ast_node *dad_sweep_forward(const struct dad_affine *plan, bool save);
/* All cells of "snapshot", in any order: to be copied out or in. NULL if isl gives up. */
__isl_give isl_ast_node *dad_sweep_cells(const struct dad_affine *plan,
                                         const struct dad_snapshot *snapshot);
/* The adjoint, with annotated loops. NULL if isl gives up. */
__isl_give isl_ast_node *dad_sweep_reverse(const struct dad_affine *plan);

#endif
