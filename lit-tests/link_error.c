// A program that was compiled without the plugin ends in a link error whose symbol says so.
// RUN: not %clang -I %S/../runtime/include %s -o %t 2>&1 | %FileCheck %s
#include <dacead.h>

static double square(double x) {
  return x * x;
}

int main(void) {
  // CHECK: undefined {{.*}}__dacead_autodiff__compile_and_link_with_fpass_plugin_libDaceAD_so
  return (int)__dacead_autodiff((void *)square, 1.0);
}
