// CASES: 1-5
// Covers: active numbers leave the program as bytes or text, and come back.
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

double __dacead_autodiff(void *, ...);

double f(double *x, int n) {
  double y[16] = {0}, s = 0;
#if CASE == 1 /* a file of bytes */
  FILE *file = tmpfile();
  fwrite(x, sizeof *x, (size_t)n, file);
  rewind(file);
  if (fread(y, sizeof *y, (size_t)n, file) == 0) // ERROR(1): DAD-outside-input
    return 0;
  fclose(file);
#elif CASE == 2 /* a pipe */
  int ends[2];
  if (pipe(ends) || write(ends[1], x, (size_t)n * sizeof *x) < 0 ||
      read(ends[0], y, (size_t)n * sizeof *y) < 0) // ERROR(2): DAD-outside-input
    return 0;
#elif CASE == 3 /* text in a file */
  FILE *file = tmpfile();
  for (int i = 0; i < n; i++)
    fprintf(file, "%.17g\n", x[i]);
  rewind(file);
  for (int i = 0; i < n; i++)
    if (fscanf(file, "%lf", &y[i]) != 1) // ERROR(3): DAD-outside-input
      return 0;
#elif CASE == 4 /* text in memory, scanned */
  char line[32];
  for (int i = 0; i < n; i++) {
    snprintf(line, sizeof line, "%.17g", x[i]);
    sscanf(line, "%lf", &y[i]); // ERROR(4): DAD-outside-input
  }
#else           /* text in memory, converted */
  char line[32];
  for (int i = 0; i < n; i++) {
    sprintf(line, "%.17g", x[i]);
    y[i] = strtod(line, NULL); // ERROR(5): DAD-outside-input
  }
#endif
  for (int i = 0; i < n; i++)
    s += y[i] * x[i];
  return s;
}

void gradient(double *x, double *dx, int n) {
  __dacead_autodiff((void *)f, x, dx, n);
}
