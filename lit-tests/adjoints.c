// How affine regions would be differentiated: what their adjoints read and where that is found, what is kept, and the statements of the reverse sweep.
// RUN: %clang --config=%cfg -O2 -c %s -o /dev/null -mllvm -dacead-print=adjoints 2>&1 | %FileCheck %s
double __dacead_autodiff(void *, ...);
double exp(double);

// A product is linear in each factor: everything is loaded again, and nothing is kept.
void product(int n, double *c, double *a, double *b) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double s = 0;
      for (int k = 0; k < n; k++)
        s += a[i * n + k] * b[k * n + j];
      c[i * n + j] = s;
    }
}

// An exponential in place is its own derivative: the result is loaded again.
void exponentials(int n, double *a) {
  for (int i = 0; i < n; i++)
    a[i] = exp(a[i]);
}

// A square in place destroys what its adjoint reads, once in every sweep.
void squares(int n, int m, double *a) {
  for (int t = 0; t < m; t++)
    for (int i = 0; i < n; i++)
      a[i] = a[i] * a[i];
}

void gradients(int n, int m, double *c, double *dc, double *a, double *da, double *b, double *db) {
  __dacead_autodiff((void *)product, n, c, dc, a, da, b, db);
  __dacead_autodiff((void *)exponentials, n, a, da);
  __dacead_autodiff((void *)squares, n, m, a, da);
}
// CHECK-LABEL: value fma(r0, r1, r2)
// CHECK: assign S2
// CHECK-NEXT: r0
// CHECK-NEXT: reload
// CHECK-NEXT: r1
// CHECK-NEXT: reload
// CHECK-NEXT: assign S3
// CHECK-NOT: bytes, for
// CHECK: clear_{{.*}}: 0 -> [[S:A[0-9]+]]
// CHECK: add_S2_{{[0-9]+}}: g * r1 -> A
// CHECK: add_S2_{{[0-9]+}}: g * r0 -> A
// CHECK: add_S3_{{[0-9]+}}: g -> [[S]]

// CHECK-LABEL: value exp(r0)
// CHECK-NEXT: assign S0
// CHECK-NEXT: {{^}}  r{{$}}
// CHECK-NEXT: reload
// CHECK-NEXT: scale_S0_0: select(g == 0, 0, g * r) -> A0

// CHECK-LABEL: value r0 * r0
// CHECK-NEXT: assign S0
// CHECK-NEXT: r0
// CHECK-NEXT: tape of S0
// CHECK-NEXT: tape_S0: 8 * ([[N:p_[0-9]+]]*[[M:p_[0-9]+]]) bytes
// CHECK-NEXT: scale_S0_0: (g * r0) + (g * r0) -> A0
