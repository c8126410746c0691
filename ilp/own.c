/* own.c: greedy descent, local moves, ejections. */
#include "own.h"

#include <math.h>
#include <string.h>

const struct dilp_effort dilp_effort_high = {5, 60, 40000000};
const struct dilp_effort dilp_effort_medium = {1, 0, 20000000};
const struct dilp_effort dilp_effort_low = {0, 0, 2000000};

/* Scores weigh time before bytes by this factor. */
#define TIME_FIRST 1e6

/* A step looks at all moves anew where that costs at most this share of the work that is left;
   otherwise at those that looked best before. */
#define FULL_SHARE 100

/* Most moves that a step looks at in the second case. */
#define LOOKS 24

/* Going through as many moves is as much work as visiting a cell. */
#define SCAN 8

/* Most steps of a descent. */
#define STEPS 4000

/* What "choice" costs; takes it from the work that is left. */
static struct dilp_cost value(struct dilp_own *own, const struct dilp_choice *choice) {
  own->work -= own->evaluator.cells->count + own->problem.regions + own->problem.items;
  return dilp_evaluate(&own->evaluator, choice, NULL);
}

/* Makes "move" on "choice"; "undo" keeps what it overwrites. Returns false if that changes
   nothing. */
static bool apply(struct dilp_own *own, struct dilp_choice *choice, const struct dilp_move *move) {
  bool changed = false;

  if (move->loop >= 0) {
    changed = choice->point[move->loop] != move->value;
    own->undo.point[move->loop] = choice->point[move->loop];
    choice->point[move->loop] = move->value;
    return changed;
  }
  for (int z = move->from; z < move->to; z++) {
    changed |= choice->retain[z] != move->value;
    own->undo.retain[z] = choice->retain[z];
    choice->retain[z] = (unsigned char)move->value;
  }
  return changed;
}

/* Takes "move" back. */
static void take_back(struct dilp_own *own, struct dilp_choice *choice,
                      const struct dilp_move *move) {
  if (move->loop >= 0)
    choice->point[move->loop] = own->undo.point[move->loop];
  else
    memcpy(choice->retain + move->from, own->undo.retain + move->from,
           (size_t)(move->to - move->from));
}

/* Adds moves that retain cells "from" .. "to" - 1, and that do not. */
static void add_cells(struct dilp_own *own, int from, int to) {
  for (int value = 0; value < 2; value++)
    own->move[own->moves++] = (struct dilp_move){-1, from, to, value, 0};
}

/* Lists all moves. */
static void list_moves(struct dilp_own *own) {
  const int *of = own->evaluator.cells->of_item;

  own->moves = 0;
  for (int i = 0; i < own->problem.items; i++) {
    if (of[i + 1] > of[i])
      add_cells(own, of[i], of[i] + 1);
    if (of[i + 1] > of[i] + 1) {
      add_cells(own, of[i], of[i + 1]);
      add_cells(own, of[i] + 1, of[i + 1]);
    }
  }
  for (int l = 0; l < own->problem.loops; l++)
    for (int k = 0; k < own->problem.loop[l].points; k++)
      own->move[own->moves++] = (struct dilp_move){l, 0, 0, k, 0};
  own->coarse = own->moves;
  for (int i = 0; i < own->problem.items; i++)
    for (int z = of[i] + 1; of[i + 1] > of[i] + 2 && z < of[i + 1]; z++)
      add_cells(own, z, z + 1);
}

bool dilp_own(struct dilp_own *own, const struct dilp_problem *problem,
              const struct dilp_cells *cells, struct dilp_room *room) {
  size_t moves = 6 * (size_t)problem->items + 2 * (size_t)cells->count;

  for (int l = 0; l < problem->loops; l++)
    moves += (size_t)problem->loop[l].points;
  own->problem = *problem;
  own->move = dilp_take(room, moves, sizeof *own->move);
  own->chain = dilp_take(room, (size_t)problem->items, sizeof *own->chain);
  if (!dilp_evaluator(&own->evaluator, &own->problem, cells, room) ||
      !dilp_choice(&own->choice, problem, cells, room) ||
      !dilp_choice(&own->best, problem, cells, room) ||
      !dilp_choice(&own->try, problem, cells, room) ||
      !dilp_choice(&own->undo, problem, cells, room))
    return false;
  list_moves(own);
  return true;
}

