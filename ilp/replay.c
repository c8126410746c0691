/* replay.c: runs a plan event by event. */
#include "replay.h"

#include <inttypes.h>
#include <math.h>

/* A plan on its way. */
struct run {
  const struct dilp_problem *problem;
  const struct dilp_plan *plan;
  struct dilp_replay *out;
  struct dilp_error *error;
  int *open;  /* of each item: its block, or -1 if it is not there */
  int *point; /* of each loop: its point, or -1 */
  int stage;  /* how many regions have been undone */
  int action; /* the one that is looked at */
};

/* Adds a block of "bytes" bytes for events "from" .. "to". Returns its number. */
static int add_block(struct run *run, int64_t bytes, int from, int to) {
  run->out->block[run->out->blocks] = (struct dilp_block){bytes, 0, from, to, -1};
  return run->out->blocks++;
}

/* "bytes" rounded up. */
static int64_t rounded(const struct run *run, int64_t bytes) {
  return dilp_block_bytes(run->problem, bytes);
}

/* Something is wrong with the action that is looked at. */
static bool wrong(struct run *run, const char *what, const char *name) {
  return dilp_fail(run->error, 0, "action %d: %s %s", run->action + 1, name, what);
}

/* Is natural memory of "x" the memory that it is saved in? */
static bool lives_on(const struct dilp_item *x) {
  return x->natural > 0 && x->natural == x->bytes;
}

static bool run_save(struct run *run, int what) {
  const struct dilp_item *x = &run->problem->item[what];

  if (run->out->events > run->problem->regions)
    return wrong(run, "is saved after the forward sweep", x->name);
  if (run->open[what] >= 0)
    return wrong(run, "is saved twice", x->name);
  run->open[what] = add_block(run, rounded(run, x->bytes), lives_on(x) ? x->born : x->dies + 1, -1);
  run->out->block[run->open[what]].action = run->action;
  run->out->time += x->save;
  return true;
}

static bool run_point(struct run *run, int what) {
  const struct dilp_loop *loop = &run->problem->loop[what];
  int point = run->plan->action[run->action].point;

  if (run->out->events > run->problem->regions || run->point[what] >= 0)
    return wrong(run, "has two points, or too late", loop->name);
  if (point < 0 || point >= loop->points)
    return wrong(run, "has no such point", loop->name);
  run->point[what] = point;
  run->out->time += loop->point[point].time;
  return true;
}

static bool run_free(struct run *run, int what) {
  if (run->open[what] < 0)
    return wrong(run, "is freed and not there", run->problem->item[what].name);
  run->out->block[run->open[what]].to = run->out->events - 1;
  run->open[what] = -1;
  return true;
}

static bool run_recompute(struct run *run, int what) {
  const struct dilp_item *x = &run->problem->item[what];
  int event = run->out->events++;

  if (run->open[what] >= 0)
    return wrong(run, "is recomputed and there", x->name);
  for (int d = 0; d < x->needs.count; d++)
    if (run->open[x->needs.of[d]] < 0)
      return wrong(run, "is missing for a recomputation", run->problem->item[x->needs.of[d]].name);
  run->open[what] = add_block(run, rounded(run, x->bytes), event, -1);
  run->out->block[run->open[what]].action = run->action;
  add_block(run, rounded(run, x->scratch), event, event);
  run->out->time += x->recompute;
  return true;
}

/* Loop "l" is undone in event "event": all blocks of its life. */
static bool undo_loop(struct run *run, int l, int event) {
  const struct dilp_loop *loop = &run->problem->loop[l];
  const struct dilp_point *point;
  int64_t held;

  if (run->point[l] < 0)
    return wrong(run, "has no point", loop->name);
  point = &loop->point[run->point[l]];
  held = rounded(run, point->held);
  if (point->way == DILP_REPEAT && run->open[loop->first] < 0)
    return wrong(run, "lacks its first state", loop->name);
  add_block(run, held, loop->region, event);
  add_block(run, rounded(run, point->forward) - held, loop->region, loop->region);
  add_block(run, rounded(run, point->reverse) - held, event, event);
  return true;
}

static bool run_reverse(struct run *run, int what) {
  const struct dilp_problem *p = run->problem;
  int event = run->out->events++;

  if (what != dilp_mirror(p, run->stage))
    return wrong(run, "is undone out of order", p->region[what].name);
  run->stage++;
  for (int i = 0; i < p->items; i++)
    if (dilp_listed(&p->item[i].uses, what) && run->open[i] < 0)
      return wrong(run, "is missing where it is used", p->item[i].name);
  for (int l = 0; l < p->loops; l++)
    if (p->loop[l].region == what && !undo_loop(run, l, event))
      return false;
  add_block(run, rounded(run, p->region[what].reverse), event, event);
  return true;
}

static bool (*const run_act[])(struct run *, int) = {run_save, run_point, run_recompute, run_free,
                                                     run_reverse};

/* Adds the blocks that are there whatever the plan is: scratch memory of regions, and natural
   memory of items but for those saved items whose block goes on. */
