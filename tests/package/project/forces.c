/* Prints "ok" if the derivatives of the springs' energy are minus the forces on the masses. The energy is a function of another file; with
   ONE_FILE it is a part of this one. */
#include "spring.h"
#ifdef ONE_FILE
#include "spring.c"
#endif

#include <dacead.h>
#include <math.h>
#include <stdio.h>

int main(void) {
  double x[4] = {0, 1.5, 2, 3.25}, dx[4] = {0};
  const double forces[4] = {0.5, -1, 0.75, -0.25};
  __dacead_autodiff((void *)spring_energy, x, dx, 4);
  for (int i = 0; i < 4; i++)
    if (fabs(dx[i] + forces[i]) > 1e-15) {
      printf("force %d is %g instead of %g\n", i, -dx[i], forces[i]);
      return 1;
    }
  return puts("ok") < 0;
}
