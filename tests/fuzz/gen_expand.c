/* gen_expand.c: fills the holes of the rows. */
#include "gen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is known about the texts of one row while it is being filled. */
struct expansion {
  int unique; /* the number that $# stands for */
  struct {
    size_t start, length; /* where its text is in the program */
  } last[128];            /* by letter: the last hole of this kind */
  struct {
    int variables, loops; /* what its block goes back to */
  } brace[16];            /* the blocks that are open */
  int braces;             /* elements of "brace" */
};

/* How a hole is filled that stands for a name in scope. */
static const struct {
  unsigned kinds; /* the kinds that fit, a bit set; 0 where the letter is not such a hole */
} name_hole[128] = {
#define KIND(name) (1u << GEN_##name)
    ['l'] = {KIND(REAL) | KIND(FLOAT) | KIND(WIDE)},
    ['r'] = {KIND(REAL)},
    ['f'] = {KIND(FLOAT)},
    ['w'] = {KIND(WIDE)},
    ['d'] = {KIND(ARRAY) | KIND(LONG) | KIND(POINTER)},
    ['g'] = {KIND(ARRAY) | KIND(LONG) | KIND(POINTER)},
    ['L'] = {KIND(LONG)},
    ['M'] = {KIND(MAP)},
    ['p'] = {KIND(POINTER)},
    ['q'] = {KIND(POINTER)},
    ['h'] = {KIND(HANDLE)},
    ['x'] = {KIND(INTEGER)},
    ['I'] = {KIND(INTEGER) | KIND(COUNT)},
    ['s'] = {KIND(BIG)},
    ['u'] = {KIND(SMALL)},
    ['F'] = {KIND(FUNCTION)},
    ['S'] = {KIND(STEP)},
    ['T'] = {KIND(TURN)},
    ['J'] = {KIND(NUDGE)},
    ['K'] = {KIND(PICK)},
    ['U'] = {KIND(SHAKE)},
#undef KIND
};

/* The holes that are filled from a table. */
static const struct {
  char letter;         /* of the hole, 0 for statements */
  int depth;           /* from this depth on only the leaf is drawn */
  const char *instead; /* what stands for a row that is left out, NULL: it never is */
} table_hole[GEN_TABLES] = {
    [GEN_STATEMENT] = {0, 1, ""},    [GEN_EXPRESSION] = {'e', 3, "0.75"},
    [GEN_CONDITION] = {'c', 3, "1"}, [GEN_ATOM] = {'a', 5, NULL},
    [GEN_INDEX] = {'i', 5, "0"},     [GEN_NUMBER] = {'y', 5, NULL},
    [GEN_BOUND] = {'z', 5, NULL},    [GEN_LENGTH] = {'m', 5, NULL},
};

static const struct {
  enum gen_table_name table;
  struct gen_row row;
} all_rows[] = {
#define ROW(table, weight, needs, text) {GEN_##table, {weight, GEN_##needs, text}},
#include "rows.def"
};

/* Give "g" its tables. Each program does without some of the rows and has more of others: that
 * reaches combinations that are rare when everything is equally likely everywhere. */
void gen_tables(struct gen *g) {
  for (size_t i = 0; i < sizeof all_rows / sizeof *all_rows; i++) {
    struct gen_table *table = &g->table[all_rows[i].table];
    if (table->rows == (int)(sizeof table->row / sizeof *table->row)) {
      fprintf(stderr, "generate: too many rows\n");
      exit(2);
    }
    struct gen_row *row = &table->row[table->rows++];
    *row = all_rows[i].row;
    int luck = gen_below(g, 100);
    if (table->rows > 1 && luck < 25)
      row->weight = 0;
    else if (luck > 85)
      row->weight *= 3;
  }
}

/* The life that an array for the hole "letter" must have at least. */
static enum gen_life least_life(const struct gen *g, char letter) {
  return letter == 'g' ? g->life : GEN_BLOCK;
}

