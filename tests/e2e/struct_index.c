// Covers: indices over structs that hold nothing but numbers, arrays among them: which member is
// read is not to be mistaken for which element.
// ALSO: -O1 -mllvm -dacead-collapse
#include "check_gradient.h"

struct station {
  double history[6], level;
};

static double stations(double *x, int n) {
  struct station all[3] = {{.level = x[1]}, {.level = x[1]}, {.level = x[2]}};
  all[1].history[3] = x[0] * x[3];
  double s = all[n % 3].level * all[(n + 1) % 3].level;
  for (int k = 0; k < 6; k++)
    s += all[(n + k) % 3].history[k] * all[k % 3].level;
  return s;
}

struct wrapped {
  double value[1];
};

static double wrappers(double *x, int n) {
  struct wrapped all[4];
  for (int i = 0; i < 4; i++)
    all[i].value[0] = x[i] * x[n - 1 - i];
  double s = 0;
  for (int i = 0; i < n; i++)
    s += all[i * 3 % 4].value[0] * x[i];
  return s;
}

struct block {
  double left[4], matrix[3][4], right;
};

static double blocks(double *x, int n) {
  struct block grid[2][2] = {0};
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 2; j++) {
      struct block *b = &grid[i % 2][j];
      b->left[i] = b->left[(i + 2) % 4] = x[(i + j) % n];
      for (int k = 0; k < 3; k++)
        b->matrix[k][i] = b->matrix[k][(i + 2) % 4] = x[k] * x[i];
      b->right = x[i] * x[i] * (j + 1);
    }
  double s = 0;
  for (int i = 0; i < n; i++)
    s += grid[i % 2][n % 2].right * grid[n % 2][i % 2].matrix[i % 3][n % 4] +
         grid[1][i % 2].left[i % 4];
  return s;
}

int main(void) {
  CHECK(stations);
  CHECK(wrappers);
  CHECK(blocks);
  return check_done();
}
