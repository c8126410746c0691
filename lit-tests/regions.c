// The graph of regions: what is affine with its containers, instances and cells, beside loops that are not.
// RUN: %clang --config=%cfg -O2 -c %s -o /dev/null -mllvm -dacead-print=regions 2>&1 | %FileCheck %s
// RUN: %clang --config=%cfg -O0 -c %s -o /dev/null -mllvm -dacead-print=regions 2>&1 | %FileCheck %s
// RUN: %clang --config=%cfg -O2 -c %s -o /dev/null -mllvm -dacead-print=regions-dot 2>&1 | %FileCheck %s --check-prefix=DOT
// RUN: %clang --config=%cfg -O2 -c %s -o %t -mllvm -dacead-print=regions-json 2>&1 | %FileCheck %s --check-prefix=JSON
double __dacead_autodiff(void *, ...);

// A sum in a register is one container without dimensions; the products' shape is found again in the subscripts.
void product(int n, double *c, double *a, double *b) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double s = 0;
      for (int k = 0; k < n; k++)
        s += a[i * n + k] * b[k * n + j];
      c[i * n + j] = s;
    }
}
// CHECK-LABEL: regions of product
// CHECK: affine {{[0-9]+}}: {{[0-9]+}} statements, 4 containers{{$}}
// CHECK: parameter [[N:p_[0-9]+]]
// CHECK-DAG: array [[S:A[0-9]+]] double [*]{{$}}
// CHECK-DAG: array {{A[0-9]+}} double [*][{{\[?}}[[N]]]
// CHECK: statement [[T:S[0-9]+]], {{[0-9]+}} instructions
// CHECK: for {{.*}}[i0, i1, i2] : 0 <= i0 < [[N]] and 0 <= i1 < [[N]] and 0 <= i2 < [[N]] }
// CHECK-NEXT: at {{.*}} -> [i0, i1, {{[0-9]}}, i2] }
// CHECK-DAG: read {{.*}}[i0, i1, i2] -> [[A:A[0-9]+]][i0, i2] }
// CHECK-DAG: read {{.*}}[i0, i1, i2] -> [[B:A[0-9]+]][i2, i1] }
// CHECK: write {{.*}}[i0, i1, i2] -> [[S]][0] }
// CHECK: reads
// CHECK: writes
// CHECK: kills
// CHECK: checks: 2 comparisons of ranges, 0 invariant loads
// CHECK: next 0->1 1->2
// DOT: digraph "product" {
// DOT: label="affine 1\l{{.*}}double [*]
// DOT: n0 -> n1;
// JSON: {"function": "product", "regions": [
// JSON: "kind": "affine", "parent": -1, "containers": [{"name": "{{.*}}", "type": "double [*]
// JSON: "kills":
// JSON: "next": {{\[\[}}0, 1], [1, 2]]}

// A loop whose end depends on data is no region; what is affine in it is.
double relax(int n, double *x) {
  do {
    for (int i = 1; i < n; i++)
      x[i] = .5 * (x[i] + x[i - 1]);
  } while (x[n - 1] > 1);
  return x[n - 1];
}
// CHECK-LABEL: regions of relax
// CHECK: loop
// CHECK: affine
// CHECK: read {{.*}}[i0] -> [[X:A[0-9]+]][1 + i0] }
// CHECK: read {{.*}}[i0] -> [[X]][i0] }
// CHECK: write {{.*}}[i0] -> [[X]][1 + i0] }

// Data decides whether something is stored: Polly models it, the affine engine does not take it.
void clip(int n, double *x) {
  for (int i = 0; i < n; i++)
    if (x[i] > 1)
      x[i] = 1 / x[i];
}
// CHECK-LABEL: regions of clip
// CHECK: affine {{.*}}, left to the general engine: a store under a condition that depends on data
// CHECK: may write

void gradients(int n, double *c, double *dc, double *a, double *da, double *b, double *db) {
  __dacead_autodiff((void *)product, n, c, dc, a, da, b, db);
  __dacead_autodiff((void *)relax, n, c, dc);
  __dacead_autodiff((void *)clip, n, c, dc);
}
