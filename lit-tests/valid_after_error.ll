; Errors leave a valid module, and marker calls behind them are still looked at. opt would end at the first; clang goes on, and verifies
; the module after each pass.
; RUN: rm -f %t.o
; RUN: not %clang --config=%cfg -Wno-override-module -O2 -Xclang -llvm-verify-each -c %s -o %t.o 2>%t.err
; RUN: not test -e %t.o
; RUN: %FileCheck %s <%t.err
; RUN: not %clang --config=%cfg -Wno-override-module -O0 -c %s -o %t.o 2>%t.err
; RUN: %FileCheck %s <%t.err

; CHECK-NOT: Broken
; CHECK: error: {{.*}}'elsewhere'{{.*}}[DAD-no-body]
; CHECK: error: {{.*}}'elsewhere'{{.*}}[DAD-call-no-body]
; CHECK: error: {{.*}}'square'{{.*}}[DAD-call-too-few]
; CHECK: 3 errors generated.

define double @first(double %x) {
  %d = call double (ptr, ...) @__dacead_autodiff(ptr @uses, double %x)
  ret double %d
}

define double @second(double %x) {
  %d = call double (ptr, ...) @__dacead_autodiff(ptr @elsewhere, double %x)
  ret double %d
}

define double @third(double %x) {
  %d = call double (ptr, ...) @__dacead_autodiff(ptr @square, double %x)
  %e = call double (ptr, ...) @__dacead_autodiff(ptr @square)
  ret double %d
}

define double @uses(double %x) {
  %y = call double @elsewhere(double %x)
  %z = fmul double %y, %x
  ret double %z
}

define internal double @square(double %x) {
  %y = fmul double %x, %x
  ret double %y
}

declare double @elsewhere(double)
declare double @__dacead_autodiff(ptr, ...)