/* How good it is to go from "now" to "then". Over the limit: least time for every byte that comes
   under it. Else less time, then less peak. */
static double score(const struct dilp_own *own, struct dilp_cost now, struct dilp_cost then) {
  double time = then.time - now.time;

  if (now.over > 0) {
    if (then.over >= now.over)
      return INFINITY;
    return time > 0 ? time / (now.over - then.over) : time * TIME_FIRST - (now.over - then.over);
  }
  if (then.over > 0 || time > 0 || (time == 0 && then.peak >= now.peak))
    return INFINITY;
  return time * TIME_FIRST +
         (double)(then.peak - now.peak) / TIME_FIRST / (double)own->problem.limit;
}

/* The score of "move" from "choice", which costs "now". */
static double look(struct dilp_own *own, struct dilp_choice *choice, struct dilp_cost now,
                   const struct dilp_move *move) {
  double found = INFINITY;

  if (apply(own, choice, move))
    found = score(own, now, value(own, choice));
  take_back(own, choice, move);
  return found;
}

/* The best of the first "moves" moves, all looked at anew; -1 if none is of use. */
static int best_of_all(struct dilp_own *own, struct dilp_choice *choice, struct dilp_cost now,
                       int moves) {
  int best = -1;

  for (int m = 0; m < moves && own->work > 0; m++) {
    own->move[m].score = look(own, choice, now, &own->move[m]);
    if (own->move[m].score < INFINITY && (best < 0 || own->move[m].score < own->move[best].score))
      best = m;
  }
  return best;
}

/* The move with the least score, as it was last looked at; -1 if none was of use. */
static int promising(struct dilp_own *own, int moves) {
  int best = -1;

  own->work -= moves / SCAN;
  for (int m = 0; m < moves; m++)
    if (own->move[m].score < INFINITY && (best < 0 || own->move[m].score < own->move[best].score))
      best = m;
  return best;
}

/* The same, but looks only at moves that were good when they were last looked at, until one of them
   is better than all the others were. */
static int best_of_few(struct dilp_own *own, struct dilp_choice *choice, struct dilp_cost now,
                       int moves) {
  int best = -1;

  for (int looks = 0; looks < LOOKS && own->work > 0; looks++) {
    int m = promising(own, moves);

    if (m < 0)
      break;
    own->move[m].score = look(own, choice, now, &own->move[m]);
    if (own->move[m].score < INFINITY && (best < 0 || own->move[m].score < own->move[best].score))
      best = m;
    if (best >= 0 && promising(own, moves) == best)
      break;
  }
  return best < 0 ? best_of_all(own, choice, now, moves) : best;
}

/* Makes the best of the first "moves" moves on "choice", which costs "*cost". Returns false if none
   is of use or the work is used up. */
static bool step(struct dilp_own *own, struct dilp_choice *choice, struct dilp_cost *cost,
                 int moves, bool few) {
  int best = few ? best_of_few(own, choice, *cost, moves) : best_of_all(own, choice, *cost, moves);

  if (best < 0)
    return false;
  apply(own, choice, &own->move[best]);
  own->move[best].score = INFINITY;
  *cost = value(own, choice);
  return true;
}

/* Is looking at all moves "times" times more work than is left? */
static bool too_much(const struct dilp_own *own, int times) {
  return (double)own->moves * own->evaluator.cells->count * times > (double)own->work;
}

/* Makes one step: a coarse one where there is one, else a fine one if that can be afforded. */
static bool coarse_or_fine_step(struct dilp_own *own, struct dilp_choice *choice,
                                struct dilp_cost *cost, bool few) {
  return step(own, choice, cost, own->coarse, few) ||
         (!(few && too_much(own, 1)) && step(own, choice, cost, own->moves, few));
}

