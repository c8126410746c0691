; Markers in odd places: in a function that nobody calls, twice on one function, invoked, with the result unused, with casts, in an
; unreachable block, with an undefined function; a marker that is not called is left alone.
; RUN: split-file %s %t
; RUN: %run -passes='dacead,verify' -S %t/accepted.ll | %FileCheck %s
; RUN: not %clang --config=%cfg -Wno-override-module -c %t/undefined.ll -o %t.o 2>&1 | %FileCheck %s --check-prefix=REFUSED
; REFUSED: error: {{.*}}[DAD-call-not-function]
; REFUSED: error: {{.*}}[DAD-call-not-function]
; REFUSED: error: {{.*}}[DAD-call-not-function]

;--- accepted.ll
; CHECK: store ptr @__dacead_autodiff
; CHECK-NOT: call {{.*}}@__dacead_autodiff
; CHECK-NOT: = invoke
define internal double @nobody(double %x) {
  %a = call double (ptr, ...) @__dacead_autodiff(ptr @square, double %x)
  %b = call double (ptr, ...) @__dacead_autodiff(ptr @square, double %a)
  call void (ptr, ...) @__dacead_autodiff_void(ptr @square, double %a)
  ret double %b
island:
  %c = call double (ptr, ...) @__dacead_autodiff(ptr @square, double %x)
  ret double %c
}

define void @stored(ptr %p) {
  store ptr @__dacead_autodiff, ptr %p
  ret void
}

define double @invoked(double %x) personality ptr @__gxx_personality_v0 {
  %d = invoke double (ptr, ...) @__dacead_autodiff(ptr @square, double %x) to label %good unwind label %bad
good:
  ret double %d
bad:
  %l = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %l
}

define internal double @square(double %x) {
  %y = fmul double %x, %x
  ret double %y
}

declare i32 @__gxx_personality_v0(...)
declare double @__dacead_autodiff(ptr, ...)
declare void @__dacead_autodiff_void(ptr, ...)

;--- undefined.ll
define double @callers(double %x) {
  %a = call double (ptr, ...) @__dacead_autodiff(ptr undef, double %x)
  %b = call double (ptr, ...) @__dacead_autodiff(ptr null, double %x)
  %c = call double @__dacead_autodiff_nothing()
  ret double %a
}
declare double @__dacead_autodiff(ptr, ...)
declare double @__dacead_autodiff_nothing()
