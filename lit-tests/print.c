// Intermediate results in text: cells of memory, generated code, times of the phases; only what is
// asked for.
// RUN: %clang --config=%cfg -O1 -c %s -o /dev/null -mllvm -dacead-print=cells 2>&1 | %FileCheck %s --check-prefix=CELLS
// RUN: %clang --config=%cfg -O1 -c %s -o /dev/null -mllvm -dacead-print=code 2>&1 | %FileCheck %s --check-prefix=CODE
// RUN: %clang --config=%cfg -O1 -c %s -o /dev/null -mllvm -dacead-print=time,cells 2>&1 | %FileCheck %s --check-prefixes=TIME,CELLS
// RUN: %clang --config=%cfg -O1 -c %s -o /dev/null 2>&1 | count 0
double __dacead_autodiff(void *, ...);

struct model {
  int n;
  const double *x;
  double out;
};

double f(struct model *m) {
  m->out = 0;
  for (int i = 0; i < m->n; i++)
    m->out += m->x[i] * m->x[i];
  return m->out;
}

// CODE: define internal {{.*}}@f.gradient(
// TIME-DAG: dacead: prepare {{ *[0-9.]+}} s
// TIME-DAG: dacead: analyse {{ *[0-9.]+}} s
// TIME-DAG: dacead: augment {{ *[0-9.]+}} s
// TIME-DAG: dacead: reverse {{ *[0-9.]+}} s
// CELLS: {{.}}
void gradient(struct model *m, struct model *dm) {
  __dacead_autodiff((void *)f, m, dm);
}
