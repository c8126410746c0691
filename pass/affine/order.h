/* order.h: what the order of reverse statements must respect. */
#ifndef DAD_ORDER_H
#define DAD_ORDER_H

#include "affine.h"

/* Finds the pairs of instances whose order matters, under the schedules "time", which must be
   right. False with "plan"->refused set. */
bool dad_order_make(struct dad_affine *plan);
/* Do the schedules respect the order between all statements in "moved" and all others? */
bool dad_order_legal(const struct dad_affine *plan, const bool *moved);

/* Does dimension "d" of the schedules, in which all before it agree, carry a pair that statement
   "to" must come last in? */
bool dad_order_carried(const struct dad_affine *plan, int to, int d);

#endif