/* Goes down from "choice", which costs "*cost", until no move is of use. */
static void descend(struct dilp_own *own, struct dilp_choice *choice, struct dilp_cost *cost) {
  bool few = too_much(own, FULL_SHARE);

  for (int m = 0; m < own->moves; m++)
    own->move[m].score = INFINITY;
  for (int steps = 0; steps < STEPS && own->work > 0; steps++)
    if (!coarse_or_fine_step(own, choice, cost, few))
      break;
}

void dilp_own_store_all(struct dilp_own *own) {
  const struct dilp_problem *p = &own->problem;

  memset(own->choice.retain, 1, (size_t)own->evaluator.cells->count);
  memset(own->choice.recompute, 0, (size_t)own->evaluator.cells->count);
  for (int l = 0; l < p->loops; l++) {
    own->choice.point[l] = 0;
    for (int k = 1; k < p->loop[l].points; k++)
      if (p->loop[l].point[k].time < p->loop[l].point[own->choice.point[l]].time)
        own->choice.point[l] = k;
  }
  own->cost = value(own, &own->choice);
}

void dilp_own_recompute_all(struct dilp_own *own) {
  const struct dilp_problem *p = &own->problem;

  memset(own->choice.retain, 0, (size_t)own->evaluator.cells->count);
  memset(own->choice.recompute, 0, (size_t)own->evaluator.cells->count);
  for (int l = 0; l < p->loops; l++) {
    own->choice.point[l] = 0;
    for (int k = 1; k < p->loop[l].points; k++)
      if (p->loop[l].point[k].reverse < p->loop[l].point[own->choice.point[l]].reverse)
        own->choice.point[l] = k;
  }
  own->cost = value(own, &own->choice);
}

/* Copies "from" to "to". */
static void copy(struct dilp_own *own, struct dilp_choice *to, const struct dilp_choice *from) {
  dilp_choice_copy(to, from, &own->problem, own->evaluator.cells);
}

/* Goes down from "try" of "own", which costs "cost", and makes it the choice if it is better. */
static bool keep_if_better(struct dilp_own *own, struct dilp_cost cost) {
  descend(own, &own->try, &cost);
  if (cost.over > 0 || cost.time > own->cost.time ||
      (cost.time == own->cost.time && cost.peak >= own->cost.peak))
    return false;
  copy(own, &own->choice, &own->try);
  own->cost = cost;
  return true;
}

/* Seconds for each byte that is freed if "move", of item or loop, is made: a guess. "chain[i]" is
   what making item i from nothing takes. */
static double guess(const struct dilp_own *own, const struct dilp_move *move, const double *chain) {
  const struct dilp_cells *cells = own->evaluator.cells;

  if (move->loop >= 0) {
    const struct dilp_point *from =
        &own->problem.loop[move->loop].point[own->choice.point[move->loop]];
    const struct dilp_point *to = &own->problem.loop[move->loop].point[move->value];

    return to->held < from->held ? (to->time - from->time) / (double)(from->held - to->held)
                                 : INFINITY;
  }
  if (move->value || own->problem.item[cells->item[move->from]].bytes == 0)
    return INFINITY;
  return chain[cells->item[move->from]] * (move->to - move->from) /
         (double)own->problem.item[cells->item[move->from]].bytes;
}

/* Makes coarse moves of "choice" in the order of guesses, each of which brings bytes under the
   limit, until all are: for problems where looking at all moves at each step is too much work. */
static void sweep(struct dilp_own *own) {
  for (int i = 0; i < own->problem.items; i++) {
    const struct dilp_item *x = &own->problem.item[i];

    own->chain[i] = x->recompute;
    for (int d = 0; d < x->needs.count; d++)
      own->chain[i] = fmin(own->chain[i] + own->chain[x->needs.of[d]], 1e30);
  }
  for (int m = 0; m < own->coarse; m++)
    own->move[m].score = guess(own, &own->move[m], own->chain);
  for (int m; own->cost.over > 0 && own->work > 0 && (m = promising(own, own->coarse)) >= 0;) {
    struct dilp_cost cost;

    own->move[m].score = INFINITY;
    if (!apply(own, &own->choice, &own->move[m]))
      continue;
    cost = value(own, &own->choice);
    if (cost.over < own->cost.over)
      own->cost = cost;
    else
      take_back(own, &own->choice, &own->move[m]);
  }
}

