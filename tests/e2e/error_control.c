// CASES: 1-2
// Covers: jumps to computed labels, and assembly that jumps.
double __dacead_autodiff(void *, ...);

double f(double *x, int n) {
  double s = 1;
#if CASE == 1
  static void *const code[] = {&&add, &&multiply, &&done};
  int i = 0;
  goto *code[i];
add:
  s += x[i % n];
  i++;
  goto *code[i % 3]; // ERROR(1): DAD-control
multiply:
  s *= x[i % n];
  i++;
  goto *code[(i + 1) % 3];
done:
#else
  __asm__ goto("" : : "r"(n) : : small); // ERROR(2): DAD-control
  s *= x[0];
small:
  s += x[1];
#endif
  return s;
}

void gradient(double *x, double *dx, int n) {
  __dacead_autodiff((void *)f, x, dx, n);
}
