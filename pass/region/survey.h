/* survey.h: which parts of a function are affine regions, for those who ask. */
#ifndef DAD_SURVEY_H
#define DAD_SURVEY_H

#include "../driver/request.h"

/* Prints the regions of "function", called "name", as -dacead-print asks, and says in remarks which
   loops are affine and why others are not. Nothing of it is done unless somebody listens;
   "function" is not changed. */
void dad_region_survey(struct dad_request *req, LLVMValueRef function, const char *name);

#endif
