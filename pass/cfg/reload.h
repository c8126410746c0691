/* reload.h: loads that the reverse sweep may execute again. */
#ifndef DAD_RELOAD_H
#define DAD_RELOAD_H

#include "sweep.h"

void dad_reload_open(struct dad_sweep *s);
void dad_reload_close(struct dad_sweep *s);
/* Renumbers instructions after new ones were made. */
void dad_reload_number(struct dad_sweep *s);
/* Can "load" be executed again in the reverse sweep and read the same? */
bool dad_reload_allowed(struct dad_sweep *s, LLVMValueRef load);

/* May "i" write memory that the program can read? */
bool dad_reload_may_write(struct dad_sweep *s, LLVMValueRef i);

/* ---- for undo.c */

/* Could "load" be considered at all? Sets "after" to the blocks that can run after it. */
bool dad_reload_candidate(struct dad_sweep *s, LLVMValueRef load, const bool **after);
/* May "writer" change what "load" has read? "after" are the blocks that can run after the load's block. */
bool dad_reload_may_spoil(struct dad_sweep *s, LLVMValueRef writer, LLVMValueRef load, const bool *after);
/* The blocks that can run after "from" before "avoid" does (-1: none is avoided); NULL when the budget is spent. Results are kept in "memo". */
const bool *dad_reload_reach(struct dad_sweep *s, struct dad_map *memo, int from, int avoid);
/* The pointer from which the address "p" is computed. */
LLVMValueRef dad_reload_base(LLVMValueRef p);
/* Stack arrays of loops are gone, or another iteration's, when the reverse sweep comes: is the memory at "p" none of them? */
bool dad_reload_lives_on(struct dad_sweep *s, LLVMValueRef p);

#endif
