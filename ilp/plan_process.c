/* plan_process.c: plans by the program dacead-plan, in a process of its own. */
#define _GNU_SOURCE
#include "plan_process.h"

#include "problem_text.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Most bytes that a program may print. */
#define MOST_OUTPUT ((size_t)1 << 22)

/* How often the end of a program that has closed its output is looked for. */
#define NAP_NANOSECONDS 500000

/* A program that runs. */
struct child {
  pid_t pid;
  int output;      /* what it prints can be read here */
  double deadline; /* on the clock of now() */
};

/* Seconds on a clock that nobody sets. */
static double now(void) {
  struct timespec t;

  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* A file without a name that has the text of "problem"; NULL if there can be none. */
static FILE *input_file(const struct dilp_problem *problem) {
  FILE *file = tmpfile();

  if (!file)
    return NULL;
  dilp_problem_print(problem, file);
  if (fflush(file) || fseek(file, 0, SEEK_SET)) {
    fclose(file);
    return NULL;
  }
  return file;
}

/* Starts "program" with the argument "option" unless that is NULL, with "input" as standard input
   and "output" as standard output; what it says on standard error is nobody's. Returns 0, or a
   number of an error. */
static int spawn(const char *program, const char *option, int input, int output, pid_t *pid) {
  char *const arguments[] = {(char *)(uintptr_t)program, (char *)(uintptr_t)option, NULL};
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  extern char **environ;
  sigset_t none;
  int failed;

  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  failed = posix_spawn(pid, program, &actions, &attributes, arguments, environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return failed;
}

/* Starts the program of "process" with "option" for "problem". Returns false, and "why", if that
 * fails. */
static bool start(struct child *child, const struct dilp_problem *problem,
                  struct dilp_process process, const char *option, struct dilp_error *why) {
  FILE *input = input_file(problem);
  int ends[2], failed;

  if (!input || pipe2(ends, O_CLOEXEC)) {
    if (input)
      fclose(input);
    return dilp_fail(why, 0, "it has no files to talk by: %s", strerror(errno));
  }
  child->deadline = now() + process.seconds;
  failed = spawn(process.program, option, fileno(input), ends[1], &child->pid);
  fclose(input);
  close(ends[1]);
  child->output = ends[0];
  if (!failed)
    return true;
  close(ends[0]);
  return dilp_fail(why, 0, "it cannot be started: %s", strerror(failed));
}

/* Waits until there is output of "child" or its end; false if it is late. */
static bool await_output(const struct child *child) {
  struct pollfd output = {child->output, POLLIN, 0};

  for (;;) {
    double left = child->deadline - now();
    int ready = poll(&output, 1, left > 0 ? (int)(left * 1000) + 1 : 0);

    if (ready > 0)
      return true;
    if (ready == 0 && left <= 0)
      return false;
    if (ready < 0 && errno != EINTR)
      return false;
  }
}

/* Reads everything that "child" prints to "text" of "size" bytes. */
static bool read_output(const struct child *child, char *text, size_t size,
                        struct dilp_error *why) {
  size_t length = 0;

  for (;;) {
    ssize_t got;

    if (!await_output(child))
      return dilp_fail(why, 0, "it has not answered in time");
    got = read(child->output, text + length, size - 1 - length);
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      break;
    length += (size_t)got;
    if (length == size - 1)
      return dilp_fail(why, 0, "it prints more than any plan has");
  }
  text[length] = 0;
  return true;
}

/* Waits for the end of "child", which has closed its output. Returns whether that is a good one. */
static bool await_end(const struct child *child, struct dilp_error *why) {
  const struct timespec nap = {0, NAP_NANOSECONDS};
  int status = 0;
  pid_t got;

  while ((got = waitpid(child->pid, &status, WNOHANG)) == 0 || (got < 0 && errno == EINTR)) {
    if (now() > child->deadline) {
      kill(child->pid, SIGKILL);
      while (waitpid(child->pid, &status, 0) < 0 && errno == EINTR)
        ;
      return dilp_fail(why, 0, "it has not ended in time");
    }
    nanosleep(&nap, NULL);
  }
  if (got < 0)
    return true; /* somebody else has waited for it: what it has printed must do */
  if (WIFSIGNALED(status))
    return dilp_fail(why, 0, "it was ended by signal %d", WTERMSIG(status));
  if (WEXITSTATUS(status) > 1)
    return dilp_fail(why, 0, "it has ended with status %d", WEXITSTATUS(status));
  return true;
}

/* Ends "child", which has not done what it should. */
static void end(const struct child *child) {
  kill(child->pid, SIGKILL);
  while (waitpid(child->pid, NULL, 0) < 0 && errno == EINTR)
    ;
}

/* Asks the program of "process" with "option" about "problem". Returns what it prints, in memory of
   "room"; NULL, and "why", if it fails. */
static char *ask(const struct dilp_problem *problem, struct dilp_process process,
                 const char *option, struct dilp_room *room, struct dilp_error *why) {
  char *text = dilp_take(room, MOST_OUTPUT, 1);
  struct child child;
  bool done;

  if (!text) {
    dilp_fail(why, 0, "there is too little memory for its output");
    return NULL;
  }
  if (!start(&child, problem, process, option, why))
    return NULL;
  done = read_output(&child, text, MOST_OUTPUT, why);
  if (!done)
    end(&child);
  close(child.output);
  return done && await_end(&child, why) ? text : NULL;
}

bool dilp_answer_process(struct dilp_answer *answer, const struct dilp_problem *problem,
                         struct dilp_process process, struct dilp_effort effort,
                         struct dilp_room *room, struct dilp_error *why) {
  struct dilp_room mark = *room;
  char *text;

  *why = (struct dilp_error){0};
  text = ask(problem, process, NULL, room, why);
  if (text && dilp_answer_read(answer, problem, text, room, why))
    return true;
  *room = mark;
  return dilp_answer_own(answer, problem, effort, room);
}

bool dilp_ladder_process(struct dilp_ladder *ladder, const struct dilp_problem *problem,
                         const struct dilp_cells *cells, struct dilp_process process,
                         struct dilp_effort effort, struct dilp_room *room,
                         struct dilp_error *why) {
  struct dilp_room mark = *room;
  char *text;

  *why = (struct dilp_error){0};
  text = ask(problem, process, "-ladder", room, why);
  if (text && dilp_ladder_read(ladder, problem, cells, text, room, why))
    return true;
  *room = mark;
  return dilp_ladder(ladder, problem, cells, effort, NULL, NULL, room);
}
