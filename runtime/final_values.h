/* final_values.h: memory as the forward sweep left it, where the reverse sweep puts older values
   back. */
#ifndef DRT_FINAL_VALUES_H
#define DRT_FINAL_VALUES_H

#include <stddef.h>

struct drt_final_page;

enum { DRT_FINAL_RECENT = 64 };

/* The bytes of a gradient call that are put back at its end. All zeroes is none. */
struct drt_final_values {
  struct drt_final_page **page;  /* by age; those from "n" on are spare */
  size_t n, pages, capacity;     /* how many are in use, exist, fit */
  struct drt_final_page **index; /* hash table of those in use */
  size_t slots;                  /* size of "index": a power of two, or 0 */
  struct drt_final_page *recent[DRT_FINAL_RECENT]; /* asked for last, by page number; or NULL */
};

/* Puts everything back that "values" holds, which is empty then. */
void drt_final_values_restore(struct drt_final_values *values);

/* Frees the memory of "values", which is empty. */
void drt_final_values_release(struct drt_final_values *values);

#endif
