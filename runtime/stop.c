/* stop.c: how the runtime ends a program that cannot go on. */
#include "stop.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

_Noreturn void drt_stop(const char *format, ...) {
  va_list arguments;

  va_start(arguments, format);
  fflush(stdout);
  fputs("dacead: ", stderr);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  va_end(arguments);
  abort();
}
