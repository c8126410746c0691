// Covers: the C++ library in a differentiated function: vector, array, lambdas, algorithms,
// streams, memory with alignment.
// ALSO: -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all
// ALSO: -O0 -fno-exceptions
// ALSO: -O2 -fno-exceptions
// ALSO: -O2 -D_GLIBCXX_ASSERTIONS
// FLAGS: -std=c++17
#include "check_gradient.h"
#include <algorithm>
#include <array>
#include <complex>
#include <functional>
#include <iostream>
#include <memory>
#include <numeric>
#include <tuple>
#include <vector>

template <class F> static double fold(const std::vector<double> &v, double z, F f) {
  for (double a : v)
    z = f(z, a);
  return z;
}

// Vectors that grow, arrays that are walked by reference, lambdas with captures.
static double containers(double *x, int n) {
  std::vector<double> v;
  for (int i = 0; i < n; i++)
    v.push_back(x[i] * x[(i + 1) % n]);
  std::array<double, 3> w{x[0], x[1], x[2]};
  for (auto &a : w)
    a = a * a + v[1];
  double k = x[3];
  return w[0] + fold(v, 1.0, [&](double z, double a) { return z * 0.9 + a * k; }) + w[0] * w[1] +
         w[2];
}

// resize, insert, erase, copies, swaps, vectors of vectors.
static double vectors(double *x, int n) {
  std::vector<std::vector<double>> rows;
  std::vector<double> v(x, x + n);
  v.resize(n + 3, x[0]);
  v.insert(v.begin() + 2, x[1] * x[2]);
  v.erase(v.begin());
  v.reserve(40);
  for (int i = 0; i < 4; i++)
    rows.push_back(std::vector<double>(v.begin() + i, v.begin() + i + 4));
  rows.resize(5, v);
  std::swap(rows[0], rows[3]);
  rows[1] = rows[4];
  std::vector<double> moved = std::move(rows[2]);
  double s = moved.back() * moved.front();
  for (const auto &row : rows)
    for (size_t i = 0; i < row.size(); i++)
      s += row[i] * row[row.size() - 1 - i] * double(i + 1);
  return s;
}

// Indices are sorted by numbers that are not active; numbers are summed, scaled, searched.
static double algorithms(double *x, int n) {
  std::vector<int> order(n);
  std::iota(order.begin(), order.end(), 0);
  std::vector<int> key(n);
  for (int i = 0; i < n; i++)
    key[i] = (i * 5 + 2) % n;
  std::sort(order.begin(), order.end(), [&](int a, int b) { return key[a] < key[b]; });
  std::vector<double> v(n);
  std::transform(order.begin(), order.end(), v.begin(), [&](int i) { return x[i] * x[0]; });
  std::reverse(v.begin() + 1, v.end());
  double s =
      std::accumulate(v.begin(), v.end(), 0.0, [](double a, double b) { return a * 0.8 + b * b; });
  s += std::inner_product(v.begin(), v.end(), x, 0.0);
  return s * *std::max_element(v.begin(), v.end()) + std::clamp(x[1], 0.2, 0.5) +
         std::min(x[2], x[3]);
}

// The numbers themselves are sorted: the algorithm's body is here.
static double sorted_numbers(double *x, int n) {
  std::sort(x, x + n);
  double s = 0;
  for (int i = 0; i < n; i++)
    s = s * 0.5 + x[i] * x[i] * i;
  return s;
}

// Complex numbers.
static double complex_numbers(double *x, int n) {
  std::complex<double> z(x[0], x[1]), s = 1;
  for (int i = 0; i < n; i++)
    s = s * z + x[i] / (1.0 + z);
  return std::norm(s) + std::abs(s) * std::arg(s) + std::real(std::exp(z) * std::polar(1.0, x[2]));
}

// Memory by new and delete in all forms.
struct alignas(64) Line {
  double v[8];
};

static double memory(double *x, int n) {
  auto *one = new double(x[0]);
  auto *many = new double[n];
  auto *line = new Line{{x[1], x[2]}};
  auto lines = std::make_unique<Line[]>(2);
  alignas(double) unsigned char place[sizeof(double) * 2];
  auto *in_place = new (place) double(x[3]);
  auto shared = std::make_shared<std::array<double, 4>>();
  std::shared_ptr<std::array<double, 4>> other = shared;
  for (int i = 0; i < n; i++) {
    many[i] = x[i] * *one;
    line->v[i % 8] += many[i] * *in_place;
    lines[i % 2].v[i % 8] = line->v[i % 8];
    (*other)[i % 4] += many[i];
  }
  double s = 0;
  for (int i = 0; i < 8; i++)
    s += line->v[i] * lines[i % 2].v[i] + (*shared)[i % 4] * x[i];
  delete one;
  delete[] many;
  delete line;
  return s;
}

// Output of numbers on the way.
static double streamed(double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) {
    s += x[i] * x[i];
    if (i % 8 == 7)
      std::cout << "sum " << s << ' ' << i << std::endl;
  }
  return s;
}

int main() {
  CHECK(containers);
  CHECK(vectors);
  CHECK(algorithms);
  CHECK(sorted_numbers);
  CHECK(complex_numbers);
  CHECK(memory);
  CHECK(streamed);
  return check_done();
}
