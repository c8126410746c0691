/* stops.h: looks at what a function prints to standard error and how its process ends. For
   tests with cmocka. */
#ifndef STOPS_H
#define STOPS_H

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <sys/wait.h>
#include <unistd.h>

/* Runs "f" in a process of its own, which exits with 0 if "f" returns. Copies what it prints
   to standard error to "text" of "size" bytes; returns its status as waitpid gives it. */
static inline int outcome(void (*f)(void), char *text, size_t size) {
  int ends[2], status;
  size_t length = 0;
  ssize_t got;
  pid_t child;

  assert_int_equal(pipe(ends), 0);
  fflush(NULL);
  child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    signal(SIGABRT, SIG_DFL);
    dup2(ends[1], STDERR_FILENO);
    close(ends[0]);
    f();
    exit(0);
  }
  close(ends[1]);
  while (length < size - 1 && (got = read(ends[0], text + length, size - 1 - length)) > 0)
    length += (size_t)got;
  text[length] = 0;
  close(ends[0]);
  assert_int_equal(waitpid(child, &status, 0), child);
  return status;
}

/* "f" must abort with a message marked "dacead: " that contains "part" and ends with a
   remedy. */
static inline void assert_stops(void (*f)(void), const char *part) {
  char text[4096];
  int status = outcome(f, text, sizeof text);

  if (!strstr(text, "dacead: ") || !strstr(text, part))
    fail_msg("message without '%s': %s", part, text);
  assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
  assert_true(strlen(text) > 2 && strcmp(text + strlen(text) - 2, ".\n") == 0);
}

#endif
