/* Covers: finite elements for nonlinear diffusion on an indirect triangle mesh. Element matrices on
 * the stack, assembly into a sparse matrix through searched columns, in-place sweeps, freed work
 * arrays. */
#include "check.h"
#include <string.h>

/* Triangles with linear shape functions. The nodes are numbered at random. */
struct mesh {
  int nodes, triangles;
  int (*corner)[3];        /* nodes of each triangle, counter-clockwise */
  double (*place)[2];      /* coordinates of each node */
  unsigned char *boundary; /* of each node: nonzero where the solution is prescribed */
};

/* Sparsity of the matrix: the neighbours of each node and itself. */
struct pattern {
  int *row;    /* start of each row in "column", nodes + 1 */
  int *column; /* ascending in each row */
};

/* Conductivity of triangle t: base[t] (1 + slope u^2). */
struct material {
  double *base;
  double slope;
};

struct problem {
  struct mesh mesh;
  struct pattern pattern;
  struct material material;
  double *u;      /* solution at each node */
  double *source; /* at each node */
  int rounds;     /* of assembly with the latest solution */
  int sweeps;     /* of Gauss-Seidel after each assembly */
};

/* Matrix and right-hand side of one round. */
struct system {
  double *value; /* by the pattern */
  double *load;  /* at each node */
};

/* Gradients of the three shape functions of a triangle with the corners "p"; returns its area. */
static double shape_gradients(double gradient[3][2], double p[3][2]) {
  double ax = p[1][0] - p[0][0], ay = p[1][1] - p[0][1];
  double bx = p[2][0] - p[0][0], by = p[2][1] - p[0][1];
  double twice = ax * by - ay * bx;
  for (int i = 0; i < 3; i++) {
    const double *next = p[(i + 1) % 3], *last = p[(i + 2) % 3];
    gradient[i][0] = (next[1] - last[1]) / twice;
    gradient[i][1] = (last[0] - next[0]) / twice;
  }
  return twice / 2;
}

/* Stiffness matrix and load vector of triangle "t", with the conductivity at the latest solution,
 * integrated at the midpoints of the edges. */
static void element(double matrix[3][3], double load[3], const struct problem *problem, int t) {
  const int *corner = problem->mesh.corner[t];
  double p[3][2], gradient[3][2], u[3], f[3], conductivity = 0;
  for (int i = 0; i < 3; i++) {
    memcpy(p[i], problem->mesh.place[corner[i]], sizeof p[i]);
    u[i] = problem->u[corner[i]];
    f[i] = problem->source[corner[i]];
  }
  double area = shape_gradients(gradient, p);
  for (int i = 0; i < 3; i++) {
    double middle = 0.5 * (u[i] + u[(i + 1) % 3]);
    conductivity += problem->material.base[t] * (1 + problem->material.slope * middle * middle) / 3;
  }
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++)
      matrix[i][j] =
          conductivity * area * (gradient[i][0] * gradient[j][0] + gradient[i][1] * gradient[j][1]);
    load[i] = area * (2 * f[i] + f[(i + 1) % 3] + f[(i + 2) % 3]) / 12;
  }
}

