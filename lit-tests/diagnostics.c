// The texts of errors: what is wrong, the name, the remedy, the identifier; without line tables the
// function is named.
// RUN: not %clang --config=%cfg -g -c %s -o /dev/null 2>&1 | %FileCheck %s
// RUN: not %clang --config=%cfg -c %s -o /dev/null 2>&1 | %FileCheck %s --check-prefix=PLAIN
#include <stdint.h>
#include <string.h>
double __dacead_autodiff(void *, ...);
double missing(double);

static double calls(double x) {
  // CHECK-DAG: diagnostics.c:[[@LINE+1]]:{{[0-9]+}}: error: dacead: call of 'missing' with active data: it has no body in this module and no derivative is registered; remedy: link with -flto{{.*}} [DAD-no-body]
  return missing(x) * x;
}

static double bits(double x) {
  uint64_t u;
  memcpy(&u, &x, sizeof u);
  // CHECK-DAG: diagnostics.c:[[@LINE+1]]:{{[0-9]+}}: error: dacead: arithmetic on the bits of an active number; remedy: {{.*}} [DAD-bits]
  u ^= 0x8000000000000000;
  memcpy(&x, &u, sizeof u);
  return x;
}

static double with_two(double x, const double *y) {
  return x * *y;
}

double gradient(double x) {
  double d = __dacead_autodiff((void *)calls, x) + __dacead_autodiff((void *)bits, x);
  // CHECK-DAG: diagnostics.c:[[@LINE+1]]:{{[0-9]+}}: error: dacead: too few arguments: parameter 2 of 'with_two' is missing [DAD-call-too-few]
  d += __dacead_autodiff((void *)with_two, x);
  // CHECK-DAG: diagnostics.c:[[@LINE+1]]:{{[0-9]+}}: error: dacead: parameter 2 of 'with_two' is a pointer and its shadow is missing; remedy: pass the shadow after it, or mark it dacead_const [DAD-call-no-shadow]
  d += __dacead_autodiff((void *)with_two, x, &x);
  return d;
}
// CHECK: 4 errors generated.

// PLAIN-DAG: error: dacead: call of 'missing' with active data{{.*}}[DAD-no-body] in function 'calls'
// PLAIN-DAG: error: dacead: arithmetic on the bits{{.*}}[DAD-bits] in function 'bits'
// PLAIN-DAG: error: dacead: too few arguments: parameter 2 of 'with_two' is missing [DAD-call-too-few] in function 'gradient'
