// Registrations that do not hold what they should; each is named.
// RUN: not %clang --config=%cfg -c %s -o /dev/null 2>&1 | %FileCheck %s
double __dacead_autodiff(void *, ...);

double square(double x) {
  return x * x;
}

double square_reverse(double x, double seed) {
  return 2 * x * seed;
}

void *take(int n);
void give(void *p);
double number;

// CHECK-DAG: error: {{.*}}'__dacead_register_gradient_two' is malformed: three functions are expected{{.*}}[DAD-bad-registration]
void *__dacead_register_gradient_two[] = {(void *)square, (void *)square_reverse};
// CHECK-DAG: error: {{.*}}'__dacead_register_derivative_number' is malformed: two functions are expected{{.*}}[DAD-bad-registration]
void *__dacead_register_derivative_number[] = {(void *)square, &number};
// CHECK-DAG: error: {{.*}}'__enzyme_function_like_square' is malformed: a function and the name of a known function are expected{{.*}}[DAD-bad-registration]
void *__enzyme_function_like_square[] = {(void *)square, (void *)square_reverse};
// CHECK-DAG: error: {{.*}}'__dacead_allocation_like_take' is malformed: an allocator, the position of its size{{.*}}[DAD-bad-registration]
void *__dacead_allocation_like_take[] = {(void *)take, (void *)give};
// CHECK-DAG: error: {{.*}}'__dacead_inactivefn_nothing' is malformed: a function or a global variable is expected{{.*}}[DAD-bad-registration]
void *__dacead_inactivefn_nothing[] = {0};

double gradient(double x) {
  return __dacead_autodiff((void *)square, x);
}
