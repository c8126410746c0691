! Covers: active data behind the descriptor of a Fortran array, in a function of Fortran's runtime library that has no body: it must be
! refused. At -O0 flang does not write the sum as a loop.
! LEVELS: -O0
! ERROR: DAD-no-body
module squares
  use iso_c_binding
  implicit none
contains
  real(c_double) function f(x, n) bind(c)
    integer(c_int), value :: n
    real(c_double) :: x(n)
    f = sum(x * x)
  end function f
end module squares

program gradient
  use squares
  implicit none
  interface
    real(c_double) function autodiff(g, x, dx, n) bind(c, name="__dacead_autodiff")
      import
      interface
        real(c_double) function g(x, n) bind(c)
          import
          integer(c_int), value :: n
          real(c_double) :: x(n)
        end function g
      end interface
      real(c_double) :: x(*), dx(*)
      integer(c_int), value :: n
    end function autodiff
  end interface
  real(c_double) :: x(4) = [1, 2, 3, 4], dx(4) = 0, unused

  unused = autodiff(f, x, dx, 4_c_int)
  print *, dx
end program gradient
