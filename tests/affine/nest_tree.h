/* nest_tree.h: walks over isl's syntax trees as a program that runs. */
#ifndef DAD_NEST_TREE_H
#define DAD_NEST_TREE_H

#include <isl/ast.h>
#include <isl/id.h>
#include <stdbool.h>

enum { TREE_NAMES = 64 };

struct tree_run {
  const char *name[TREE_NAMES]; /* iterators and parameters in scope */
  long value[TREE_NAMES];       /* of each */
  int n;                        /* how many */
  /* called for every instance of a statement, with its identifier's user pointer and arguments */
  void (*visit)(void *user, void *statement, const long *argument);
  void *user;        /* for "visit" */
  const char *wrong; /* what cannot be executed, or NULL */
};

/* The value of "e" for the names in scope. */
long tree_value(struct tree_run *run, __isl_take isl_ast_expr *e);
/* Executes "node". Loops whose annotation is not "serial" run backwards. */
void tree_execute(struct tree_run *run, __isl_keep isl_ast_node *node);
/* Counts the loops in "node": all of them, and those annotated as parallel. */
void tree_count(__isl_keep isl_ast_node *node, int *loops, int *parallel);

#endif
