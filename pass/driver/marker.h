/* marker.h: reading a marker call such as __dacead_autodiff(f, ...), and putting the derivative in its place. */
#ifndef DAD_MARKER_H
#define DAD_MARKER_H

#include "request.h"

/* Is "f" a marker by its name? Sets "mode" and, for the second half of split mode, "second". */
bool dad_marker_mode(LLVMValueRef f, enum dad_mode *mode, bool *second);
/* Reads the call req->call into "req"; false after a reported error. "second": the call is the reverse half of split mode. */
bool dad_marker_read(struct dad_request *req, bool second);
/* Replaces req->call by a call of "function" (the root's generated function, with the arguments of "req"). False after an error. */
bool dad_marker_replace(struct dad_request *req, LLVMValueRef function);

#endif
