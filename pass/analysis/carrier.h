/* carrier.h: integers that carry numbers or pointers, and the lanes in which they do. */
#ifndef DAD_CARRIER_H
#define DAD_CARRIER_H

#include "constraint.h"

/* The integer "v" carries a number: so do the integers that it is put together from by whole lanes.
 */
void dad_carrier_tie_operands(struct dad_memory *m, LLVMValueRef v);
/* The same for the integers that are made from "v". */
void dad_carrier_tie_users(struct dad_memory *m, LLVMValueRef v);

#endif
