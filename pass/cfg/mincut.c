/* mincut.c: Dinic's algorithm. Every node is an arc from its entrance to its exit; of the smallest cuts the one nearest to the sink
   is taken, which recomputes least. */
#include "mincut.h"

#include <string.h>

struct arc {
  int to, next;     /* end vertex; next arc of the same start vertex */
  int64_t capacity; /* what still fits */
};

struct dad_mincut {
  struct dad_arena *arena;
  struct arc *arcs; /* arc k ^ 1 is the reverse of arc k */
  int n_arcs, arcs_capacity;
  int *first;       /* first arc of every vertex, -1: none */
  int n_vertices, vertices_capacity;
  int *level;       /* breadth-first levels; after solving: 1 for what reaches the sink */
  int *next;        /* the arc at which each vertex's search goes on */
  int *queue;
};

enum { SOURCE = 0, SINK = 1, FIRST_NODE = 2 };

static int entrance(int node) {
  return FIRST_NODE + 2 * node;
}
static int exit_of(int node) {
  return FIRST_NODE + 2 * node + 1;
}

static int add_vertex(struct dad_mincut *net) {
  if (net->n_vertices == net->vertices_capacity) {
    int more = net->vertices_capacity ? 2 * net->vertices_capacity : 256;
    net->first = dad_arena_grow(net->arena, net->first, (size_t)net->n_vertices * sizeof(int),
                                (size_t)more * sizeof(int));
    net->vertices_capacity = more;
  }
  net->first[net->n_vertices] = -1;
  return net->n_vertices++;
}

static void add_arc(struct dad_mincut *net, int from, int to, int64_t capacity) {
  if (net->n_arcs + 2 > net->arcs_capacity) {
    int more = net->arcs_capacity ? 2 * net->arcs_capacity : 512;
    net->arcs = dad_arena_grow(net->arena, net->arcs, (size_t)net->n_arcs * sizeof(struct arc),
                               (size_t)more * sizeof(struct arc));
    net->arcs_capacity = more;
  }
  net->arcs[net->n_arcs] = (struct arc){to, net->first[from], capacity};
  net->first[from] = net->n_arcs++;
  net->arcs[net->n_arcs] = (struct arc){from, net->first[to], 0};
  net->first[to] = net->n_arcs++;
}

struct dad_mincut *dad_mincut_create(struct dad_arena *arena) {
  struct dad_mincut *net = DAD_NEW(arena, struct dad_mincut);
  net->arena = arena;
  add_vertex(net); /* the source */
  add_vertex(net); /* the sink */
  return net;
}

int dad_mincut_node(struct dad_mincut *net, int64_t capacity) {
  int in = add_vertex(net), out = add_vertex(net);
  add_arc(net, in, out, capacity);
  return (in - FIRST_NODE) / 2;
}

void dad_mincut_edge(struct dad_mincut *net, int from, int to) {
  add_arc(net, exit_of(from), entrance(to), DAD_MINCUT_INFINITE);
}

void dad_mincut_from_source(struct dad_mincut *net, int n, int64_t capacity) {
  add_arc(net, SOURCE, entrance(n), capacity);
}

void dad_mincut_to_sink(struct dad_mincut *net, int n) {
  add_arc(net, exit_of(n), SINK, DAD_MINCUT_INFINITE);
}

/* Sets levels by a search from "start" along arcs that can still take flow, or (backward) whose reverse can. */
static void search(struct dad_mincut *net, int start, bool backward) {
  int head = 0, tail = 0;
  memset(net->level, 0, (size_t)net->n_vertices * sizeof(int));
  net->level[start] = 1;
  net->queue[tail++] = start;
  while (head < tail) {
    int v = net->queue[head++];
    for (int e = net->first[v]; e >= 0; e = net->arcs[e].next) {
      int to = net->arcs[e].to;
      if (net->arcs[backward ? e ^ 1 : e].capacity <= 0 || net->level[to])
        continue;
      net->level[to] = net->level[v] + 1;
      net->queue[tail++] = to;
    }
  }
}

/* One path from the source to the sink along increasing levels, found with an explicit stack (paths may be long). Returns what
   it carried, 0 when there is none left. "path" has room for all vertices. */
static int64_t augment(struct dad_mincut *net, int *path) {
  int depth = 0, v = SOURCE;
  while (v != SINK) {
    int e = net->next[v];
    while (e >= 0 && (net->arcs[e].capacity <= 0 || net->level[net->arcs[e].to] != net->level[v] + 1))
      e = net->arcs[e].next;
    net->next[v] = e;
    if (e >= 0) {
      path[depth++] = e;
      v = net->arcs[e].to;
    } else if (depth == 0) {
      return 0;
    } else { /* a dead end: step back and go on behind it */
      int back = path[--depth];
      v = net->arcs[back ^ 1].to;
      net->next[v] = net->arcs[back].next;
    }
  }
  int64_t flow = DAD_MINCUT_INFINITE;
  for (int k = 0; k < depth; k++)
    if (net->arcs[path[k]].capacity < flow)
      flow = net->arcs[path[k]].capacity;
  for (int k = 0; k < depth; k++) {
    net->arcs[path[k]].capacity -= flow;
    net->arcs[path[k] ^ 1].capacity += flow;
  }
  return flow;
}

void dad_mincut_solve(struct dad_mincut *net) {
  size_t n = (size_t)net->n_vertices;
  net->level = DAD_ARRAY(net->arena, int, n);
  net->next = DAD_ARRAY(net->arena, int, n);
  net->queue = DAD_ARRAY(net->arena, int, n);
  int *path = DAD_ARRAY(net->arena, int, n);
  for (;;) {
    search(net, SOURCE, false);
    if (!net->level[SINK])
      break;
    memcpy(net->next, net->first, n * sizeof(int));
    while (augment(net, path) > 0)
      ;
  }
  search(net, SINK, true);
}

bool dad_mincut_is_cut(const struct dad_mincut *net, int n) {
  return net->level[exit_of(n)] && !net->level[entrance(n)];
}
