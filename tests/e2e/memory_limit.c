/* A gradient that keeps 8 bytes for each of a million steps, under limits that hold it and that do
 * not. */
/* CASES: 1-3 */
/* ABORTS(2): of a memory limit of 1000000 */
/* ABORTS(3): in the gradient of 'chain' */
#include <dacead.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static double chain(double x, int steps) {
  for (int i = 0; i < steps; i++)
    x += 1e-6 * sin(x);
  return x;
}

int main(void) {
  const int steps = 1000000;
  double x = 0.3, want = 1, got;

#if CASE == 1
  dacead_set_memory_limit(20000000);
#elif CASE == 2
  dacead_set_memory_limit(1000000);
#else
  setenv("DACEAD_MEMORY_LIMIT", "4M", 1);
#endif
  got = __dacead_autodiff((void *)chain, x, steps);
  for (int i = 0; i < steps; i++) {
    want *= 1 + 1e-6 * cos(x);
    x += 1e-6 * sin(x);
  }
  if (!(fabs(got - want) <= 1e-9 && want > 1))
    return printf("%g, not %g\n", got, want), 1;
  puts("ok");
  return 0;
}
