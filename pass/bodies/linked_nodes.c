/* linked_nodes.c: bodies for functions of the GNU C++ library that link the nodes of std::list, std::map and std::set. The library hides them;
   with a body they are differentiated like any other code. Compiled to bitcode, which the plugin carries (driver/bodies.h). */
#include <stdbool.h>
#include <stddef.h>

/* ---- lists: a ring of nodes, one of which is the list itself */

struct list_node {
  struct list_node *next, *prev;
};

void list_hook(struct list_node *node, struct list_node *before) __asm__("_ZNSt8__detail15_List_node_base7_M_hookEPS0_");
void list_unhook(struct list_node *node) __asm__("_ZNSt8__detail15_List_node_base9_M_unhookEv");
void list_transfer(struct list_node *before, struct list_node *first,
                   struct list_node *last) __asm__("_ZNSt8__detail15_List_node_base11_M_transferEPS0_S1_");
void list_reverse(struct list_node *list) __asm__("_ZNSt8__detail15_List_node_base10_M_reverseEv");
void list_swap(struct list_node *a, struct list_node *b) __asm__("_ZNSt8__detail15_List_node_base4swapERS0_S1_");

static void join(struct list_node *a, struct list_node *b) {
  a->next = b;
  b->prev = a;
}

void list_hook(struct list_node *node, struct list_node *before) {
  join(before->prev, node);
  join(node, before);
}

void list_unhook(struct list_node *node) {
  join(node->prev, node->next);
}

/* The nodes from "first" on, "last" excepted, move to the place before "before". */
void list_transfer(struct list_node *before, struct list_node *first, struct list_node *last) {
  if (before == last)
    return;
  struct list_node *end = last->prev;
  join(first->prev, last);
  join(before->prev, first);
  join(end, before);
}

void list_reverse(struct list_node *list) {
  struct list_node *node = list;
  do {
    struct list_node *next = node->next;
    node->next = node->prev;
    node->prev = next;
    node = next;
  } while (node != list);
}

/* Puts "to" in the place of the list "from", which had the neighbours "next" and "prev". */
static void adopt(struct list_node *from, struct list_node *to, struct list_node *next, struct list_node *prev) {
  join(to, next == from ? to : next);
  join(prev == from ? to : prev, to);
}

void list_swap(struct list_node *a, struct list_node *b) {
  struct list_node of_a = *a, of_b = *b;
  adopt(b, a, of_b.next, of_b.prev);
  adopt(a, b, of_a.next, of_a.prev);
}

/* ---- red-black trees. The header is the end: its parent is the root, its children are the first and the last node. Sides are 0 (left, towards
   the first) and 1. */

enum colour { RED, BLACK };

struct tree_node {
  enum colour colour;
  struct tree_node *parent, *child[2];
};

struct tree_node *tree_next(struct tree_node *x) __asm__("_ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base");
const struct tree_node *tree_next_const(const struct tree_node *x) __asm__("_ZSt18_Rb_tree_incrementPKSt18_Rb_tree_node_base");
struct tree_node *tree_prev(struct tree_node *x) __asm__("_ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base");
const struct tree_node *tree_prev_const(const struct tree_node *x) __asm__("_ZSt18_Rb_tree_decrementPKSt18_Rb_tree_node_base");
void tree_insert(bool left, struct tree_node *x, struct tree_node *parent,
                 struct tree_node *header) __asm__("_ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_");
struct tree_node *tree_erase(struct tree_node *z,
                             struct tree_node *header) __asm__("_ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_");

/* The node of the tree "x" that is the farthest on "side". */
static struct tree_node *extreme(struct tree_node *x, int side) {
  while (x->child[side])
    x = x->child[side];
  return x;
}

/* The neighbour of "x" on "side". The last node's next one is the header, also where that node is the root. */
static struct tree_node *neighbour(struct tree_node *x, int side) {
  if (x->child[side])
    return extreme(x->child[side], !side);
  struct tree_node *p = x->parent;
  while (x == p->child[side]) {
    x = p;
    p = p->parent;
  }
  return side && x->child[1] == p ? x : p;
}

struct tree_node *tree_next(struct tree_node *x) {
  return neighbour(x, 1);
}

const struct tree_node *tree_next_const(const struct tree_node *x) {
  return neighbour((struct tree_node *)x, 1);
}

