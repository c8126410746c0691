// Covers: markers as templates, markers inside of templates and classes, several in one file.
// ALSO: -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all
// ALSO: -O2 -fno-exceptions -fno-rtti
#include "../programs/check.h"

template <class Result, class... Arguments> Result __dacead_autodiff(void *, Arguments...);
template <class Result, class... Arguments> Result __enzyme_fwddiff(void *, Arguments...);

// The derivative of any function of one number.
template <class T, T (*F)(T)> T derivative(T x) {
  return __dacead_autodiff<T>(reinterpret_cast<void *>(F), x);
}

template <class T> static T cubic(T x) {
  return x * x * x - 2 * x;
}

static double wave(double x) {
  return std::sin(x) * x;
}

// Newton's method for a stationary point needs only the function.
template <double (*F)(double)> static double slope_along(double x, double dx) {
  return __enzyme_fwddiff<double>(reinterpret_cast<void *>(F), x, dx);
}

// A class that holds what is differentiated, and its gradient in a member function.
template <int N> struct Polynomial {
  double c[N];
  static double at(const Polynomial *p, double x) {
    double s = 0;
    for (int i = N; i-- > 0;)
      s = s * x + p->c[i];
    return s;
  }
  double slope(double x, Polynomial &dc) const {
    return __dacead_autodiff<double>(reinterpret_cast<void *>(at), this, &dc, x);
  }
};

struct Two {
  double x, y;
};

static double product(double x, double y) {
  return x * x * y;
}

template <class F> static Two both(F f, double x, double y) {
  (void)f;
  return __dacead_autodiff<Two>(reinterpret_cast<void *>(product), x, y);
}

int main() {
  check_close("double", derivative<double, cubic<double>>(2), 10, 1e-15);
  check_close("float", derivative<float, cubic<float>>(2), 10, 1e-7);
  check_close("wave", derivative<double, wave>(2), std::cos(2.0) * 2 + std::sin(2.0), 1e-15);
  check_close("along", slope_along<wave>(2, 3), 3 * (std::cos(2.0) * 2 + std::sin(2.0)), 1e-14);
  Polynomial<4> p{{1, 2, 3, 4}}, dp{};
  check_close("polynomial", p.slope(2, dp), 2 + 12 + 48, 1e-15);
  check_close("its last coefficient", dp.c[3], 8, 1e-15);
  Two d = both([](double a) { return a; }, 3, 5);
  check_close("by x", d.x, 30, 1e-15);
  check_close("by y", d.y, 9, 1e-15);
  return check_done();
}
