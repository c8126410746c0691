// Covers: linked lists, trees and graphs on the heap and on the stack; container_of; neighbours in
// an array of structs.
// ALSO: -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all
// ALSO: -O2 -mllvm -dacead-no-inline
#include "check_gradient.h"
#include <stddef.h>

/* A singly linked list: pushed, reversed by turning its pointers, summed, freed. */
struct node {
  double value;
  struct node *next;
};

static NOINLINE struct node *push(struct node *list, double value) {
  struct node *n = malloc(sizeof *n);
  n->value = value;
  n->next = list;
  return n;
}

static NOINLINE struct node *reversed(struct node *list) {
  struct node *done = NULL;
  while (list) {
    struct node *next = list->next;
    list->next = done;
    done = list;
    list = next;
  }
  return done;
}

static double list(double *x, int n) {
  struct node *l = NULL;
  double s = 0;
  for (int i = 0; i < n; i++)
    l = push(l, x[i] * x[i]);
  l = reversed(l);
  for (struct node *p = l; p && p->next; p = p->next)
    p->next->value += p->value * x[0];
  int k = 1;
  while (l) {
    struct node *dead = l;
    s += l->value * k++;
    l = l->next;
    free(dead);
  }
  return s;
}

/* A list sorted by insertion, through pointers to pointers. */
static double sorted(double *x, int n) {
  struct node nodes[CHECK_N], *head = NULL;
  for (int i = 0; i < n; i++) {
    struct node **at = &head;
    nodes[i].value = x[i] * x[(i + 1) % n];
    while (*at && (*at)->value < nodes[i].value)
      at = &(*at)->next;
    nodes[i].next = *at;
    *at = &nodes[i];
  }
  double s = 0;
  for (struct node *p = head; p; p = p->next)
    s = s * 0.6 + p->value * p->value;
  return s;
}

/* A binary tree: built, walked and freed by recursion; values change on the way down. */
struct tree {
  double value;
  struct tree *left, *right;
};

static NOINLINE struct tree *insert(struct tree *t, double a) {
  if (!t) {
    t = calloc(1, sizeof *t);
    t->value = a;
    return t;
  }
  if (a < t->value)
    t->left = insert(t->left, a);
  else
    t->right = insert(t->right, a);
  t->value *= 1.01;
  return t;
}

static NOINLINE double walk(const struct tree *t, int depth) {
  if (!t)
    return 0;
  return t->value * t->value * depth + walk(t->left, depth + 1) * 0.5 + walk(t->right, depth + 2);
}

static NOINLINE void destroy(struct tree *t) {
  if (!t)
    return;
  destroy(t->left);
  destroy(t->right);
  free(t);
}

static double tree(double *x, int n) {
  struct tree *t = NULL;
  for (int i = 0; i < n; i++)
    t = insert(t, x[i]);
  double s = walk(t, 1);
  destroy(t);
  return s;
}

/* An expression as a tree of operations, evaluated bottom up; a node may have two parents. */
struct expression {
  char op;
  double value;
  struct expression *a, *b;
};

static NOINLINE double evaluate(struct expression *e) {
  switch (e->op) {
  case '+': return e->value = evaluate(e->a) + evaluate(e->b);
  case '*': return e->value = evaluate(e->a) * evaluate(e->b);
  case 's': return e->value = sin(evaluate(e->b)) * e->a->value;
  default: return e->value;
  }
}

static double expression(double *x, int n) {
  struct expression leaf[CHECK_N], inner[CHECK_N];
  for (int i = 0; i < n; i++) {
    struct expression l = {'x', x[i], NULL, NULL};
    struct expression e = {"+*s"[i % 3], 0, &leaf[n - 1 - i], i ? &inner[i - 1] : &leaf[0]};
    leaf[i] = l;
    inner[i] = e;
  }
  inner[2].a = &inner[1];
  evaluate(&inner[n - 1]);
  return inner[n - 1].value * inner[3].value + inner[2].value;
}

/* Two lists through the same structs, whose links lie inside of them. */
struct link {
  struct link *next, *previous;
};

struct body {
  struct link by_x, by_y;
  double x, y;
};

#define BODY_OF(link, member) ((struct body *)((char *)(link)-offsetof(struct body, member)))

static NOINLINE void add(struct link *head, struct link *l) {
  l->next = head->next;
  l->previous = head;
  if (head->next)
    head->next->previous = l;
  head->next = l;
}

static NOINLINE struct link *nth(struct link *head, int k) {
  while (k-- && head->next)
    head = head->next;
  return head;
}

static double container_of(double *x, int n) {
  struct body a[CHECK_N];
  struct link all = {0}, some = {0};
  for (int i = 0; i < n; i++) {
    a[i].x = x[i];
    a[i].y = x[i] * x[(i + 1) % n];
    add(&all, &a[i].by_x);
    if (i % 2)
      add(&some, &a[i].by_y);
  }
  double s = 0;
  int k = 1;
  for (struct link *p = all.next; p; p = p->next)
    s += BODY_OF(p, by_x)->x * k++;
  for (struct link *p = some.next; p; p = p->next) {
    s += BODY_OF(p, by_y)->y * BODY_OF(p, by_y)->x;
    BODY_OF(p, by_y)->x *= 2;
  }
  for (struct link *p = all.next; p; p = p->next)
    s += sin(BODY_OF(p, by_x)->x);
  return s + BODY_OF(nth(&all, 3), by_x)->y * BODY_OF(nth(&some, 2), by_y)->y;
}

/* Structs that point at their neighbours in one array; ranges by value, one past the end. */
struct cell {
  double q;
  struct cell *next;
  int weight;
};

struct cells {
  struct cell *begin, *end;
};

static NOINLINE double sum(struct cells r) {
  double s = 0;
  for (struct cell *p = r.begin; p != r.end; ++p)
    s += p->q * (p->next ? p->next->q : 1) * p->weight;
  return s;
}

static double neighbours(double *x, int n) {
  struct cell *a = calloc(n, sizeof *a);
  for (int i = 0; i < n; i++) {
    a[i].q = x[i];
    a[i].next = i + 1 < n ? &a[i + 1] : NULL;
    a[i].weight = i % 3;
  }
  struct cells all = {a, a + n}, middle = {a + 2, a + n / 2};
  double s = sum(all) + sum(middle);
  a[1].next->q *= 3;
  s += sum(middle);
  free(a);
  return s;
}

/* A ring of nodes that are unlinked one by one, every third. */
static double counting_out(double *x, int n) {
  struct node ring[CHECK_N];
  for (int i = 0; i < n; i++) {
    ring[i].value = x[i];
    ring[i].next = &ring[(i + 1) % n];
  }
  struct node *p = &ring[n - 1];
  double s = 1;
  while (p->next != p) {
    p = p->next->next;
    s = s * p->next->value + p->value;
    p->value += p->next->value * 0.5;
    p->next = p->next->next;
  }
  return s * p->value;
}

int main(void) {
  CHECK(list);
  CHECK(sorted);
  CHECK(tree);
  CHECK(expression);
  CHECK(container_of);
  CHECK(neighbours);
  CHECK(counting_out);
  return check_done();
}
