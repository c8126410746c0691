/* problem_text.h: the text form of planning problems.

   A line is a record: its kind, its name, then pairs of a word and a value in any order
   (problem.def); a value that is left out is 0, an index -1, a list empty. # begins a comment.
   Regions come before the items that name them, and items and loops in the order in which the
   program makes them.

       limit 900
       region r0 reverse 100
       region r1 reverse 100
       item a bytes 300 save 0.1 recompute 0.3 born r0 dies r0 uses r1
       item b bytes 300 natural 300 recompute 0.4 born r1 dies r1 needs a uses r1

   A loop has either "trip", "state", "tape", "step" and "copy", from which its menu is made, or
   lines that begin with "point" behind it. */
#ifndef DILP_PROBLEM_TEXT_H
#define DILP_PROBLEM_TEXT_H

#include "problem.h"

#include <stdio.h>

/* Makes "problem" the problem that "text" describes, in memory of "room", with amounts rounded up
   (dilp_problem_round). Returns false, with the
   reason in "error", if it describes none or "room" is too small. */
bool dilp_problem_read(struct dilp_problem *problem, const char *text, struct dilp_room *room,
                       struct dilp_error *error);

/* Prints "problem". Reading the text again gives the same problem. */
void dilp_problem_print(const struct dilp_problem *problem, FILE *file);

#endif
