/* report.h: remarks about what one unit keeps on the tape and why. */
#ifndef DAD_REPORT_H
#define DAD_REPORT_H

#include "sweep.h"

/* Remembers, for the load "load", the first later write that keeps it from being read again. */
void dad_report_clobber(struct dad_sweep *s, LLVMValueRef load, LLVMValueRef writer);
/* Reports every slot of "s" (-Rpass-analysis) and every load that had to be kept (-Rpass-missed). */
void dad_report_sweep(struct dad_sweep *s);

#endif
