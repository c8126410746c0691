/* final_values.c: memory as the forward sweep left it, where the reverse sweep puts older values
   back.

   The first time that a byte is changed its value is copied; at the end of the gradient call all
   copies go back. Copies and marks lie side by side in copies of pages, found by hashing, so a
   byte that is changed many times takes no more memory than one that is changed once. */
#include "final_values.h"

#include "abi.h"
#include "gradient_call.h"
#include "memory_limit.h"
#include "stop.h"

#include <malloc.h>
#include <stdlib.h>
#include <string.h>

enum { PAGE = 4096, WORD = sizeof(uint64_t), FIRST_PAGES = 64 };

struct drt_final_page {
  char *at;                  /* the page that it is a copy of */
  unsigned char mark[PAGE];  /* 255 where "value" holds what was there first, else 0 */
  unsigned char value[PAGE]; /* the bytes */
};

static uintptr_t number(const char *at) {
  return (uintptr_t)at / PAGE;
}

/* The slot of the page at "at" in "values", or the free slot where it belongs. */
static size_t find(const struct drt_final_values *values, const char *at) {
  size_t slot = (number(at) * UINT64_C(0x9e3779b97f4a7c15) >> 20) & (values->slots - 1);

  while (values->index[slot] && values->index[slot]->at != at)
    slot = (slot + 1) & (values->slots - 1);
  return slot;
}

/* "realloc(p, n * size)" that stops when memory is exhausted or would pass the memory limit. */
static void *grow(void *p, size_t n, size_t size) {
  int64_t before = (int64_t)malloc_usable_size(p), more;
  void *q = n <= PTRDIFF_MAX / size ? realloc(p, n * size) : NULL;

  if (!q)
    drt_stop("no memory to keep the final values of %zu bytes, which the reverse sweep overwrites. "
             "Differentiate less at once, or compile with -mllvm -dacead-no-undo.",
             n * PAGE);
  more = (int64_t)malloc_usable_size(q) - before;
  if (!drt_memory_take(more))
    drt_memory_stop("what the reverse sweep overwrites and the caller sees", more);
  return q;
}

/* Frees "p", which grow has made. */
static void give_back(void *p) {
  drt_memory_give((int64_t)malloc_usable_size(p));
  free(p);
}

/* Makes room for one page more in "values". */
static void make_room(struct drt_final_values *values) {
  size_t slots = values->slots ? 2 * values->slots : 2 * FIRST_PAGES;

  if (values->n == values->capacity) {
    values->capacity = values->capacity ? 2 * values->capacity : FIRST_PAGES;
    values->page = grow(values->page, values->capacity, sizeof(struct drt_final_page *));
  }
  if (values->n == values->pages)
    values->page[values->pages++] = grow(NULL, 1, sizeof(struct drt_final_page));
  if (2 * values->n < values->slots)
    return;
  values->index = grow(values->index, slots, sizeof(struct drt_final_page *));
  values->slots = slots;
  memset(values->index, 0, slots * sizeof(struct drt_final_page *));
  for (size_t i = 0; i < values->n; i++)
    values->index[find(values, values->page[i]->at)] = values->page[i];
}

/* The copy of the page at "at" in "values". */
static struct drt_final_page *page_of(struct drt_final_values *values, char *at) {
  struct drt_final_page **last = &values->recent[number(at) % DRT_FINAL_RECENT], *page = *last;
  size_t slot;

  if (page && page->at == at)
    return page;
  slot = values->slots ? find(values, at) : 0;
  page = values->slots ? values->index[slot] : NULL;
  if (!page) {
    make_room(values);
    page = values->page[values->n++];
    page->at = at;
    memset(page->mark, 0, PAGE);
    values->index[find(values, at)] = page;
  }
  *last = page;
  return page;
}

/* Keeps the "n" bytes from "from" on of "page" that are not kept yet. */
static void keep_bytes(struct drt_final_page *page, size_t from, size_t n) {
  for (size_t i = from; i < from + n; i++)
    if (!page->mark[i]) {
      page->mark[i] = UINT8_MAX;
      page->value[i] = (unsigned char)page->at[i];
    }
}

/* The same, most of it in words. */
static void keep_part(struct drt_final_page *page, size_t from, size_t n) {
  size_t end = from + n;

  for (; end - from >= WORD; from += WORD) {
    uint64_t mark;

    memcpy(&mark, page->mark + from, WORD);
    if (mark == UINT64_MAX)
      continue;
    if (mark) {
      keep_bytes(page, from, WORD);
    } else {
      memset(page->mark + from, UINT8_MAX, WORD);
      memcpy(page->value + from, page->at + from, WORD);
    }
  }
  keep_bytes(page, from, end - from);
}

/* Keeps the "n" bytes at "p". */
static void keep(struct drt_final_values *values, char *p, size_t n) {
  while (n) {
    size_t from = (uintptr_t)p % PAGE, part = PAGE - from < n ? PAGE - from : n;

    keep_part(page_of(values, p - from), from, part);
    p += part;
    n -= part;
  }
}

void drt_keep_final(void *p, int64_t bytes, int64_t step, int64_t n) {
  struct drt_call *call = drt_call_current();

  if (!call)
    drt_stop("a final value is kept outside of a gradient call. " DRT_REPORT);
  if (step == bytes) {
    keep(&call->final, p, (size_t)(bytes * n));
    return;
  }
  for (int64_t i = 0; i < n; i++)
    keep(&call->final, (char *)p + i * step, (size_t)bytes);
}

/* Puts the kept bytes of "page" back. */
static void restore(const struct drt_final_page *page) {
  for (size_t i = 0; i < PAGE; i += WORD) {
    uint64_t mark;

    memcpy(&mark, page->mark + i, WORD);
    if (mark == UINT64_MAX)
      memcpy(page->at + i, page->value + i, WORD);
    else if (mark)
      for (size_t k = i; k < i + WORD; k++)
        if (page->mark[k])
          page->at[k] = (char)page->value[k];
  }
}

void drt_final_values_restore(struct drt_final_values *values) {
  if (!values->n)
    return;
  for (size_t i = 0; i < values->n; i++)
    restore(values->page[i]);
  memset(values->index, 0, values->slots * sizeof(struct drt_final_page *));
  memset(values->recent, 0, sizeof values->recent);
  values->n = 0;
}

void drt_final_values_release(struct drt_final_values *values) {
  for (size_t i = 0; i < values->pages; i++)
    give_back(values->page[i]);
  give_back(values->page);
  give_back(values->index);
  *values = (struct drt_final_values){0};
}
