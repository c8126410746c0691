/* heap_shadow.h: what becomes of heap blocks when a gradient call ends. */
#ifndef DRT_HEAP_SHADOW_H
#define DRT_HEAP_SHADOW_H

#include "release.h"

/* A gradient call ends that has "freed" left, blocks of the primal that no reverse sweep
   released. They go to "outer", the set of the call around it; without one they are released,
   with their shadows. "freed" is empty afterwards. */
void drt_heap_finish(struct drt_release_set *freed, struct drt_release_set *outer);

#endif
