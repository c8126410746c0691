/* lower.h: rewrites of a copy before it is differentiated, so that the engine meets fewer forms. */
#ifndef DAD_LOWER_H
#define DAD_LOWER_H

#include "request.h"

/* Makes explicit or splits, in "function": copies implied by byval, loads and stores of whole structs and arrays, posix_memalign,
   tail call marks. Memory that the user said is inactive is read and written each time. The primal's results do not change.
   "entered": the caller does not make the copies of byval arguments. */
void dad_lower(struct dad_request *req, LLVMValueRef function, bool entered);
/* Removes markers of the optimiser (lifetimes, assumptions): they would be wrong once the reverse sweep reads memory later. */
void dad_lower_drop_markers(struct dad_request *req, LLVMValueRef function);

#endif
