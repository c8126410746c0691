/* options.h: the options of option.def as one struct. */
#ifndef DAD_OPTIONS_H
#define DAD_OPTIONS_H

#include <stdbool.h>

#define OPTION_BOOL(name, flag, value, text) bool name;
#define OPTION_INT(name, flag, value, text) int name;
#define OPTION_STRING(name, flag, value, text) const char *name;
struct dad_options {
#include "option.def"
};

/* The values in force; set once, when the plugin has been loaded and the command line has been read. */
extern struct dad_options dad_options;

#endif
