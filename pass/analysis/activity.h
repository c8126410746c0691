/* activity.h: what varies with the inputs and matters to the outputs, and what follows for objects
 * and functions. */
#ifndef DAD_ACTIVITY_H
#define DAD_ACTIVITY_H

#include "constraint.h"

enum dad_flag { DAD_VARIED = 1, DAD_USEFUL = 2 };

struct dad_edge;

/* A place where numbers are: an SSA value, or the content of a cell. */
struct dad_point {
  unsigned flags;            /* enum dad_flag */
  struct dad_edge *out, *in; /* where its numbers go, and come from */
};

/* Which values and cells are varied and useful: fills m->points. */
void dad_activity_solve(struct dad_memory *m);
/* The flags of the value or node "key". */
unsigned dad_activity_flags(struct dad_memory *m, const void *key);
/* Is what the cell with content "n" holds active: varied, useful, and used as floating point
 * somewhere? */
bool dad_activity_in_cell(struct dad_memory *m, struct dad_node *n);

/* Calls "visit" for every object that can be reached from what "n" points to. */
typedef void dad_visit_object(struct dad_memory *m, struct dad_object *o);
void dad_reach(struct dad_memory *m, struct dad_node *n, dad_visit_object *visit);
/* Forgets which objects dad_reach has seen. */
void dad_reach_reset(struct dad_memory *m);

/* Which objects unknown code may have exchanged (reach.c). */
void dad_find_exposed(struct dad_memory *m);
/* Which objects lead to something active, and which code outside may have filled (reach.c). */
void dad_reach_solve(struct dad_memory *m);
/* Which units have nothing to differentiate: sets unit->inert. */
void dad_find_inert_units(struct dad_memory *m);
/* Reports constant arguments whose memory is active. */

#endif
