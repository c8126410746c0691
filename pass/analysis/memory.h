/* memory.h: what memory holds and which values are active.

   Memory is divided into objects and cells (byte ranges), found by unification with offsets over all functions of the module. A cell
   knows its kinds (enum dad_kind) and whether what it holds varies with the inputs and matters to the outputs. */
#ifndef DAD_MEMORY_H
#define DAD_MEMORY_H

#include "../base/ir.h"
#include "../cfg/unit.h"

struct dad_memory;

/* Analyses memory and activity for "req", whose units are prepared; sets req->memory and unit->inert. False after reported errors. */
bool dad_memory_analyse(struct dad_request *req);
/* Reports every construct in active units that cannot be differentiated (analysis/refuse.c). */
void dad_refuse(struct dad_request *req);
/* Prints objects and cells (-dacead-print=cells). */
void dad_memory_print(struct dad_request *req);

/* How many bytes an access through a pointer touches when the number is not known. */
#define DAD_UNKNOWN_BYTES UINT64_MAX

/* The kinds of what "bytes" bytes from "ptr" on may hold. */
unsigned dad_kinds_at(struct dad_request *req, LLVMValueRef ptr, uint64_t bytes);
/* May active numbers lie in these bytes? */
bool dad_active_at(struct dad_request *req, LLVMValueRef ptr, uint64_t bytes);
/* May "p_bytes" bytes from "p" on and "q_bytes" bytes from "q" on have a byte in common, in any iteration? */
bool dad_may_overlap(struct dad_request *req, LLVMValueRef p, uint64_t p_bytes, LLVMValueRef q, uint64_t q_bytes);
/* Nothing active can be reached through "ptr", at any depth: its shadow is the pointer itself. */
bool dad_inert(struct dad_request *req, LLVMValueRef ptr);
/* May the object behind "ptr" have been filled by code that is not differentiated (arguments, globals, unknown callees)? Then a
   shadow pointer loaded from it can be missing, and must be checked. */
bool dad_external(struct dad_request *req, LLVMValueRef ptr);

/* May the object behind "ptr" be, at run time, memory of a constant argument, whose shadow is the memory itself? Then a pointer and
   its shadow are compared before shadow memory is used. */
bool dad_mixed(struct dad_request *req, LLVMValueRef ptr);

/* Is the value "v" (floating point, aggregate, or an integer that carries numbers) active: varied and useful? */
bool dad_active(struct dad_request *req, LLVMValueRef v);
/* The type of the adjoint (or tangent) of "v": floating-point and aggregate types themselves; for integers that carry numbers the
   numbers they carry (i64: double or <2 x float>; i32: float); NULL if "v" carries none. */
LLVMTypeRef dad_adjoint_type(struct dad_request *req, LLVMValueRef v);
/* Does "v" have a shadow: a pointer, an aggregate with pointers, or an integer that carries a pointer, and not inert? */
bool dad_has_shadow(struct dad_request *req, LLVMValueRef v);
/* Does the integer instruction "i" only move whole 32-bit lanes (trunc, zext, shifts by 32, masks, or)? */
bool dad_moves_lanes(LLVMValueRef i);

/* Where pointers and numbers lie in "bytes" bytes from "ptr" on, as a constant for the runtime (struct drt_layout). Reports
   DAD-layout at "where" and returns an undefined pointer if it cannot be told. */
LLVMValueRef dad_layout(struct dad_request *req, LLVMValueRef where, LLVMValueRef ptr, uint64_t bytes);
/* If all of these bytes can hold only numbers of one format, tightly packed: that kind; else 0. */
unsigned dad_uniform_kind(struct dad_request *req, LLVMValueRef ptr, uint64_t bytes);

/* The value "to", made by the differentiator, takes the place of "from" in every respect. */
void dad_memory_inherit(struct dad_request *req, LLVMValueRef from, LLVMValueRef to);

#endif
