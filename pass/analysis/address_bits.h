/* address_bits.h: which addresses an integer is computed from. */
#ifndef DAD_ADDRESS_BITS_H
#define DAD_ADDRESS_BITS_H

#include "memory.h"

/* What an integer is computed from by arithmetic. */
struct dad_address_bits {
  LLVMValueRef address; /* a ptrtoint, instruction or constant */
  struct dad_vec rest;  /* LLVMValueRef: everything else but constants */
};

/* Is the integer "v" computed from exactly one address by arithmetic alone? Fills "out". */
bool dad_address_bits(struct dad_request *req, LLVMValueRef v, struct dad_address_bits *out);

#endif
