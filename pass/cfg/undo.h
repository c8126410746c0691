/* undo.h: stores that the reverse sweep undoes. */
#ifndef DAD_UNDO_H
#define DAD_UNDO_H

#include "sweep.h"

/* The stores that would have to be undone by the reverse sweep before "load" could run again; NULL if there is no such way. */
struct dad_vec *dad_undo_writers(struct dad_sweep *s, LLVMValueRef load);
/* What undoing "store" costs beside the slot of the old value, in bytes on the tape. */
unsigned dad_undo_note_bytes(struct dad_sweep *s, LLVMValueRef store);
/* Makes "store" keep what it overwrites; returns the load of it. */
LLVMValueRef dad_undo_keep(struct dad_sweep *s, LLVMValueRef store);
/* Is "v" such a load? */
bool dad_undo_is_old(struct dad_sweep *s, LLVMValueRef v);
/* Where the reverse sweep enters loop "l", whose count is known: notes the cells that are going to be undone. */
void dad_undo_enter_loop(struct dad_sweep *s, int l);
/* Puts the value back that "store" has overwritten. */
void dad_undo_store(struct dad_sweep *s, LLVMValueRef store);

#endif
