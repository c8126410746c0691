/* diag.h: everything that is said to the user. Each message is a row of diag.def with an identifier that tests and the README use. */
#ifndef DAD_DIAG_H
#define DAD_DIAG_H

#include <llvm-c/Core.h>
#include <stdbool.h>

struct dad_context;

enum dad_severity { DAD_ERROR, DAD_WARNING, DAD_REMARK, DAD_REMARK_ANALYSIS, DAD_REMARK_MISSED };

/* The messages; their names are DAD_<row>. */
enum dad_diag_id {
#define DIAG(id, severity, name, text, remedy) DAD_##id,
#include "diag.def"
  DAD_DIAG_COUNT
};

/* Reports the message "id" at "where" (an instruction, a function, or NULL for the module), with the arguments that its text asks
   for. An error is counted in "ctx": whoever builds code goes on with undefined values, and the request is given up at the end of the phase. */
void dad_diag(struct dad_context *ctx, enum dad_diag_id id, LLVMValueRef where, ...);

/* Is "what" among the comma separated words of -dacead-print? */
bool dad_wants_print(const char *what);

/* The identifier of "id" as users see it, such as "DAD-call-no-body". */
const char *dad_diag_name(enum dad_diag_id id);

#endif
