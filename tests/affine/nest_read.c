/* nest_read.c: a reader of loop nests by recursive descent. Sets, maps and times are isl's
 * business. */
#include "nest_read.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 64 };

struct reader {
  struct dad_arena *arena;
  isl_ctx *ctx;
  struct dad_nest *nest;
  const char *at;                   /* in the line */
  const char *params;               /* the names of the parameters, with commas */
  const char *instance, *condition; /* of the statement being read */
  struct dad_assign *assign;        /* the same */
  bool failed;
};

static void *fail(struct reader *r, const char *what) {
  if (!r->failed)
    fprintf(stderr, "nest: %s at \"%s\"\n", what, r->at);
  r->failed = true;
  return NULL;
}

static void skip(struct reader *r) {
  r->at += strspn(r->at, " \t");
}

static bool eat(struct reader *r, char c) {
  skip(r);
  if (*r->at != c)
    return false;
  r->at++;
  return true;
}

static char *part(struct reader *r, const char *begin, const char *end) {
  while (begin < end && isspace((unsigned char)*begin))
    begin++;
  while (begin < end && isspace((unsigned char)end[-1]))
    end--;
  return dad_arena_printf(r->arena, "%.*s", (int)(end - begin), begin);
}

static char *word(struct reader *r) {
  skip(r);
  const char *begin = r->at;
  while (isalnum((unsigned char)*r->at) || *r->at == '_')
    r->at++;
  return part(r, begin, r->at);
}

/* What comes before "stop", which is skipped. */
static char *until(struct reader *r, const char *stop) {
  const char *end = strstr(r->at, stop), *begin = r->at;
  if (!end)
    return fail(r, "something is missing");
  r->at = end + strlen(stop);
  return part(r, begin, end);
}

static isl_map *read_map(struct reader *r, const char *range) {
  const char *text = dad_arena_printf(r->arena, "[%s] -> { %s -> %s : %s }", r->params, r->instance,
                                      range, r->condition);
  isl_map *map = isl_map_read_from_str(r->ctx, text);
  if (!map)
    return fail(r, "isl does not understand");
  return isl_map_intersect_params(map, isl_set_copy(r->nest->context));
}

/* ---- expressions */

static const struct dad_rule *rule_named(const char *name) {
  for (unsigned i = 0; i < dad_rule_count; i++)
    if (strcmp(dad_rules[i].name, name) == 0)
      return &dad_rules[i];
  return NULL;
}

static const struct dad_expr *apply(struct reader *r, const char *name, const struct dad_expr *a,
                                    const struct dad_expr *b, const struct dad_expr *c) {
  const struct dad_rule *rule = rule_named(name);
  return rule && a ? dad_expr_rule(&r->assign->pool, rule, a, b, c) : fail(r, "no such function");
}

/* The cell of array "name" whose subscripts are next. */
static struct dad_nest_access access_to(struct reader *r, const char *name) {
  const char *begin = r->at;
  int array = 0;
  while (array < r->nest->n_array && strcmp(r->nest->array[array].name, name))
    array++;
  r->at += strcspn(r->at, "]");
  if (*r->at == ']')
    r->at++;
  else
    fail(r, "] is missing");
  if (array == r->nest->n_array) {
    fail(r, "no such array");
    array = 0;
  }
  return (struct dad_nest_access){
      array, read_map(r, dad_arena_printf(r->arena, "%s%s", name, part(r, begin, r->at)))};
}

static const struct dad_expr *read_access(struct reader *r, const char *name) {
  struct dad_nest_access access = access_to(r, name);
  struct dad_assign *a = r->assign;
  int k = 0;
  while (k < a->n_read && !(a->read[k].array == access.array &&
                            dad_isl_yes(isl_map_is_equal(a->read[k].map, access.map))))
    k++;
  if (k < a->n_read)
    isl_map_free(access.map);
  else if (k < MOST)
    a->read[a->n_read++] = access;
  return dad_expr_leaf(&a->pool, DAD_EXPR_READ, k);
}

static const struct dad_expr *sum(struct reader *r);

static const struct dad_expr *expect(struct reader *r, char c, const struct dad_expr *e) {
  return eat(r, c) ? e : fail(r, "a sign is missing");
}

/* select(a < b, c, d), behind its first parenthesis. */
static const struct dad_expr *selection(struct reader *r) {
  const struct dad_expr *a = sum(r), *b = expect(r, '<', a) ? sum(r) : NULL;
  const struct dad_expr *c = expect(r, ',', b) ? sum(r) : NULL;
  const struct dad_expr *d = expect(r, ',', c) ? sum(r) : NULL;
  if (!expect(r, ')', d))
    return NULL;
  struct dad_expr_pool *pool = &r->assign->pool;
  struct dad_expr less = {.kind = DAD_EXPR_OPERATOR, .index = DAD_OP_LT, .arg = {a, b}};
  struct dad_expr select = {
      .kind = DAD_EXPR_OPERATOR, .index = DAD_OP_SEL, .arg = {dad_expr_intern(pool, &less), c, d}};
  return dad_expr_intern(pool, &select);
}

static const struct dad_expr *primary(struct reader *r) {
  if (eat(r, '('))
    return expect(r, ')', sum(r));
  if (eat(r, '-'))
    return apply(r, "fneg", primary(r), NULL, NULL);
  if (isdigit((unsigned char)*r->at) || *r->at == '.') {
    char *end;
    double number = strtod(r->at, &end);
    r->at = end;
    return dad_expr_number(&r->assign->pool, number);
  }
  const char *name = word(r);
  skip(r);
  if (*r->at == '[')
    return read_access(r, name);
  if (!eat(r, '('))
    return *name ? dad_expr_value(&r->assign->pool, name, NULL) : fail(r, "a value is missing");
  if (strcmp(name, "select") == 0)
    return selection(r);
  const struct dad_expr *arg[3] = {sum(r), NULL, NULL};
  for (int n = 1; n < 3 && arg[n - 1] && eat(r, ',');)
    arg[n++] = sum(r);
  return expect(r, ')', apply(r, name, arg[0], arg[1], arg[2]));
}

