/* differentiate.h: the phases of one request. */
#ifndef DAD_DIFFERENTIATE_H
#define DAD_DIFFERENTIATE_H

#include "request.h"

/* Replaces the marker call "call" by the derivative that it asks for. After an error the call and the module are left as they were. */
void dad_differentiate(struct dad_context *ctx, LLVMValueRef call);

#endif
