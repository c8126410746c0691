/* Covers: molecular dynamics of two Lennard-Jones species with cell lists in a periodic box. A
 * context struct holds arrays, tables, linked lists and a nested struct; positions are wrapped in
 * place. */
#include "check.h"
#include <string.h>

enum { SPECIES = 2, HALF_SHELL = 13 };

/* Cells at least as wide as the cutoff; each lists its atoms. */
struct cells {
  int side;       /* cells along one edge of the box */
  int *first;     /* first atom of each cell, -1 if it is empty */
  int *next;      /* next atom of the same cell, -1 at the end */
  int *neighbour; /* half of the cells around each cell, HALF_SHELL for each */
};

struct atoms {
  double *x, *y, *z;    /* positions */
  double *vx, *vy, *vz; /* velocities */
  double *fx, *fy, *fz; /* forces, set by potential_energy */
  int *species;         /* 0 or 1 */
};

/* Parameters of the pair potential 4 epsilon ((sigma/r)^12 - (sigma/r)^6) - shift, by species. */
struct potential {
  double epsilon[SPECIES][SPECIES];
  double sigma[SPECIES][SPECIES];
  double shift[SPECIES][SPECIES]; /* makes the energy zero at the cutoff */
};

struct system {
  int count;     /* atoms */
  double box;    /* edge of the periodic box */
  double cutoff; /* range of the pair potential */
  struct potential pair;
  struct atoms atoms;
  struct cells cells;
  long pairs;    /* pairs inside the cutoff, of the last evaluation */
  double energy; /* of the last evaluation */
};

/* "value" moved into [0, "box"). */
static double wrap(double value, double box) {
  double wrapped = value - box * floor(value / box);
  return wrapped < box ? wrapped : 0;
}

/* The shortest distance among the periodic images of the distance "d". */
static double nearest(double d, double box) {
  if (d > 0.5 * box)
    d -= box;
  else if (d < -0.5 * box)
    d += box;
  return d;
}

/* The cell of a position. */
static int cell_of(const struct system *s, double x, double y, double z) {
  int side = s->cells.side;
  double scale = side / s->box;
  int i = (int)(x * scale), j = (int)(y * scale), k = (int)(z * scale);
  return (k * side + j) * side + i;
}

/* Wrap the atoms into the box and list them by cell. */
static void fill_cells(struct system *s) {
  struct cells *cells = &s->cells;
  struct atoms *a = &s->atoms;
  for (int c = 0; c < cells->side * cells->side * cells->side; c++)
    cells->first[c] = -1;
  for (int i = 0; i < s->count; i++) {
    a->x[i] = wrap(a->x[i], s->box);
    a->y[i] = wrap(a->y[i], s->box);
    a->z[i] = wrap(a->z[i], s->box);
    int c = cell_of(s, a->x[i], a->y[i], a->z[i]);
    cells->next[i] = cells->first[c];
    cells->first[c] = i;
  }
}

/* Energy of the atoms "i" and "j"; their forces are added to those of the atoms. */
static double interact(struct system *s, int i, int j) {
  struct atoms *a = &s->atoms;
  double dx = nearest(a->x[i] - a->x[j], s->box);
  double dy = nearest(a->y[i] - a->y[j], s->box);
  double dz = nearest(a->z[i] - a->z[j], s->box);
  double r2 = dx * dx + dy * dy + dz * dz;
  if (r2 >= s->cutoff * s->cutoff)
    return 0;
  int p = a->species[i], q = a->species[j];
  double sigma = s->pair.sigma[p][q], epsilon = s->pair.epsilon[p][q];
  double s2 = sigma * sigma / r2, s6 = s2 * s2 * s2;
  double f = 24 * epsilon * s6 * (2 * s6 - 1) / r2;
  a->fx[i] += f * dx;
  a->fy[i] += f * dy;
  a->fz[i] += f * dz;
  a->fx[j] -= f * dx;
  a->fy[j] -= f * dy;
  a->fz[j] -= f * dz;
  s->pairs++;
  return 4 * epsilon * s6 * (s6 - 1) - s->pair.shift[p][q];
}

/* Energy of the pairs with an atom in cell "c" and the other in it or in the half shell around it.
 */
static double interact_cell(struct system *s, int c) {
  const struct cells *cells = &s->cells;
  double energy = 0;
  for (int i = cells->first[c]; i >= 0; i = cells->next[i]) {
    for (int j = cells->next[i]; j >= 0; j = cells->next[j])
      energy += interact(s, i, j);
    for (int n = 0; n < HALF_SHELL; n++)
      for (int j = cells->first[cells->neighbour[c * HALF_SHELL + n]]; j >= 0; j = cells->next[j])
        energy += interact(s, i, j);
  }
  return energy;
}