static const struct dad_expr *product(struct reader *r) {
  const struct dad_expr *e = primary(r);
  for (;;)
    if (!r->failed && eat(r, '*'))
      e = apply(r, "fmul", e, primary(r), NULL);
    else if (!r->failed && eat(r, '/'))
      e = apply(r, "fdiv", e, primary(r), NULL);
    else
      return e;
}

static const struct dad_expr *sum(struct reader *r) {
  const struct dad_expr *e = product(r);
  for (;;)
    if (!r->failed && eat(r, '+'))
      e = apply(r, "fadd", e, product(r), NULL);
    else if (!r->failed && eat(r, '-'))
      e = apply(r, "fsub", e, product(r), NULL);
    else
      return e;
}

/* ---- lines */

static void read_stmt(struct reader *r) {
  struct dad_assign *a = &r->nest->assign[r->nest->n_assign++];
  r->assign = a;
  *a = (struct dad_assign){.pool = DAD_EXPR_POOL(r->arena)};
  a->read = DAD_ARRAY(r->arena, struct dad_nest_access, MOST);
  r->instance = until(r, ":");
  r->condition = until(r, "|");
  const char *time = until(r, "|");
  if (r->failed)
    return;
  a->name = dad_arena_printf(r->arena, "%.*s", (int)strcspn(r->instance, "["), r->instance);
  a->time = read_map(r, dad_arena_printf(r->arena, "[%s]", time));
  a->domain = isl_set_coalesce(isl_map_domain(isl_map_copy(a->time)));
  a->write = access_to(r, word(r));
  if (!eat(r, '='))
    fail(r, "= is missing");
  a->value = r->failed ? NULL : sum(r);
  skip(r);
  if (*r->at)
    fail(r, "something is left over");
  isl_size n = isl_map_dim(a->time, isl_dim_out);
  r->nest->n_time = n > r->nest->n_time ? n : r->nest->n_time;
}

static void read_params(struct reader *r, bool window) {
  struct dad_nest *nest = r->nest;
  for (int n = 0; !r->failed && !eat(r, ':'); n++) {
    const char *name = word(r);
    if (!*name || (window && n == 2))
      fail(r, ": is missing");
    r->params = *r->params ? dad_arena_printf(r->arena, "%s,%s", r->params, name) : name;
    if (window && n < 2)
      nest->window[n] = name;
  }
  const char *text = dad_arena_printf(r->arena, "[%s] -> { : %s }", r->params, r->at);
  isl_set *known = isl_set_read_from_str(r->ctx, text);
  if (!known)
    fail(r, "isl does not understand");
  nest->context = isl_set_intersect_params(
      isl_set_align_params(nest->context, isl_set_get_space(known)), isl_set_copy(known));
  isl_set_free(known);
}

static void read_array(struct reader *r, bool active) {
  struct dad_nest_array *array = &r->nest->array[r->nest->n_array++];
  *array = (struct dad_nest_array){.name = word(r), .bytes = 8, .active = active};
  for (; !r->failed && eat(r, '['); array->n_dim++)
    if (eat(r, ']'))
      return;
    else
      until(r, "]");
}

static void read_line(struct reader *r) {
  const char *kind = word(r);
  skip(r);
  if (r->nest->n_assign == MOST || r->nest->n_array == MOST)
    fail(r, "too much");
  else if (strcmp(kind, "params") == 0 || strcmp(kind, "window") == 0)
    read_params(r, *kind == 'w');
  else if (strcmp(kind, "array") == 0 || strcmp(kind, "passive") == 0)
    read_array(r, *kind == 'a');
  else if (strcmp(kind, "stmt") == 0)
    read_stmt(r);
  else if (*kind)
    fail(r, "unknown kind of line");
}

DAD_GIVE struct dad_nest *nest_read(struct dad_arena *arena, isl_ctx *ctx, const char *text) {
  struct dad_nest *nest = DAD_NEW(arena, struct dad_nest);
  struct reader r = {.arena = arena, .ctx = ctx, .nest = nest, .params = ""};
  nest->arena = arena;
  nest->ctx = ctx;
  nest->context = isl_set_universe(isl_space_params_alloc(ctx, 0));
  nest->array = DAD_ARRAY(arena, struct dad_nest_array, MOST);
  nest->assign = DAD_ARRAY(arena, struct dad_assign, MOST);
  while (*text && !r.failed) {
    size_t length = strcspn(text, "\n");
    char *line = dad_arena_printf(arena, "%.*s", (int)length, text);
    line[strcspn(line, "#")] = 0;
    r.at = part(&r, line, line + strlen(line));
    read_line(&r);
    text += length + (text[length] == '\n');
  }
  for (int i = 0; i < nest->n_assign && !r.failed; i++)
    while (isl_map_dim(nest->assign[i].time, isl_dim_out) < nest->n_time)
      nest->assign[i].time = dad_isl_append(nest->assign[i].time, 0);
  return r.failed ? dad_nest_free(nest) : nest;
}

char *nest_read_file(struct dad_arena *arena, const char *name) {
  FILE *in = fopen(name, "r");
  char *text = DAD_ARRAY(arena, char, 1 << 16);
  if (!in) {
    perror(name);
    exit(1);
  }
  text[fread(text, 1, (1 << 16) - 1, in)] = 0;
  fclose(in);
  return text;
}
