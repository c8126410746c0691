// Covers: templates, operators, references, expression templates: small classes of numbers as C++
// programs have them.
// ALSO: -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all
// ALSO: -O2 -mllvm -dacead-no-inline
// ALSO: -O0 -mllvm -dacead-collapse
#include "check_gradient.h"
#include <type_traits>
#include <utility>

// A vector of fixed length with operators.
template <class T, int N> struct Vec {
  T v[N];
  T &operator[](int i) {
    return v[i];
  }
  const T &operator[](int i) const {
    return v[i];
  }
  Vec &operator+=(const Vec &b) {
    for (int i = 0; i < N; i++)
      v[i] += b.v[i];
    return *this;
  }
};

template <class T, int N> static Vec<T, N> operator+(Vec<T, N> a, const Vec<T, N> &b) {
  return a += b;
}

template <class T, int N> static Vec<T, N> operator*(T a, Vec<T, N> b) {
  for (auto &e : b.v)
    e *= a;
  return b;
}

template <class T, int N> static T dot(const Vec<T, N> &a, const Vec<T, N> &b) {
  T s{};
  for (int i = 0; i < N; i++)
    s += a[i] * b[i];
  return s;
}

static double vectors(double *x, int n) {
  Vec<double, 3> a{{x[0], x[1], x[2]}}, b{{x[3], x[4], x[5]}};
  Vec<float, 2> c{{0.5f, 2}};
  for (int i = 0; i < n; i++) {
    a = x[i] * 0.5 * a + b;
    b += dot(a, b) * 0.01 * x[0] * a;
    c[i & 1] += 1;
  }
  return dot(a, b) * c[0];
}

// A number that carries a derivative of its own, as forward-mode classes do.
struct Dual {
  double value, tangent;
  Dual(double v = 0, double t = 0) : value(v), tangent(t) {
  }
};

static Dual operator*(Dual a, Dual b) {
  return {a.value * b.value, a.tangent * b.value + a.value * b.tangent};
}

static Dual operator+(Dual a, Dual b) {
  return {a.value + b.value, a.tangent + b.tangent};
}

static Dual sine(Dual a) {
  return {std::sin(a.value), std::cos(a.value) * a.tangent};
}

template <class T> static T polynomial(const T *x, int n) {
  T s = 1.0;
  for (int i = 0; i < n; i++)
    s = s * x[i] + x[n - 1 - i] * 0.5;
  return s;
}

// A derivative by hand inside of the differentiated function: second derivatives come out.
static double duals(double *x, int n) {
  Dual d[CHECK_N];
  for (int i = 0; i < n; i++)
    d[i] = Dual(x[i], i == 2);
  Dual s = sine(polynomial(d, n)) * d[1];
  return s.value + s.tangent;
}

// Expression templates: the sum is computed element by element when it is assigned.
namespace lazy {
template <class L, class R> struct Sum {
  const L &l;
  const R &r;
  double at(int i) const {
    return l.at(i) + r.at(i);
  }
};

template <class L, class R> struct Product {
  const L &l;
  const R &r;
  double at(int i) const {
    return l.at(i) * r.at(i);
  }
};

struct Array {
  double *data;
  int n;
  double at(int i) const {
    return data[i];
  }
  template <class E> Array &operator=(const E &e) {
    for (int i = 0; i < n; i++)
      data[i] = e.at(i);
    return *this;
  }
};

template <class L, class R> static Sum<L, R> operator+(const L &l, const R &r) {
  return {l, r};
}

template <class L, class R> static Product<L, R> operator*(const L &l, const R &r) {
  return {l, r};
}

} // namespace lazy

static double expressions(double *x, int n) {
  double t[CHECK_N], u[CHECK_N];
  lazy::Array a{x, n}, b{t, n}, c{u, n};
  b = a * a;
  c = a * b + b * b;
  a = c + a * b;
  double s = 0;
  for (int i = 0; i < n; i++)
    s += a.at(i) * (i + 1);
  return s;
}

// References as members, arguments and results; which one is chosen at run time.
static double &larger(double &a, double &b) {
  return a > b ? a : b;
}

struct View {
  double &first;
  const double &second;
  double sum() const {
    return first * second;
  }
};

static double references(double *x, int n) {
  double s = 0, t = 1;
  for (int i = 0; i + 1 < n; i++) {
    larger(s, t) *= x[i];
    larger(x[i], x[i + 1]) += s;
    View v{x[i], t};
    s += v.sum();
    v.first = s * 0.5;
  }
  return s * t;
}

// Recursion of templates, variadic templates and compile-time choices.
template <int K> static double power(double a) {
  if constexpr (K == 0)
    return 1;
  else
    return a * power<K - 1>(a);
}

template <class... T> static double sum_of_squares(T... a) {
  return (... + (a * a));
}

static double templates(double *x, int n) {
  return power<5>(x[0]) + sum_of_squares(x[1], x[2] * x[3], x[n - 1]) * power<2>(x[4]);
}

// Lambdas that capture by value and by reference, are stored, and return lambdas.
static double lambdas(double *x, int n) {
  double s = 0;
  auto add = [&s](double a) { s += a * a; };
  auto scaled = [](double by) { return [by](double a) { return a * by; }; };
  auto half = scaled(0.5), by_first = scaled(x[0]);
  for (int i = 0; i < n; i++) {
    add(half(x[i]));
    auto counter = [k = x[i]]() mutable { return k *= 2; };
    counter();
    add(by_first(counter()));
  }
  return s;
}

int main() {
  CHECK(vectors);
  CHECK(duals);
  CHECK(expressions);
  CHECK(references);
  CHECK(templates);
  CHECK(lambdas);
  return check_done();
}
