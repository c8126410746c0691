; opt knows the pass by its name, and a module without requests passes through as it is.
; RUN: %run -passes=dacead -S %s | %FileCheck %s
; RUN: %run -passes='default<O2>' -S %s | %FileCheck %s --check-prefix=DEFAULT

; CHECK-NOT: declare
; CHECK: define double @square(double %x) {
; CHECK-NEXT: %y = fmul double %x, %x
; CHECK-NEXT: ret double %y
; CHECK-NOT: define
; DEFAULT: define {{.*}}double @square
define double @square(double %x) {
  %y = fmul double %x, %x
  ret double %y
}
