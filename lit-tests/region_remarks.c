// Which loops are affine regions, and why others are not, at their lines.
// RUN: %clang --config=%cfg -O2 -c %s -o /dev/null -Rpass-missed=dacead -Rpass-analysis=dacead 2>&1 | %FileCheck %s
double __dacead_autodiff(void *, ...);

void mixed(int n, double *x, double *y, const int *at) {
  // CHECK-DAG: [[@LINE+1]]:{{[0-9]+}}: remark: affine region: {{.*}}[DAD-affine] [-Rpass-analysis=dacead]
  for (int i = 0; i < n; i++)
    y[i] = 2 * x[i];
  // CHECK-DAG: [[@LINE+1]]:{{[0-9]+}}: remark: this loop is not an affine region: Non affine access function{{.*}}[DAD-not-affine] [-Rpass-missed=dacead]
  for (int i = 0; i < n; i++)
    y[at[i]] += x[i];
  // CHECK-DAG: [[@LINE+1]]:{{[0-9]+}}: remark: this loop is not an affine region: {{.*}}[DAD-not-affine]
  while (*y > 1)
    *y = *y * *y - 1;
}

void gradient(int n, double *x, double *dx, double *y, double *dy, const int *at) {
  extern int dacead_const;
  __dacead_autodiff((void *)mixed, n, x, dx, y, dy, dacead_const, at);
}
