/* marker.h: reading a marker call such as __dacead_autodiff(f, ...), and putting the derivative in its place. */
#ifndef DAD_MARKER_H
#define DAD_MARKER_H

#include "request.h"

/* Is "f" a marker by its name? Sets "mode" and, for the reverse half of split mode, "second". */
bool dad_marker_mode(LLVMValueRef f, enum dad_mode *mode, bool *second);
/* Reads the call req->call into "req"; false after a reported error. */
bool dad_marker_read(struct dad_request *req);
/* Replaces req->call by a call of "forward" (the root's generated function, with the arguments of "req"), or in the second half of
   split mode of "reverse". False after an error. */
bool dad_marker_replace(struct dad_request *req, LLVMValueRef forward, LLVMValueRef reverse);

#endif
