// Covers: Lagrangian hydrodynamics in C++. A class of vectors on a staggered grid of hexahedra,
// corner forces gathered through connectivity, conditionals in the equation of state, work arrays
// per step.
#include "check.h"
#include <algorithm>
#include <array>
#include <vector>

struct Vector {
  double x = 0, y = 0, z = 0;

  Vector &operator+=(const Vector &b) {
    x += b.x;
    y += b.y;
    z += b.z;
    return *this;
  }
};

static inline Vector operator+(Vector a, const Vector &b) {
  return a += b;
}

static inline Vector operator*(double factor, const Vector &a) {
  return {factor * a.x, factor * a.y, factor * a.z};
}

static inline double dot(const Vector &a, const Vector &b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline Vector cross(const Vector &a, const Vector &b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

// The corners of a zone: corner 4 k + 2 j + i is at (i, j, k) of the unit cube.
using Corners = std::array<Vector, 8>;

// Corners of each face, counter-clockwise from outside.
static const int faces[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};

// Motions of a zone that leave its volume alone to first order, per corner.
static const int hourglass_modes[4][8] = {{1, -1, -1, 1, 1, -1, -1, 1},
                                          {1, -1, 1, -1, -1, 1, -1, 1},
                                          {1, 1, -1, -1, -1, -1, 1, 1},
                                          {-1, 1, 1, -1, 1, -1, -1, 1}};

// Volume of the zone with corners "at"; each face consists of four triangles around its centre.
// "gradient" gets the derivatives of the volume with respect to the corners.
static double volume_gradient(const Corners &at, Corners &gradient) {
  double volume = 0;
  gradient.fill(Vector());
  for (const int *face : faces) {
    Vector centre = 0.25 * (at[face[0]] + at[face[1]] + at[face[2]] + at[face[3]]);
    Vector shared;
    for (int i = 0; i < 4; i++) {
      int a = face[i], b = face[(i + 1) % 4];
      Vector normal = cross(at[a], at[b]);
      volume += dot(normal, centre) / 6;
      gradient[a] += 1. / 6 * cross(at[b], centre);
      gradient[b] += 1. / 6 * cross(centre, at[a]);
      shared += normal;
    }
    for (int i = 0; i < 4; i++)
      gradient[face[i]] += 1. / 24 * shared;
  }
  return volume;
}

// Equation of state and artificial viscosity.
struct Material {
  double gamma = 1.4;         // ratio of specific heats
  double stiffness = 0.5;     // of the pressure added under compression
  double density = 1;         // where that pressure is zero
  double linear = 0.25;       // coefficients of the artificial viscosity
  double quadratic = 1.5;     //
  double hourglass = 0.1;     // damping of hourglass modes
  double pressure_cut = 1e-6; // smaller pressures are zero

  // Pressure of matter of density "rho" and specific internal energy "e"; "sound" gets its speed.
  double pressure(double rho, double e, double &sound) const {
    double p = (gamma - 1) * rho * e, slope = gamma * (gamma - 1) * e;
    if (rho > density) {
      double excess = rho / density - 1;
      p += stiffness * excess * excess;
      slope += 2 * stiffness * excess / density;
    }
    if (p < pressure_cut)
      p = 0;
    sound = slope > 1e-12 ? std::sqrt(slope) : 1e-6;
    return p;
  }

  // Artificial viscosity where the volume changes at the relative rate "rate".
  double viscosity(double rho, double sound, double length, double rate) const {
    if (rate >= 0)
      return 0;
    double jump = -rate * length;
    return rho * jump * (quadratic * jump + linear * sound);
  }
};

class Hydro {
public:
  explicit Hydro(int n);

  double kinetic_energy() const;
  double internal_energy() const;
  void run(int steps);
  void clear();

  int zones() const {
    return static_cast<int>(zone_nodes.size());
  }

  int nodes() const {
    return static_cast<int>(position.size());
  }

  Material material;
  std::vector<double> energy;   // of each zone, specific
  std::vector<Vector> velocity; // of each node

private:
  // Quantities of zones that live for one step.
  struct Work {
    explicit Work(int zones) : force(8 * zones), limit(zones) {
    }

    std::vector<Vector> force; // on each corner of each zone
    std::vector<double> limit; // of the time step
  };

  Corners gather(int zone, const std::vector<Vector> &field) const;
  void corner_forces(int zone, Work &work) const;
  void choose_time_step(const Work &work);
  void move(const Work &work);
  void step();

  std::vector<std::array<int, 8>> zone_nodes;  // corners of each zone
  std::vector<int> first_corner, node_corners; // of each node: its corners, as 8 zone + corner
  std::vector<unsigned char> walls;            // of each node: bits of fixed components
  std::vector<Vector> position;                // of each node
  std::vector<double> zone_mass, node_mass;
  double time = 0, time_step = 5e-3;
};

// The unit cube of "n"^3 zones, its nodes a little displaced, walls at x = 0, y = 0 and z = 0.
// Energy is concentrated at the origin.
Hydro::Hydro(int n) {
  int edge = n + 1;
  for (int i = 0; i < edge * edge * edge; i++) {
    int x = i % edge, y = i / edge % edge, z = i / (edge * edge);
    walls.push_back(static_cast<unsigned char>((x == 0) | (y == 0) << 1 | (z == 0) << 2));
    auto place = [n](int k) { return (k + (k ? check_random(-0.1, 0.1) : 0)) / n; };
    position.push_back({place(x), place(y), place(z)});
    velocity.push_back({x ? check_random(-0.1, 0.1) : 0, y ? check_random(-0.1, 0.1) : 0,
                        z ? check_random(-0.1, 0.1) : 0});
  }
  for (int i = 0; i < n * n * n; i++) {
    int x = i % n, y = i / n % n, z = i / (n * n);
    std::array<int, 8> corners;
    for (int c = 0; c < 8; c++)
      corners[c] = (x + (c & 1)) + edge * (y + (c >> 1 & 1)) + edge * edge * (z + (c >> 2));
    zone_nodes.push_back(corners);
    energy.push_back(check_random(0.5, 1) + 10 * std::exp(-3. * (x + y + z)));
  }
  std::vector<std::vector<int>> corners_of(nodes());
  node_mass.assign(nodes(), 0);
  for (int zone = 0; zone < zones(); zone++) {
    Corners gradient;
    zone_mass.push_back(volume_gradient(gather(zone, position), gradient));
    for (int c = 0; c < 8; c++) {
      corners_of[zone_nodes[zone][c]].push_back(8 * zone + c);
      node_mass[zone_nodes[zone][c]] += zone_mass[zone] / 8;
    }
  }
  first_corner.push_back(0);
  for (const std::vector<int> &corners : corners_of) {
    node_corners.insert(node_corners.end(), corners.begin(), corners.end());
    first_corner.push_back(static_cast<int>(node_corners.size()));
  }
}

// The values of "field" at the corners of "zone".
Corners Hydro::gather(int zone, const std::vector<Vector> &field) const {
  Corners values;
  for (int c = 0; c < 8; c++)
    values[c] = field[zone_nodes[zone][c]];
  return values;
}

// Forces of "zone" on its corners (pressure, viscosity, hourglass damping), and the time step at
// which a signal crosses part of it.
void Hydro::corner_forces(int zone, Work &work) const {
  Corners gradient, speed = gather(zone, velocity);
  double volume = volume_gradient(gather(zone, position), gradient);
  double rho = zone_mass[zone] / volume, length = std::cbrt(volume), sound, rate = 0;
  double p = material.pressure(rho, energy[zone], sound);
  for (int c = 0; c < 8; c++)
    rate += dot(gradient[c], speed[c]) / volume;
  double stress = p + material.viscosity(rho, sound, length, rate);
  Vector *force = &work.force[8 * zone];
  for (int c = 0; c < 8; c++)
    force[c] = stress * gradient[c];
  for (const int *mode : hourglass_modes) {
    Vector amplitude;
    for (int c = 0; c < 8; c++)
      amplitude += static_cast<double>(mode[c]) * speed[c];
    double damping = material.hourglass * rho * sound * length * length / 8;
    for (int c = 0; c < 8; c++)
      force[c] += -damping * mode[c] * amplitude;
  }
  work.limit[zone] = 0.3 * length / (sound + std::fabs(rate) * length);
}

// The time step grows slowly and stays below the limits of all zones.
void Hydro::choose_time_step(const Work &work) {
  double limit = 1.1 * time_step;
  for (double zone_limit : work.limit)
    limit = std::min(limit, zone_limit);
  time_step = limit;
}

// Move the nodes by the forces on their corners; the work done comes from the zones' energy, so
// that the total energy is conserved to rounding.
void Hydro::move(const Work &work) {
  std::vector<Vector> middle(nodes());
  for (int node = 0; node < nodes(); node++) {
    Vector force;
    for (int k = first_corner[node]; k < first_corner[node + 1]; k++)
      force += work.force[node_corners[k]];
    Vector change = time_step / node_mass[node] * force;
    if (walls[node] & 1)
      change.x = 0;
    if (walls[node] & 2)
      change.y = 0;
    if (walls[node] & 4)
      change.z = 0;
    middle[node] = velocity[node] + 0.5 * change;
    velocity[node] += change;
    position[node] += time_step * middle[node];
  }
  for (int zone = 0; zone < zones(); zone++) {
    double power = 0;
    for (int c = 0; c < 8; c++)
      power += dot(work.force[8 * zone + c], middle[zone_nodes[zone][c]]);
    energy[zone] -= time_step * power / zone_mass[zone];
  }
}

// One time step.
void Hydro::step() {
  Work work(zones());
  for (int zone = 0; zone < zones(); zone++)
    corner_forces(zone, work);
  choose_time_step(work);
  move(work);
  time += time_step;
}

// "steps" time steps.
void Hydro::run(int steps) {
  for (int i = 0; i < steps; i++)
    step();
}

double Hydro::kinetic_energy() const {
  double sum = 0;
  for (int node = 0; node < nodes(); node++)
    sum += 0.5 * node_mass[node] * dot(velocity[node], velocity[node]);
  return sum;
}

double Hydro::internal_energy() const {
  double sum = 0;
  for (int zone = 0; zone < zones(); zone++)
    sum += zone_mass[zone] * energy[zone];
  return sum;
}

// Make every number zero: a shadow to which a gradient is added.
void Hydro::clear() {
  for (std::vector<double> *field : {&energy, &zone_mass, &node_mass})
    std::fill(field->begin(), field->end(), 0.);
  for (std::vector<Vector> *field : {&velocity, &position})
    std::fill(field->begin(), field->end(), Vector());
  material = {0, 0, 0, 0, 0, 0, 0};
  time = time_step = 0;
}

// Kinetic energy of "hydro" after "steps" time steps.
static double blast(Hydro *hydro, int steps) {
  hydro->run(steps);
  return hydro->kinetic_energy();
}

// What the driver works on.
struct Run {
  Run(int n, int count) : start(n), state(start), shadow(start), steps(count) {
  }

  Hydro start, state, shadow;           // initial state, program, its shadow
  int steps;                            // time steps
  std::vector<double> energy_direction; // of the difference
  std::vector<Vector> velocity_direction;
};

// Restore the state and clear the gradient.
static void reset(void *context) {
  Run *run = static_cast<Run *>(context);
  run->state = run->start;
  run->shadow.clear();
}

// The program itself.
static double primal(void *context) {
  Run *run = static_cast<Run *>(context);
  return blast(&run->state, run->steps);
}

// Its gradient, added to run->shadow.
static void gradient(void *context) {
  Run *run = static_cast<Run *>(context);
  __dacead_autodiff((void *)blast, dacead_dup, &run->state, &run->shadow, dacead_const, run->steps);
}

// Result with the initial energies moved by "step".
static double along_energy(void *context, double step) {
  Run *run = static_cast<Run *>(context);
  run->state = run->start;
  for (int zone = 0; zone < run->state.zones(); zone++)
    run->state.energy[zone] += step * run->energy_direction[zone];
  return primal(run);
}

// Result with the initial velocities moved by "step".
static double along_velocity(void *context, double step) {
  Run *run = static_cast<Run *>(context);
  run->state = run->start;
  for (int node = 0; node < run->state.nodes(); node++)
    run->state.velocity[node] += step * run->velocity_direction[node];
  return primal(run);
}

// Result with the parameters of the material moved by "step".
static double along_material(void *context, double step) {
  Run *run = static_cast<Run *>(context);
  run->state = run->start;
  run->state.material.gamma += step;
  run->state.material.stiffness += step;
  run->state.material.quadratic += step;
  return primal(run);
}

// Compare the derivative "got" with a difference along "along". Where a zone turns from expansion
// to compression the viscosity has a kink; a much shorter step then stays on one side of it.
static void check_part(const char *what, double got, double (*along)(void *, double), Run *run) {
  double want = check_difference(along, run, 1e-5);
  if (check_relative_error(got, want) > 1e-6)
    want = check_difference(along, run, 1e-7);
  check_close(what, got, want, 1e-6);
}

// Compare the gradient in run->shadow with differences along random directions. Small steps: where
// a zone changes between expansion and compression, the viscosity has a kink.
static void check_gradients(Run &run) {
  const Hydro &d = run.shadow;
  double energy = 0, velocity = 0;
  for (int zone = 0; zone < d.zones(); zone++) {
    run.energy_direction.push_back(check_random(0, 1));
    energy += d.energy[zone] * run.energy_direction[zone];
  }
  for (int node = 0; node < d.nodes(); node++) {
    run.velocity_direction.push_back({check_random(0, 1), check_random(0, 1), check_random(0, 1)});
    velocity += dot(d.velocity[node], run.velocity_direction[node]);
  }
  check_part("energy", energy, along_energy, &run);
  check_part("velocity", velocity, along_velocity, &run);
  check_part("material", d.material.gamma + d.material.stiffness + d.material.quadratic,
             along_material, &run);
}

// Arguments: zones along an edge, time steps.
int main(int argc, char **argv) {
  int n = check_size(argc, argv, 1, 6), steps = check_size(argc, argv, 2, 5);
  Run run(n, steps);
  check_bench("hydro", reset, primal, gradient, &run);
  reset(&run);
  gradient(&run);
  check_close("total energy", run.state.internal_energy() + run.state.kinetic_energy(),
              run.start.internal_energy() + run.start.kinetic_energy(), 1e-12);
  check_gradients(run);
  return check_done();
}
