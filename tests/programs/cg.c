/* Covers: a sparse linear system solved by preconditioned conjugate gradients. Matrix indices and
 * values share one block of memory, work vectors live in the solver only, the loop stops on the
 * residual. */
#include "check.h"
#include <string.h>

/* Symmetric sparse matrix: the lower triangle in compressed rows, the diagonal last in each row. */
struct csr {
  int n;         /* rows */
  int nonzeros;  /* stored elements */
  double *value; /* of each element; the block of memory begins here */
  int *row;      /* start of each row in "column" and "value", n + 1 */
  int *column;   /* of each element */
};

/* Work vectors of the solver. */
struct work {
  double *residual, *preconditioned, *direction, *image; /* n each */
  double *scale;                                         /* inverse of the diagonal */
};

/* How a solve went. */
struct report {
  int iterations;  /* steps taken */
  double residual; /* norm at the end, relative to the right-hand side */
};

/* An empty matrix of "n" rows with room for "nonzeros" elements. */
static struct csr make_csr(int n, int nonzeros) {
  struct csr a = {n, nonzeros, NULL, NULL, NULL};
  char *block = check_alloc(nonzeros * sizeof(double) + (n + 1 + nonzeros) * sizeof(int));
  a.value = (double *)block;
  a.row = (int *)(block + nonzeros * sizeof(double));
  a.column = a.row + n + 1;
  return a;
}

/* Allocate the vectors of "w" for "n" unknowns. */
static int allocate_work(struct work *w, int n) {
  w->residual = malloc(n * sizeof(double));
  w->preconditioned = malloc(n * sizeof(double));
  w->direction = malloc(n * sizeof(double));
  w->image = malloc(n * sizeof(double));
  w->scale = malloc(n * sizeof(double));
  return w->residual && w->preconditioned && w->direction && w->image && w->scale;
}

/* Release the vectors of "w". */
static void release_work(struct work *w) {
  free(w->residual);
  free(w->preconditioned);
  free(w->direction);
  free(w->image);
  free(w->scale);
}

/* "y" = "a" "x". */
static void multiply(double *y, const struct csr *a, const double *x) {
  for (int i = 0; i < a->n; i++) {
    double sum = 0;
    int k = a->row[i];
    for (; a->column[k] < i; k++) {
      int j = a->column[k];
      sum += a->value[k] * x[j];
      y[j] += a->value[k] * x[i];
    }
    y[i] = sum + a->value[k] * x[i];
  }
}

/* Product of the vectors "x" and "y" of "n" elements. */
static double dot(const double *x, const double *y, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += x[i] * y[i];
  return sum;
}

/* "scale" = inverse of the diagonal of "a". */
static void invert_diagonal(double *scale, const struct csr *a) {
  for (int i = 0; i < a->n; i++)
    scale[i] = 1 / a->value[a->row[i + 1] - 1];
}

/* Solve "a" "x" = "b", from "x" = 0 until the residual is below "tolerance" times the norm of "b".
 * Returns whether it got there. */
static int solve(const struct csr *a, const double *b, double *x, double tolerance,
                 struct report *report) {
  struct work w;
  int n = a->n, converged = 0;
  if (!allocate_work(&w, n))
    goto done;
  invert_diagonal(w.scale, a);
  for (int i = 0; i < n; i++) {
    x[i] = 0;
    w.residual[i] = b[i];
    w.direction[i] = w.preconditioned[i] = w.scale[i] * b[i];
  }
  double norm = sqrt(dot(b, b, n)), rho = dot(w.residual, w.preconditioned, n);
  report->iterations = 0;
  report->residual = 1;
  while (report->residual > tolerance && report->iterations < 10 * n) {
    multiply(w.image, a, w.direction);
    double alpha = rho / dot(w.direction, w.image, n);
    for (int i = 0; i < n; i++) {
      x[i] += alpha * w.direction[i];
      w.residual[i] -= alpha * w.image[i];
      w.preconditioned[i] = w.scale[i] * w.residual[i];
    }
    double latest = dot(w.residual, w.preconditioned, n);
    for (int i = 0; i < n; i++)
      w.direction[i] = w.preconditioned[i] + latest / rho * w.direction[i];
    rho = latest;
    report->residual = sqrt(dot(w.residual, w.residual, n)) / norm;
    report->iterations++;
  }
  converged = report->residual <= tolerance;
done:
  release_work(&w);
  return converged;
}

/* Distance of the solution "x" of "a" "x" = "b" from "target". */
static double misfit(const struct csr *a, const double *b, double *x, const double *target,
                     struct report *report) {
  double sum = 0;
  if (!solve(a, b, x, 1e-14, report))
    return INFINITY;
  for (int i = 0; i < a->n; i++)
    sum += 0.5 * (x[i] - target[i]) * (x[i] - target[i]);
  return sum;
}

/* Append an element to row "i" of "a", whose rows up to "i" are being filled in order. */
static void append(struct csr *a, int i, int column, double value) {
  int k = a->row[i + 1]++;
  a->column[k] = column;
  a->value[k] = value;
}

/* Diffusion on "edge" x "edge" points with random conductivities between neighbours and a reaction
 * term: symmetric, positive definite. */
