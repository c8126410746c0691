/* mincut.h: minimum cuts of directed graphs with node capacities. Knows nothing of LLVM. */
#ifndef DAD_MINCUT_H
#define DAD_MINCUT_H

#include "../base/arena.h"

#include <stdbool.h>
#include <stdint.h>

struct dad_mincut;

/* The capacity of what must not be cut. */
#define DAD_MINCUT_INFINITE ((int64_t)1 << 60)

/* An empty network in "arena". */
struct dad_mincut *dad_mincut_create(struct dad_arena *arena);
/* A new node that costs "capacity" to cut; returns its number. */
int dad_mincut_node(struct dad_mincut *net, int64_t capacity);
/* What flows through node "from" may go on into node "to". */
void dad_mincut_edge(struct dad_mincut *net, int from, int to);
/* Node "n" is fed by "capacity" from the source, or drained by the sink without bound. */
void dad_mincut_from_source(struct dad_mincut *net, int n, int64_t capacity);
void dad_mincut_to_sink(struct dad_mincut *net, int n);
/* Finds the minimum cut nearest to the sink. */
void dad_mincut_solve(struct dad_mincut *net);
/* Is node "n" in the cut? */
bool dad_mincut_is_cut(const struct dad_mincut *net, int n);

#endif
