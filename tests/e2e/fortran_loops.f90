! Covers: Fortran at every level. A derived type with an array component, an allocatable work array, a subroutine that is called by
! reference, and branches.
module chain
  use iso_c_binding
  implicit none

  type springs
    real(c_double) :: stiffness
    real(c_double) :: rest(12)
  end type springs
contains
  ! The force of spring "i" at the length "length".
  subroutine force(s, i, length, strength)
    type(springs), intent(in) :: s
    integer, intent(in) :: i
    real(c_double), intent(in) :: length
    real(c_double), intent(out) :: strength
    if (length > s%rest(i)) then
      strength = s%stiffness * (length - s%rest(i))
    else
      strength = s%stiffness * (exp(length - s%rest(i)) - 1)
    end if
  end subroutine force

  ! Sum of the squared forces on a chain at the places x.
  real(c_double) function f(x, n) bind(c)
    integer(c_int), value :: n
    real(c_double) :: x(n)
    type(springs) :: s
    real(c_double), allocatable :: strength(:)
    integer :: i
    allocate (strength(n - 1))
    s%stiffness = 1.5_c_double + x(1) * x(1)
    do i = 1, n
      s%rest(i) = 0.1_c_double * i + 0.2_c_double * cos(x(i))
    end do
    do i = 1, n - 1
      call force(s, i, x(i + 1) - x(i), strength(i))
    end do
    f = 0
    do i = 1, n - 2
      f = f + (strength(i + 1) - strength(i))**2
    end do
    deallocate (strength)
  end function f
end module chain

program gradient
  use chain
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