/* Whether the holes of "text" can be filled here. */
static bool holes_fit(struct gen *g, const char *text) {
  for (const char *hole = strchr(text, '$'); hole; hole = strchr(hole + 1, '$')) {
    if (hole[1] == 'b' && (g->nesting > 3 || g->budget <= 0))
      return false;
    unsigned kinds = name_hole[(unsigned char)hole[1]].kinds;
    bool there = !kinds;
    for (int i = 0; i < g->variables && !there; i++)
      there = kinds >> g->variable[i].kind & 1 && g->variable[i].life >= least_life(g, hole[1]);
    if (!there)
      return false;
  }
  return true;
}

/* Draw a row of "table" that fits here. */
static const struct gen_row *draw_row(struct gen *g, const struct gen_table *table) {
  unsigned have = g->features | (g->loops ? GEN_USES_LOOP : 0);
  int fit[sizeof table->row / sizeof *table->row], fits = 0, sum = 0;
  for (int i = 0; i < table->rows; i++) {
    const struct gen_row *row = &table->row[i];
    if (!row->weight || row->needs & ~have || !holes_fit(g, row->text))
      continue;
    fit[fits++] = i;
    sum += row->weight;
  }
  int at = gen_below(g, sum);
  for (int i = 0; i < fits; i++) {
    at -= table->row[fit[i]].weight;
    if (at < 0)
      return &table->row[fit[i]];
  }
  return &table->row[0];
}

/* Append a random row of "table", an expression of some kind. */
void gen_draw(struct gen *g, enum gen_table_name table) {
  const struct gen_table *rows = &g->table[table];
  bool leaf = g->depth >= table_hole[table].depth;
  bool node = table_hole[table].instead != NULL;
  struct gen_mark mark = {0, 0};
  if (node)
    mark = gen_begin(g, g->nodes++);
  g->depth++;
  gen_expand(g, leaf ? rows->row[0].text : draw_row(g, rows)->text);
  g->depth--;
  if (node)
    gen_end(g, mark, table_hole[table].instead);
}

/* Append one random statement. What it declares is its own. */
static void statement(struct gen *g) {
  int variables = g->variables, loops = g->loops;
  struct gen_mark mark = gen_begin(g, g->nodes++);
  g->budget--;
  gen_lines(g, draw_row(g, &g->table[GEN_STATEMENT])->text);
  g->variables = variables;
  g->loops = loops;
  gen_end(g, mark, table_hole[GEN_STATEMENT].instead);
}

/* Append "statements" random statements. */
void gen_block(struct gen *g, int statements) {
  int indent = g->indent;
  g->nesting++;
  for (int i = 0; i < statements; i++)
    statement(g);
  g->nesting--;
  g->indent = indent;
}

/* Declare the name with the prefix "letter" and the number "unique". */
static void declare(struct gen *g, char letter, int unique) {
  char name[40];
  switch (letter) {
  case 'i':
  case 'j':
  case 'w': gen_declare(g, GEN_COUNT, GEN_BLOCK, "%c%d", letter, unique); break;
  case 'h': gen_declare(g, GEN_LONG, GEN_BLOCK, "h%d", unique); break;
  case 'k': gen_declare(g, GEN_ARRAY, GEN_BLOCK, "k%d", unique); break;
  case 'r': gen_declare(g, GEN_ARRAY, GEN_BLOCK, "r%d[$y %% 3]", unique); break;
  case 't': gen_declare(g, GEN_REAL, GEN_BLOCK, "t%d", unique); break;
  case 'v': gen_declare(g, GEN_REAL, GEN_BLOCK, "v%d[0]", unique); break;
  case 'o':
  case 'e':
  case 'm':
    snprintf(name, sizeof name,
             letter == 'o'   ? "o%d"
             : letter == 'e' ? "(*e%d)"
                             : "m%d[$y %% 3]",
             unique);
    gen_declare_record(g, &g->big, name);
    break;
  case 'c':
    snprintf(name, sizeof name, "c%d[$y %% 2]", unique);
    gen_declare_record(g, &g->small, name);
    break;
  default: fprintf(stderr, "generate: no declaration for '%c'\n", letter); exit(2);
  }
}

/* Append a random number with two digits. */
static void literal(struct gen *g) {
  int hundredths = gen_between(g, -150, 150);
  if (hundredths == 0)
    hundredths = 7;
  gen_put(g, hundredths < 0 ? "(%.2f)" : "%.2f", 0.01 * hundredths);
}

