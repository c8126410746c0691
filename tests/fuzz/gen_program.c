/* gen_program.c: a whole program: globals, helpers, the function f, the state that f starts from.
 */
#include "gen.h"

/* The kinds of helper functions. */
enum helper_name { STEP, TURN, NUDGE, PICK, SHAKE, HELPERS };

/* Helper functions by kind. All take an int n of at least 0 and count down "fuel", so that
 * recursion ends; they bound the number x, so that it does not grow from call to call. */
static const struct {
  const char *type;       /* of the result */
  const char *name;       /* without its number */
  const char *parameters; /* in C */
  const char *begin;      /* first lines of the body */
  const char *result;     /* of a return statement in the middle */
  const char *end;        /* last lines of the body */
  enum gen_kind kind;     /* of its name */
  int most;               /* so many at most in a program */
  bool records;           /* only in programs with structs */
} helper[HELPERS] = {
    [STEP] = {"double ", "step", "double *p, double *q, double x, int n",
              "if (n <= 0 || fuel-- <= 0) {\nreturn x * p[0];\n}\nn--;\nx = clip(x);\ndouble y = x "
              "* q[1];",
              "clip($e)", "return clip(x * y + p[1] * q[0]);", GEN_STEP, 2, false},
    [TURN] = {"struct big ", "turn", "struct big s, double x, int n",
              "if (fuel-- <= 0) {\nreturn s;\n}\nx = clip(x);\ndouble y = 0.3 * x;", "s",
              "return s;", GEN_TURN, 1, true},
    [NUDGE] = {"void ", "nudge", "struct big *s, double *p, int n",
               "if (fuel-- <= 0) {\nreturn;\n}\ndouble x = p[0], y = p[n % N];", "", "return;",
               GEN_NUDGE, 1, true},
    [PICK] = {"double *", "pick", "double *p, double *q, double x, int n",
              "if (fuel-- <= 0) {\nreturn p;\n}\nx = clip(x);\ndouble y = x + 0.1 * n;",
              "$c ? p : q", "return $c ? p : q;", GEN_PICK, 1, false},
    [SHAKE] = {"struct small ", "shake", "struct small u, double x, int n",
               "if (fuel-- <= 0) {\nreturn u;\n}\nx = clip(x);\ndouble y = x * x;", "u",
               "return u;", GEN_SHAKE, 1, true},
};

/* What a program has, besides its features. */
struct plan {
  int n;                  /* length of the shorter arrays */
  bool records;           /* structs */
  bool contract;          /* products and sums may be contracted */
  int count[HELPERS];     /* helpers of each kind */
  int node;               /* of the first helper; the others follow */
  bool noinline[HELPERS]; /* whether they are never inlined */
};

/* Begin the body of a function: "{" has been printed. */
static void open_body(struct gen *g) {
  gen_put(g, " {\n");
  g->indent++;
}

/* End the body of a function. What it declared since there were "variables" goes out of scope. */
static void close_body(struct gen *g, int variables) {
  g->indent--;
  gen_put(g, "}\n\n");
  g->variables = variables;
}

/* Declare a local array. */
static void print_array(struct gen *g) {
  gen_part(g, "double c[N + 2];\nfor (int i = 0; i < N + 2; i++)\n  c[i] = 0.3 * x + 0.1 * i;");
  gen_declare(g, GEN_LONG, GEN_CALL, "c");
}

/* Declare a static local array, which keeps its contents between the calls of one evaluation. */
static void print_memo(struct gen *g) {
  gen_part(g, "static double memo[N + 2];\nstatic int seen;\nif (seen != epoch) {\nseen = epoch;\n"
              "for (int i = 0; i < N + 2; i++)\n  memo[i] = 0.2 * x + 0.05 * i;\n}");
  gen_declare(g, GEN_LONG, GEN_FOREVER, "memo");
}

/* Declare a struct of type "record" called "name", made from the array "from". */
static void print_struct(struct gen *g, const struct gen_record *record, const char *name,
                         const char *from) {
  struct gen_mark mark = gen_begin(g, g->nodes++);
  gen_put(g, "  struct %s %s = %s_make(%s, x, n);\n", record->tag, name, record->tag, from);
  gen_end(g, mark, "");
  gen_declare_record(g, record, name);
}

/* Declare a pointer "pp" to one of the pointers p and q. */
static void print_handle(struct gen *g) {
  gen_part(g, "double **pp = &p;");
  gen_declare(g, GEN_HANDLE, GEN_BLOCK, "pp");
  gen_declare(g, GEN_POINTER, g->life, "(*pp)");
}

/* Declare the parameters of helpers of the kind "name". What their structs and results point to
 * must live on when they return. */
