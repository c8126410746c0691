/* readme_tables.c: the tables of options and messages in README.md are those of option.def and
 * diag.def.
 *
 *   readme_tables             prints the rows as they are to stand in README.md
 *   readme_tables README.md   fails if a row is missing there, or one is there that is not in the
 * tables
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 500, WIDTH = 1000 };

static char rows[ROWS][WIDTH]; /* what README.md is to hold */
static int count;

/* Appends "text" to "row"; a place for an argument of printf becomes an ellipsis. */
static void append(char *row, const char *text) {
  size_t n = strlen(row);
  for (; *text && n + 4 < WIDTH; text++) {
    if (text[0] == '%' && strchr("sud", text[1])) {
      memcpy(row + n, "...", 3);
      n += 3;
      text++;
    } else {
      row[n++] = *text;
    }
  }
  row[n] = 0;
}

/* Adds the row | `name` | second | third |. */
static void add(const char *name, const char *second, const char *third) {
  const char *parts[] = {"| `", name, "` | ", second, " | ", third, " |"};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    append(rows[count], parts[i]);
  count++;
}

static void read_tables(void) {
#define OPTION_BOOL(field, name, value, text)   add("-" name, "", text);
#define OPTION_INT(field, name, value, text)    add("-" name "=N", #value, text);
#define OPTION_STRING(field, name, value, text) add("-" name "=TEXT", value, text);
#include "../pass/driver/option.def"
#define DIAG(id, severity, name, text, remedy) add(name, text, remedy);
#include "../pass/driver/diag.def"
}

/* Takes the row "line" of README.md off the list; false if it is not there. */
static bool take(const char *line) {
  for (int i = 0; i < count; i++)
    if (!strcmp(rows[i], line)) {
      memmove(rows[i], rows[--count], WIDTH);
      return true;
    }
  return false;
}

/* Compares the rows in the file "path" with the tables; returns how many differ. */
static int compare(const char *path) {
  char line[WIDTH];
  int failures = 0;
  FILE *f = fopen(path, "r");
  if (!f) {
    perror(path);
    return 1;
  }
  while (fgets(line, sizeof line, f)) {
    line[strcspn(line, "\n")] = 0;
    if ((!strncmp(line, "| `-dacead-", 11) || !strncmp(line, "| `DAD-", 7)) && !take(line)) {
      printf("%s: not in option.def or diag.def: %s\n", path, line);
      failures++;
    }
  }
  fclose(f);
  for (int i = 0; i < count; i++)
    printf("%s: missing: %s\n", path, rows[i]);
  return failures + count;
}

int main(int argc, char **argv) {
  read_tables();
  if (argc > 1)
    return compare(argv[1]) ? EXIT_FAILURE : EXIT_SUCCESS;
  for (int i = 0; i < count; i++)
    puts(rows[i]);
  return EXIT_SUCCESS;
}
