/* dacead.h: what a C or C++ program needs in order to ask for derivatives.

     #include <dacead.h>
     double f(const double *x, int n);

     double gradient[10] = {0};
     __dacead_autodiff((void *)f, x, gradient, n);     adds df/dx to "gradient"

   Compile with the plugin and link with the runtime:

     clang-22 -O2 -fpass-plugin=libDaceAD.so prog.c -ldacead_rt -lm -pthread

   Calls below are replaced by the plugin. In a program that was compiled without it they end in a
   link error whose symbol says so. */
#ifndef DACEAD_H
#define DACEAD_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Markers

   The first operand is the function to differentiate, the others are its arguments, each with
   what its activity asks for. The default goes by the type of the parameter: floating point is
   "out" in reverse mode and "dup" in forward mode, a pointer is "dup", an integer is "const".
   A tag in front of an argument says otherwise.

   A marker is known by its name, which may have a suffix. The result has the type that is
   declared, so a program declares one marker for each type of result that it needs, under a
   name with a suffix of its own:

     struct two { double dx, dy; };
     struct two __dacead_autodiff_two(void *, ...) DACEAD_MARKER(__dacead_autodiff_two);

     double f(double x, double y);
     struct two g = __dacead_autodiff_two((void *)f, 3.0, 4.0);

   DACEAD_MARKER may be left out; it only makes the link error readable. */
#define DACEAD_MARKER(name) __asm__(#name "__compile_and_link_with_fpass_plugin_libDaceAD_so")

/* Reverse mode: runs the function and its adjoint. Shadows of pointer arguments are accumulated
   into (+=); the derivatives with respect to "out" arguments are returned, several of them as a
   struct in their order. A floating-point result of the function is seeded with 1. */
double __dacead_autodiff(void *function, ...) DACEAD_MARKER(__dacead_autodiff);

/* Forward mode: runs the function and its tangent. Shadows hold the direction on entry and the
   derivative along it on return; the tangent of the result is returned. */
double __dacead_fwddiff(void *function, ...) DACEAD_MARKER(__dacead_fwddiff);

/* Split reverse mode: the two sweeps as two calls. __dacead_augmentfwd takes what
   __dacead_autodiff takes and returns a handle of what the reverse sweep needs;
   __dacead_reverse takes the same operands, then the seed if the function returns a
   floating-point value, then the handle, which it consumes. Handles may be open side by side
   and be consumed in any order. */
void *__dacead_augmentfwd(void *function, ...) DACEAD_MARKER(__dacead_augmentfwd);
double __dacead_reverse(void *function, ...) DACEAD_MARKER(__dacead_reverse);

/* ---- Tags. Only their names matter; they are never read or defined. */
extern int dacead_const; /* the next argument is constant: value */
extern int dacead_out; /* the next argument is active by value, its derivative is returned: value */
extern int dacead_dup; /* the next argument has a shadow: value, shadow */
extern int dacead_dupnoneed;     /* dacead_dup, and nobody needs what the primal writes to it */
extern int dacead_primal_return; /* return the function's own result too, before the derivatives */
extern int dacead_noret;         /* the function's own result is not needed */

/* ---- Declarations for the plugin, at file scope. "name" is any identifier, used once. */
#define DACEAD_TABLE(table, ...)                                                                   \
  __attribute__((used)) static const void *const table[] = {__VA_ARGS__}

/* The gradient of "f" is written by hand: "augmented" takes f's parameters with shadows and
   returns the tape, or a struct that begins with it; "reverse" takes them, then the seed, then
   the tape. */
#define DACEAD_REGISTER_GRADIENT(name, f, augmented, reverse)                                      \
  DACEAD_TABLE(__dacead_register_gradient_##name, (const void *)(f), (const void *)(augmented),    \
               (const void *)(reverse))

/* The tangent of "f" is written by hand: "tangent" takes f's parameters with their shadows. */
#define DACEAD_REGISTER_DERIVATIVE(name, f, tangent)                                               \
  DACEAD_TABLE(__dacead_register_derivative_##name, (const void *)(f), (const void *)(tangent))

/* "f" has no derivative and does not touch active memory; the global variable "g" holds
   nothing active. */
#define DACEAD_INACTIVE_FUNCTION(name, f)                                                          \
  DACEAD_TABLE(__dacead_inactivefn_##name, (const void *)(f))
#define DACEAD_INACTIVE_GLOBAL(name, g)                                                            \
  DACEAD_TABLE(__dacead_inactive_global_##name, (const void *)&(g))

/* "f" computes what the library function "like", a string such as "log1p", computes. */
#define DACEAD_FUNCTION_LIKE(name, f, like)                                                        \
  DACEAD_TABLE(__dacead_function_like_##name, (const void *)(f), (const void *)(like))

/* "allocate" returns fresh memory of as many bytes as its argument number "size" says (from 0);
   "release" frees it and takes the arguments that the string "arguments" lists: -1 is the block,
   others are arguments of "allocate". Example: "-1". */
#define DACEAD_ALLOCATION_LIKE(name, allocate, size, arguments, release)                           \
  DACEAD_TABLE(__dacead_allocation_like_##name, (const void *)(allocate), (const void *)(size),    \
               (const void *)(arguments), (const void *)(release))

/* ---- Functions */

/* Gives back the memory that the calling thread keeps for its next gradient. Also done when
   a thread ends. */
void dacead_release_memory(void);

/* From now on the memory of all gradients together must not pass "bytes" bytes; any number may be used if
   "bytes" is negative. This replaces what the environment says in DACEAD_MEMORY_LIMIT. Counted are
   tapes, memory that is kept for the next gradient, shadows of heap blocks, final values, and heap blocks that the
   differentiated function has freed and its reverse sweep still needs; not what the caller passes. What
   would pass the limit ends the program with a message. */
void dacead_set_memory_limit(long long bytes);

/* Checks the gradient of "f" at the "n" numbers "x" with a difference along one direction. "f"
   must not change what "context" leads to in a way that changes its result. "gradient" holds
   df/dx as it is to be checked; "seed" chooses the direction.

   The direction is v[i] = r[i] max(|x[i]|, mean of |x|), or r[i] if all x are zero, with r[i]
   of either sign between 1/2 and 1 in size: steps are relative to the size of x and have no
   unit. With D the sum of gradient[i] v[i], d(h) = (f(x + h v) - f(x - h v)) / 2h the central
   difference, and R(h) = (4 d(h/2) - d(h)) / 3 its improvement after Richardson, the result is

     min over h = 2^-4, 2^-7, ..., 2^-25 of |R(h) - D| / max(|R(h)|, |D|, S)

   with S the root of the sum of (gradient[i] v[i])^2, the size that D has where signs are
   random; that is, a relative error: about 1e-10 for a right gradient of a smooth function,
   near 1 for one that is wrong. 0 if the derivative is zero on both sides; infinite if the
   gradient is not finite, or f(x + h v) is not at any step. */
double dacead_check_gradient(double (*f)(const double *x, void *context), void *context, size_t n,
                             const double *x, const double *gradient, unsigned seed);

/* Checks an adjoint against a tangent: with J an m x n matrix, "jv" = J v (forward mode along
   "v") and "jty" = J^T y (reverse mode with the seed "y"), the two products <y, jv> and <jty,
   v> are one number. The result is their difference over the largest of: their absolute
   values, and the roots of the sums of squares of their terms. About 1e-15 if both are right;
   infinite if something is not finite. */
double dacead_check_adjoint(size_t m, const double *y, const double *jv, size_t n, const double *v,
                            const double *jty);

#ifdef __cplusplus
}
#endif

#endif
