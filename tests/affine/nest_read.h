/* nest_read.h: loop nests as text, for tests. One item a line; '#' starts a comment:

     params N T : N >= 8 and T >= 1      symbolic sizes, and what is known about them
     window t0 t1 : 0 <= t0 < t1         parameters that bound the outermost loop
     array A[N][N]                       a container; "passive A[N]" has no adjoint
     stmt S[i,j] : 0<=i<N and j<i | i,j | A[i,j] = A[i,j] + 2*B[j]      domain | time | assignment
 */
#ifndef DAD_NEST_READ_H
#define DAD_NEST_READ_H

#include "affine/nest.h"

/* The nest that "text" says; NULL, with a message on the standard error stream, if it says none. */
DAD_GIVE struct dad_nest *nest_read(struct dad_arena *arena, isl_ctx *ctx, const char *text);
/* The contents of the file "name". */
char *nest_read_file(struct dad_arena *arena, const char *name);

#endif
