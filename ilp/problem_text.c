/* problem_text.c: reads and prints planning problems, both by the table problem.def. */
#include "problem_text.h"

#include "menu.h"
#include "words.h"

#include <inttypes.h>
#include <string.h>

/* The lines that have a name, and fields of their own. */
enum record { RECORD_problem, RECORD_region, RECORD_item, RECORD_loop, RECORD_point, RECORDS };

static const char *const record_word[RECORDS] = {"problem", "region", "item", "loop", "point"};

/* What records are before their fields are read; values that are like these are not printed. */
static const struct dilp_problem no_problem = {.limit = DILP_NO_LIMIT, .page = 1};
static const struct dilp_region no_region;
static const struct dilp_item no_item = {.born = -1, .dies = -1};
static const struct dilp_loop no_loop = {.region = -1, .first = -1};
static const struct dilp_point no_point = {.inner = -1};
static const void *const blank[RECORDS] = {&no_problem, &no_region, &no_item, &no_loop, &no_point};

/* Kinds of values. */
enum kind {
  KIND_BYTES,
  KIND_SECONDS,
  KIND_COUNT,
  KIND_WAY,
  KIND_REGION,
  KIND_ITEM,
  KIND_REGIONS,
  KIND_ITEMS,
  KINDS
};

/* A row of problem.def. */
struct field {
  enum record record;
  const char *word;
  enum kind kind;
  size_t offset; /* of the member in its record */
};

