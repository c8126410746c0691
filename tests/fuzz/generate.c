/* generate.c: prints the random C program of a seed.
 *
 *   generate SEED              the program
 *   generate SEED --nodes      how many nodes (statements, expressions) it has
 *   generate SEED --drop FILE  the program without the nodes whose numbers are in FILE
 */
#include "gen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NODES = 100000 };

/* Enter the numbers in the file "path" into "drop"; false if it cannot be read. */
static bool read_drops(const char *path, bool *drop) {
  FILE *file = fopen(path, "r");
  int number;
  if (!file)
    return false;
  while (fscanf(file, "%d", &number) == 1)
    if (number >= 0 && number < MOST_NODES)
      drop[number] = true;
  return fclose(file) == 0;
}

int main(int argc, char **argv) {
  static struct gen g;
  static bool drop[MOST_NODES];
  char *end;
  if (argc < 2)
    goto usage;
  long seed = strtol(argv[1], &end, 10);
  bool nodes = argc == 3 && !strcmp(argv[2], "--nodes");
  bool drops = argc == 4 && !strcmp(argv[2], "--drop");
  if (*end || (argc > 2 && !nodes && !drops))
    goto usage;
  if (drops && !read_drops(argv[3], drop)) {
    perror(argv[3]);
    return 2;
  }
  g.drop = drop;
  g.drops = MOST_NODES;
  gen_program(&g, seed);
  if (nodes)
    printf("%d\n", g.nodes);
  else
    fputs(g.text, stdout);
  free(g.text);
  return 0;
usage:
  fprintf(stderr, "usage: generate SEED [--nodes | --drop FILE]\n");
  return 2;
}