/* The constants that make the pair energies vanish at the cutoff. */
static void shift_potential(struct potential *pair, double cutoff) {
  for (int p = 0; p < SPECIES; p++)
    for (int q = 0; q < SPECIES; q++) {
      double s6 = pow(pair->sigma[p][q] / cutoff, 6);
      pair->shift[p][q] = 4 * pair->epsilon[p][q] * s6 * (s6 - 1);
    }
}

/* Potential energy of "s"; sets the forces too. */
static double potential_energy(struct system *s) {
  int cells = s->cells.side * s->cells.side * s->cells.side;
  memset(s->atoms.fx, 0, s->count * sizeof(double));
  memset(s->atoms.fy, 0, s->count * sizeof(double));
  memset(s->atoms.fz, 0, s->count * sizeof(double));
  shift_potential(&s->pair, s->cutoff);
  fill_cells(s);
  s->pairs = 0;
  s->energy = 0;
  for (int c = 0; c < cells; c++)
    s->energy += interact_cell(s, c);
  return s->energy;
}

/* Velocity Verlet: "steps" steps of length "dt", unit masses. */
static void integrate(struct system *s, int steps, double dt) {
  struct atoms *a = &s->atoms;
  potential_energy(s);
  for (int t = 0; t < steps; t++) {
    for (int i = 0; i < s->count; i++) {
      a->vx[i] += 0.5 * dt * a->fx[i];
      a->vy[i] += 0.5 * dt * a->fy[i];
      a->vz[i] += 0.5 * dt * a->fz[i];
      a->x[i] += dt * a->vx[i];
      a->y[i] += dt * a->vy[i];
      a->z[i] += dt * a->vz[i];
    }
    potential_energy(s);
    for (int i = 0; i < s->count; i++) {
      a->vx[i] += 0.5 * dt * a->fx[i];
      a->vy[i] += 0.5 * dt * a->fy[i];
      a->vz[i] += 0.5 * dt * a->fz[i];
    }
  }
}

/* List half of the 26 cells around each cell: of a cell and its opposite, one. */
static void connect_cells(struct cells *cells) {
  int side = cells->side;
  for (int c = 0; c < side * side * side; c++) {
    int i = c % side, j = c / side % side, k = c / (side * side), n = 0;
    for (int shell = 14; shell < 27; shell++) {
      int di = shell % 3 - 1, dj = shell / 3 % 3 - 1, dk = shell / 9 - 1;
      int x = (i + di + side) % side, y = (j + dj + side) % side, z = (k + dk + side) % side;
      cells->neighbour[c * HALF_SHELL + n++] = (z * side + y) * side + x;
    }
  }
}

/* A system of 4 "edge"^3 atoms with zeroed arrays. */
static struct system make_system(int edge) {
  struct system s;
  memset(&s, 0, sizeof s);
  s.count = 4 * edge * edge * edge;
  s.box = edge * cbrt(4 / 0.8442);
  s.cutoff = 2.5;
  s.cells.side = (int)(s.box / s.cutoff);
  if (s.cells.side < 3) {
    fprintf(stderr, "the box is too small for the cutoff\n");
    exit(2);
  }
  int cells = s.cells.side * s.cells.side * s.cells.side;
  double **array[] = {&s.atoms.x,  &s.atoms.y,  &s.atoms.z,  &s.atoms.vx, &s.atoms.vy,
                      &s.atoms.vz, &s.atoms.fx, &s.atoms.fy, &s.atoms.fz};
  for (size_t i = 0; i < sizeof array / sizeof array[0]; i++)
    *array[i] = check_alloc(s.count * sizeof(double));
  s.atoms.species = check_alloc(s.count * sizeof(int));
  s.cells.first = check_alloc(cells * sizeof(int));
  s.cells.next = check_alloc(s.count * sizeof(int));
  s.cells.neighbour = check_alloc(cells * HALF_SHELL * sizeof(int));
  return s;
}

/* Release the arrays of "s". */
static void free_system(struct system *s) {
  void *array[] = {s->atoms.x,     s->atoms.y,    s->atoms.z,        s->atoms.vx, s->atoms.vy,
                   s->atoms.vz,    s->atoms.fx,   s->atoms.fy,       s->atoms.fz, s->atoms.species,
                   s->cells.first, s->cells.next, s->cells.neighbour};
  for (size_t i = 0; i < sizeof array / sizeof array[0]; i++)
    free(array[i]);
}

