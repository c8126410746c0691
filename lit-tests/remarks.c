// Remarks say what was differentiated, what was taped and why, what stopped a cheaper form; each
// has its line.
// RUN: %clang --config=%cfg -O2 -gline-tables-only -c %s -o /dev/null -Rpass=dacead 2>&1 | %FileCheck %s --check-prefix=DONE
// RUN: %clang --config=%cfg -O2 -gline-tables-only -c %s -o /dev/null -Rpass-analysis=dacead 2>&1 | %FileCheck %s --check-prefix=TAPE
// RUN: %clang --config=%cfg -O2 -gline-tables-only -c %s -o /dev/null -Rpass-missed=dacead 2>&1 | %FileCheck %s --check-prefix=MISSED
// RUN: %clang --config=%cfg -O2 -gline-tables-only -c %s -o /dev/null -Rpass=dacead 2>&1 | %FileCheck %s --check-prefix=ONLY
double __dacead_autodiff(void *, ...);
double __dacead_fwddiff(void *, ...);

// The square is overwritten before its adjoint could read the number again.
double f(double *x, double *y, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) {
    // TAPE-DAG: remarks.c:[[@LINE+2]]:{{[0-9]+}}: remark: {{.*}}kept for the reverse sweep{{.*}}[-Rpass-analysis=dacead]
    // MISSED-DAG: remarks.c:[[@LINE+1]]:{{[0-9]+}}: remark: {{.*}}must be kept on the tape{{.*}}[-Rpass-missed=dacead]
    double t = x[i] * x[i];
    y[i] = t;
    s += y[i] * t;
  }
  return s;
}

void gradient(double *x, double *dx, double *y, double *dy, int n) {
  // DONE: remarks.c:[[@LINE+1]]:{{[0-9]+}}: remark: {{.*}}differentiated 'f' in reverse mode: 1 functions{{.*}}[-Rpass=dacead]
  __dacead_autodiff((void *)f, x, dx, y, dy, n);
  // DONE: remarks.c:[[@LINE+1]]:{{[0-9]+}}: remark: {{.*}}differentiated 'f' in forward mode{{.*}}[-Rpass=dacead]
  __dacead_fwddiff((void *)f, x, dx, y, dy, n);
}
// ONLY-NOT: -Rpass-analysis
// ONLY-NOT: -Rpass-missed
