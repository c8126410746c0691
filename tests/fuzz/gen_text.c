/* gen_text.c: the random numbers and the growing text of the program. */
#include "gen.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A random number in [0, "n"). */
int gen_below(struct gen *g, int n) {
  uint64_t z = g->random += 0x9E3779B97F4A7C15u;
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
  z = (z ^ z >> 27) * 0x94D049BB133111EBu;
  return (int)((z ^ z >> 31) % (uint64_t)n);
}

/* A random number from "low" to "high", both included. */
int gen_between(struct gen *g, int low, int high) {
  return low + gen_below(g, high - low + 1);
}

/* True in "percent" of 100 cases. */
bool gen_chance(struct gen *g, int percent) {
  return gen_below(g, 100) < percent;
}

/* Append "n" "characters" to the program. */
void gen_write(struct gen *g, const char *characters, size_t n) {
  if (g->length + n + 1 > g->capacity) {
    g->capacity = 2 * g->capacity + n + 4096;
    g->text = realloc(g->text, g->capacity);
    if (!g->text) {
      fprintf(stderr, "generate: out of memory\n");
      exit(2);
    }
  }
  memcpy(g->text + g->length, characters, n);
  g->length += n;
  g->text[g->length] = '\0';
}

/* Append formatted text to the program. */
void gen_put(struct gen *g, const char *format, ...) {
  char buffer[1024];
  va_list arguments;
  va_start(arguments, format);
  int n = vsnprintf(buffer, sizeof buffer, format, arguments);
  va_end(arguments);
  if (n < 0 || (size_t)n >= sizeof buffer) {
    fprintf(stderr, "generate: a line is too long\n");
    exit(2);
  }
  gen_write(g, buffer, (size_t)n);
}

/* Append a copy of the "n" characters from "start" of the program. */
void gen_repeat(struct gen *g, size_t start, size_t n) {
  for (size_t i = 0; i < n; i++) {
    char c = g->text[start + i]; /* the text may move */
    gen_write(g, &c, 1);
  }
}

/* Begin the piece of the program that belongs to the node "number". */
struct gen_mark gen_begin(struct gen *g, int number) {
  struct gen_mark mark = {number, g->length};
  return mark;
}

/* End the piece that began at "mark". If its node is to be left out, its text becomes "instead";
 * its random choices have been made all the same, so that the rest of the program does not change.
 */
void gen_end(struct gen *g, struct gen_mark mark, const char *instead) {
  if (mark.number < 0 || mark.number >= g->drops || !g->drop[mark.number])
    return;
  g->length = mark.start;
  gen_write(g, instead, strlen(instead));
}
