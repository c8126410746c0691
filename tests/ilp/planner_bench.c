/* planner_bench.c: how long planning takes. The argument is the path of dacead-plan. Times of it
   are those of the processor, others those of the clock; bars are what each is to stay under. */
#include "plan_process.h"
#include "random_problem.h"

#include <math.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

static _Alignas(16) char memory[1 << 28];

enum { SIZES = 4, PICKS = 200 };

/* Seconds of processor time of the processes that have ended. */
static double processor(void) {
  struct rusage usage;

  getrusage(RUSAGE_CHILDREN, &usage);
  return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

/* Sets the limit of "p" to "share" of the way from the least peak that is known to that of storing
   all. Returns the extra seconds of our own plan there. */
static double set_limit(struct dilp_problem *p, double share, struct dilp_room *room) {
  struct dilp_room mark = *room;
  struct dilp_cells cells;
  struct dilp_own own;
  int64_t low, high;

  dilp_cells(&cells, p, INFINITY, room);
  dilp_own(&own, p, &cells, room);
  dilp_own_least(&own, dilp_effort_low);
  low = own.cost.peak;
  dilp_own_store_all(&own);
  high = own.cost.peak;
  p->limit = low + (int64_t)((double)(high - low) * share);
  dilp_own_search(&own, p->limit, dilp_effort_medium);
  *room = mark;
  return own.cost.time;
}

/* One row: problems of "kind" by dacead-plan. */
static void by_program(const char *program, const char *name, struct random_kind kind, double bar) {
  for (int quarter = 1; quarter <= 3; quarter++) {
    struct dilp_room room = dilp_room(memory, sizeof memory);
    struct dilp_answer answer;
    struct dilp_problem p;
    struct dilp_error why;
    double own, time = processor(), whole;

    random_problem(&p, kind, 1000, &room);
    own = set_limit(&p, quarter / 4.0, &room);
    dilp_answer_process(&answer, &p, (struct dilp_process){program, 60}, dilp_effort_low, &room,
                        &why);
    time = processor() - time;
    whole = dilp_gradient_seconds(&p);
    printf("%-24s limit %d/4: %6.3f s %s %g, %s%s, gradient x %.4f (own planner x %.4f)\n", name,
           quarter, time, time <= bar ? "<=" : "> ", bar, *why.text ? why.text : "answered",
           answer.proven ? ", proven" : "", 1 + answer.plan.time / whole, 1 + own / whole);
  }
}

/* A problem that is too hard for half a second: who answers, and when. */
static void hard(const char *program) {
  struct dilp_room room = dilp_room(memory, sizeof memory);
  struct dilp_answer answer;
  struct dilp_problem p;
  struct dilp_error why;
  double time;

  random_problem(&p, (struct random_kind){200, 1, false}, 1000, &room);
  set_limit(&p, 0.5, &room);
  time = processor() + (double)clock() / CLOCKS_PER_SEC;
  dilp_answer_process(&answer, &p, (struct dilp_process){program, 0.5}, dilp_effort_medium, &room,
                      &why);
  time = processor() + (double)clock() / CLOCKS_PER_SEC - time;
  printf("%-24s limit 2/4: %6.3f s %s 1, %s, gradient x %.4f\n", "200 items, long chains", time,
         time <= 1 ? "<=" : "> ", *why.text ? why.text : "answered by dacead-plan",
         1 + answer.plan.time / dilp_gradient_seconds(&p));
}

/* Plans made at four sets of sizes are looked at again at a fifth, and one is picked. */
static void picking(void) {
  static struct dilp_ladder ladder[SIZES];
  struct dilp_room room = dilp_room(memory, sizeof memory), mark;
  struct dilp_replay replay;
  struct dilp_problem p;
  struct dilp_cells cells;
  struct dilp_plan plan;
  clock_t start;
  double time;
  int plans = 0, picked = 0;

  random_problem(&p, (struct random_kind){60, 1, true}, 9000, &room);
  set_limit(&p, 0.5, &room);
  dilp_cells(&cells, &p, INFINITY, &room);
  dilp_plan(&plan, &p, &cells, &room);
  for (int k = 0; k < SIZES; k++) {
    for (int i = k; i < p.items; i += SIZES)
      p.item[i].bytes = p.item[i].bytes * (k + 1) / 2;
    dilp_ladder(&ladder[k], &p, &cells, dilp_effort_low, NULL, NULL, &room);
    plans += ladder[k].count;
  }
  mark = room;
  start = clock();
  for (int n = 0; n < PICKS; n++, room = mark)
    for (int k = 0; k < SIZES; k++) {
      dilp_ladder_resize(&ladder[k], &room);
      picked += k == n % SIZES && dilp_ladder_pick(&ladder[k], p.limit, &plan, &replay, &room) >= 0;
    }
  time = 1e3 * (double)(clock() - start) / CLOCKS_PER_SEC / PICKS;
  printf("%-24s limit 2/4: %6.3f ms %s 1, %d plans looked at, %d of %d picked\n",
         "60 items, at run time", time, time <= 1 ? "<=" : "> ", plans, picked, PICKS);
}

int main(int argc, char **argv) {
  if (argc != 2)
    return 2;
  by_program(argv[1], "50 items, short chains", (struct random_kind){50, 1, true}, 1);
  by_program(argv[1], "200 items, short chains", (struct random_kind){200, 1, true}, 1.5);
  hard(argv[1]);
  picking();
  return 0;
}
