; Functions that never return, loops without exit, code that cannot be reached, blocks without predecessors: the result is a valid module.
; RUN: %run -passes='dacead,verify' -S %s | %FileCheck %s
; RUN: %run -passes='dacead,verify,default<O2>' -S -disable-output %s

; CHECK-NOT: call {{.*}}@__dacead
; CHECK: declare void @abort

define void @callers(ptr %x, ptr %dx) {
  call double (ptr, ...) @__dacead_autodiff(ptr @endless, ptr %x, ptr %dx)
  call double (ptr, ...) @__dacead_autodiff(ptr @aborts, ptr %x, ptr %dx)
  call double (ptr, ...) @__dacead_autodiff(ptr @nowhere, ptr %x, ptr %dx)
  call double (ptr, ...) @__dacead_autodiff(ptr @islands, ptr %x, ptr %dx)
  call double (ptr, ...) @__dacead_autodiff(ptr @only_some_return, ptr %x, ptr %dx)
  call double (ptr, ...) @__dacead_autodiff(ptr @itself, ptr %x, ptr %dx)
  call double (ptr, ...) @__dacead_fwddiff(ptr @endless, ptr %x, ptr %dx)
  call double (ptr, ...) @__dacead_fwddiff(ptr @aborts, ptr %x, ptr %dx)
  call double (ptr, ...) @__dacead_fwddiff(ptr @nowhere, ptr %x, ptr %dx)
  call double (ptr, ...) @__dacead_fwddiff(ptr @islands, ptr %x, ptr %dx)
  call double (ptr, ...) @__dacead_fwddiff(ptr @only_some_return, ptr %x, ptr %dx)
  call double (ptr, ...) @__dacead_fwddiff(ptr @itself, ptr %x, ptr %dx)
  ret void
}

define double @endless(ptr %x) {
entry:
  br label %loop
loop:
  %v = load double, ptr %x
  %w = fmul double %v, %v
  store double %w, ptr %x
  br label %loop
}

define double @aborts(ptr %x) {
  %v = load double, ptr %x
  %w = fmul double %v, %v
  store double %w, ptr %x
  call void @abort()
  unreachable
}

define double @nowhere(ptr %x) {
  unreachable
}

define double @islands(ptr %x) {
entry:
  %v = load double, ptr %x
  %w = fmul double %v, %v
  ret double %w
island:
  %a = phi double [ %b, %island ]
  %b = fmul double %a, %a
  br label %island
}

define double @only_some_return(ptr %x) {
entry:
  %v = load double, ptr %x
  %c = fcmp ogt double %v, 0.0
  br i1 %c, label %good, label %bad
good:
  %w = fmul double %v, %v
  ret double %w
bad:
  call void @abort()
  br label %bad
}

define double @itself(ptr %x) {
  %r = call double @itself(ptr %x)
  ret double %r
}

declare double @__dacead_autodiff(ptr, ...)
declare double @__dacead_fwddiff(ptr, ...)
declare void @abort()
