/* Benchmark: bodies under gravity, softened at short distances, moved by the leapfrog method. */
#include "../../tests/programs/check.h"
#include <string.h>

struct body {
  double place[3];
  double speed[3];
  double mass;
};

static const double softening = 0.05;

/* Add the accelerations of the "n" bodies by each other, for a time "dt", to their speeds. */
static void kick(struct body *bodies, int n, double dt) {
  for (int i = 0; i < n; i++)
    for (int j = i + 1; j < n; j++) {
      struct body *a = &bodies[i], *b = &bodies[j];
      double d[3], square = softening * softening;
      for (int c = 0; c < 3; c++) {
        d[c] = b->place[c] - a->place[c];
        square += d[c] * d[c];
      }
      double pull = dt / (square * sqrt(square));
      for (int c = 0; c < 3; c++) {
        a->speed[c] += b->mass * pull * d[c];
        b->speed[c] -= a->mass * pull * d[c];
      }
    }
}

/* Move the bodies with their speeds for a time "dt". */
static void drift(struct body *bodies, int n, double dt) {
  for (int i = 0; i < n; i++)
    for (int c = 0; c < 3; c++)
      bodies[i].place[c] += dt * bodies[i].speed[c];
}

/* Moment of inertia and kinetic energy of the bodies after "steps" steps of length "dt". */
static double spread(struct body *bodies, int n, int steps, double dt) {
  double sum = 0;
  for (int t = 0; t < steps; t++) {
    drift(bodies, n, 0.5 * dt);
    kick(bodies, n, dt);
    drift(bodies, n, 0.5 * dt);
  }
  for (int i = 0; i < n; i++)
    for (int c = 0; c < 3; c++)
      sum += bodies[i].mass * (bodies[i].place[c] * bodies[i].place[c] +
                               0.5 * bodies[i].speed[c] * bodies[i].speed[c]);
  return sum;
}

/* What the driver works on. */
struct run {
  struct body *start, *bodies, *shadow, *direction; /* "count" each */
  int count, steps;
};

static const double step_length = 0.01;

/* Restore the bodies and clear the gradient. */
static void reset(void *context) {
  struct run *run = context;
  memcpy(run->bodies, run->start, run->count * sizeof(struct body));
  memset(run->shadow, 0, run->count * sizeof(struct body));
}

/* The program itself. */
static double primal(void *context) {
  struct run *run = context;
  return spread(run->bodies, run->count, run->steps, step_length);
}

/* Its gradient. */
static void gradient(void *context) {
  struct run *run = context;
  __dacead_autodiff((void *)spread, dacead_dup, run->bodies, run->shadow, dacead_const, run->count,
                    dacead_const, run->steps, dacead_const, step_length);
}

/* Result with all bodies moved by "step". */
static double along(void *context, double step) {
  struct run *run = context;
  for (int i = 0; i < run->count; i++) {
    struct body moved = run->start[i];
    for (int c = 0; c < 3; c++) {
      moved.place[c] += step * run->direction[i].place[c];
      moved.speed[c] += step * run->direction[i].speed[c];
    }
    moved.mass += step * run->direction[i].mass;
    run->bodies[i] = moved;
  }
  return primal(run);
}

/* A body in the unit ball's neighbourhood; all masses together are about 1 for "n" bodies. */
static struct body random_body(int n) {
  struct body b = {.mass = check_random(0.5, 1.5) / n};
  for (int c = 0; c < 3; c++) {
    b.place[c] = check_random(-1, 1);
    b.speed[c] = check_random(-0.5, 0.5);
  }
  return b;
}

/* Arguments: bodies, steps. */
int main(int argc, char **argv) {
  struct run run = {.count = check_size(argc, argv, 1, 100),
                    .steps = check_size(argc, argv, 2, 20)};
  size_t bytes = run.count * sizeof(struct body), numbers = bytes / sizeof(double);
  run.start = check_alloc(bytes);
  run.bodies = check_alloc(bytes);
  run.shadow = check_alloc(bytes);
  run.direction = check_alloc(bytes);
  for (int i = 0; i < run.count; i++) {
    run.start[i] = random_body(run.count);
    run.direction[i] = random_body(run.count);
  }
  check_bench("nbody", reset, primal, gradient, &run);
  reset(&run);
  gradient(&run);
  check_close("directional difference",
              check_dot((double *)run.shadow, (double *)run.direction, numbers),
              check_difference(along, &run, 1e-3), 1e-8);
  free(run.start);
  free(run.bodies);
  free(run.shadow);
  free(run.direction);
  return check_done();
}
