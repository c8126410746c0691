! Covers: Fortran at every level. A subroutine with explicit-shape arrays of two dimensions, results through arguments, module variables,
! do while, exit, cycle, select case, a statement that swaps; forward mode along a direction; single precision.
module diffusion
  use iso_c_binding
  implicit none
  real(c_double) :: source = 0.25_c_double
contains
  ! Steps of an implicit scheme on the field u(n, m), whose lines are swept forward and backward; the changes add up in "change".
  subroutine diffuse(u, v, change, n, m) bind(c)
    integer(c_int), value :: n, m
    real(c_double) :: u(n, m), v(n, m), change(1)
    real(c_double) :: swap
    integer :: i, j, steps
    steps = 0
    change(1) = 0
    do while (steps < 3)
      steps = steps + 1
      lines: do j = 1, m
        if (j == 2 .and. steps == 2) cycle lines
        v(1, j) = u(1, j)
        do i = 2, n
          v(i, j) = (u(i, j) + 0.5_c_double * v(i - 1, j)) / (1.5_c_double + source * u(i, j)**2)
          if (v(i, j) > 3) exit lines
        end do
        select case (mod(j, 3))
        case (0)
          v(1, j) = v(1, j) + v(n, j) * u(2, j)
        case (1)
          v(2, j) = max(v(2, j), u(1, j))
        case default
          v(n, j) = sqrt(abs(v(n, j)) + 1)
        end select
      end do lines
      do j = 1, m
        do i = 1, n
          swap = u(i, j)
          u(i, j) = v(i, j)
          v(i, j) = swap
          change(1) = change(1) + (u(i, j) - v(i, j))**2
        end do
      end do
    end do
  end subroutine diffuse

  ! A power series in single precision.
  real(c_float) function series(c, n, x) bind(c)
    integer(c_int), value :: n
    real(c_float) :: c(n)
    real(c_float), value :: x
    integer :: i
    series = 0
    do i = n, 1, -1
      series = series * x + c(i)
    end do
  end function series
end module diffusion

program gradient
  use diffusion
  implicit none
  abstract interface
    subroutine field(u, v, change, n, m) bind(c)
      import
      integer(c_int), value :: n, m
      real(c_double) :: u(n, m), v(n, m), change(1)
    end subroutine field
  end interface
  interface
    subroutine reverse(g, u, du, v, dv, change, dchange, n, m) bind(c, name="__dacead_autodiff")
      import
      procedure(field) :: g
      real(c_double) :: u(*), du(*), v(*), dv(*), change(*), dchange(*)
      integer(c_int), value :: n, m
    end subroutine reverse
    subroutine forward(g, u, du, v, dv, change, dchange, n, m) bind(c, name="__dacead_fwddiff")
      import
      procedure(field) :: g
      real(c_double) :: u(*), du(*), v(*), dv(*), change(*), dchange(*)
      integer(c_int), value :: n, m
    end subroutine forward
    real(c_float) function reverse_single(g, c, dc, n, x) bind(c, name="__dacead_autodiff_single")
      import
      interface
        real(c_float) function g(c, n, x) bind(c)
          import
          integer(c_int), value :: n
          real(c_float) :: c(n)
          real(c_float), value :: x
        end function g
      end interface
      real(c_float) :: c(*), dc(*)
      integer(c_int), value :: n
      real(c_float), value :: x
    end function reverse_single
  end interface
  integer, parameter :: n = 5, m = 4
  real(c_double), parameter :: h = 1e-5_c_double
  real(c_double) :: start(n, m), u(n, m), v(n, m), du(n, m), dv(n, m), direction(n, m)
  real(c_double) :: change(1), dchange(1), by_reverse, by_forward, up, down
  real(c_float) :: c(3), dc(3), slope
  integer :: i, j

  do j = 1, m
    do i = 1, n
      start(i, j) = 0.4_c_double + 0.07_c_double * mod(3 * i + 5 * j, 11)
      direction(i, j) = 0.3_c_double - 0.1_c_double * mod(i + 2 * j, 7)
    end do
  end do

  u = start
  v = 0
  du = 0
  dv = 0
  dchange = 1
  call reverse(diffuse, u, du, v, dv, change, dchange, n, m)
  by_reverse = sum(du * direction)

  u = start
  v = 0
  du = direction
  dv = 0
  dchange = 0
  call forward(diffuse, u, du, v, dv, change, dchange, n, m)
  by_forward = dchange(1)

  u = start + h * direction
  v = 0
  call diffuse(u, v, change, n, m)
  up = change(1)
  u = start - h * direction
  v = 0
  call diffuse(u, v, change, n, m)
  down = change(1)
  call compare('forward mode', by_forward, (up - down) / (2 * h), 1e-8_c_double)
  call compare('reverse mode', by_reverse, by_forward, 1e-13_c_double)

  c = [1.0, 2.0, 3.0]
  dc = 0
  slope = reverse_single(series, c, dc, 3, 2.0)
  call compare('slope', real(slope, c_double), 14.0_c_double, 1e-6_c_double)
  call compare('last coefficient', real(dc(3), c_double), 4.0_c_double, 1e-6_c_double)
  print '(a)', 'ok'
contains
  subroutine compare(what, got, want, tolerance)
    character(*), intent(in) :: what
    real(c_double), intent(in) :: got, want, tolerance
    if (.not. abs(got - want) <= tolerance * abs(want)) then
      print *, what, ': got', got, 'want', want
      stop 1
    end if
  end subroutine compare
end program gradient
