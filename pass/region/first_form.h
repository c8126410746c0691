/* first_form.h: the form of a function in which affine loop nests are recognised. */
#ifndef DAD_FIRST_FORM_H
#define DAD_FIRST_FORM_H

#include "../driver/request.h"

/* A copy of "function" in first form, for analysis only. "widen": induction variables get the
   widest type in use, without which some nests are recognised and others not. */
LLVMValueRef dad_first_form(struct dad_request *req, LLVMValueRef function, bool widen);

#endif
