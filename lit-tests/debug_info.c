// Generated functions have valid debug information of their own, and none of the function they came
// from.
// RUN: %clang -g -O1 -Xclang -disable-llvm-passes -emit-llvm -c %s -o %t.bc
// RUN: %run -passes='dacead,verify' %t.bc -S -o - | %FileCheck %s
// RUN: %clang -g -O0 -emit-llvm -c %s -o %t.bc
// RUN: %run -passes='dacead,verify' %t.bc -S -o - | %FileCheck %s
double __dacead_autodiff(void *, ...);
double __dacead_fwddiff(void *, ...);

static double square(double a) {
  return a * a;
}

static double f(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++)
    s += square(x[i]);
  return s;
}

double gradient(const double *x, double *dx, int n) {
  return __dacead_autodiff((void *)f, x, dx, n) + __dacead_fwddiff((void *)f, x, dx, n);
}

// CHECK-DAG: define internal {{.*}}@f.gradient{{.*}} !dbg ![[REVERSE:[0-9]+]]
// CHECK-DAG: define internal {{.*}}@f.tangent{{.*}} !dbg ![[FORWARD:[0-9]+]]
// CHECK-DAG: ![[REVERSE]] = distinct !DISubprogram(name: "f.gradient"
// CHECK-DAG: ![[FORWARD]] = distinct !DISubprogram(name: "f.tangent"
