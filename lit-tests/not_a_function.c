// An error has the place of the call, the identifier of its message, and leaves no output.
// RUN: rm -f %t.o
// RUN: not %clang --config=%cfg -gline-tables-only -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: not test -e %t.o
double __dacead_autodiff(void *, ...);
double gradient(void *pointer) {
  // CHECK: not_a_function.c:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}not a function{{.*}}[DAD-call-not-function]
  return __dacead_autodiff(pointer, 1.0);
}
