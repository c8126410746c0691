/* bridge_polly.h: Polly's view of a function as C. The only way to Polly; isl's objects come out as those of isl's C interface. */
#ifndef DAD_BRIDGE_POLLY_H
#define DAD_BRIDGE_POLLY_H

#include "region/scop.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Sets Polly's options, which are the process's: once, when the plugin is loaded. */
void dad_polly_configure(void);

/* The affine regions of a function, which must not change while they are open. */
struct dad_polly;
DAD_GIVE struct dad_polly *dad_polly_open(LLVMValueRef function);
/* Releases "polly", after all models made from it. */
void dad_polly_close(DAD_TAKE struct dad_polly *polly);
/* How many regions Polly has found. */
int dad_polly_count(const struct dad_polly *polly);
/* The model of region "i" in "arena", whose isl context continues on errors and fails after "quota" operations (0: no limit). NULL if
   Polly gives the region up. */
DAD_GIVE struct dad_scop *dad_polly_scop(struct dad_polly *polly, int i, struct dad_arena *arena,
                                         unsigned long quota);
/* Why the largest region that begins at "block" was rejected, as Polly says it, in "arena"; NULL if it was not. */
const char *dad_polly_reject_reason(struct dad_polly *polly, LLVMBasicBlockRef block, struct dad_arena *arena);

#ifdef __cplusplus
}
#endif
#endif
