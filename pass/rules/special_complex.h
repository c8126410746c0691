/* special_complex.h: partial derivatives of holomorphic functions. They are those of rules.def in
 * complex arithmetic. */
#ifndef DAD_SPECIAL_COMPLEX_H
#define DAD_SPECIAL_COMPLEX_H

#include "rule.h"

struct dad_complex {
  LLVMValueRef re, im;
};

/* The arithmetic of one format. */
struct dad_complex_format {
  struct dad_context *ctx;
  LLVMTypeRef part;   /* float or double */
  LLVMTypeRef number; /* what functions return: {double, double} or <2 x float> */
};

/* "v", of type "number", taken apart. */
struct dad_complex dad_complex_split(const struct dad_complex_format *f, LLVMValueRef v);
struct dad_complex dad_complex_product(const struct dad_complex_format *f, struct dad_complex a,
                                       struct dad_complex b);
/* The quotient, by the function that compilers call for it: without overflow in between. */
struct dad_complex dad_complex_quotient(const struct dad_complex_format *f, struct dad_complex a,
                                        struct dad_complex b);
/* The partial derivative by operand "k" of "rule", for the operands values[0..1] and the result
 * values[3]. */
struct dad_complex dad_complex_partial(const struct dad_complex_format *f,
                                       const struct dad_rule *rule, unsigned k,
                                       const struct dad_complex values[4]);

#endif
