/* memory_limit.c: counts the memory of gradients and holds it under a limit. */
#include "memory_limit.h"

#include "gradient_call.h"
#include "include/dacead.h"
#include "stop.h"

#include <errno.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The limit is not known yet: the environment has not been read. */
#define UNKNOWN (-1)

static struct {
  atomic_int_least64_t limit; /* UNKNOWN, DRT_NO_LIMIT, or bytes */
  atomic_int_least64_t used;  /* bytes that are counted */
  atomic_int_least64_t peak;  /* the most that were */
} memory = {UNKNOWN, 0, 0};

/* How many bytes the units of DACEAD_MEMORY_LIMIT have. */
static const struct {
  char letter;
  int shift;
} units[] = {{'K', 10}, {'M', 20}, {'G', 30}, {'T', 40}};

/* The bytes that "text" says, such as 1000000 or 2G; -1 if it says none. */
static int64_t parse_bytes(const char *text) {
  char *end;
  int64_t value;

  errno = 0;
  value = strtoimax(text, &end, 10);
  if (end == text || errno || value < 0)
    return -1;
  for (size_t k = 0; k < sizeof units / sizeof *units; k++)
    if (*end == units[k].letter) {
      if (value > INT64_MAX >> units[k].shift)
        return -1;
      value <<= units[k].shift;
      end++;
      break;
    }
  return *end ? -1 : value;
}

/* The bytes of the process that are in memory. */
static int64_t resident(void) {
  FILE *file = fopen("/proc/self/statm", "r");
  long long size, pages;
  int got = file ? fscanf(file, "%lld %lld", &size, &pages) : 0;

  if (file)
    fclose(file);
  if (got != 2)
    drt_stop("the size of the process is not known, which DACEAD_MEMORY_LIMIT asks for. Write a "
             "limit without 'process:'.");
  return pages * (int64_t)sysconf(_SC_PAGESIZE);
}

/* The limit that the environment asks for. */
static int64_t limit_of_environment(void) {
  static const char process[] = "process:";
  const char *text = getenv("DACEAD_MEMORY_LIMIT");
  bool of_process = text && strncmp(text, process, sizeof process - 1) == 0;
  int64_t bytes;

  if (!text || !*text)
    return DRT_NO_LIMIT;
  bytes = parse_bytes(of_process ? text + sizeof process - 1 : text);
  if (bytes < 0)
    drt_stop("DACEAD_MEMORY_LIMIT is '%s', which is no number of bytes. Write one such as "
             "1000000, 500M, 2G or process:4G.",
             text);
  if (of_process) {
    int64_t there = resident();

    bytes = bytes > there ? bytes - there : 0;
  }
  return bytes;
}

int64_t drt_memory_limit(void) {
  int64_t limit = atomic_load_explicit(&memory.limit, memory_order_relaxed);

  if (limit == UNKNOWN) {
    int64_t found = limit_of_environment();

    if (atomic_compare_exchange_strong(&memory.limit, &limit, found))
      limit = found;
  }
  return limit;
}

void dacead_set_memory_limit(long long bytes) {
  atomic_store_explicit(&memory.limit, bytes < 0 ? DRT_NO_LIMIT : bytes, memory_order_relaxed);
}

bool drt_memory_take(int64_t bytes) {
  int64_t limit = drt_memory_limit();
  int64_t used = atomic_load_explicit(&memory.used, memory_order_relaxed), peak;

  do {
    if (used > limit - bytes)
      return false;
  } while (!atomic_compare_exchange_weak_explicit(&memory.used, &used, used + bytes,
                                                  memory_order_relaxed, memory_order_relaxed));
  peak = atomic_load_explicit(&memory.peak, memory_order_relaxed);
  while (peak < used + bytes &&
         !atomic_compare_exchange_weak_explicit(&memory.peak, &peak, used + bytes,
                                                memory_order_relaxed, memory_order_relaxed))
    ;
  return true;
}

void drt_memory_give(int64_t bytes) {
  atomic_fetch_sub_explicit(&memory.used, bytes, memory_order_relaxed);
}

bool drt_memory_refuses(int64_t bytes) {
  return drt_memory_used() > drt_memory_limit() - bytes;
}

int64_t drt_memory_used(void) {
  return atomic_load_explicit(&memory.used, memory_order_relaxed);
}

int64_t drt_memory_peak(void) {
  return atomic_load_explicit(&memory.peak, memory_order_relaxed);
}

_Noreturn void drt_memory_stop(const char *item, int64_t bytes) {
  const struct drt_call *call = drt_call_current();

  drt_stop("in the gradient of '%s', %s needs %" PRId64 " bytes more, where %" PRId64
           " bytes are in use of a memory limit of %" PRId64
           ". Raise the limit (DACEAD_MEMORY_LIMIT, dacead_set_memory_limit) to %" PRId64
           " bytes or more, or differentiate less at once.",
           call ? call->name : "?", item, bytes, drt_memory_used(), drt_memory_limit(),
           drt_memory_used() + bytes);
}