/* Where the matrix keeps the element of row "i" and column "j". */
static int find(const struct pattern *pattern, int i, int j) {
  int low = pattern->row[i], high = pattern->row[i + 1] - 1;
  while (low < high) {
    int middle = (low + high) / 2;
    if (pattern->column[middle] < j)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* Sum up the elements of "problem" in "system". */
static void assemble(struct system *system, const struct problem *problem) {
  const struct pattern *pattern = &problem->pattern;
  int nodes = problem->mesh.nodes;
  memset(system->value, 0, pattern->row[nodes] * sizeof(double));
  memset(system->load, 0, nodes * sizeof(double));
  for (int t = 0; t < problem->mesh.triangles; t++) {
    double matrix[3][3], load[3];
    const int *corner = problem->mesh.corner[t];
    element(matrix, load, problem, t);
    for (int i = 0; i < 3; i++) {
      if (problem->mesh.boundary[corner[i]])
        continue;
      system->load[corner[i]] += load[i];
      for (int j = 0; j < 3; j++)
        system->value[find(pattern, corner[i], corner[j])] += matrix[i][j];
    }
  }
}

/* Row "i" of the residual: load minus matrix times solution; "diagonal" gets the element there. */
static double residual(const struct system *system, const struct problem *problem, int i,
                       double *diagonal) {
  const struct pattern *pattern = &problem->pattern;
  double sum = system->load[i];
  for (int k = pattern->row[i]; k < pattern->row[i + 1]; k++) {
    sum -= system->value[k] * problem->u[pattern->column[k]];
    if (pattern->column[k] == i)
      *diagonal = system->value[k];
  }
  return sum;
}

/* One Gauss-Seidel sweep over the free nodes. */
static void sweep(const struct system *system, struct problem *problem) {
  for (int i = 0; i < problem->mesh.nodes; i++) {
    double diagonal = 1;
    if (problem->mesh.boundary[i])
      continue;
    double r = residual(system, problem, i, &diagonal);
    problem->u[i] += r / diagonal;
  }
}

/* Half the squared residual over the free nodes, plus the work of the source. */
static double objective(const struct system *system, const struct problem *problem) {
  double sum = 0, diagonal;
  for (int i = 0; i < problem->mesh.nodes; i++) {
    if (problem->mesh.boundary[i])
      continue;
    double r = residual(system, problem, i, &diagonal);
    sum += 0.5 * r * r + system->load[i] * problem->u[i];
  }
  return sum;
}

/* Improve the solution of "problem" and evaluate it. */
static double solve(struct problem *problem) {
  int nodes = problem->mesh.nodes;
  struct system *system = (struct system *)check_alloc(sizeof *system);
  system->value = (double *)check_alloc(problem->pattern.row[nodes] * sizeof(double));
  system->load = (double *)check_alloc(nodes * sizeof(double));
  for (int round = 0; round < problem->rounds; round++) {
    assemble(system, problem);
    for (int s = 0; s < problem->sweeps; s++)
      sweep(system, problem);
  }
  assemble(system, problem);
  double result = objective(system, problem);
  free(system->value);
  free(system->load);
  free(system);
  return result;
}

/* Triangles of the unit square, "n" x "n" squares cut in two, nodes moved and numbered at random.
 */
static void make_mesh(struct mesh *mesh, int n) {
  int *number;
  mesh->nodes = (n + 1) * (n + 1);
  mesh->triangles = 2 * n * n;
  mesh->corner = check_alloc(mesh->triangles * sizeof *mesh->corner);
  mesh->place = check_alloc(mesh->nodes * sizeof *mesh->place);
  mesh->boundary = check_alloc(mesh->nodes);
  number = check_alloc(mesh->nodes * sizeof(int));
  for (int i = 0; i < mesh->nodes; i++) {
    int other = (int)check_random(0, i + 1);
    number[i] = number[other];
    number[other] = i;
  }
  for (int i = 0; i < mesh->nodes; i++) {
    int x = i % (n + 1), y = i / (n + 1), node = number[i];
    mesh->boundary[node] = x == 0 || y == 0 || x == n || y == n;
    mesh->place[node][0] = (x + check_random(-0.2, 0.2)) / n;
    mesh->place[node][1] = (y + check_random(-0.2, 0.2)) / n;
  }
  for (int t = 0; t < mesh->triangles; t++) {
    int square = t / 2, low = square / n * (n + 1) + square % n, upper = t % 2;
    mesh->corner[t][0] = number[low];
    mesh->corner[t][1] = number[upper ? low + n + 2 : low + 1];
    mesh->corner[t][2] = number[upper ? low + n + 1 : low + n + 2];
  }
  free(number);
}

/* Enter "j" into row "i" of a pattern under construction, "most" columns a row, unless it is there;
 * "length" counts the columns of each row. */
static void connect(int *table, int *length, int most, int i, int j) {
  int k = 0;
  for (; k < length[i]; k++)
    if (table[i * most + k] == j)
      return;
  for (length[i]++; k > 0 && table[i * most + k - 1] > j; k--)
    table[i * most + k] = table[i * most + k - 1];
  table[i * most + k] = j;
}

/* The pattern of "mesh", no node of which has more than 8 neighbours. */
static void make_pattern(struct pattern *pattern, const struct mesh *mesh) {
  enum { MOST = 9 };
  int *table = check_alloc(mesh->nodes * MOST * sizeof(int));
  int *length = check_alloc(mesh->nodes * sizeof(int));
  for (int t = 0; t < mesh->triangles; t++)
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++)
        connect(table, length, MOST, mesh->corner[t][i], mesh->corner[t][j]);
  pattern->row = check_alloc((mesh->nodes + 1) * sizeof(int));
  for (int i = 0; i < mesh->nodes; i++)
    pattern->row[i + 1] = pattern->row[i] + length[i];
  pattern->column = check_alloc(pattern->row[mesh->nodes] * sizeof(int));
  for (int i = 0; i < mesh->nodes; i++)
    memcpy(pattern->column + pattern->row[i], table + i * MOST, length[i] * sizeof(int));
  free(table);
  free(length);
}

/* A problem on "n" x "n" squares with random data. */
static struct problem make_problem(int n) {
  struct problem p;
  make_mesh(&p.mesh, n);
  make_pattern(&p.pattern, &p.mesh);
  p.material.base = check_alloc(p.mesh.triangles * sizeof(double));
  p.material.slope = 0.5;
  p.u = check_alloc(p.mesh.nodes * sizeof(double));
  p.source = check_alloc(p.mesh.nodes * sizeof(double));
  p.rounds = 3;
  p.sweeps = 4;
  for (int t = 0; t < p.mesh.triangles; t++)
    p.material.base[t] = check_random(0.5, 1.5);
  for (int i = 0; i < p.mesh.nodes; i++) {
    p.u[i] = check_random(-1, 1);
    p.source[i] = check_random(0, 20);
  }
  return p;
}

/* A copy of "p" with arrays of numbers of its own, zeroed; everything else is shared. */
static struct problem make_shadow(const struct problem *p) {
  struct problem shadow = *p;
  shadow.mesh.place = check_alloc(p->mesh.nodes * sizeof *p->mesh.place);
  shadow.material.base = check_alloc(p->mesh.triangles * sizeof(double));
  shadow.material.slope = 0;
  shadow.u = check_alloc(p->mesh.nodes * sizeof(double));
  shadow.source = check_alloc(p->mesh.nodes * sizeof(double));
  return shadow;
}

/* Release the arrays of numbers of "p". */
static void free_numbers(struct problem *p) {
  free(p->mesh.place);
  free(p->material.base);
  free(p->u);
  free(p->source);
}

/* What the driver works on. */
struct run {
  struct problem problem, shadow; /* program and its shadow */
  double *start;                  /* solution at the start */
  double *moved;                  /* numbers that the difference moves */
  double *direction, *origin;     /* its direction, their values at the start */
  int size;                       /* how many they are */
};

/* Restore the solution and clear the gradient. */
static void reset(void *context) {
  struct run *run = context;
  struct problem *shadow = &run->shadow;
  size_t nodes = shadow->mesh.nodes * sizeof(double);
  memcpy(run->problem.u, run->start, nodes);
  memset(shadow->mesh.place, 0, 2 * nodes);
  memset(shadow->material.base, 0, shadow->mesh.triangles * sizeof(double));
  memset(shadow->u, 0, nodes);
  memset(shadow->source, 0, nodes);
  shadow->material.slope = 0;
}

/* The program itself. */
static double primal(void *context) {
  return solve(&((struct run *)context)->problem);
}

/* Its gradient, added to run->shadow. */
static void gradient(void *context) {
  struct run *run = context;
  __dacead_autodiff((void *)solve, dacead_dup, &run->problem, &run->shadow);
}

/* Result with run->moved moved by "step". */
static double along(void *context, double step) {
  struct run *run = context;
  for (int i = 0; i < run->size; i++)
    run->moved[i] = run->origin[i] + step * run->direction[i];
  memcpy(run->problem.u, run->start, run->problem.mesh.nodes * sizeof(double));
  double result = primal(run);
  memcpy(run->moved, run->origin, run->size * sizeof(double));
  return result;
}

/* Compare the derivatives "got" with respect to the "size" numbers "moved" with a difference along
 * a random direction. */
static void check_part(struct run *run, const char *what, const double *got, double *moved,
                       int size, double h) {
  run->moved = moved;
  run->size = size;
  run->origin = check_alloc(size * sizeof(double));
  run->direction = check_alloc(size * sizeof(double));
  memcpy(run->origin, moved, size * sizeof(double));
  for (int i = 0; i < size; i++)
    run->direction[i] = check_random(-1, 1);
  check_close(what, check_dot(got, run->direction, size), check_difference(along, run, h), 1e-7);
  free(run->origin);
  free(run->direction);
}

/* Arguments: squares along an edge. */
int main(int argc, char **argv) {
  int n = check_size(argc, argv, 1, 12);
  struct run run = {.problem = make_problem(n)};
  struct problem *p = &run.problem, *d = &run.shadow;
  run.shadow = make_shadow(p);
  run.start = check_alloc(p->mesh.nodes * sizeof(double));
  memcpy(run.start, p->u, p->mesh.nodes * sizeof(double));
  check_bench("fem", reset, primal, gradient, &run);
  reset(&run);
  gradient(&run);
  check_part(&run, "coordinates", d->mesh.place[0], p->mesh.place[0], 2 * p->mesh.nodes, 2e-3 / n);
  check_part(&run, "conductivity", d->material.base, p->material.base, p->mesh.triangles, 1e-3);
  check_part(&run, "slope", &d->material.slope, &p->material.slope, 1, 1e-3);
  check_part(&run, "source", d->source, p->source, p->mesh.nodes, 1e-1);
  check_part(&run, "initial solution", d->u, run.start, p->mesh.nodes, 1e-3);
  free_numbers(p);
  free_numbers(d);
  free(p->mesh.corner);
  free(p->mesh.boundary);
  free(p->pattern.row);
  free(p->pattern.column);
  free(run.start);
  return check_done();
}
