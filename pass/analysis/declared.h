/* declared.h: what declared types say about the memory around an offset: in which array, or run of
 * members of one type, an index stays. */
#ifndef DAD_DECLARED_H
#define DAD_DECLARED_H

#include "../base/ir.h"
#include "position.h"

/* Knowledge about types that is worth keeping. */
struct dad_declared {
  struct dad_context *ctx;
  struct dad_map scalar; /* type -> the scalar type of which it consists without gaps, or itself if
                            there is none */
};

/* The scalar type of which "type" consists, without gaps; NULL if there is none. */
LLVMTypeRef dad_declared_scalar(struct dad_declared *d, LLVMTypeRef type);
/* The element type of the array "type" when the arrays in it are written as one; "count": how many.
 */
LLVMTypeRef dad_declared_element(LLVMTypeRef type, int64_t *count);
/* Does a "type" begin at offset "x" of what is declared as "outer" from "at" on? Parts of uniform
 * arrays count as any uniform type of the same scalar. */
bool dad_declared_fits(struct dad_declared *d, LLVMTypeRef outer, int64_t at, int64_t x,
                       LLVMTypeRef type);
/* Where a pointer to offset "x" of what is declared as "type" from "at" on stays when it is moved
   by multiples of "step" bytes: the innermost array of structs with elements of a size that divides
   "step"; else the members of one scalar type around "x". False if nothing is said. */
bool dad_declared_region(struct dad_declared *d, LLVMTypeRef type, int64_t at, int64_t x,
                         int64_t step, struct dad_region *out);
/* The same for an index into a declared array whose elements have "step" bytes: the array alone,
 * not its neighbours of the same type. */
bool dad_declared_array(struct dad_declared *d, LLVMTypeRef type, int64_t at, int64_t x,
                        int64_t step, struct dad_region *out);
/* Where a copy of unknown length from or to "x" stays. */
bool dad_declared_stretch(struct dad_declared *d, LLVMTypeRef type, int64_t at, int64_t x,
                          struct dad_region *out);

#endif