static const struct field fields[] = {
#define FIELD(record, word, member, kind)                                                          \
  {RECORD_##record, #word, KIND_##kind, offsetof(struct dilp_##record, member)},
#include "problem.def"
};

enum { FIELDS = sizeof fields / sizeof *fields };

/* Where the reader is. */
struct reader {
  struct dilp_problem *problem;
  struct dilp_room *room;
  struct dilp_error *error;
  int line;                  /* its number */
  struct dilp_point *points; /* of all loops */
  int point_count;
};

/* The index of the region called "name"; -1 if there is none. */
static int find_region(const struct dilp_problem *problem, const char *name) {
  for (int r = 0; r < problem->regions; r++)
    if (!strcmp(problem->region[r].name, name))
      return r;
  return -1;
}

/* The index of the item called "name"; -1 if there is none. */
static int find_item(const struct dilp_problem *problem, const char *name) {
  for (int i = 0; i < problem->items; i++)
    if (!strcmp(problem->item[i].name, name))
      return i;
  return -1;
}

static bool read_bytes(struct reader *reader, char *text, void *to) {
  (void)reader;
  return dilp_parse_count(text, to);
}

static bool read_seconds(struct reader *reader, char *text, void *to) {
  (void)reader;
  return dilp_parse_seconds(text, to);
}

static bool read_count(struct reader *reader, char *text, void *to) {
  int64_t value;

  (void)reader;
  if (!dilp_parse_count(text, &value) || value > DILP_MOST)
    return false;
  *(int *)to = (int)value;
  return true;
}

static bool read_way(struct reader *reader, char *text, void *to) {
  (void)reader;
  for (int way = 0; way < DILP_WAYS; way++)
    if (!strcmp(dilp_way_word(way), text)) {
      *(enum dilp_way *)to = way;
      return true;
    }
  return false;
}

static bool read_region(struct reader *reader, char *text, void *to) {
  return (*(int *)to = find_region(reader->problem, text)) >= 0;
}

static bool read_item(struct reader *reader, char *text, void *to) {
  return (*(int *)to = find_item(reader->problem, text)) >= 0;
}

/* Reads the list of names "text" to the struct dilp_list "to"; "find" knows the names. */
static bool read_list(struct reader *reader, char *text, void *to,
                      int (*find)(const struct dilp_problem *, const char *)) {
  struct dilp_list *list = to;
  size_t most = 1;
  int *index;

  for (const char *c = text; *c; c++)
    most += *c == ',';
  index = dilp_take(reader->room, most, sizeof *index);
  if (!index)
    return false;
  list->of = index;
  list->count = 0;
  for (char *name; (name = dilp_next_part(&text, ","));)
    if ((index[list->count++] = find(reader->problem, name)) < 0)
      return false;
  return true;
}

static bool read_regions(struct reader *reader, char *text, void *to) {
  return read_list(reader, text, to, find_region);
}

static bool read_items(struct reader *reader, char *text, void *to) {
  return read_list(reader, text, to, find_item);
}

static bool (*const read_kind[KINDS])(struct reader *, char *, void *) = {
    read_bytes,  read_seconds, read_count,   read_way,
    read_region, read_item,    read_regions, read_items};

/* Reads "text" as the value of "word" in the record "to" of kind "record". */
static bool read_field(struct reader *reader, enum record record, void *to, const char *word,
                       char *text) {
  for (int f = 0; f < FIELDS; f++)
    if (fields[f].record == record && !strcmp(fields[f].word, word)) {
      if (text && read_kind[fields[f].kind](reader, text, (char *)to + fields[f].offset))
        return true;
      return dilp_fail(reader->error, reader->line, "%s has no value that it can have", word);
    }
  return dilp_fail(reader->error, reader->line, "unknown word %s", word);
}

/* Begins a record of kind "record", which is called "name", behind those that "problem" has.
   Returns NULL if it cannot stand here. */
static void *begin(struct reader *reader, enum record record, const char *name) {
  struct dilp_problem *p = reader->problem;
  struct dilp_loop *loop = p->loops ? &p->loop[p->loops - 1] : NULL;

  switch (record) {
  case RECORD_region:
    p->region[p->regions] = no_region;
    p->region[p->regions].name = name;
    return &p->region[p->regions++];
  case RECORD_item:
    p->item[p->items] = no_item;
    p->item[p->items].name = name;
    return &p->item[p->items]; /* counted at its end: it cannot need itself */
  case RECORD_loop:
    p->loop[p->loops] = no_loop;
    p->loop[p->loops].name = name;
    return &p->loop[p->loops++];
  case RECORD_point:
    if (!loop)
      return NULL;
    if (!loop->points)
      loop->point = &reader->points[reader->point_count];
    loop->points++;
    reader->points[reader->point_count] = no_point;
    return &reader->points[reader->point_count++];
  default: return NULL;
  }
}

/* The kind of record that "word" begins; RECORDS if none. */
static enum record record_of(const char *word) {
  int record = RECORD_region;

  while (record < RECORDS && strcmp(record_word[record], word))
    record++;
  return record;
}

/* Is there something called "name" of kind "record" already? */
static bool taken(const struct dilp_problem *problem, enum record record, const char *name) {
  return record == RECORD_region ? find_region(problem, name) >= 0
                                 : record == RECORD_item && find_item(problem, name) >= 0;
}

/* Reads "line". */
static bool read_line(struct reader *reader, char *line) {
  char *word = dilp_next_word(&line), *name = NULL;
  enum record record;
  void *to;

  if (!word)
    return true;
  record = record_of(word);
  if (record == RECORDS)
    return read_field(reader, RECORD_problem, reader->problem, word, dilp_next_word(&line));
  if (record != RECORD_point && !(name = dilp_next_word(&line)))
    return dilp_fail(reader->error, reader->line, "%s has no name", word);
  if (name && taken(reader->problem, record, name))
    return dilp_fail(reader->error, reader->line, "two are called %s", name);
  to = begin(reader, record, name);
  if (!to)
    return dilp_fail(reader->error, reader->line, "%s belongs to no loop", word);
  while ((word = dilp_next_word(&line)))
    if (!read_field(reader, record, to, word, dilp_next_word(&line)))
      return false;
  if (record == RECORD_item)
    reader->problem->items++;
  return true;
}

/* Takes the memory for as many records as "text" has. */
static bool make_space(struct reader *reader, const char *text) {
  size_t count[RECORDS] = {0};
  struct dilp_problem *p = reader->problem;

  for (const char *at = text; *at; at += strcspn(at, "\n"), at += *at == '\n') {
    const char *word = at + strspn(at, " \t\r");

    for (int record = RECORD_region; record < RECORDS; record++)
      count[record] += !strncmp(word, record_word[record], strlen(record_word[record]));
  }
  p->region = dilp_take(reader->room, count[RECORD_region], sizeof *p->region);
  p->item = dilp_take(reader->room, count[RECORD_item], sizeof *p->item);
  p->loop = dilp_take(reader->room, count[RECORD_loop], sizeof *p->loop);
  reader->points = dilp_take(reader->room, count[RECORD_point], sizeof *reader->points);
  return !reader->room->full;
}

/* Makes the menus of the loops that are given by their steps. */
static bool make_menus(struct reader *reader) {
  for (int l = 0; l < reader->problem->loops; l++) {
    struct dilp_loop *loop = &reader->problem->loop[l];

    if (loop->points && loop->steps.trip)
      return dilp_fail(reader->error, 0, "loop %s has both steps and points", loop->name);
    if (loop->steps.trip && !dilp_menu(loop, reader->room))
      return dilp_fail(reader->error, 0, "loop %s has no menu: it is too large", loop->name);
  }
  return true;
}

bool dilp_problem_read(struct dilp_problem *problem, const char *text, struct dilp_room *room,
                       struct dilp_error *error) {
  struct reader reader = {.problem = problem, .room = room, .error = error};
  char *copy = dilp_take(room, strlen(text) + 1, 1), *line;

  *problem = no_problem;
  if (!copy || !make_space(&reader, text))
    return dilp_fail(error, 0, "too little memory for the problem");
  memcpy(copy, text, strlen(text));
  while ((line = dilp_next_line(&copy))) {
    reader.line++;
    if (!read_line(&reader, line))
      return false;
  }
  if (!make_menus(&reader) || !dilp_problem_valid(problem, error))
    return false;
  dilp_problem_round(problem);
  return true;
}

/* Where the printer is. */
struct printer {
  const struct dilp_problem *problem;
  FILE *file;
};

/* Prints the names of "list" that "name" knows, with commas. */
static void print_list(struct printer *printer, const struct dilp_list *list, bool items) {
  for (int k = 0; k < list->count; k++)
    fprintf(printer->file, "%s%s", k ? "," : "",
            items ? printer->problem->item[list->of[k]].name
                  : printer->problem->region[list->of[k]].name);
}

/* Prints the value of kind "kind" at "from". */
static void print_value(struct printer *printer, enum kind kind, const void *from) {
  switch (kind) {
  case KIND_BYTES: fprintf(printer->file, "%" PRId64, *(const int64_t *)from); break;
  case KIND_SECONDS: dilp_print_seconds(*(const double *)from, printer->file); break;
  case KIND_COUNT: fprintf(printer->file, "%d", *(const int *)from); break;
  case KIND_WAY: fputs(dilp_way_word(*(const enum dilp_way *)from), printer->file); break;
  case KIND_REGION: fputs(printer->problem->region[*(const int *)from].name, printer->file); break;
  case KIND_ITEM: fputs(printer->problem->item[*(const int *)from].name, printer->file); break;
  case KIND_REGIONS: print_list(printer, from, false); break;
  case KIND_ITEMS: print_list(printer, from, true); break;
  case KINDS: break;
  }
}

/* Is the value of kind "kind" at "value" like that at "none"? */
static bool is_blank(enum kind kind, const void *value, const void *none) {
  static const size_t size[KINDS] = {sizeof(int64_t),       sizeof(double), sizeof(int),
                                     sizeof(enum dilp_way), sizeof(int),    sizeof(int)};

  if (kind == KIND_REGIONS || kind == KIND_ITEMS)
    return !((const struct dilp_list *)value)->count;
  return !memcmp(value, none, size[kind]);
}

/* Prints the fields of "from", a record of kind "record", that are not blank: with a space before
   each, or as lines of their own. */
static void print_fields(struct printer *printer, enum record record, const void *from) {
  bool lines = record == RECORD_problem;

  for (int f = 0; f < FIELDS; f++) {
    const char *value = (const char *)from + fields[f].offset;

    if (fields[f].record != record ||
        is_blank(fields[f].kind, value, (const char *)blank[record] + fields[f].offset))
      continue;
    fprintf(printer->file, "%s%s ", lines ? "" : " ", fields[f].word);
    print_value(printer, fields[f].kind, value);
    if (lines)
      fputc('\n', printer->file);
  }
  if (!lines)
    fputc('\n', printer->file);
}

void dilp_problem_print(const struct dilp_problem *problem, FILE *file) {
  struct printer printer = {problem, file};

  print_fields(&printer, RECORD_problem, problem);
  for (int r = 0; r < problem->regions; r++) {
    fprintf(file, "region %s", problem->region[r].name);
    print_fields(&printer, RECORD_region, &problem->region[r]);
  }
  for (int i = 0; i < problem->items; i++) {
    fprintf(file, "item %s", problem->item[i].name);
    print_fields(&printer, RECORD_item, &problem->item[i]);
  }
  for (int l = 0; l < problem->loops; l++) {
    const struct dilp_loop *loop = &problem->loop[l];

    fprintf(file, "loop %s", loop->name);
    print_fields(&printer, RECORD_loop, loop);
    for (int k = 0; k < loop->points && !loop->steps.trip; k++) {
      fputs("  point", file);
      print_fields(&printer, RECORD_point, &loop->point[k]);
    }
  }
}
