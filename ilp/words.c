/* words.c: lines, words and numbers of the planner's texts. */
#include "words.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

char *dilp_next_line(char **cursor) {
  char *line = *cursor, *end = line + strcspn(line, "\n");

  if (!*line)
    return NULL;
  *cursor = *end ? end + 1 : end;
  *end = 0;
  line[strcspn(line, "#")] = 0;
  return line;
}

char *dilp_next_part(char **cursor, const char *between) {
  char *part = *cursor + strspn(*cursor, between), *end = part + strcspn(part, between);

  if (!*part)
    return NULL;
  *cursor = *end ? end + 1 : end;
  *end = 0;
  return part;
}

char *dilp_next_word(char **cursor) {
  return dilp_next_part(cursor, " \t\r");
}

bool dilp_parse_count(const char *word, int64_t *value) {
  char *end;

  errno = 0;
  *value = strtoimax(word, &end, 10);
  return end != word && !*end && !errno && *value >= 0;
}

bool dilp_parse_seconds(const char *word, double *value) {
  char *end;

  *value = strtod(word, &end);
  return end != word && !*end && isfinite(*value) && *value >= 0;
}

void dilp_print_seconds(double seconds, FILE *file) {
  char text[40];

  for (int digits = 6; digits <= 17; digits++) {
    snprintf(text, sizeof text, "%.*g", digits, seconds);
    if (strtod(text, NULL) == seconds)
      break;
  }
  fputs(text, file);
}
