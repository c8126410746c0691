/* problem.h: the planning problem: what may be stored, recomputed or checkpointed between the
   forward and the reverse sweep of a gradient, what that takes, and the limit in bytes.

   Regions 0, 1, .. run forward in their order; then reverse stage t undoes region
   "regions - 1 - t". Bytes are those of memory, seconds those beyond a gradient that stores
   everything for free. */
#ifndef DILP_PROBLEM_H
#define DILP_PROBLEM_H

#include "room.h"

#include <stdbool.h>
#include <stdint.h>

#define DILP_NO_LIMIT   (INT64_MAX / 4)    /* the limit of a problem that has none */
#define DILP_MOST_BYTES ((int64_t)1 << 50) /* no amount of a problem is larger */
#define DILP_MOST       4096               /* no problem has more regions, items or loops */
#define DILP_MENU       24                 /* no loop has more points */

/* Indices of items or regions. */
struct dilp_list {
  int count;
  const int *of;
};

/* A part of the program that runs as a whole in both sweeps. */
struct dilp_region {
  const char *name;
  int64_t forward; /* scratch bytes while it runs */
  int64_t reverse; /* scratch bytes while it is undone */
};

/* A value that may cross from the forward to the reverse sweep. Items are in the order in which
   the program makes them. */
struct dilp_item {
  const char *name;
  int64_t bytes;    /* memory that it takes where it is saved or recomputed */
  int64_t natural;  /* memory that it takes in regions born .. dies in any case: 0 if it lives in
                       an array that is there anyway */
  int64_t scratch;  /* more memory while it is recomputed */
  double save;      /* seconds that saving it takes: 0 if it is only kept alive */
  double recompute; /* seconds that recomputing it takes */
  int born;         /* the region that makes it */
  int dies;         /* the last region in which it is there by itself */
  struct dilp_list needs; /* earlier items that recomputing it reads */
  struct dilp_list uses;  /* regions whose reverse reads it */
};

/* How a loop of several steps is reversed (menu.h). */
enum dilp_way {
  DILP_STORE,     /* every step's tape is kept */
  DILP_SEPARATED, /* snapshots are kept between the sweeps */
  DILP_WARM,      /* snapshots, and the tape of the last window */
  DILP_REPEAT     /* nothing: the sweep is repeated from the loop's first state */
};

/* One way to run a loop. */
struct dilp_point {
  int64_t held;      /* bytes that it keeps between its two sweeps */
  int64_t forward;   /* bytes at most while it runs, those that it keeps included */
  int64_t reverse;   /* the same while it is undone */
  double time;       /* seconds */
  enum dilp_way way; /* DILP_REPEAT needs the loop's first state */
  int64_t window;    /* steps that are taped at once */
  int64_t snapshots; /* states that are kept at once */
  int inner;         /* in a nest, the point of the inner loop; else -1 */
};

/* What the menu of a loop is made from. */
struct dilp_steps {
  int64_t trip;  /* steps */
  int64_t state; /* bytes of a snapshot */
  int64_t tape;  /* bytes of one step's tape */
  double step;   /* seconds of a plain step */
  double copy;   /* seconds of taking a snapshot */
};

/* A sequential loop that may be checkpointed. */
struct dilp_loop {
  const char *name;
  int region;               /* the region that it is */
  int first;                /* the item that is its first state; -1: nobody may need it */
  struct dilp_steps steps;  /* "trip" is 0 where the menu was not made from steps */
  int points;               /* size of its menu */
  struct dilp_point *point; /* its menu */
};

struct dilp_problem {
  int64_t limit;   /* no event may have more bytes */
  int64_t base;    /* bytes that are there throughout */
  int64_t page;    /* every block of memory is a multiple of this, */
  int64_t huge;    /* and of this if it is at least as large (0: not) */
  double gradient; /* seconds of the gradient without extra work; 0: see dilp_gradient_seconds */
  int regions;
  struct dilp_region *region;
  int items;
  struct dilp_item *item;
  int loops;
  struct dilp_loop *loop;
};

/* What is wrong with a text or a problem. */
struct dilp_error {
  int line;       /* of the text, from 1; 0: none in particular */
  char text[160]; /* a sentence without its full stop */
};

/* Writes "format" and what follows to "error", with "line". Returns false. */
bool dilp_fail(struct dilp_error *error, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Can "problem" be planned? Looks at indices, signs and sizes; says in "error" what is wrong. */
bool dilp_problem_valid(const struct dilp_problem *problem, struct dilp_error *error);

/* The stage that undoes "at" if that is a region, and the region that is undone in it if it is a
   stage. */
static inline int dilp_mirror(const struct dilp_problem *problem, int at) {
  return problem->regions - 1 - at;
}

/* Is "index" in "list"? */
bool dilp_listed(const struct dilp_list *list, int index);

/* "bytes" as a block of memory of "problem" takes them. */
int64_t dilp_block_bytes(const struct dilp_problem *problem, int64_t bytes);

/* Rounds all amounts of "problem" up to what blocks of memory take. */
void dilp_problem_round(struct dilp_problem *problem);

/* Seconds of the gradient without extra work: "gradient" of "problem", or three times what
   computing its items once takes. */
double dilp_gradient_seconds(const struct dilp_problem *problem);

#endif
