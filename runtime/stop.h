/* stop.h: how the runtime ends a program that cannot go on. */
#ifndef DRT_STOP_H
#define DRT_STOP_H

/* Prints "dacead: ", the message made of "format" and what follows, and a newline to standard
   error, and aborts. A message says what is wrong and ends with a remedy. */
_Noreturn void drt_stop(const char *format, ...)
    __attribute__((__format__(__printf__, 1, 2), __cold__));

/* The remedy for what only a fault of the plugin can cause. */
#define DRT_REPORT "This is a fault of DaceAD, not of the program: please report it."

#endif