/* A face-centred lattice, perturbed, with random species and velocities. */
static void fill_system(struct system *s, int edge) {
  static const double basis[4][3] = {{0, 0, 0}, {.5, .5, 0}, {.5, 0, .5}, {0, .5, .5}};
  double spacing = s->box / edge;
  for (int i = 0; i < s->count; i++) {
    int cell = i / 4;
    const double *offset = basis[i % 4];
    s->atoms.x[i] = (cell % edge + offset[0]) * spacing + check_random(-0.1, 0.1);
    s->atoms.y[i] = (cell / edge % edge + offset[1]) * spacing + check_random(-0.1, 0.1);
    s->atoms.z[i] = (cell / (edge * edge) + offset[2]) * spacing + check_random(-0.1, 0.1);
    s->atoms.vx[i] = check_random_normal();
    s->atoms.vy[i] = check_random_normal();
    s->atoms.vz[i] = check_random_normal();
    s->atoms.species[i] = check_random(0, 1) < 0.3;
  }
  for (int p = 0; p < SPECIES; p++)
    for (int q = 0; q < SPECIES; q++) {
      s->pair.epsilon[p][q] = 1 - 0.2 * (p + q);
      s->pair.sigma[p][q] = 1 - 0.05 * (p + q);
    }
  connect_cells(&s->cells);
}

/* What the driver works on. */
struct run {
  struct system system, shadow; /* program and its shadow */
  struct potential start;       /* parameters of the potential */
};

/* Clear the gradient. */
static void reset(void *context) {
  struct system *shadow = &((struct run *)context)->shadow;
  size_t bytes = shadow->count * sizeof(double);
  double *array[] = {shadow->atoms.x,  shadow->atoms.y,  shadow->atoms.z,
                     shadow->atoms.fx, shadow->atoms.fy, shadow->atoms.fz};
  for (size_t i = 0; i < sizeof array / sizeof array[0]; i++)
    memset(array[i], 0, bytes);
  memset(&shadow->pair, 0, sizeof shadow->pair);
  shadow->box = shadow->cutoff = shadow->energy = 0;
}

/* The program itself. */
static double primal(void *context) {
  return potential_energy(&((struct run *)context)->system);
}

/* Its gradient, added to run->shadow. */
static void gradient(void *context) {
  struct run *run = context;
  __dacead_autodiff((void *)potential_energy, dacead_dup, &run->system, &run->shadow);
}

/* Energy with all epsilons and sigmas moved by "step". */
static double along_parameters(void *context, double step) {
  struct run *run = context;
  for (int p = 0; p < SPECIES; p++)
    for (int q = 0; q < SPECIES; q++) {
      run->system.pair.epsilon[p][q] = run->start.epsilon[p][q] + step;
      run->system.pair.sigma[p][q] = run->start.sigma[p][q] + step;
    }
  double energy = primal(run);
  run->system.pair = run->start;
  return energy;
}

/* Compare the gradient with minus the force and, for the parameters, with a difference. */
static void check_gradients(struct run *run) {
  const struct atoms *a = &run->system.atoms, *d = &run->shadow.atoms;
  struct check_worst worst = {0, 0, 0};
  double along = 0;
  for (int i = 0; i < run->system.count; i++) {
    check_enter(&worst, 3 * i, d->x[i], -a->fx[i]);
    check_enter(&worst, 3 * i + 1, d->y[i], -a->fy[i]);
    check_enter(&worst, 3 * i + 2, d->z[i], -a->fz[i]);
  }
  check_judge("minus the force", &worst, 1e-12);
  for (int p = 0; p < SPECIES; p++)
    for (int q = 0; q < SPECIES; q++)
      along += run->shadow.pair.epsilon[p][q] + run->shadow.pair.sigma[p][q];
  check_close("parameters", along, check_difference(along_parameters, run, 1e-4), 1e-8);
}

/* Arguments: lattice cells along an edge of the box, time steps before the check. */
int main(int argc, char **argv) {
  int edge = check_size(argc, argv, 1, 6), steps = check_size(argc, argv, 2, 20);
  struct run run = {make_system(edge), make_system(edge), {{{0}}, {{0}}, {{0}}}};
  fill_system(&run.system, edge);
  integrate(&run.system, steps, 0.004);
  run.start = run.system.pair;
  check_bench("moldyn", reset, primal, gradient, &run);
  reset(&run);
  gradient(&run);
  check_gradients(&run);
  free_system(&run.system);
  free_system(&run.shadow);
  return check_done();
}