/* Makes every one of the first "moves" moves that saves time although it breaks the limit, and
   repairs that by others. Returns whether one of them has led to something better. */
static bool eject(struct dilp_own *own, int moves) {
  bool better = false;

  for (int m = 0; m < moves && own->work > 0; m++) {
    struct dilp_cost cost;

    copy(own, &own->try, &own->choice);
    if (!apply(own, &own->try, &own->move[m]))
      continue;
    cost = value(own, &own->try);
    if (cost.over > 0 && cost.time < own->cost.time)
      better |= keep_if_better(own, cost);
  }
  return better;
}

/* The next number of a fixed sequence that looks random, "*state" being where it is. */
static uint32_t draw(uint64_t *state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(*state >> 33);
}

/* Makes "kicks" times a few moves that look random, and goes down from there. */
static void kick(struct dilp_own *own, int kicks) {
  uint64_t state = 1;

  for (int k = 0; k < kicks && own->moves && own->work > 0; k++) {
    copy(own, &own->try, &own->choice);
    for (int flips = 2 + k % 6; flips > 0; flips--)
      apply(own, &own->try, &own->move[draw(&state) % (uint32_t)own->moves]);
    keep_if_better(own, value(own, &own->try));
  }
}

bool dilp_own_search(struct dilp_own *own, int64_t limit, struct dilp_effort effort) {
  struct dilp_cost first;

  own->problem.limit = limit > 0 ? limit : 1;
  own->work = effort.work;
  dilp_own_store_all(own);
  if (too_much(own, FULL_SHARE))
    sweep(own);
  descend(own, &own->choice, &own->cost);
  copy(own, &own->best, &own->choice);
  first = own->cost;
  if (first.over > 0 || effort.rounds) {
    own->work = own->work > effort.work / 4 ? own->work : effort.work / 4;
    dilp_own_recompute_all(own);
    descend(own, &own->choice, &own->cost);
    if (own->cost.over > first.over ||
        (own->cost.over == first.over && own->cost.time >= first.time)) {
      copy(own, &own->choice, &own->best);
      own->cost = first;
    }
  }
  for (int round = 0; round < effort.rounds && own->cost.over == 0; round++)
    if (!eject(own, round ? own->moves : own->coarse) && round)
      break;
  if (own->cost.over == 0)
    kick(own, effort.kicks);
  return own->cost.over == 0 && own->cost.peak <= limit;
}

/* Searches for the least peak from "choice" of "own": first the sum of all events, then the highest
   one. */
void dilp_own_least(struct dilp_own *own, struct dilp_effort effort) {
  struct dilp_cost best;

  own->work = effort.work;
  own->problem.limit = 1;
  dilp_own_store_all(own);
  copy(own, &own->best, &own->choice);
  best = own->cost;
  for (int start = 0; start < 2; start++) {
    for (bool few = too_much(own, FULL_SHARE);;) {
      if (own->cost.peak < best.peak) {
        copy(own, &own->best, &own->choice);
        best = own->cost;
      }
      if (!coarse_or_fine_step(own, &own->choice, &own->cost, few))
        break;
    }
    own->work = own->work > effort.work / 4 ? own->work : effort.work / 4;
    if (!start)
      dilp_own_recompute_all(own);
  }
  for (int64_t less = best.peak / 2; less > best.peak / 500 && less > 0; less /= 2) {
    own->problem.limit = best.peak - less;
    copy(own, &own->choice, &own->best);
    own->cost = value(own, &own->choice);
    descend(own, &own->choice, &own->cost);
    if (own->cost.over == 0 && own->cost.peak < best.peak) {
      copy(own, &own->best, &own->choice);
      best = own->cost;
    }
  }
  copy(own, &own->choice, &own->best);
  own->cost = best;
}
