/* abi_call.h: calls of the runtime's functions, typed by the rows of runtime/abi.def. */
#ifndef DAD_ABI_CALL_H
#define DAD_ABI_CALL_H

#include "ir.h"

#include <stdint.h>

/* One number per function of the runtime: DAD_RT_push is drt_push. */
enum dad_runtime_function {
#define DRT_FUNCTION(name, result, params, attrs) DAD_RT_##name,
#include "../../runtime/abi.def"
  DAD_RT_COUNT
};

/* The constants of the runtime: DRT_FRAME_LOOP and so on. */
enum dad_runtime_constant {
#define DRT_CONSTANT(name, value) DRT_##name = value,
#include "../../runtime/abi.def"
};

/* The fields of the thread's tape, in order: DAD_TAPE_top and so on. */
enum dad_tape_field {
#define DRT_TAPE_FIELD(name) DAD_TAPE_##name,
#include "../../runtime/abi.def"
  DAD_TAPE_FIELDS
};

/* The declaration of the runtime's function "f" in the module. */
LLVMValueRef dad_runtime_declare(struct dad_context *ctx, enum dad_runtime_function f);
/* Calls "f" at the builder's position with the arguments that its row lists (integers of other widths are extended). */
LLVMValueRef dad_runtime_call(struct dad_context *ctx, enum dad_runtime_function f, ...);
/* Which function of the runtime "call" calls; DAD_RT_COUNT if none. */
enum dad_runtime_function dad_runtime_called(LLVMValueRef call);
/* The thread's tape, a thread-local struct of DAD_TAPE_FIELDS pointers. */
LLVMValueRef dad_runtime_tape(struct dad_context *ctx, LLVMTypeRef *type);
/* "text" as a constant string in the module. */
LLVMValueRef dad_runtime_string(struct dad_context *ctx, const char *text);

#endif
