/* nest_random.c: up to four assignments to up to three arrays, in loops that may be triangular,
   strided, interchanged or run backwards, with subscripts that need not be injective. */
#include "nest_random.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { LOOPS = 3, READS = 3 };

struct generator {
  struct dad_arena *arena;
  unsigned long state; /* of the random numbers */
  int n_array, dim[4]; /* the arrays, named A, B, ... */
  bool passive[4];     /* which have no adjoint */
  bool in_time;        /* is there a loop over t around everything? */
  int depth;           /* loops of the assignment at hand, but for t */
};

static const char *const iterator[LOOPS] = {"i", "j", "k"};

/* A number from 0 to "n" - 1. */
static int pick(struct generator *g, int n) {
  g->state = g->state * 6364136223846793005u + 1442695040888963407u;
  return (int)((g->state >> 33) % (unsigned long)n);
}

/* Once in a hundred times "percent"? */
static bool chance(struct generator *g, int percent) {
  return pick(g, 100) < percent;
}

static const char *subscript(struct generator *g) {
  int kind = pick(g, 100);
  if (g->depth == 0 || kind >= 96)
    return dad_arena_printf(g->arena, "%d", pick(g, 4));
  const char *v = iterator[pick(g, g->depth)];
  if (kind < 55)
    return dad_arena_printf(g->arena, "%s+%d", v, pick(g, 3));
  if (kind < 65)
    return v;
  if (kind < 73)
    return dad_arena_printf(g->arena, "N-%s", v);
  if (kind < 81 && g->depth > 1)
    return dad_arena_printf(g->arena, chance(g, 50) ? "%s+%s" : "%s-%s", iterator[0], iterator[1]);
  if (kind < 86)
    return dad_arena_printf(g->arena, "floor(%s/2)", v);
  if (kind < 91)
    return dad_arena_printf(g->arena, "2*%s", v);
  return g->in_time ? "(t mod 2)" : v;
}

static const char *access_of(struct generator *g) {
  int array = pick(g, g->n_array);
  const char *text = dad_arena_printf(g->arena, "%c[", 'A' + array);
  for (int d = 0; d < g->dim[array]; d++)
    text = dad_arena_printf(g->arena, d ? "%s,%s" : "%s%s", text, subscript(g));
  return dad_arena_printf(g->arena, "%s]", text);
}

/* A right-hand side for the cell "w" that reads "r". Values stay between bounds. */
static const char *right_side(struct generator *g, const char *w, const char *const *r) {
  struct dad_arena *arena = g->arena;
  switch (pick(g, 12)) {
  case 0: return dad_arena_printf(arena, "0.5*%s + 0.25*%s - 0.1*%s", r[0], r[1], r[2]);
  case 1: return dad_arena_printf(arena, "%s + 0.3*%s*%s", w, r[0], r[1]);
  case 2: return dad_arena_printf(arena, "0.5*%s*%s + 0.2", r[0], r[1]);
  case 3: return dad_arena_printf(arena, "tanh(%s + 0.3*%s)", r[0], r[1]);
  case 4: return dad_arena_printf(arena, "%s/(2 + %s*%s)", r[0], r[1], r[1]);
  case 5: return dad_arena_printf(arena, "fmin(%s, 0.9*%s + 0.05)", r[0], r[1]);
  case 6: return dad_arena_printf(arena, "sqrt(1.5 + %s*%s)", r[0], r[0]);
  case 7: return dad_arena_printf(arena, "%s*(0.9 + 0.1*%s)", w, r[0]);
  case 8: return r[0];
  case 9: return "0.25";
  case 10:
    return dad_arena_printf(arena, "select(%s < %s, 0.5*%s*%s, %s)", r[0], r[1], r[1], r[2], r[0]);
  default: return dad_arena_printf(arena, "fma(0.1*%s, %s, %s)", r[0], r[1], w);
  }
}

/* The conditions on the iterators; sets "*rectangular". */
static const char *conditions(struct generator *g, bool *rectangular) {
  const char *text = g->in_time ? "0<=t<T" : "0=0";
  for (int d = 0; d < g->depth; d++) {
    const char *low = "0", *high = "N";
    int kind = pick(g, 100);
    if (d > 0 && kind < 40) {
      *rectangular = false;
      low = kind < 25 ? low : dad_arena_printf(g->arena, "%s+1", iterator[d - 1]);
      high = kind < 25 ? iterator[d - 1] : high;
    } else if (kind < 60) {
      low = "1";
      high = "N-1";
    }
    text = dad_arena_printf(g->arena, "%s and %s<=%s<%s", text, low, iterator[d], high);
  }
  if (g->depth && chance(g, 15))
    text = dad_arena_printf(g->arena, "%s and %s mod 2 = %d", text, iterator[pick(g, g->depth)],
                            pick(g, 2));
  return text;
}

static const char *time_of(struct generator *g, int number, bool rectangular) {
  int order[LOOPS] = {0, 1, 2};
  for (int d = g->depth; rectangular && d > 1 && chance(g, 30); d--) {
    int other = pick(g, d), last = order[d - 1];
    order[d - 1] = order[other];
    order[other] = last;
  }
  const char *text = dad_arena_printf(g->arena, g->in_time ? "t,%d" : "%d", number);
  for (int d = 0; d < g->depth; d++)
    text =
        dad_arena_printf(g->arena, "%s,%s%s", text, chance(g, 15) ? "-" : "", iterator[order[d]]);
  return text;
}

static const char *assignment(struct generator *g, int number) {
  const char *names = g->in_time ? "t" : "";
  bool rectangular = true;
  g->depth = g->in_time ? 1 + pick(g, 2) : pick(g, LOOPS + 1);
  for (int d = 0; d < g->depth; d++)
    names = dad_arena_printf(g->arena, *names ? "%s,%s" : "%s%s", names, iterator[d]);
  const char *where = conditions(g, &rectangular), *time = time_of(g, number, rectangular);
  const char *written = access_of(g), *read[READS];
  for (int k = 0; k < READS; k++)
    read[k] = access_of(g);
  if (chance(g, 35))
    read[0] = written;
  return dad_arena_printf(g->arena, "stmt S%d[%s] : %s | %s | %s = %s\n", number, names, where,
                          time, written, right_side(g, written, read));
}

char *nest_random(struct dad_arena *arena, unsigned long seed) {
  static const int dims[] = {0, 1, 1, 1, 2, 2};
  struct generator g = {.arena = arena, .state = seed * 0x9e3779b97f4a7c15u + 1};
  char *text = dad_arena_printf(arena, "params N T : N >= 8 and T >= 3\n");
  pick(&g, 2);
  g.n_array = 1 + pick(&g, 3);
  g.in_time = chance(&g, 60);
  for (int a = 0; a < g.n_array; a++) {
    g.dim[a] = dims[pick(&g, 6)];
    g.passive[a] = a > 0 && chance(&g, 10);
    text = dad_arena_printf(arena, "%s%s %c%s\n", text, g.passive[a] ? "passive" : "array", 'A' + a,
                            &"[M][M]"[(2 - g.dim[a]) * 3]);
  }
  for (int n = 1 + pick(&g, 4), s = 0; s < n; s++)
    text = dad_arena_printf(arena, "%s%s", text, assignment(&g, s));
  return text;
}
