/* shadow_registry.c: which memory has which shadow.

   Ranges do not overlap; they stand in a treap, a search tree ordered by address whose shape a
   random priority keeps balanced. There is one for the process behind a lock, for globals,
   functions and heap blocks are shared between threads. What a caller passes is known only to
   its gradient calls. */
#include "shadow_registry.h"

#include "abi.h"
#include "gradient_call.h"
#include "layout.h"
#include "stop.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* A range of memory with a shadow. */
struct range {
  uintptr_t at, end;          /* the memory, "end" excluded */
  char *shadow;               /* of "at" */
  bool block;                 /* a heap block: "shadow" is released with it */
  uint64_t priority;          /* of a parent: not less than those of its children */
  struct range *left, *right; /* what lies before, and behind */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct range *root;   /* under "lock", with all below it */
static atomic_size_t blocks; /* number of heap blocks among them: mostly 0, then nobody waits */

/* A number that looks random, made of "x". */
static uint64_t scramble(uint64_t x) {
  x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
  return x ^ x >> 31;
}

/* The link to the range that begins at "at", or to NULL. */
static struct range **link_of(uintptr_t at) {
  struct range **link = &root;

  while (*link && (*link)->at != at)
    link = at < (*link)->at ? &(*link)->left : &(*link)->right;
  return link;
}

/* The last range that begins at or before "at", or NULL. */
static struct range *last_before(uintptr_t at) {
  struct range *best = NULL;

  for (struct range *r = root; r; r = at < r->at ? r->left : r->right)
    if (r->at <= at)
      best = r;
  return best;
}

/* Takes the range at "*link" out of the tree: its subtrees are merged in its place. */
static struct range *take(struct range **link) {
  struct range *taken = *link, *left = taken->left, *right = taken->right;

