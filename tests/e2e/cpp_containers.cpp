// Covers: containers and wrappers of the C++ library whose code is partly in the library: lists,
// maps, hash tables, deques, std::function, std::variant, std::optional, std::valarray.
// ALSO: -O1 -mllvm -dacead-no-inline -DNO_VARIANT
// ALSO: -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all
// ALSO: -O2 -fno-exceptions
// FLAGS: -std=c++17
#include "check_gradient.h"
#include <cmath>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <valarray>
#include <variant>
#include <vector>

// Hooked, spliced, reversed, sorted by an inactive key, erased.
static double lists(double *x, int n) {
  struct item {
    int key;
    double value;
  };
  std::list<item> a, b;
  for (int i = 0; i < n; i++)
    (i % 3 ? a : b).push_front({i * 7 % 5, x[i] * x[n - 1 - i]});
  a.splice(std::next(a.begin()), b, b.begin());
  a.reverse();
  a.sort([](const item &p, const item &q) { return p.key < q.key; });
  a.erase(std::next(a.begin()));
  a.swap(b);
  double s = 0;
  for (const item &i : b)
    s = s * 0.7 + i.value * (1 + i.key);
  for (auto i = a.rbegin(); i != a.rend(); ++i)
    s += i->value * s;
  return s;
}

// Trees: insertion, look-up, erasure, copies that go on growing, both directions.
static double maps(double *x, int n) {
  std::map<int, double> m;
  std::multimap<int, double> names;
  std::set<int> even;
  for (int i = 0; i < 3 * n; i++) {
    m[i * 11 % 17] += x[i % n] * x[(i + 1) % n];
    names.insert({-i % 4, x[i % n]});
    even.insert(2 * (i * 5 % 7));
  }
  std::map<int, double> copy = m;
  for (int i = 0; i < 5; i++)
    copy.erase(i * 3);
  for (int i = 20; i < 20 + n; i++)
    copy[i] = m[i % 17] * x[0];
  double s = 0, weight = 1;
  for (const auto &[key, value] : copy)
    s += key * value * value * 0.01;
  for (auto i = m.rbegin(); i != m.rend(); ++i)
    s += weight * i->second, weight *= 0.8;
  for (const auto &[key, value] : names)
    s += value * (key - 1);
  return s + *even.rbegin() * m.find(3)->second;
}

static double hash_tables(double *x, int n) {
  std::unordered_map<long, double> m;
  for (int i = 0; i < 4 * n; i++)
    m[i * 7 % 13] += x[i % n] * i;
  m.erase(5);
  double s = 0;
  for (const auto &entry : m)
    s += entry.second * entry.second * (double)(1 + entry.first);
  return s + m.at(1) * (double)m.count(2);
}

static double solve(const std::function<double(double)> &f,
                    const std::function<double(double)> &slope, double x) {
  for (int i = 0; i < 50; i++) {
    double step = f(x) / slope(x);
    x -= step;
    if (std::fabs(step) < 1e-15)
      break;
  }
  return x;
}

static double functions(double *x, int n) {
  std::vector<std::function<double(double)>> stages;
  for (int i = 0; i < n; i++)
    stages.push_back([=](double t) { return t * x[i] + std::sin(t); });
  double t = solve([&](double z) { return z * z * z - x[0] * z - x[1] - 1; },
                   [&](double z) { return 3 * z * z - x[0]; }, 2);
  for (const auto &stage : stages)
    t = stage(0.3 * t);
  return t;
}

static std::optional<double> root(double x) {
  if (x < 0)
    return std::nullopt;
  return std::sqrt(x);
}

static double wrappers(double *x, int n) {
  std::deque<double> d;
  for (int i = 0; i < 100; i++)
    i % 2 ? d.push_back(x[i % n] * i) : d.push_front(x[i % n]);
  double s = d.front() * d[37] + d.back();
  for (int i = 0; i < n; i++)
    s += root(x[i] - 0.5).value_or(x[i] * x[i]);
  std::valarray<double> a(x, n), b = std::sqrt(a * a + 1.0) * a;
  return s + (a * b).sum() + b.max();
}

#ifndef NO_VARIANT /* std::visit hands its arguments to a variadic lambda, which must be inlined   \
                    */
static double variants(double *x, int n) {
  std::variant<double, std::vector<double>> v;
  double s = 0;
  for (int i = 0; i < n; i++) {
    if (i % 2)
      v = x[i] * 2;
    else
      v = std::vector<double>{x[i], x[i] * x[n - 1 - i]};
    s += std::visit(
        [](auto &held) -> double {
          if constexpr (std::is_same_v<std::decay_t<decltype(held)>, double>)
            return held * held;
          else
            return held[0] * held[1];
        },
        v);
  }
  return s;
}
#endif

int main() {
  CHECK(lists);
  CHECK(maps);
  CHECK(hash_tables);
  CHECK(functions);
  CHECK(wrappers);
#ifndef NO_VARIANT
  CHECK(variants);
#endif
  return check_done();
}
