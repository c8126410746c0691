/* dacead_plan.c: the program dacead-plan: the text of a problem in, the text of a plan out. */
#include "answer.h"
#include "ladder_text.h"
#include "problem_text.h"
#include "solve.h"
#include "words.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* Memory for the planner, and seconds of processor time after which the system ends the program. */
#define MEMORY       ((size_t)1 << 30)
#define MOST_SECONDS 600

static const char usage[] =
    "usage: dacead-plan [-limit BYTES] [-own | -store-all | -recompute-all] [-ladder] [-gap SHARE] "
    "[-nodes N] [-cells N] [-v] [FILE]\n";

/* Who plans. */
enum method { BY_CBC, BY_OWN, BY_STORING, BY_RECOMPUTING };

/* What the command line says. */
struct options {
  const char *file; /* NULL: standard input */
  int64_t limit;    /* -1: that of the problem */
  bool ladder;      /* plans for a sequence of limits, not for one */
  enum method how;  /* who plans */
  bool verbose;     /* say what the search was like */
  struct dilp_solver_limits limits;
};

/* Reads "value" as that of option "name". */
static bool read_option(struct options *options, const char *name, const char *value) {
  int64_t count = 0;

  if (!strcmp(name, "-gap"))
    return dilp_parse_seconds(value, &options->limits.gap);
  if (!dilp_parse_count(value, &count))
    return false;
  if (!strcmp(name, "-limit"))
    options->limit = count;
  else if (!strcmp(name, "-nodes") && count <= 1000000000)
    options->limits.nodes = (int)count;
  else if (!strcmp(name, "-cells") && count <= 1000000)
    options->limits.cells = (int)count;
  else
    return false;
  return true;
}

/* Reads the command line. */
static bool read_options(struct options *options, int argc, char **argv) {
  for (int k = 1; k < argc; k++) {
    if (!strcmp(argv[k], "-own"))
      options->how = BY_OWN;
    else if (!strcmp(argv[k], "-store-all"))
      options->how = BY_STORING;
    else if (!strcmp(argv[k], "-recompute-all"))
      options->how = BY_RECOMPUTING;
    else if (!strcmp(argv[k], "-ladder"))
      options->ladder = true;
    else if (!strcmp(argv[k], "-v"))
      options->verbose = true;
    else if (argv[k][0] == '-' && argv[k][1]) {
      if (k + 1 == argc || !read_option(options, argv[k], argv[k + 1]))
        return false;
      k++;
    } else if (!options->file)
      options->file = argv[k];
    else
      return false;
  }
  return true;
}

/* Everything in "file", in memory of "room"; NULL if it cannot be read or does not fit. */
static char *read_all(FILE *file, struct dilp_room *room) {
  char *text = room->next;
  size_t length = 0, got;

  while (length < room->left && (got = fread(text + length, 1, room->left - length, file)) > 0)
    length += got;
  if (ferror(file) || length == room->left)
    return NULL;
  text[length++] = 0;
  room->next += length;
  room->left -= length;
  return text;
}

/* Splits "room": prepares "solver" and "cells" for "problem", and leaves half of the memory. */
static bool prepare(struct dilp_solver *solver, struct dilp_cells *cells,
                    const struct dilp_problem *problem, const struct options *options,
                    struct dilp_room *room) {
  size_t half = room->left / 2;
  struct dilp_room rest = dilp_room(room->next + half, room->left - half);

  room->left = half;
  return dilp_cells(cells, problem, INFINITY, room) &&
         dilp_solver(solver, problem, cells, options->limits, dilp_effort_high, rest);
}

/* Prints the ladder of "problem" to "out", with memory from "room". */
static bool print_ladder(const struct dilp_problem *problem, const struct options *options,
                         struct dilp_room room, FILE *out) {
  static struct dilp_solver solver;
  static struct dilp_ladder ladder;
  static struct dilp_cells cells;

  return prepare(&solver, &cells, problem, options, &room) &&
         dilp_ladder(&ladder, problem, &cells, dilp_effort_medium,
                     options->how == BY_OWN ? NULL : dilp_solver_plan, &solver, &room) &&
         dilp_ladder_print(&ladder, out, &room);
}