static void add_natural(struct run *run) {
  const struct dilp_problem *p = run->problem;

  for (int r = 0; r < p->regions; r++)
    add_block(run, rounded(run, p->region[r].forward), r, r);
  for (int i = 0; i < p->items; i++)
    if (!(lives_on(&p->item[i]) && run->open[i] >= 0))
      add_block(run, rounded(run, p->item[i].natural), p->item[i].born, p->item[i].dies);
}

/* Runs all actions. */
static bool run_all(struct run *run) {
  const struct dilp_plan *plan = run->plan;
  bool begun = false;

  for (; run->action < plan->count; run->action++) {
    struct dilp_action a = plan->action[run->action];

    if (!begun && a.act != DILP_SAVE && a.act != DILP_POINT) {
      add_natural(run);
      begun = true;
    }
    if (!run_act[a.act](run, a.what))
      return false;
  }
  if (!begun)
    add_natural(run);
  if (run->stage < run->problem->regions)
    return dilp_fail(run->error, 0, "the plan ends before region %s is undone",
                     run->problem->region[dilp_mirror(run->problem, run->stage)].name);
  for (int i = 0; i < run->problem->items; i++)
    if (run->open[i] >= 0)
      run->out->block[run->open[i]].to = run->out->events - 1;
  return true;
}

/* Removes blocks without bytes or without an event. */
static void drop_empty(struct dilp_replay *out) {
  int kept = 0;

  for (int b = 0; b < out->blocks; b++)
    if (out->block[b].bytes > 0 && out->block[b].from <= out->block[b].to)
      out->block[kept++] = out->block[b];
  out->blocks = kept;
}

/* The most bytes that live at the same time. "bytes" has one zero for each event, and one more. */
static int64_t peak_of(const struct dilp_replay *out, int64_t *bytes) {
  int64_t now = 0, peak = 0;

  for (int b = 0; b < out->blocks; b++) {
    bytes[out->block[b].from] += out->block[b].bytes;
    bytes[out->block[b].to + 1] -= out->block[b].bytes;
  }
  for (int e = 0; e < out->events; e++) {
    now += bytes[e];
    peak = now > peak ? now : peak;
  }
  return peak;
}

/* Do two blocks that live at the same time overlap, or does one end above "top"? */
static bool overlaps(const struct dilp_replay *out) {
  for (int a = 0; a < out->blocks; a++) {
    const struct dilp_block *x = &out->block[a];

    if (x->address < 0 || x->address + x->bytes > out->top)
      return true;
    for (int b = 0; b < a; b++) {
      const struct dilp_block *y = &out->block[b];

      if (x->from <= y->to && y->from <= x->to && x->address < y->address + y->bytes &&
          y->address < x->address + x->bytes)
        return true;
    }
  }
  return false;
}

/* Compares what has been found with what the plan says and with the limit. */
static bool judge(struct run *run, int64_t *bytes, struct dilp_room *room) {
  struct dilp_replay *out = run->out;
  const struct dilp_plan *plan = run->plan;

  drop_empty(out);
  out->peak = peak_of(out, bytes);
  if (out->peak != plan->peak)
    return dilp_fail(run->error, 0, "the plan says %" PRId64 " bytes and has %" PRId64, plan->peak,
                     out->peak);
  if (fabs(out->time - plan->time) > 1e-9 * (1 + out->time))
    return dilp_fail(run->error, 0, "the plan says %g seconds and takes %g", plan->time, out->time);
  out->top = dilp_place(out->block, out->blocks, out->peak, run->problem->limit, room);
  if (out->top < 0)
    return dilp_fail(run->error, 0, "too little memory to place blocks");
  if (overlaps(out))
    return dilp_fail(run->error, 0, "blocks overlap");
  if (out->top > run->problem->limit)
    return dilp_fail(run->error, 0, "the plan takes %" PRId64 " bytes of %" PRId64, out->top,
                     run->problem->limit);
  return true;
}

bool dilp_replay(struct dilp_replay *replay, const struct dilp_problem *problem,
                 const struct dilp_plan *plan, struct dilp_room *room, struct dilp_error *error) {
  struct run run = {.problem = problem, .plan = plan, .out = replay, .error = error};
  size_t blocks = (size_t)(1 + 2 * problem->regions + problem->items + 3 * problem->loops) +
                  2 * (size_t)plan->count;
  size_t events = (size_t)problem->regions + (size_t)plan->count;
  struct dilp_room mark;
  int64_t *bytes;
  bool right;

  *replay = (struct dilp_replay){.events = problem->regions};
  replay->block = dilp_take(room, blocks, sizeof *replay->block);
  mark = *room;
  run.open = dilp_take(room, (size_t)problem->items, sizeof *run.open);
  run.point = dilp_take(room, (size_t)problem->loops, sizeof *run.point);
  bytes = dilp_take(room, events + 1, sizeof *bytes);
  if (room->full)
    return dilp_fail(error, 0, "too little memory to replay a plan");
  for (int i = 0; i < problem->items; i++)
    run.open[i] = -1;
  for (int l = 0; l < problem->loops; l++)
    run.point[l] = -1;
  right = run_all(&run);
  if (right) {
    add_block(&run, rounded(&run, problem->base), 0, replay->events - 1);
    right = judge(&run, bytes, room);
  }
  *room = mark;
  return right;
}
