// Covers: many gradients one after the other: the same result, no growing memory, memory given back
// on request.
// ALSO: -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all
// FLAGS: -D_DEFAULT_SOURCE
#include <dacead.h>

#include "../programs/check.h"
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { N = 2000 };

static double *kept;

/* Tapes an unknown number of iterations, uses the heap, the stack and a global block. */
static double f(const double *x, int n) {
  double *t = malloc((size_t)n * sizeof *t), s = 0, last[8] = {0};
  for (int i = 0; i < n; i++) {
    double q = x[i];
    while (q > 0.01)
      q *= 0.5 + 0.2 * sin(q) * x[(i + 1) % n];
    t[i] = q * last[i % 8];
    last[i % 8] = x[i] + q;
    if (i % 100 == 0) {
      free(kept);
      kept = malloc(8 * sizeof *kept);
      memcpy(kept, last, sizeof last);
    }
    s += t[i] * kept[i % 8];
  }
  free(t);
  return s;
}

/* Pages of memory that the process has now. */
static long resident(void) {
  long pages = 0, ignored;
  FILE *file = fopen("/proc/self/statm", "r");
  if (!file || fscanf(file, "%ld %ld", &ignored, &pages) != 2)
    exit(2);
  fclose(file);
  return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

int main(void) {
  static double x[N], first[N], dx[N];
  for (int i = 0; i < N; i++)
    x[i] = check_random(0.2, 0.9);
  __dacead_autodiff((void *)f, x, first, N);
  for (int k = 0; k < 20; k++) {
    memset(dx, 0, sizeof dx);
    __dacead_autodiff((void *)f, x, dx, N);
  }
  check_true("the same each time", !memcmp(first, dx, sizeof dx));
  __dacead_autodiff((void *)f, x, dx, N);
  check_close("shadows are added to", dx[107], 2 * first[107], 1e-14);
  long before = resident();
  for (int k = 0; k < 1000; k++)
    __dacead_autodiff((void *)f, x, dx, 100 + k % 10);
  for (int k = 0; k < 50; k++)
    __dacead_autodiff((void *)f, x, dx, N);
  long after = resident();
  printf("%ld kB, then %ld kB\n", before, after);
#if !defined(__SANITIZE_ADDRESS__) && !__has_feature(address_sanitizer)
  check_true("memory does not grow", after < before + 1000);
  dacead_release_memory();
  printf("%ld kB after release\n", resident());
  check_true("memory is given back", resident() < after);
#else
  dacead_release_memory();
#endif
  memset(dx, 0, sizeof dx);
  __dacead_autodiff((void *)f, x, dx, N);
  check_true("the same after release", !memcmp(first, dx, sizeof dx));
  return check_done();
}