static void declare_parameters(struct gen *g, enum helper_name name) {
  gen_declare(g, GEN_REAL, GEN_BLOCK, "x");
  gen_declare(g, GEN_REAL, GEN_BLOCK, "y");
  gen_declare(g, GEN_COUNT, GEN_BLOCK, "n");
  g->life = name == STEP || name == PICK ? GEN_CALL : GEN_FOREVER;
  switch (name) {
  case STEP:
    gen_declare(g, GEN_POINTER, g->life, "p");
    gen_declare(g, GEN_POINTER, g->life, "q");
    break;
  case PICK:
    gen_declare(g, GEN_ARRAY, GEN_CALL, "p");
    gen_declare(g, GEN_ARRAY, GEN_CALL, "q");
    break;
  case NUDGE:
    gen_declare(g, GEN_ARRAY, GEN_CALL, "p");
    gen_declare_record(g, &g->big, "(*s)");
    break;
  case TURN: gen_declare_record(g, &g->big, "s"); break;
  case SHAKE: gen_declare_record(g, &g->small, "u"); break;
  case HELPERS: break;
  }
}

/* Print the body of a helper of the kind "name". */
static void print_helper_body(struct gen *g, enum helper_name name) {
  declare_parameters(g, name);
  gen_lines(g, helper[name].begin);
  if (name == STEP && gen_chance(g, 40))
    print_array(g);
  if (name != PICK && gen_chance(g, 30))
    print_memo(g);
  if (name == STEP && gen_chance(g, 30))
    print_handle(g);
  if (name == STEP && g->big.members && gen_chance(g, 40))
    print_struct(g, &g->big, "t", "p");
  g->budget = gen_between(g, 1, 4);
  g->result = helper[name].result;
  gen_block(g, name == PICK ? 1 : gen_between(g, 1, 2));
  gen_lines(g, helper[name].end);
}

/* Print the head of helper "i" of the kind "name". */
static void print_head(struct gen *g, enum helper_name name, int i) {
  gen_put(g, "static %s%s%d(%s)", helper[name].type, helper[name].name, i, helper[name].parameters);
}

/* Print the tables of functions for programs with steps. */
static void print_step_tables(struct gen *g, const struct plan *plan) {
  gen_part(
      g,
      plan->count[STEP] > 1
          ? "static double (*const steps[2])(double *, double *, double, int) = {step0, step1};"
          : "static double (*const steps[2])(double *, double *, double, int) = {step0, step0};");
  gen_part(g, "static double (*chosen)(double *, double *, double, int);");
  gen_declare(g, GEN_STEP, GEN_BLOCK, "steps[$y %% 2]");
  gen_declare(g, GEN_STEP, GEN_BLOCK, "chosen");
}

/* Print the prototypes of all helpers and bring them into scope. */
static void print_prototypes(struct gen *g, struct plan *plan) {
  plan->node = g->nodes;
  for (int name = 0; name < HELPERS; name++)
    for (int i = 0; i < plan->count[name]; i++) {
      struct gen_mark mark = gen_begin(g, g->nodes++);
      if (plan->noinline[name])
        gen_put(g, "__attribute__((noinline)) ");
      print_head(g, (enum helper_name)name, i);
      gen_put(g, ";\n");
      gen_declare(g, helper[name].kind, GEN_BLOCK, "%s%d", helper[name].name, i);
      gen_end(g, mark, "");
    }
  if (plan->count[STEP])
    print_step_tables(g, plan);
}

/* Print all helpers. */
static void print_helpers(struct gen *g, const struct plan *plan) {
  int node = plan->node;
  gen_put(g, "\n");
  for (int name = 0; name < HELPERS; name++)
    for (int i = 0; i < plan->count[name]; i++) {
      int variables = g->variables;
      struct gen_mark mark = gen_begin(g, node++);
      print_head(g, (enum helper_name)name, i);
      open_body(g);
      print_helper_body(g, (enum helper_name)name);
      close_body(g, variables);
      gen_end(g, mark, "");
    }
}