struct tree_node *tree_prev(struct tree_node *x) {
  bool header = x->colour == RED && x->parent->parent == x;
  return header ? x->child[1] : neighbour(x, 0);
}

const struct tree_node *tree_prev_const(const struct tree_node *x) {
  return tree_prev((struct tree_node *)x);
}

/* "to", which may be NULL, takes the place of "from" below the parent of "from". */
static void replace(struct tree_node *header, struct tree_node *from, struct tree_node *to) {
  struct tree_node *p = from->parent;
  if (header->parent == from)
    header->parent = to;
  else
    p->child[p->child[1] == from] = to;
  if (to)
    to->parent = p;
}

/* The child of "x" on the other side comes up in its place, "x" goes down to "side". */
static void rotate(struct tree_node *header, struct tree_node *x, int side) {
  struct tree_node *up = x->child[!side], *middle = up->child[side];
  replace(header, x, up);
  x->child[!side] = middle;
  if (middle)
    middle->parent = x;
  up->child[side] = x;
  x->parent = up;
}

void tree_insert(bool left, struct tree_node *x, struct tree_node *parent, struct tree_node *header) {
  int side = !left;
  *x = (struct tree_node){RED, parent, {NULL, NULL}};
  if (parent == header)
    header->parent = header->child[0] = header->child[1] = x;
  else
    parent->child[side] = x;
  if (parent == header->child[side])
    header->child[side] = x;
  while (x != header->parent && x->parent->colour == RED) {
    struct tree_node *p = x->parent, *above = p->parent;
    int at = p == above->child[1];
    struct tree_node *other = above->child[!at];
    above->colour = RED;
    if (other && other->colour == RED) {
      p->colour = other->colour = BLACK;
      x = above;
      continue;
    }
    if (x == p->child[!at]) {
      x = p;
      rotate(header, x, at);
    }
    x->parent->colour = BLACK;
    rotate(header, above, !at);
  }
  header->parent->colour = BLACK;
}

static bool is_black(const struct tree_node *x) {
  return !x || x->colour == BLACK;
}

/* Paths through "x", which may be NULL, below "p" have one black node too few. */
static void add_black(struct tree_node *header, struct tree_node *x, struct tree_node *p) {
  while (x != header->parent && is_black(x)) {
    int side = x == p->child[1];
    struct tree_node *other = p->child[!side];
    if (other->colour == RED) {
      other->colour = BLACK;
      p->colour = RED;
      rotate(header, p, side);
      other = p->child[!side];
    }
    if (is_black(other->child[0]) && is_black(other->child[1])) {
      other->colour = RED;
      x = p;
      p = p->parent;
      continue;
    }
    if (is_black(other->child[!side])) {
      other->child[side]->colour = BLACK;
      other->colour = RED;
      rotate(header, other, !side);
      other = p->child[!side];
    }
    other->colour = p->colour;
    p->colour = BLACK;
    other->child[!side]->colour = BLACK;
    rotate(header, p, side);
    break;
  }
  if (x)
    x->colour = BLACK;
}

/* The next node "y" of "z", which has two children, takes its place and colour. Returns the parent of the node that took the place of "y". */
static struct tree_node *take_place(struct tree_node *header, struct tree_node *z, struct tree_node *y) {
  struct tree_node *p = y->parent;
  if (p == z) {
    p = y;
  } else {
    replace(header, y, y->child[1]);
    y->child[1] = z->child[1];
    y->child[1]->parent = y;
  }
  replace(header, z, y);
  y->child[0] = z->child[0];
  y->child[0]->parent = y;
  y->colour = z->colour;
  return p;
}

/* Takes "z" out of the tree and returns it. */
struct tree_node *tree_erase(struct tree_node *z, struct tree_node *header) {
  struct tree_node *x, *p;
  enum colour lost = z->colour;
  for (int side = 0; side < 2; side++)
    if (header->child[side] == z)
      header->child[side] = z->child[!side] ? extreme(z->child[!side], side) : z->parent;
  if (z->child[0] && z->child[1]) {
    struct tree_node *y = extreme(z->child[1], 0);
    lost = y->colour;
    x = y->child[1];
    p = take_place(header, z, y);
  } else {
    x = z->child[!z->child[0]];
    p = z->parent;
    replace(header, z, x);
  }
  if (lost == BLACK)
    add_black(header, x, p);
  return z;
}
