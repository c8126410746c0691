/* stats.h: totals over all threads, printed at exit if the environment has DACEAD_STATS=1. */
#ifndef DRT_STATS_H
#define DRT_STATS_H

#include <stdint.h>
#include <stdio.h>

/* A gradient call has ended whose tape held "peak" bytes when it was longest. */
void drt_stats_gradient(int64_t peak);

/* The runtime has mapped "bytes" more bytes, or unmapped -"bytes". */
void drt_stats_mapped(int64_t bytes);

/* The number of bytes that the runtime has mapped now. */
int64_t drt_stats_mapped_now(void);

/* Prints all totals to "out". */
void drt_stats_print(FILE *out);

#endif