/* Print the globals and what every program has, and bring them into scope. */
static void print_globals(struct gen *g) {
  gen_part(g, "static double near0[N + 2], near1[N + 2], level;");
  gen_part(g, "static double *remote;");
  gen_part(g, "static int tally;");
  gen_part(g, "static int fuel, epoch;");
  gen_part(g, "static const double table[N] = {$n, $n, $n, $n};");
  gen_part(g, "static double (*const curves[3])(double) = {soft, wave, square};");
  gen_part(g, "static double (*curve)(double);");
  gen_put(g, "\n");
  gen_declare(g, GEN_LONG, GEN_FOREVER, "near0");
  gen_declare(g, GEN_LONG, GEN_FOREVER, "near1");
  gen_declare(g, GEN_ARRAY, GEN_FOREVER, "remote");
  gen_declare(g, GEN_REAL, GEN_BLOCK, "level");
  gen_declare(g, GEN_INTEGER, GEN_BLOCK, "tally");
  gen_declare(g, GEN_FUNCTION, GEN_BLOCK, "soft");
  gen_declare(g, GEN_FUNCTION, GEN_BLOCK, "wave");
  gen_declare(g, GEN_FUNCTION, GEN_BLOCK, "curves[$y %% 3]");
  gen_declare(g, GEN_FUNCTION, GEN_BLOCK, "curve");
}

/* Print the function that sets the globals before each evaluation. */
static void print_prepare(struct gen *g, const struct plan *plan) {
  gen_put(g, "static void prepare(void)");
  open_body(g);
  gen_part(g, "for (int i = 0; i < N + 2; i++)\n"
              "  near0[i] = 0.2 + 0.1 * i, near1[i] = 0.9 - 0.15 * i;");
  gen_part(g, "level = $n;");
  gen_part(g, "remote = near$1;");
  gen_part(g, "tally = $3;");
  gen_part(g, "fuel = 30;");
  gen_part(g, "epoch++;");
  gen_part(g, "curve = curves[$2];");
  if (plan->count[STEP])
    gen_part(g, "chosen = steps[$1];");
  close_body(g, g->variables);
}

/* Print the function that sums the globals. */
static void print_state(struct gen *g) {
  gen_put(g, "static double state(void)");
  open_body(g);
  gen_lines(g, "double sum = 0;");
  gen_part(g, "sum += remote[1];");
  gen_part(g, "sum += level + tally;");
  gen_part(g, "for (int i = 0; i < N + 2; i++)\n"
              "  sum = 0.9 * sum + near0[i] - 0.7 * near1[i];");
  gen_lines(g, "return sum;");
  g->indent--;
  gen_put(g, "}\n");
}

/* Print the local variables of f that not every program has; "free_heap" becomes what
 * they need at the end of f. */
static void print_locals(struct gen *g, const struct plan *plan, const char **free_heap) {
  if (gen_chance(g, 40)) {
    gen_part(g, "double *heap = malloc((n + 2) * sizeof *heap);\n"
                "memcpy(heap, in, (n + 2) * sizeof *heap);");
    gen_declare(g, GEN_LONG, GEN_CALL, "heap");
    *free_heap = "free(heap);\n";
  }
  if (gen_chance(g, 30)) {
    gen_part(g, "double v[n + 2];\nmemcpy(v, in, sizeof v);");
    gen_declare(g, GEN_LONG, GEN_CALL, "v");
  }
  if (gen_chance(g, 30)) {
    gen_part(g, "double grid[3][N + 2];\nfor (int i = 0; i < 3 * (N + 2); i++)\n"
                "  grid[i % 3][i / 3] = 0.1 * i - x * in[i % N];");
    gen_declare(g, GEN_LONG, GEN_CALL, "grid[$y %% 3]");
    gen_declare(g, GEN_REAL, GEN_BLOCK, "grid[$y %% 3][$i]");
  }
  if (gen_chance(g, 40))
    print_handle(g);
  if (gen_chance(g, 30)) {
    gen_part(g, "double *row[3] = {$g, $g, $g};");
    gen_declare(g, GEN_POINTER, GEN_CALL, "row[$y %% 3]");
  }
  if (plan->records) {
    print_struct(g, &g->big, "s", "a");
    print_struct(g, &g->small, "u", "b");
  }
  if (plan->records && gen_chance(g, 40)) {
    gen_part(g, "struct big many[3] = {s, s, big_make(b, y, n)};");
    gen_declare_record(g, &g->big, "many[$y % 3]");
  }
}

/* Print the numbers of f that are not double. */
static void print_formats(struct gen *g) {
  if (g->features & GEN_USES_FLOAT) {
    gen_part(g, "float e = (float)in[2], d[3] = {0.5f, e, (float)y};");
    gen_declare(g, GEN_FLOAT, GEN_BLOCK, "e");
    gen_declare(g, GEN_FLOAT, GEN_BLOCK, "d[$y %% 3]");
  }
  if (g->features & GEN_USES_WIDE) {
    gen_part(g, "long double w = in[3] * 0.5L;");
    gen_declare(g, GEN_WIDE, GEN_BLOCK, "w");
  }
}

