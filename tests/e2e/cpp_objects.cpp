// Covers: C++ objects: virtual calls, inheritance, containers of owners, constructors and
// destructors with effects.
// ALSO: -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all
// ALSO: -O0 -fno-exceptions
// ALSO: -O2 -fno-exceptions
// ALSO: -O2 -mllvm -dacead-no-inline
#include "check_gradient.h"
#include <array>
#include <memory>
#include <vector>

struct Shape {
  double size;
  explicit Shape(double a) : size(a) {
  }
  virtual double area() const = 0;
  virtual void grow(double by) {
    size += by;
  }
  virtual ~Shape() {
  }
};

struct Disk : Shape {
  using Shape::Shape;
  double area() const override {
    return 3.14 * size * size;
  }
};

struct Tile : Shape {
  double width;
  Tile(double a, double b) : Shape(a), width(b) {
  }
  double area() const override {
    return size * width;
  }
  void grow(double by) override {
    Shape::grow(by / 2);
    width *= 1 + by;
  }
};

// Objects on the stack, called through base pointers.
static double on_stack(double *x, int n) {
  Disk d(x[1]);
  Tile t(x[2], x[0] * x[3]);
  Shape *all[2] = {&d, &t};
  double s = 0;
  for (int i = 0; i < n; i++) {
    all[i & 1]->grow(x[i] * 0.1);
    s += all[i & 1]->area() * x[i];
  }
  return s;
}

// Objects on the heap, owned by pointers in a vector.
static double owned(double *x, int n) {
  std::vector<std::unique_ptr<Shape>> shapes;
  double s = 1;
  for (int i = 0; i < n; i++)
    if (i % 3)
      shapes.emplace_back(new Tile(x[i], s));
    else
      shapes.emplace_back(new Disk(x[i]));
  for (auto &p : shapes) {
    p->grow(0.1 * s);
    s += p->area() * 0.1;
  }
  shapes.erase(shapes.begin() + 2);
  shapes[1] = std::make_unique<Disk>(s);
  for (auto &p : shapes)
    s += p->area();
  return s;
}

// Two bases, one of them not first; a pointer to the second is adjusted.
struct Named {
  int name = 0;
  virtual int number() const {
    return name;
  }
  virtual ~Named() {
  }
};

struct Labelled : Disk, Named {
  double factor;
  Labelled(double a, int k) : Disk(a), factor(a * k) {
    name = k;
  }
  double area() const override {
    return Disk::area() * factor + name;
  }
  int number() const override {
    return name * 2;
  }
};

static double two_bases(double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) {
    Labelled l(x[i], i);
    Named *second = &l;
    Shape *first = &l;
    first->grow(x[0] * second->number());
    s += first->area() + static_cast<Labelled *>(second)->factor;
  }
  return s;
}

// A guard whose destructor adds to the caller's number, on every way out.
struct Guard {
  double &sum;
  double mine;
  Guard(double &s, double m) : sum(s), mine(m) {
  }
  Guard(const Guard &) = delete;
  ~Guard() {
    sum += mine * mine;
  }
};

static double guarded(double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) {
    Guard g(s, x[i]);
    if (i % 3 == 0)
      continue;
    g.mine *= x[0];
    Guard h(s, g.mine * s);
    if (s > 3)
      break;
  }
  return s;
}

// Objects moved and copied, with resources of their own.
class Buffer {
  double *data;
  int n;

public:
  explicit Buffer(int k) : data(new double[k]()), n(k) {
  }
  Buffer(const Buffer &b) : data(new double[b.n]), n(b.n) {
    std::copy(b.data, b.data + n, data);
  }
  Buffer(Buffer &&b) noexcept : data(b.data), n(b.n) {
    b.data = nullptr;
  }
  Buffer &operator=(Buffer b) {
    std::swap(data, b.data);
    std::swap(n, b.n);
    return *this;
  }
  ~Buffer() {
    delete[] data;
  }
  double &operator[](int i) {
    return data[i];
  }
  double dot(const Buffer &b) const {
    double s = 0;
    for (int i = 0; i < n; i++)
      s += data[i] * b.data[i];
    return s;
  }
};

static Buffer scaled(Buffer b, double by, int n) {
  for (int i = 0; i < n; i++)
    b[i] *= by;
  return b;
}

static double resources(double *x, int n) {
  Buffer a(n), b(n);
  for (int i = 0; i < n; i++)
    a[i] = x[i];
  b = scaled(a, x[0], n);
  Buffer c = b;
  c[2] = x[3] * a[1];
  a = std::move(c);
  return a.dot(b) + scaled(b, 2, n).dot(a);
}

int main() {
  CHECK(on_stack);
  CHECK(owned);
  CHECK(two_bases);
  CHECK(guarded);
  CHECK(resources);
  return check_done();
}
