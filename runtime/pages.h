/* pages.h: memory from the operating system. */
#ifndef DRT_PAGES_H
#define DRT_PAGES_H

#include <stddef.h>

/* From this size on memory comes in huge pages, where the system has them. */
#define DRT_HUGE ((size_t)1 << 21)

/* The number of bytes that drt_pages_map maps for "bytes": whole pages, or whole huge pages from
   DRT_HUGE on. 0 if there is no such number. */
size_t drt_pages_round(size_t bytes);

/* Maps drt_pages_round("bytes") bytes of zeroes, aligned to a page, or to DRT_HUGE from that size
   on. Returns NULL if the system refuses, or if they would pass the memory limit. */
void *drt_pages_map(size_t bytes);

/* Gives the memory "p" back, for which drt_pages_map was given "bytes". */
void drt_pages_unmap(void *p, size_t bytes);

#endif
