// Covers: every row of the rule table in forward mode.
// LEVELS: -O0 -O2
#define RULES_FORWARD
#include "rules.c"
