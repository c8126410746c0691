/* menu.c: the points of loops that may be checkpointed. */
#include "menu.h"

#include "schedule.h"

/* Points that are being collected. */
struct pool {
  struct dilp_point *point;
  int count;
  int room;
};

/* A step of a loop as its menu sees it. */
struct body {
  const struct dilp_loop *loop;
  int64_t tape;  /* bytes that it keeps */
  int64_t above; /* more bytes while it is undone */
  double extra;  /* seconds that it takes more than a step with a whole tape */
  int inner;     /* the point of the inner loop; -1: there is none */
};

const char *dilp_way_word(enum dilp_way way) {
  static const char *const word[DILP_WAYS] = {"store", "separated", "warm", "repeat"};

  return word[way];
}

/* Adds "point" to "pool" unless it is larger than any problem may be. */
static void add(struct pool *pool, struct dilp_point point) {
  if (pool->count < pool->room && point.forward <= DILP_MOST_BYTES &&
      point.reverse <= DILP_MOST_BYTES)
    pool->point[pool->count++] = point;
}

/* a * b, or something larger than DILP_MOST_BYTES if that is. */
static int64_t times(int64_t a, int64_t b) {
  return b && a > DILP_MOST_BYTES / b ? DILP_MOST_BYTES + 1 : a * b;
}

/* What comes after "n" among the sizes that a menu tries: all small ones, then steps of a
   quarter. */
static int64_t next_size(int64_t n) {
  return n < 8 ? n + 1 : n + n / 4;
}

/* How many sizes up to "most" a menu tries. */
static int sizes_up_to(int64_t most) {
  int count = 0;

  for (int64_t n = 1; n <= most; n = next_size(n))
    count++;
  return count;
}

/* Adds to "pool" the points of "body" with windows of "w" steps and "k" snapshots. */
static void add_windows(struct pool *pool, const struct body *body, int64_t w, int64_t k) {
  const struct dilp_steps *s = &body->loop->steps;
  int64_t windows = (s->trip + w - 1) / w, states = times(k, s->state);
  int64_t taped = times(w, body->tape), between = times(k - 1, s->state);
  double writes = (double)(windows - 1 < 3 * k ? windows - 1 : 3 * k) * s->copy;
  double fixed = writes + (double)s->trip * body->extra;
  double near = dilp_window_steps(s->trip, w, k, false) * s->step + fixed;
  double far = dilp_window_steps(s->trip, w, k, true) * s->step + fixed;

  add(pool, (struct dilp_point){states, states, states + taped + body->above, far, DILP_SEPARATED,
                                w, k, body->inner});
  add(pool, (struct dilp_point){states + taped, states + taped, states + taped + body->above, near,
                                DILP_WARM, w, k, body->inner});
  if (body->loop->first >= 0 && body->inner < 0)
    add(pool, (struct dilp_point){0, 0, between + taped + body->above,
                                  near + (double)s->trip * s->step, DILP_REPEAT, w, k, -1});
}

/* Adds every point of "body" to "pool". */
static void add_points(struct pool *pool, const struct body *body) {
  int64_t trip = body->loop->steps.trip, all = times(trip, body->tape);

  add(pool, (struct dilp_point){all, all, all + body->above, (double)trip * body->extra, DILP_STORE,
                                trip, 0, body->inner});
  for (int64_t w = 1; w <= trip; w = next_size(w))
    for (int64_t k = 1; k <= (trip + w - 1) / w; k = next_size(k))
      add_windows(pool, body, w, k);
}

/* Does "a" come before "b" in a menu? */
static bool before(const struct dilp_point *a, const struct dilp_point *b) {
  return a->time != b->time   ? a->time < b->time
         : a->held != b->held ? a->held < b->held
                              : a->reverse < b->reverse;
}

