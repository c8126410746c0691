/* memory_limit.h: counts the memory of gradients, over all threads, and holds it under a limit.

   Counted are: the pages that the runtime has mapped, those kept for later included; shadows of
   heap blocks; and heap blocks that the differentiated function has freed and that its reverse
   sweep still needs, if they come from malloc and its family. The limit is what the environment
   says in DACEAD_MEMORY_LIMIT when memory is first asked for, or what dacead_set_memory_limit has
   said. */
#ifndef DRT_MEMORY_LIMIT_H
#define DRT_MEMORY_LIMIT_H

#include <stdbool.h>
#include <stdint.h>

#define DRT_NO_LIMIT INT64_MAX

/* Counts "bytes" more bytes, unless they pass the limit: nothing is counted then, and the result is
   false. */
bool drt_memory_take(int64_t bytes);

/* "bytes" bytes that were counted are not there any more. */
void drt_memory_give(int64_t bytes);

/* Would "bytes" more bytes pass the limit? */
bool drt_memory_refuses(int64_t bytes);

/* The bytes that are counted now, those when they were most, and the limit; DRT_NO_LIMIT if there
   is none. */
int64_t drt_memory_used(void);
int64_t drt_memory_peak(void);
int64_t drt_memory_limit(void);

/* Stops because "bytes" more bytes for "item" would pass the limit. */
_Noreturn void drt_memory_stop(const char *item, int64_t bytes);

#endif