  while (left && right)
    if (left->priority >= right->priority) {
      *link = left;
      link = &left->right;
      left = left->right;
    } else {
      *link = right;
      link = &right->left;
      right = right->left;
    }
  *link = left ? left : right;
  return taken;
}

/* Puts "r", which overlaps nothing, into the tree: above what has less priority, and that is
   split. */
static void put(struct range *r) {
  struct range **link = &root, *rest, **left = &r->left, **right = &r->right;

  while (*link && (*link)->priority > r->priority)
    link = r->at < (*link)->at ? &(*link)->left : &(*link)->right;
  rest = *link;
  *link = r;
  while (rest)
    if (rest->at < r->at) {
      *left = rest;
      left = &rest->right;
      rest = rest->right;
    } else {
      *right = rest;
      right = &rest->left;
      rest = rest->left;
    }
  *left = *right = NULL;
}

/* Takes the range at "*link" out of the tree and frees it. */
static void drop(struct range **link) {
  struct range *r = take(link);

  if (r->block)
    atomic_fetch_sub_explicit(&blocks, 1, memory_order_relaxed);
  free(r);
}

/* Drops every range that has memory in common with [at, end), or begins at "at". */
static void displace(uintptr_t at, uintptr_t end) {
  struct range *r;

  while ((r = last_before(end > at ? end - 1 : at)) && (r->end > at || r->at == at))
    drop(link_of(r->at));
}

/* Stops if "bytes", of an object at "p", is no size. */
static void check_size(const void *p, int64_t bytes) {
  if (bytes < 0)
    drt_stop("the object at %p is to have a shadow of %lld bytes: its size has overflowed. Use "
             "smaller sizes.",
             p, (long long)bytes);
}

/* Registers the "bytes" bytes at "p", a heap block if "block" is set. */
static void add(void *p, int64_t bytes, void *shadow, bool block) {
  uintptr_t at = (uintptr_t)p, end = at + (uintptr_t)bytes;
  struct range *r;

  check_size(p, bytes);
  if (!p || !shadow)
    return;
  pthread_mutex_lock(&lock);
  r = *link_of(at);
  if (!r || r->end != end || r->shadow != shadow || r->block != block) {
    displace(at, end);
    r = malloc(sizeof *r);
    if (!r)
      drt_stop("no memory to remember the shadow of a block of %lld bytes. Free some before.",
               (long long)bytes);
    *r = (struct range){at, end, shadow, block, scramble(at), NULL, NULL};
    put(r);
    if (block)
      atomic_fetch_add_explicit(&blocks, 1, memory_order_relaxed);
  }
  pthread_mutex_unlock(&lock);
}

void drt_register(void *at, int64_t bytes, void *shadow) {
  add(at, bytes, shadow, false);
}

void drt_register_block(void *at, int64_t bytes, void *shadow) {
  add(at, bytes, shadow, true);
}

void *drt_registry_take_block(const void *at) {
  void *shadow = NULL;
  struct range **link;

  if (!atomic_load_explicit(&blocks, memory_order_relaxed))
    return NULL;
  pthread_mutex_lock(&lock);
  link = link_of((uintptr_t)at);
  if (*link && (*link)->block) {
    shadow = (*link)->shadow;
    drop(link);
  }
  pthread_mutex_unlock(&lock);
  return shadow;
}

void drt_unregister(void *at) {
  struct range **link;

  pthread_mutex_lock(&lock);
  link = link_of((uintptr_t)at);
  if (*link)
    drop(link);
  pthread_mutex_unlock(&lock);
}

void drt_register_argument(void *at, int64_t bytes, void *shadow) {
  struct drt_call *call = drt_call_current();
  struct drt_arguments *known;

  if (!call)
    drt_stop("an argument is registered outside of a gradient call. " DRT_REPORT);
  check_size(at, bytes);
  if (!at || !shadow)
    return;
  known = &call->arguments;
  if (known->n == known->capacity) {
    size_t capacity = known->capacity ? 2 * known->capacity : 8;

    known->argument = realloc(known->argument, capacity * sizeof *known->argument);
    if (!known->argument)
      drt_stop("no memory to remember %zu arguments. Free some before.", capacity);
    known->capacity = capacity;
  }
  known->argument[known->n++] = (struct drt_argument){at, (char *)at + bytes, shadow};
}

void drt_arguments_forget(struct drt_arguments *arguments) {
  arguments->n = 0;
}

void drt_arguments_clear(struct drt_arguments *arguments) {
  free(arguments->argument);
  *arguments = (struct drt_arguments){0};
}

/* The shadow of "p" in an argument of this thread's gradient calls, inner calls and newer
   arguments first; in one that ends at "p" if "past" is set, else in one that holds it. NULL
   if there is none. */
static char *in_arguments(const char *p, bool past) {
  for (struct drt_call *call = drt_call_current(); call; call = call->outer)
    for (size_t i = call->arguments.n; i-- > 0;) {
      const struct drt_argument *a = &call->arguments.argument[i];

      if (past ? p == a->end : p >= a->at && p < a->end)
        return a->shadow + (p - a->at);
    }
  return NULL;
}

/* The shadow of "p", or NULL. Under "lock". */
static char *look_up(const char *p) {
  uintptr_t at = (uintptr_t)p;
  struct range *r = last_before(at);
  char *shadow;

  if ((shadow = in_arguments(p, false)))
    return shadow;
  if (r && at < r->end)
    return r->shadow + (at - r->at);
  if ((shadow = in_arguments(p, true)))
    return shadow;
  return r && at == r->end ? r->shadow + (at - r->at) : NULL;
}

void *drt_shadow_of(const void *p) {
  void *shadow;

  if (!p)
    return NULL;
  pthread_mutex_lock(&lock);
  shadow = look_up(p);
  pthread_mutex_unlock(&lock);
  return shadow;
}

/* What drt_mirror works on. */
struct mirror {
  const char *p; /* memory with pointers */
  char *shadow;  /* its shadow */
};

/* Sets a shadow pointer of the struct mirror "context". Under "lock". */
static inline void mirror_pointer(void *context, int64_t offset, uint32_t kind) {
  const struct mirror *mirror = context;
  const char *pointer;
  char *mirrored;

  if (kind != DRT_KIND_PTR && kind != DRT_KIND_EITHER)
    return;
  memcpy(&pointer, mirror->p + offset, sizeof pointer);
  mirrored = pointer ? look_up(pointer) : NULL;
  if (kind == DRT_KIND_EITHER && !drt_is_address((uintptr_t)pointer))
    return;
  memcpy(mirror->shadow + offset, &mirrored, sizeof mirrored);
}

void drt_mirror(const void *p, void *shadow, int64_t n, const struct drt_layout *layout) {
  struct mirror mirror = {p, shadow};

  pthread_mutex_lock(&lock);
  drt_walk(layout, n, true, mirror_pointer, &mirror);
  pthread_mutex_unlock(&lock);
}