static struct csr make_diffusion(int edge) {
  int n = edge * edge;
  struct csr a = make_csr(n, n + 2 * edge * (edge - 1));
  double *east = check_alloc(2 * n * sizeof(double)), *north = east + n;
  for (int i = 0; i < 2 * n; i++)
    east[i] = check_random(0.5, 2);
  for (int i = 0; i < n; i++) {
    int x = i % edge, y = i / edge;
    double down = y > 0 ? north[i - edge] : 0, left = x > 0 ? east[i - 1] : 0;
    double right = x + 1 < edge ? east[i] : 0, up = y + 1 < edge ? north[i] : 0;
    a.row[i + 1] = a.row[i];
    if (y > 0)
      append(&a, i, i - edge, -down);
    if (x > 0)
      append(&a, i, i - 1, -left);
    append(&a, i, i, down + left + right + up + 0.1);
  }
  free(east);
  return a;
}

/* What the driver works on. */
struct run {
  struct csr a, da;           /* matrix and its shadow */
  double *b, *x, *target;     /* right-hand side, solution, wanted solution */
  double *db, *dx;            /* shadows */
  struct report report;       /* of the latest solve */
  double *direction, *origin; /* of the difference in the values of the matrix */
};

/* Clear the gradient. */
static void reset(void *context) {
  struct run *run = context;
  memset(run->da.value, 0, run->da.nonzeros * sizeof(double));
  memset(run->db, 0, run->a.n * sizeof(double));
  memset(run->dx, 0, run->a.n * sizeof(double));
}

/* The program itself. */
static double primal(void *context) {
  struct run *run = context;
  return misfit(&run->a, run->b, run->x, run->target, &run->report);
}

/* Its gradient, added to run->da, run->db. */
static void gradient(void *context) {
  struct run *run = context;
  __dacead_autodiff((void *)misfit, dacead_dup, &run->a, &run->da, dacead_dup, run->b, run->db,
                    dacead_dup, run->x, run->dx, dacead_const, run->target, dacead_const,
                    &run->report);
}

/* Result with the elements of the matrix moved by "step". */
static double along(void *context, double step) {
  struct run *run = context;
  for (int k = 0; k < run->a.nonzeros; k++)
    run->a.value[k] = run->origin[k] + step * run->direction[k];
  double result = primal(run);
  memcpy(run->a.value, run->origin, run->a.nonzeros * sizeof(double));
  return result;
}

/* Compare with the closed form: lambda = inverse of the transpose of A times dJ/dx, dJ/db = lambda,
 * dJ/dA_ij = -lambda_i x_j, and an element below the diagonal stands for A_ij and A_ji. The program
 * itself solves for lambda. */
static void check_closed_form(struct run *run) {
  int n = run->a.n;
  double *lambda = check_alloc(n * sizeof(double)), *dj = check_alloc(n * sizeof(double));
  double *dvalue = check_alloc(run->a.nonzeros * sizeof(double));
  struct report report;
  for (int i = 0; i < n; i++)
    dj[i] = run->x[i] - run->target[i];
  check_true("the adjoint solve converges", solve(&run->a, dj, lambda, 1e-14, &report));
  for (int i = 0; i < n; i++)
    for (int k = run->a.row[i]; k < run->a.row[i + 1]; k++) {
      int j = run->a.column[k];
      dvalue[k] = -lambda[i] * run->x[j] - (j < i ? lambda[j] * run->x[i] : 0);
    }
  check_array("right-hand side", run->db, lambda, n, 1e-11);
  check_array("matrix", run->da.value, dvalue, run->a.nonzeros, 1e-11);
  free(lambda);
  free(dj);
  free(dvalue);
}

/* Compare with a difference along a random direction in the elements of the matrix. */
static void check_matrix_difference(struct run *run) {
  size_t bytes = run->a.nonzeros * sizeof(double);
  run->direction = check_alloc(bytes);
  run->origin = check_alloc(bytes);
  memcpy(run->origin, run->a.value, bytes);
  for (int k = 0; k < run->a.nonzeros; k++)
    run->direction[k] = check_random(-1, 1);
  check_close("directional difference", check_dot(run->da.value, run->direction, run->a.nonzeros),
              check_difference(along, run, 1e-4), 1e-7);
  free(run->direction);
  free(run->origin);
}

/* Arguments: points along an edge of the grid. */
int main(int argc, char **argv) {
  struct run run = {.a = make_diffusion(check_size(argc, argv, 1, 12))};
  int n = run.a.n;
  run.b = check_alloc(n * sizeof(double));
  run.x = check_alloc(n * sizeof(double));
  run.target = check_alloc(n * sizeof(double));
  run.db = check_alloc(n * sizeof(double));
  run.dx = check_alloc(n * sizeof(double));
  run.da = make_csr(n, run.a.nonzeros);
  memcpy(run.da.row, run.a.row, (n + 1 + run.a.nonzeros) * sizeof(int));
  for (int i = 0; i < n; i++) {
    run.b[i] = check_random(-1, 1);
    run.target[i] = check_random(-1, 1);
  }
  check_bench("cg", reset, primal, gradient, &run);
  reset(&run);
  gradient(&run);
  check_true("the solve converges", run.report.iterations > 1 && run.report.residual <= 1e-14);
  check_closed_form(&run);
  check_matrix_difference(&run);
  free(run.b);
  free(run.x);
  free(run.target);
  free(run.db);
  free(run.dx);
  free(run.a.value);
  free(run.da.value);
  return check_done();
}
