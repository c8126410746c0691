// Values of a counted loop that must be kept are reserved at once, one array per value: both sweeps
// are vectorised.
// RUN: %clang --config=%cfg -O3 -fno-math-errno -mavx2 -S -emit-llvm %s -o - -Rpass=loop-vectorize 2>%t.remarks | %FileCheck %s
// RUN: %FileCheck %s --check-prefix=REMARKS <%t.remarks
double __dacead_autodiff(void *, ...);

// The loop overwrites what its adjoint needs.
void relax(double *restrict x, int n) {
  for (int i = 0; i < n; i++)
    x[i] = x[i] * x[i] / (1 + x[i]);
}

// REMARKS-DAG: reserved_frames.c:[[@LINE-4]]:{{.*}}vectorized loop
// CHECK-LABEL: define {{.*}}@gradient(
// CHECK: call {{.*}}@drt_push(i64
// CHECK-NOT: call {{.*}}@drt_push(i64
// CHECK: fdiv <{{[0-9]+}} x double>
// CHECK: store <{{[0-9]+}} x double>
// CHECK-NOT: call {{.*}}@drt_push(i64
// CHECK: {{^}}}
void gradient(double *x, double *dx, int n) {
  __dacead_autodiff((void *)relax, x, dx, n);
}