/* Answers "problem" by CBC, in memory of "room". */
static bool answer_by_solver(struct dilp_answer *answer, const struct dilp_problem *problem,
                             const struct options *options, struct dilp_room room) {
  static struct dilp_solver solver;
  static struct dilp_cells cells;
  struct dilp_problem free = *problem;

  if (!prepare(&solver, &cells, problem, options, &room))
    return false;
  *answer = (struct dilp_answer){.planned = false};
  if (!dilp_answer_plan(answer, problem, &cells, dilp_solver_plan, &solver, &room)) {
    free.limit = DILP_NO_LIMIT;
    if (!dilp_answer_plan(answer, &free, &cells, dilp_solver_least, &solver, &room))
      return false;
    answer->least = answer->replay.top;
    answer->planned = answer->least <= problem->limit;
  }
  answer->proven = solver.report.proven && answer->replay.top == answer->replay.peak;
  if (options->verbose)
    fprintf(stderr, "cells %d of %d rows %d columns %d nodes %d%s\n", solver.report.cells,
            cells.count, solver.report.rows, solver.report.columns, solver.report.nodes,
            answer->proven ? " proven" : "");
  return true;
}

/* Answers "problem" as "options" say, in memory of "room". */
static bool answer_by(struct dilp_answer *answer, const struct dilp_problem *problem,
                      const struct options *options, struct dilp_room *room) {
  switch (options->how) {
  case BY_OWN: return dilp_answer_own(answer, problem, dilp_effort_high, room);
  case BY_STORING: return dilp_answer_policy(answer, problem, DILP_STORE_ALL, room);
  case BY_RECOMPUTING: return dilp_answer_policy(answer, problem, DILP_RECOMPUTE_ALL, room);
  default: return answer_by_solver(answer, problem, options, *room);
  }
}

/* Makes standard output what "file" is not: CBC may write there what it likes. Returns a file for
   what is to be written. */
static FILE *keep_output(void) {
  int copy = dup(STDOUT_FILENO);

  if (copy < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0 || !freopen("/dev/null", "r", stdin))
    return NULL;
  return fdopen(copy, "w");
}

/* Says why there is no answer. */
static int fail(const char *what) {
  fprintf(stderr, "dacead-plan: %s\n", what);
  return 2;
}

int main(int argc, char **argv) {
  struct options options = {.limit = -1, .limits = dilp_solver_defaults};
  struct rlimit seconds = {MOST_SECONDS, MOST_SECONDS};
  void *memory = malloc(MEMORY);
  struct dilp_room room = dilp_room(memory, memory ? MEMORY : 0);
  struct dilp_answer answer;
  struct dilp_problem problem;
  struct dilp_error error;
  FILE *in = stdin, *out;
  char *text;

  setrlimit(RLIMIT_CPU, &seconds);
  if (!read_options(&options, argc, argv)) {
    fputs(usage, stderr);
    return 2;
  }
  if (options.file && strcmp(options.file, "-") && !(in = fopen(options.file, "r")))
    return fail(strerror(errno));
  text = read_all(in, &room);
  if (!text)
    return fail("the problem cannot be read");
  if (!dilp_problem_read(&problem, text, &room, &error)) {
    fprintf(stderr, "dacead-plan: line %d: %s\n", error.line, error.text);
    return 2;
  }
  if (options.limit >= 0)
    problem.limit = options.limit;
  out = keep_output();
  if (!out)
    return fail("standard output cannot be kept");
  if (options.ladder)
    return print_ladder(&problem, &options, room, out) && !fclose(out) ? 0
                                                                       : fail("too little memory");
  if (!answer_by(&answer, &problem, &options, &room))
    return fail("too little memory");
  dilp_answer_print(&answer, &problem, out);
  return fclose(out) ? fail("the plan cannot be written") : answer.planned ? 0 : 1;
}
