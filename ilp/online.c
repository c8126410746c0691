/* online.c: snapshots of loops with an unknown number of steps. */
#include "online.h"

#include "schedule.h"

#include <math.h>

bool dilp_online(struct dilp_online *online, int slots, struct dilp_room *room) {
  *online = (struct dilp_online){.slots = slots, .stride = 1};
  online->at = dilp_take(room, (size_t)slots, sizeof *online->at);
  return !room->full;
}

/* Drops every second snapshot of "online". The slots of those that go come to lie behind those that
   stay, so that they are used again. */
static void halve(struct dilp_online *online) {
  int stay = 0;

  for (int k = 0; k < online->kept; k += 2) {
    struct dilp_snapshot moved = online->at[k];

    online->at[k] = online->at[stay];
    online->at[stay++] = moved;
  }
  online->kept = stay;
  online->stride *= 2;
}

int dilp_online_slot(struct dilp_online *online, int64_t step) {
  struct dilp_snapshot *at;

  if (step % online->stride)
    return -1;
  if (online->kept == online->slots) {
    halve(online);
    if (step % online->stride)
      return -1;
  }
  at = &online->at[online->kept];
  /* Slots are given out in order the first time; "at" holds a free one after that. */
  if (online->stride == 1)
    at->slot = online->kept;
  at->step = step;
  online->kept++;
  return at->slot;
}

/* What the reverse sweep costs, by dynamic programming. best[j * n + r] is the number of plain
   steps from the end down to snapshot j, if that is the r-th of those that stay. */
struct turn {
  double *best;
  int *next; /* the snapshot above it that stays; -1: none */
  int n;     /* snapshots */
};

/* Plain steps between snapshot "j", the "r"-th to stay, and step "end". */
static double gap(const struct dilp_online *online, int j, int r, int64_t end) {
  return dilp_plain_steps(end - online->at[j].step, online->slots - r, false);
}

/* Fills "turn" for a loop of "steps" steps. */
static void solve(struct turn *turn, const struct dilp_online *online, int64_t steps) {
  for (int j = turn->n - 1; j >= 0; j--)
    for (int r = 0; r <= j; r++) {
      double best = gap(online, j, r, steps);
      int next = -1;

      for (int i = j + 1; i < turn->n; i++) {
        double with = turn->best[i * turn->n + r + 1] + gap(online, j, r, online->at[i].step);

        if (with < best) {
          best = with;
          next = i;
        }
      }
      turn->best[j * turn->n + r] = best;
      turn->next[j * turn->n + r] = next;
    }
}

double dilp_online_turn(struct dilp_online *online, int64_t steps, struct dilp_room *room) {
  struct dilp_room mark = *room;
  struct turn turn = {.n = online->kept};
  size_t entries = (size_t)turn.n * (size_t)turn.n;
  int stay = 0;
  double plain;

  turn.best = dilp_take(room, entries, sizeof *turn.best);
  turn.next = dilp_take(room, entries, sizeof *turn.next);
  if (room->full)
    return -1;
  solve(&turn, online, steps);
  plain = turn.best[0];
  for (int j = 0, next; j >= 0; j = next) {
    struct dilp_snapshot moved = online->at[j];

    next = turn.next[j * turn.n + stay];
    online->at[j] = online->at[stay];
    online->at[stay++] = moved;
  }
  online->kept = stay;
  *room = mark;
  return plain;
}