/* Print the first lines of f and declare what every f has. */
static void print_f_begin(struct gen *g) {
  g->life = GEN_CALL;
  gen_part(g, "double a[N + 2];\nfor (int i = 0; i < N + 2; i++)\n  a[i] = in[(i + $3) % N];");
  gen_part(g, "double b[N + 2];\nfor (int i = 0; i < N + 2; i++)\n"
              "  b[i] = 0.8 * in[map[i % N]] + 0.1 * out[i];");
  gen_part(g, "double x = in[0];");
  gen_part(g, "double y = 0.5 * in[1];");
  gen_part(g, "double z = 0.3;");
  gen_part(g, "double *p = a;");
  gen_part(g, "double *q = b;");
  gen_part(g, "int k = 1;");
  gen_declare(g, GEN_LONG, GEN_CALL, "in");
  gen_declare(g, GEN_LONG, GEN_CALL, "out");
  gen_declare(g, GEN_MAP, GEN_BLOCK, "map");
  gen_declare(g, GEN_COUNT, GEN_BLOCK, "n");
  gen_declare(g, GEN_LONG, GEN_CALL, "a");
  gen_declare(g, GEN_LONG, GEN_CALL, "b");
  gen_declare(g, GEN_REAL, GEN_BLOCK, "x");
  gen_declare(g, GEN_REAL, GEN_BLOCK, "y");
  gen_declare(g, GEN_REAL, GEN_BLOCK, "z");
  gen_declare(g, GEN_POINTER, GEN_CALL, "p");
  gen_declare(g, GEN_POINTER, GEN_CALL, "q");
  gen_declare(g, GEN_INTEGER, GEN_BLOCK, "k");
}

/* Print the function f. */
static void print_f(struct gen *g, const struct plan *plan) {
  int variables = g->variables;
  const char *free_heap = "";
  gen_put(g, "double f(double *in, double *out, const int *map, int n)");
  open_body(g);
  gen_lines(g, "double result = 0;");
  print_f_begin(g);
  print_formats(g);
  print_locals(g, plan, &free_heap);
  g->budget = gen_between(g, 5, 10);
  g->result = "clip($e)";
  g->features |= gen_chance(g, 50) ? GEN_USES_DONE : 0;
  gen_block(g, gen_between(g, 4, 7));
  if (g->features & GEN_USES_DONE)
    gen_part(g, "done:;");
  gen_part(g, "result += x + y * z;");
  gen_part(g, "result += p[0] * q[1];");
  gen_part(g, "result += level;");
  gen_part(g, "for (int i = 0; i < N; i++)\n"
              "  result += 0.1 * (i + 1) * a[i] + b[i] * b[i] + near0[i] * near1[i + 1];");
  if (plan->records) {
    gen_part(g, "result += big_sum(&s);");
    gen_part(g, "result += small_sum(&u);");
  }
  gen_part(g, "out[0] = result;");
  gen_part(g, free_heap);
  gen_lines(g, "return result;");
  close_body(g, variables);
}

/* Choose the features of the program. */
static void choose(struct gen *g, struct plan *plan) {
  g->features |= gen_chance(g, 25) ? GEN_USES_FLOAT : 0;
  g->features |= gen_chance(g, 10) ? GEN_USES_WIDE : 0;
  g->features |= gen_chance(g, 60) ? GEN_USES_JUMP : 0;
  g->features |= gen_chance(g, 20) ? GEN_USES_MATH : 0;
  plan->n = gen_chance(g, 85) ? gen_between(g, 4, 6) : gen_between(g, 17, 40); /* vector loops */
  plan->contract = gen_chance(g, 40);
  plan->records = gen_chance(g, 50);
  for (int name = 0; name < HELPERS; name++) {
    plan->count[name] = gen_chance(g, 40) ? gen_between(g, 1, helper[name].most) : 0;
    plan->noinline[name] = gen_chance(g, 50);
    if (helper[name].records && !plan->records)
      plan->count[name] = 0;
  }
}

/* Write the program of "seed" into the text of "g", which has nothing but the nodes to drop. */
void gen_program(struct gen *g, long seed) {
  struct plan plan;
  g->random = (uint64_t)seed * 0xD1342543DE82EF95u + 1;
  gen_tables(g);
  choose(g, &plan);
  gen_put(g, "/* The random program of seed %ld. */\n", seed);
  gen_put(g, "#define N %d\n#define FLOATS %d\n#define CONTRACT %d\n", plan.n,
          (g->features & GEN_USES_FLOAT) != 0, plan.contract);
  gen_put(g, "#include \"fuzz_check.h\"\n\n");
  if (plan.records) {
    gen_record_choose(g);
    gen_record_print(g);
  }
  print_globals(g);
  print_prototypes(g, &plan);
  print_helpers(g, &plan);
  print_f(g, &plan);
  print_prepare(g, &plan);
  print_state(g);
}
