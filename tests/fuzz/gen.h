/* gen.h: the state of the program generator and what its parts offer each other.
 *
 * A program is made from texts with holes (rows.def). A hole is a dollar sign and a letter, and is
 * filled with a variable in scope, an expression, a block of statements. All random choices come
 * from one sequence, so a program is a function of its seed.
 */
#ifndef GEN_H
#define GEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a name in scope can be used for. */
enum gen_kind {
  GEN_REAL,     /* an lvalue of type double */
  GEN_FLOAT,    /* an lvalue of type float */
  GEN_WIDE,     /* an lvalue of type long double */
  GEN_COUNT,    /* a non-negative int that only its loop changes */
  GEN_INTEGER,  /* a non-negative int that statements may set */
  GEN_MAP,      /* N ints in [0, N) */
  GEN_ARRAY,    /* a double * to at least N elements */
  GEN_LONG,     /* a double * to at least N + 2 elements */
  GEN_POINTER,  /* an assignable double * to at least N elements */
  GEN_HANDLE,   /* a double ** to the pointer p or q */
  GEN_BIG,      /* a struct big */
  GEN_SMALL,    /* a struct small */
  GEN_FUNCTION, /* double name(double), no side effects */
  GEN_STEP,     /* double name(double *, double *, double, int) */
  GEN_TURN,     /* struct big name(struct big, double, int) */
  GEN_NUDGE,    /* void name(struct big *, double *, int) */
  GEN_PICK,     /* double *name(double *, double *, double, int) */
  GEN_SHAKE     /* struct small name(struct small, double, int) */
};

/* How long the memory behind an array lives; a pointer only gets arrays that outlive it. */
enum gen_life {
  GEN_BLOCK,  /* as long as the block that declares it */
  GEN_CALL,   /* as long as the function that declares it, or longer */
  GEN_FOREVER /* to the end of the program */
};

/* A name in scope. */
struct gen_variable {
  enum gen_kind kind; /* what it can be used for */
  enum gen_life life; /* how long the array lives; of a pointer: what it points to */
  char text[56];      /* how it is written; may have holes of its own */
};

/* What a member of a record is. */
enum gen_member_kind {
  GEN_MEMBER_REAL,    /* double */
  GEN_MEMBER_INT,     /* int */
  GEN_MEMBER_FLOAT,   /* float */
  GEN_MEMBER_SHORT,   /* double[length] */
  GEN_MEMBER_FLOATS,  /* float[length] */
  GEN_MEMBER_MATRIX,  /* double[2][length] */
  GEN_MEMBER_LONG,    /* double[N + 2] */
  GEN_MEMBER_POINTER, /* double * */
  GEN_MEMBER_SMALL    /* struct small */
};

/* A struct type of the program. */
struct gen_record {
  const char *tag; /* its name after "struct" */
  int members;     /* number of members, 0 in programs without records */
  struct {
    enum gen_member_kind kind; /* what the member is */
    int length;                /* of a small array: number of elements */
    int node;                  /* without it, the type has no such member */
  } member[6];                 /* the members m0, m1, ... in order */
};

/* What a row may need: bits. */
enum {
  GEN_ALWAYS = 0,
  GEN_USES_FLOAT = 1, /* the program has numbers of type float */
  GEN_USES_WIDE = 2,  /* the program has numbers of type long double */
  GEN_USES_LOOP = 4,  /* the place is inside a loop */
  GEN_USES_JUMP = 8,  /* the program has goto */
  GEN_USES_MATH = 16, /* the program calls the rarer functions of math.h */
  GEN_USES_DONE = 32  /* the function ends with the label "done" */
};

/* The tables that rows.def fills. */
enum gen_table_name {
  GEN_STATEMENT,
  GEN_EXPRESSION,
  GEN_CONDITION,
  GEN_ATOM,
  GEN_INDEX,
  GEN_NUMBER,
  GEN_BOUND,
  GEN_LENGTH,
  GEN_TABLES
};

/* A row of a table. */
struct gen_row {
  int weight;       /* how often it is drawn; 0 when the program does without it */
  unsigned needs;   /* GEN_USES_ bits: what the program or the place must allow */
  const char *text; /* the text with holes */
};

/* A table; its first row is the leaf that ends a recursion. */
struct gen_table {
  struct gen_row row[80]; /* the rows */
  int rows;               /* number of rows */
};

enum { GEN_VARIABLES = 256, GEN_NO_NODE = -1 };

/* State of the generator. */
struct gen {
  uint64_t random;    /* state of the random numbers */
  char *text;         /* the program so far; owned */
  size_t length;      /* characters in "text" */
  size_t capacity;    /* room in "text" */
  const bool *drop;   /* which nodes are left out, by number; not owned */
  int drops;          /* elements of "drop" */
  int nodes;          /* node numbers handed out: statements, expressions, declarations */
  int indent;         /* of the next line */
  int unique;         /* numbers handed out to names so far */
  int budget;         /* statements that may still be begun */
  int nesting;        /* blocks around the present place */
  int loops;          /* loops around the present place */
  int depth;          /* expressions around the present place */
  unsigned features;  /* GEN_USES_ bits that hold here */
  enum gen_life life; /* how long arrays must live to be assigned to pointers of this function */
  const char *result; /* what a return statement of this function returns, with holes */
  struct gen_variable variable[GEN_VARIABLES]; /* names in scope, outer ones first */
  int variables;                               /* elements of "variable" */
  struct gen_record big, small;                /* the struct types */
  struct gen_table table[GEN_TABLES];          /* the rows that this program draws from */
};

/* Where a piece of the program begins. */
struct gen_mark {
  int number;   /* of the node */
  size_t start; /* length of the text before it */
};

/* gen_text.c */
int gen_below(struct gen *g, int n);
int gen_between(struct gen *g, int low, int high);
bool gen_chance(struct gen *g, int percent);
void gen_write(struct gen *g, const char *characters, size_t n);
void gen_put(struct gen *g, const char *format, ...) __attribute__((format(printf, 2, 3)));
void gen_repeat(struct gen *g, size_t start, size_t n);
struct gen_mark gen_begin(struct gen *g, int number);
void gen_end(struct gen *g, struct gen_mark mark, const char *instead);

/* gen_scope.c */
void gen_declare(struct gen *g, enum gen_kind kind, enum gen_life life, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void gen_declare_record(struct gen *g, const struct gen_record *record, const char *name);
const struct gen_variable *gen_choose(struct gen *g, unsigned kinds, enum gen_life least);

/* gen_expand.c */
void gen_tables(struct gen *g);
void gen_expand(struct gen *g, const char *text);
void gen_lines(struct gen *g, const char *text);
void gen_part(struct gen *g, const char *text);
void gen_draw(struct gen *g, enum gen_table_name table);
void gen_block(struct gen *g, int statements);

/* gen_record.c */
void gen_record_choose(struct gen *g);
void gen_record_print(struct gen *g);

/* gen_program.c */
void gen_program(struct gen *g, long seed);

#endif
