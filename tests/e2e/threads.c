// Covers: gradients in several threads at once, of functions that use the stack, the heap, the
// tape, globals of the thread.
// ALSO: -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all
// ALSO: -O1 -g -fsanitize=thread
#include <dacead.h>

#include "../programs/check.h"
#include <pthread.h>
#include <stdbool.h>
#include <string.h>

enum { THREADS = 4, ROUNDS = 50, N = 200 };

static _Thread_local double total;

static double f(const double *x, int n) {
  double *t = malloc((size_t)n * sizeof *t), s = 0;
  total = 0;
  for (int i = 0; i < n; i++) {
    double q = x[i];
    while (q > 0.1)
      q *= 0.5 + 0.2 * x[(i + 1) % n];
    t[i] = i ? t[i - 1] * 0.5 + q * q : q;
    total += t[i] * x[i];
    s += total;
  }
  free(t);
  return s;
}

struct task {
  pthread_t thread;
  double x[N], dx[N];
  int index;
  bool same;
};

/* Every round gives the same gradient; the tape is given back in some. */
static void *work(void *argument) {
  struct task *task = argument;
  double dx[N];
  task->same = true;
  for (int round = 0; round < ROUNDS; round++) {
    memset(dx, 0, sizeof dx);
    __dacead_autodiff((void *)f, task->x, dx, N);
    if (round == 0)
      memcpy(task->dx, dx, sizeof dx);
    else
      task->same &= !memcmp(task->dx, dx, sizeof dx);
    if ((round + task->index) % 7 == 0)
      dacead_release_memory();
  }
  return NULL;
}

/* A gradient that begins in one thread and ends in another. */
static void *finish(void *argument) {
  void **call = argument;
  double *x = call[1], *dx = call[2];
  __dacead_reverse((void *)f, x, dx, N, 1.0, call[0]);
  return NULL;
}

int main(void) {
  static struct task tasks[THREADS];
  static double dx[N];
  for (int k = 0; k < THREADS; k++) {
    tasks[k].index = k;
    for (int i = 0; i < N; i++)
      tasks[k].x[i] = check_random(0.2, 0.9);
    if (pthread_create(&tasks[k].thread, NULL, work, &tasks[k]))
      return 2;
  }
  for (int k = 0; k < THREADS; k++) {
    pthread_join(tasks[k].thread, NULL);
    check_true("every round is the same", tasks[k].same);
  }
  for (int k = 0; k < THREADS; k++) {
    memset(dx, 0, sizeof dx);
    __dacead_autodiff((void *)f, tasks[k].x, dx, N);
    check_array("alone and together", tasks[k].dx, dx, N, 0);
  }
  pthread_t thread;
  memset(dx, 0, sizeof dx);
  void *call[3] = {__dacead_augmentfwd((void *)f, tasks[0].x, dx, N), tasks[0].x, dx};
  if (pthread_create(&thread, NULL, finish, call))
    return 2;
  pthread_join(thread, NULL);
  check_array("begun here, ended there", dx, tasks[0].dx, N, 1e-14);
  return check_done();
}
