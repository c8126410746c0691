/* words.h: lines, words and numbers of the planner's texts. */
#ifndef DILP_WORDS_H
#define DILP_WORDS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* The line that begins at "*cursor", which is moved to the next one; a comment, from # on, is cut
   off. The text is changed. NULL at its end. */
char *dilp_next_line(char **cursor);

/* The first of the parts of "*cursor" that are separated by characters of "between"; the rest is
   left there. The text is changed. NULL if there is none. */
char *dilp_next_part(char **cursor, const char *between);

/* The next word of the line "*cursor". */
char *dilp_next_word(char **cursor);

/* Reads the whole of "word" as a number that is at least 0. Returns false if it is none. */
bool dilp_parse_count(const char *word, int64_t *value);
bool dilp_parse_seconds(const char *word, double *value);

/* Prints "seconds" with as few digits as reading it exactly takes. */
void dilp_print_seconds(double seconds, FILE *file);

#endif
