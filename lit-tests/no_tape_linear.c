// What a linear loop over restrict arrays needs in the reverse sweep is still in memory: nothing is
// taped, and no sweep forward is left where nobody wants the primal's results.
// RUN: %clang --config=%cfg -O1 -fno-unroll-loops -S -emit-llvm %s -o - | %FileCheck %s
// RUN: %clang --config=%cfg -O0 -S -emit-llvm %s -o - | %FileCheck %s
double __dacead_autodiff(void *, ...);

void scale(double *restrict y, const double *restrict x, const double *restrict a, int n) {
  for (int i = 0; i < n; i++)
    y[i] = a[i] * x[i];
}

// CHECK-LABEL: define {{.*}}@gradient(
// CHECK-NOT: drt_push
// CHECK-NOT: drt_pop
// CHECK: {{^}}}
void gradient(double *y, double *dy, const double *x, double *dx, const double *a, double *da,
              int n) {
  __dacead_autodiff((void *)scale, y, dy, x, dx, a, da, n);
}

// CHECK-LABEL: define {{.*}}@sum(
double sum(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++)
    s += x[i] * x[i];
  return s;
}

// CHECK-LABEL: define {{.*}}@gradient_of_sum(
// CHECK-NOT: drt_push
// CHECK-NOT: drt_pop
// CHECK: {{^}}}
double gradient_of_sum(const double *x, double *dx, int n) {
  return __dacead_autodiff((void *)sum, x, dx, n);
}

// Generated functions that were not inlined come last.
// CHECK-NOT: drt_push
// CHECK-NOT: drt_pop
