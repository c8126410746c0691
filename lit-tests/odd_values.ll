; Undefined and poison numbers, aggregates, wide integers, empty types, constants folded into expressions: differentiated or refused, in a
; valid module.
; RUN: split-file %s %t
; RUN: %run -passes='dacead,verify' -S %t/accepted.ll | %FileCheck %s
; RUN: %run -passes='dacead,verify,default<O3>' -disable-output %t/accepted.ll
; RUN: not %run -passes='dacead,verify' -S %t/half.ll -o /dev/null 2>&1 | %FileCheck %s --check-prefix=REFUSED
; RUN: not %run -passes='dacead,verify' -S %t/scalable.ll -o /dev/null 2>&1 | %FileCheck %s --check-prefix=REFUSED
; RUN: not %run -passes='dacead,verify' -S %t/addrspace.ll -o /dev/null 2>&1 | %FileCheck %s --check-prefix=REFUSED
; RUN: not %run -passes='dacead,verify' -S %t/wide.ll -o /dev/null 2>&1 | %FileCheck %s --check-prefix=REFUSED
; RUN: not %run -passes='dacead,verify' -S %t/packed.ll -o /dev/null 2>&1 | %FileCheck %s --check-prefix=REFUSED

; REFUSED: error: {{.*}}[DAD-{{[a-z-]+}}]
; CHECK-NOT: call {{.*}}@__dacead

;--- accepted.ll
@g = internal global { double, ptr } { double 1.0, ptr @g }
@f_alias = internal alias double (double), ptr @through_alias

define void @callers(double %x, ptr %p, ptr %dp) {
  call double (ptr, ...) @__dacead_autodiff(ptr @undefined, double %x)
  call double (ptr, ...) @__dacead_autodiff(ptr @aggregates, double %x)
  call double (ptr, ...) @__dacead_autodiff(ptr @f_alias, double %x)
  call double (ptr, ...) @__dacead_autodiff(ptr @constants, double %x)
  call double (ptr, ...) @__dacead_autodiff(ptr @empty, double %x)
  call double (ptr, ...) @__dacead_autodiff(ptr @frozen, double %x)
  call double (ptr, ...) @__dacead_autodiff(ptr @selects, double %x, ptr %p, ptr %dp)
  ret void
}

define double @undefined(double %x) {
  %a = fmul double %x, undef
  %b = fadd double %a, poison
  %c = select i1 undef, double %b, double %x
  ret double %c
}

define double @aggregates(double %x) {
  %a = insertvalue { double, { float, i64 }, [2 x double] } poison, double %x, 0
  %b = insertvalue { double, { float, i64 }, [2 x double] } %a, double %x, 2, 1
  %p = alloca { double, { float, i64 }, [2 x double] }
  store { double, { float, i64 }, [2 x double] } %b, ptr %p
  %c = load { double, { float, i64 }, [2 x double] }, ptr %p
  %d = extractvalue { double, { float, i64 }, [2 x double] } %c, 0
  %e = extractvalue { double, { float, i64 }, [2 x double] } %c, 2, 1
  %f = fmul double %d, %e
  ret double %f
}

define double @through_alias(double %x) {
  %y = fneg double %x
  %z = fmul double %x, %y
  ret double %z
}

define double @constants(double %x) {
  store double %x, ptr @g
  %p = load ptr, ptr getelementptr inbounds ({ double, ptr }, ptr @g, i64 0, i32 1)
  %v = load double, ptr %p
  %w = fmul double %v, %x
  ret double %w
}

define double @empty(double %x) {
  %p = alloca {}
  store {} zeroinitializer, ptr %p
  %q = alloca [0 x double]
  ret double %x
}

define double @frozen(double %x) {
  %y = freeze double %x
  %z = fmul double %y, %y
  ret double %z
}

define double @selects(double %x, ptr %p) {
  %c = fcmp uno double %x, %x
  %q = select i1 %c, ptr %p, ptr null
  %n = icmp eq ptr %q, null
  br i1 %n, label %no, label %yes
no:
  ret double %x
yes:
  %v = load double, ptr %q, align 1
  %w = fmul double %v, %x
  ret double %w
}

declare double @__dacead_autodiff(ptr, ...)

;--- half.ll
define double @caller(double %x) {
  %d = call double (ptr, ...) @__dacead_autodiff(ptr @f, double %x)
  ret double %d
}
define double @f(double %x) {
  %h = fptrunc double %x to half
  %s = fmul half %h, %h
  %y = fpext half %s to double
  ret double %y
}
declare double @__dacead_autodiff(ptr, ...)

;--- scalable.ll
define double @caller(ptr %x, ptr %dx) {
  %d = call double (ptr, ...) @__dacead_autodiff(ptr @f, ptr %x, ptr %dx)
  ret double %d
}
define double @f(ptr %x) {
  %v = load <vscale x 2 x double>, ptr %x
  %w = fmul <vscale x 2 x double> %v, %v
  %y = extractelement <vscale x 2 x double> %w, i64 0
  ret double %y
}
declare double @__dacead_autodiff(ptr, ...)

;--- addrspace.ll
define double @caller(ptr addrspace(3) %x, ptr addrspace(3) %dx) {
  %d = call double (ptr, ...) @__dacead_autodiff(ptr @f, ptr addrspace(3) %x, ptr addrspace(3) %dx)
  ret double %d
}
define double @f(ptr addrspace(3) %x) {
  %v = load double, ptr addrspace(3) %x
  %w = fmul double %v, %v
  ret double %w
}
declare double @__dacead_autodiff(ptr, ...)

;--- wide.ll
define double @caller(ptr %x, ptr %dx) {
  %d = call double (ptr, ...) @__dacead_autodiff(ptr @f, ptr %x, ptr %dx)
  ret double %d
}
define double @f(ptr %x) {
  %v = load i128, ptr %x
  %r = lshr i128 %v, 12
  store i128 %r, ptr %x
  %w = load double, ptr %x
  ret double %w
}
declare double @__dacead_autodiff(ptr, ...)

;--- packed.ll
define double @caller(ptr %x, ptr %dx) {
  %d = call double (ptr, ...) @__dacead_autodiff(ptr @f, ptr %x, ptr %dx)
  ret double %d
}
define double @f(ptr %x) {
  %v = load i24, ptr %x
  %q = getelementptr i8, ptr %x, i64 8
  store i24 %v, ptr %q
  %w = load double, ptr %q
  ret double %w
}
declare double @__dacead_autodiff(ptr, ...)
