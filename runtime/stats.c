/* stats.c: totals over all threads, printed at exit if the environment has DACEAD_STATS=1. */
#include "stats.h"

#include "abi.h"
#include "memory_limit.h"
#include "stop.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* What is counted for one kind of frame. */
struct account {
  atomic_int_least64_t frames; /* number of frames pushed */
  atomic_int_least64_t bytes;  /* their bytes */
};

static struct {
  atomic_int_least64_t gradients;          /* gradient calls that have ended */
  atomic_int_least64_t peak;               /* longest tape of any of them, in bytes */
  atomic_int_least64_t mapped;             /* bytes mapped now */
  atomic_int_least64_t mapped_peak;        /* bytes mapped when they were most */
  struct account account[DRT_FRAME_KINDS]; /* by kind of frame */
} total;

static const char *const kind_name[DRT_FRAME_KINDS] = {
    [DRT_FRAME_FUNCTION] = "function frames",      [DRT_FRAME_LOOP] = "loop frames",
    [DRT_FRAME_RESERVED] = "reserved loop blocks", [DRT_FRAME_ARRAY] = "stack arrays",
    [DRT_FRAME_WAY] = "ways and counts",
};

static void add(atomic_int_least64_t *sum, int64_t value) {
  atomic_fetch_add_explicit(sum, value, memory_order_relaxed);
}

static int64_t get(atomic_int_least64_t *value) {
  return atomic_load_explicit(value, memory_order_relaxed);
}

/* Raises "*most" to "value" if it is less. */
static void raise_to(atomic_int_least64_t *most, int64_t value) {
  int64_t seen = get(most);

  while (seen < value && !atomic_compare_exchange_weak_explicit(
                             most, &seen, value, memory_order_relaxed, memory_order_relaxed))
    ;
}

void drt_stats_gradient(int64_t peak) {
  add(&total.gradients, 1);
  raise_to(&total.peak, peak);
}

void drt_stats_mapped(int64_t bytes) {
  int64_t before = atomic_fetch_add_explicit(&total.mapped, bytes, memory_order_relaxed);

  raise_to(&total.mapped_peak, before + bytes);
}

int64_t drt_stats_mapped_now(void) {
  return get(&total.mapped);
}

void drt_account(int32_t kind, int64_t bytes) {
  if (kind < 0 || kind >= DRT_FRAME_KINDS)
    drt_stop("%d is no kind of tape frame. " DRT_REPORT, (int)kind);
  add(&total.account[kind].frames, 1);
  add(&total.account[kind].bytes, bytes);
}

void drt_stats_print(FILE *out) {
  int64_t frames = 0;

  fprintf(out, "dacead: gradient calls           %" PRId64 "\n", get(&total.gradients));
  fprintf(out, "dacead: tape peak                %" PRId64 " bytes\n", get(&total.peak));
  fprintf(out, "dacead: mapped at most           %" PRId64 " bytes\n", get(&total.mapped_peak));
  if (drt_memory_limit() != DRT_NO_LIMIT)
    fprintf(out, "dacead: memory limit             %" PRId64 " bytes, at most %" PRId64 " used\n",
            drt_memory_limit(), drt_memory_peak());
  for (int k = 0; k < DRT_FRAME_KINDS; k++) {
    int64_t n = get(&total.account[k].frames);

    frames += n;
    if (n)
      fprintf(out, "dacead: %-24s %" PRId64 " bytes in %" PRId64 " frames\n", kind_name[k],
              get(&total.account[k].bytes), n);
  }
  if (!frames)
    fprintf(out, "dacead: bytes per kind of frame  compile with -mllvm -dacead-account\n");
}

__attribute__((destructor)) static void print_at_exit(void) {
  const char *wanted = getenv("DACEAD_STATS");

  if (wanted && *wanted && strcmp(wanted, "0") != 0)
    drt_stats_print(stderr);
}