/* Sorts "pool" by time. */
static void sort(struct pool *pool) {
  for (int gap = pool->count / 2; gap > 0; gap /= 2)
    for (int i = gap; i < pool->count; i++)
      for (int j = i - gap; j >= 0 && before(&pool->point[j + gap], &pool->point[j]); j -= gap) {
        struct dilp_point moved = pool->point[j];

        pool->point[j] = pool->point[j + gap];
        pool->point[j + gap] = moved;
      }
}

/* Is "a" at least as good as "b", but for a share "slack" of the bytes and "seconds"? */
static bool covers(const struct dilp_point *a, const struct dilp_point *b, double slack,
                   double seconds) {
  double more = 1 + slack;

  return (a->way != DILP_REPEAT || b->way == DILP_REPEAT) &&
         (double)a->held <= more * (double)b->held &&
         (double)a->forward <= more * (double)b->forward &&
         (double)a->reverse <= more * (double)b->reverse && a->time <= b->time + seconds;
}

/* The point of "pool" with the least bytes in the reverse, among those that need no first
   state. */
static int leanest(const struct pool *pool) {
  int best = -1;

  for (int i = 0; i < pool->count; i++)
    if (pool->point[i].way != DILP_REPEAT &&
        (best < 0 || pool->point[i].reverse < pool->point[best].reverse))
      best = i;
  return best;
}

/* Copies to "menu" the points of "pool", which are sorted, that no other covers within "slack";
   "keep" in any case. Returns their number, or DILP_MENU + 1 if there are more. */
static int select_points(const struct pool *pool, int keep, double slack, struct dilp_point *menu) {
  double span = pool->point[pool->count - 1].time - pool->point[0].time;
  int count = 0;

  for (int i = 0; i < pool->count; i++) {
    bool covered = false;

    for (int k = 0; k < count && !covered; k++)
      covered = covers(&menu[k], &pool->point[i], slack, slack * span);
    if (covered && i != keep)
      continue;
    if (count == DILP_MENU)
      return DILP_MENU + 1;
    menu[count++] = pool->point[i];
  }
  return count;
}

/* Makes the best of "pool" the menu of "loop", in "menu". */
static bool thin(struct pool *pool, struct dilp_loop *loop, struct dilp_point *menu) {
  double slack = 0;

  if (!pool->count)
    return false;
  sort(pool);
  while ((loop->points = select_points(pool, leanest(pool), slack, menu)) > DILP_MENU)
    slack = slack > 0 ? slack * 1.3 : 0.002;
  loop->point = menu;
  return true;
}

/* Makes the menu of "loop" from "count" bodies, in memory of "room". */
static bool menu_of(struct dilp_loop *loop, const struct body *body, int count,
                    struct dilp_room *room) {
  struct dilp_point *menu = dilp_take(room, DILP_MENU, sizeof *menu);
  struct dilp_room mark = *room;
  int sizes = sizes_up_to(loop->steps.trip);
  struct pool pool = {.room = count * (1 + 3 * sizes * sizes)};
  bool made = false;

  pool.point = dilp_take(room, (size_t)pool.room, sizeof *pool.point);
  if (!room->full) {
    for (int b = 0; b < count; b++)
      add_points(&pool, &body[b]);
    made = thin(&pool, loop, menu);
    *room = mark;
  }
  return made;
}

bool dilp_menu(struct dilp_loop *loop, struct dilp_room *room) {
  struct body body = {loop, loop->steps.tape, 0, 0, -1};

  return menu_of(loop, &body, 1, room);
}

bool dilp_menu_nest(struct dilp_loop *outer, const struct dilp_loop *inner,
                    struct dilp_room *room) {
  struct body body[DILP_MENU];
  int count = 0;

  for (int k = 0; k < inner->points; k++)
    if (inner->point[k].way != DILP_REPEAT)
      body[count++] =
          (struct body){outer, inner->point[k].held, inner->point[k].reverse - inner->point[k].held,
                        inner->point[k].time, k};
  return menu_of(outer, body, count, room);
}