/* Fill the hole "letter" by something that is not a name in scope. */
static void fill_other(struct gen *g, struct expansion *x, char letter) {
  for (int table = 0; table < GEN_TABLES; table++)
    if (table_hole[table].letter == letter && letter) {
      gen_draw(g, (enum gen_table_name)table);
      return;
    }
  switch (letter) {
  case '#': gen_put(g, "%d", x->unique); break;
  case '*': g->loops++; break;
  case 'n': literal(g); break;
  case 'R': gen_expand(g, g->result); break;
  default:
    if (letter < '0' || letter > '9') {
      fprintf(stderr, "generate: no hole '%c'\n", letter);
      exit(2);
    }
    gen_put(g, "%d", gen_below(g, letter - '0' + 1));
  }
}

/* Fill the hole "letter" and remember its text in "x". */
static void fill(struct gen *g, struct expansion *x, char letter) {
  size_t start = g->length;
  unsigned kinds = name_hole[(unsigned char)letter].kinds;
  if (kinds) {
    const struct gen_variable *variable = gen_choose(g, kinds, least_life(g, letter));
    if (!variable) {
      fprintf(stderr, "generate: nothing in scope for '%c'\n", letter);
      exit(2);
    }
    char text[sizeof variable->text]; /* the scope may change while its holes are filled */
    memcpy(text, variable->text, sizeof text);
    gen_expand(g, text);
  } else {
    fill_other(g, x, letter);
  }
  x->last[(unsigned char)letter].start = start;
  x->last[(unsigned char)letter].length = g->length - start;
}

/* Append the "n" characters of "text" with their holes filled. */
static void expand(struct gen *g, struct expansion *x, const char *text, size_t n) {
  for (size_t i = 0; i < n; i++) {
    if (text[i] != '$') {
      gen_write(g, &text[i], 1);
      continue;
    }
    char letter = text[++i];
    if (letter == '=') {
      unsigned char again = (unsigned char)text[++i];
      gen_repeat(g, x->last[again].start, x->last[again].length);
    } else if (letter == '+') {
      declare(g, text[++i], x->unique);
    } else {
      fill(g, x, letter);
    }
  }
}

/* Append "text", a piece of a line. */
void gen_expand(struct gen *g, const char *text) {
  struct expansion x = {.unique = 0};
  expand(g, &x, text, strlen(text));
}

/* Leave the block that the line before "line" was in, if "line" says so, and enter the one that it
 * opens: what a row declares is in scope up to the closing brace. */
static void cross_braces(struct gen *g, struct expansion *x, const char *line, size_t n) {
  if (line[0] == '}') {
    x->braces--;
    g->variables = x->brace[x->braces].variables;
    g->loops = x->brace[x->braces].loops;
    g->indent--;
  }
  if (line[n - 1] == '{') {
    x->brace[x->braces].variables = g->variables;
    x->brace[x->braces].loops = g->loops;
    x->braces++;
  }
}

/* Append the "n" characters of "line" with the indentation that they ask for. */
static void append_line(struct gen *g, struct expansion *x, const char *line, size_t n) {
  bool label = line[n - 1] == ':' || (n > 2 && !memcmp(line + n - 2, ":;", 2));
  if (n == 2 && !memcmp(line, "$b", 2)) {
    gen_block(g, gen_between(g, 1, 2));
    return;
  }
  cross_braces(g, x, line, n);
  for (int i = label; i < g->indent; i++)
    gen_write(g, "  ", 2);
  expand(g, x, line, n);
  gen_write(g, "\n", 1);
  if (line[n - 1] == '{')
    g->indent++;
}

/* Append "text", whole lines. */
void gen_lines(struct gen *g, const char *text) {
  struct expansion x = {.unique = ++g->unique};
  while (*text) {
    size_t n = strcspn(text, "\n");
    append_line(g, &x, text, n);
    text += n + (text[n] == '\n');
  }
}

/* Append "text", whole lines, as a node. */
void gen_part(struct gen *g, const char *text) {
  struct gen_mark mark = gen_begin(g, g->nodes++);
  gen_lines(g, text);
  gen_end(g, mark, "");
}
