; The derivative of a function without control flow is straight-line code in the caller's module, and the marker is gone.
; RUN: %run -passes=dacead -S %s | %FileCheck %s

; CHECK-NOT: __dacead_
; CHECK: define double @caller(double %x)
; CHECK: fmul
; CHECK-NOT: call {{.*}} @drt_push
define double @caller(double %x) {
  %d = call double (ptr, ...) @__dacead_autodiff(ptr @square, double %x)
  ret double %d
}

define internal double @square(double %x) {
  %y = fmul double %x, %x
  ret double %y
}

declare double @__dacead_autodiff(ptr, ...)
