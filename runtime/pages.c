/* pages.c: memory from the operating system. */
#define _DEFAULT_SOURCE
#include "pages.h"

#include "memory_limit.h"
#include "stats.h"

#include <stdint.h>
#include <sys/mman.h>

#define PAGE ((size_t)4096)

size_t drt_pages_round(size_t bytes) {
  size_t unit = bytes >= DRT_HUGE ? DRT_HUGE : PAGE;

  if (bytes > PTRDIFF_MAX - 2 * unit)
    return 0;
  return (bytes + unit - 1) / unit * unit;
}

/* Maps "bytes" bytes, a multiple of pages; NULL if the system refuses. */
static char *map(size_t bytes) {
  void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return p == MAP_FAILED ? NULL : p;
}

/* Maps "bytes" bytes, a multiple of DRT_HUGE, aligned to DRT_HUGE: maps more and trims both ends.
 */
static char *map_huge(size_t bytes) {
  char *wide = map(bytes + DRT_HUGE);
  size_t before;

  if (!wide)
    return NULL;
  before = -(uintptr_t)wide % DRT_HUGE;
  if (before)
    munmap(wide, before);
  if (before < DRT_HUGE)
    munmap(wide + before + bytes, DRT_HUGE - before);
#ifdef MADV_HUGEPAGE
  madvise(wide + before, bytes, MADV_HUGEPAGE);
#endif
  return wide + before;
}

void *drt_pages_map(size_t bytes) {
  size_t size = drt_pages_round(bytes);
  char *p;

  if (!size || !drt_memory_take((int64_t)size))
    return NULL;
  p = size >= DRT_HUGE ? map_huge(size) : map(size);
  if (p)
    drt_stats_mapped((int64_t)size);
  else
    drt_memory_give((int64_t)size);
  return p;
}

void drt_pages_unmap(void *p, size_t bytes) {
  size_t size = drt_pages_round(bytes);

  munmap(p, size);
  drt_memory_give((int64_t)size);
  drt_stats_mapped(-(int64_t)size);
}
