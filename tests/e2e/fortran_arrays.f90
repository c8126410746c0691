! Covers: Fortran. A function of arrays with a loop nest, an array expression, a masked assignment, an intrinsic sum and a work array is
! differentiated through an interface of its own to the marker. At -O0 flang leaves array expressions to its runtime library, which has
! no bodies (fortran_runtime.f90).
! LEVELS: -O1 -O2 -O3
module energy
  use iso_c_binding
  implicit none
contains
  ! Sum of squares of a damped matrix product, plus the logarithm of a norm.
  real(c_double) function f(x, n) bind(c)
    integer(c_int), value :: n
    real(c_double) :: x(n)
    real(c_double) :: work(n)
    integer :: i, j
    work = 0
    do i = 1, n
      do j = 1, i
        work(i) = work(i) + sin(x(j)) * x(i) / real(i + j, c_double)
      end do
    end do
    where (work > 0.5_c_double) work = 0.5_c_double + log(1 + work - 0.5_c_double)
    f = sum(work * work) + log(1 + sqrt(sum(x * x)))
  end function f
end module energy

program gradient
  use energy
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
  integer, parameter :: n = 12
  real(c_double), parameter :: h = 1e-6_c_double
  real(c_double) :: x(n), dx(n), up(n), down(n), difference, unused
  integer :: i

  x = [(0.3_c_double + 0.17_c_double * i, i = 1, n)]
  dx = 0
  unused = autodiff(f, x, dx, n)
  do i = 1, n
    up = x
    down = x
    up(i) = x(i) + h
    down(i) = x(i) - h
    difference = (f(up, n) - f(down, n)) / (2 * h)
    if (.not. abs(difference - dx(i)) <= 1e-7_c_double * (1 + abs(difference))) then
      print *, 'element', i, ': gradient', dx(i), 'difference', difference
      stop 1
    end if
  end do
  print '(a)', 'ok'
end program gradient
