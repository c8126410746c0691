/* linked_nodes_test.c: the bodies of list and tree functions that programs get from the plugin. */
#include "../../pass/bodies/linked_nodes.c"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

enum { NODES = 200, STEPS = 20000 };

/* ---- trees */

struct entry {
  struct tree_node node; /* first: a node is its entry */
  int key;
};

static int key_of(const struct tree_node *node) {
  return ((const struct entry *)node)->key;
}

/* Checks the tree "x" below "parent": order, links, colours. Returns how many black nodes are on
 * each path down. */
static int check_tree(const struct tree_node *x, const struct tree_node *parent, int least,
                      int most) {
  if (!x)
    return 0;
  assert_ptr_equal(x->parent, parent);
  assert_in_range(key_of(x), least, most);
  for (int side = 0; side < 2; side++)
    assert_true(x->colour == BLACK || is_black(x->child[side]));
  int left = check_tree(x->child[0], x, least, key_of(x)),
      right = check_tree(x->child[1], x, key_of(x), most);
  assert_int_equal(left, right);
  return left + (x->colour == BLACK);
}

/* Checks "header" and that a walk in both directions finds "n" nodes in order. */
static void check_header(struct tree_node *header, int n) {
  int forward = 0, backward = 0;
  assert_int_equal(header->colour, RED);
  assert_true(is_black(header->parent));
  check_tree(header->parent, header, 0, 1 << 30);
  for (struct tree_node *x = header->child[0]; x != header; x = tree_next(x))
    forward++;
  for (struct tree_node *x = header; x != header->child[0]; backward++) {
    struct tree_node *next = x;
    x = tree_prev(x);
    assert_ptr_equal(tree_next(x), next);
  }
  assert_int_equal(forward, n);
  assert_int_equal(backward, n);
}

static void insert(struct tree_node *header, struct entry *e) {
  struct tree_node *p = header, *x = header->parent;
  bool left = true;
  while (x) {
    p = x;
    left = e->key < key_of(x);
    x = x->child[!left];
  }
  tree_insert(left || p == header, &e->node, p, header);
}

static void test_tree(void **state) {
  (void)state;
  struct entry entry[NODES];
  bool inside[NODES] = {false};
  struct tree_node header = {RED, NULL, {&header, &header}};
  int n = 0;
  srand(1);
  for (int step = 0; step < STEPS; step++) {
    int k = rand() % NODES;
    if (inside[k]) {
      assert_ptr_equal(tree_erase(&entry[k].node, &header), &entry[k].node);
    } else {
      entry[k].key = rand() % NODES;
      insert(&header, &entry[k]);
    }
    inside[k] = !inside[k];
    n += inside[k] ? 1 : -1;
    if (step < 300 || step % 50 == 0)
      check_header(&header, n);
  }
}

/* ---- lists */

struct item {
  struct list_node node; /* first */
  int key;
};

/* The keys of "list" as the digits of a number; the way back must give the same. */
static int digits(const struct list_node *list) {
  int forward = 0, backward = 0, place = 1;
  for (const struct list_node *x = list->next; x != list; x = x->next)
    forward = forward * 10 + ((const struct item *)x)->key;
  for (const struct list_node *x = list->prev; x != list; x = x->prev, place *= 10)
    backward += place * ((const struct item *)x)->key;
  assert_int_equal(forward, backward);
  return forward;
}

static void append(struct list_node *list, struct item *item, int n) {
  join(list, list);
  for (int k = 0; k < n; k++)
    list_hook(&item[k].node, list);
}

static void test_list(void **state) {
  (void)state;
  struct item a[5] = {{{0}, 1}, {{0}, 2}, {{0}, 3}, {{0}, 4}, {{0}, 5}},
              b[2] = {{{0}, 8}, {{0}, 9}};
  struct list_node list, other, none;
  append(&list, a, 5);
  append(&other, b, 2);
  append(&none, NULL, 0);
  assert_int_equal(digits(&list), 12345);
  list_unhook(&a[2].node);
  assert_int_equal(digits(&list), 1245);
  list_transfer(&list, &a[1].node, &a[4].node); /* 2 and 4 to the end */
  assert_int_equal(digits(&list), 1524);
  list_transfer(&a[4].node, &b[0].node, &other); /* all of the other list before 5 */
  assert_int_equal(digits(&list), 189524);
  assert_int_equal(digits(&other), 0);
  list_reverse(&list);
  assert_int_equal(digits(&list), 425981);
  list_swap(&list, &other);
  assert_int_equal(digits(&other), 425981);
  assert_int_equal(digits(&list), 0);
  list_swap(&list, &none);
  assert_int_equal(digits(&list), 0);
  list_hook(&a[2].node, &list);
  list_swap(&other, &list);
  assert_int_equal(digits(&other), 3);
  assert_int_equal(digits(&list), 425981);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_tree), cmocka_unit_test(test_list)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
