/* report.c: the tape in the user's own source lines. */
#include "report.h"

#include "../base/abi_call.h"
#include "undo.h"

#include <stdio.h>

enum { PLACE = 256 };

void dad_report_clobber(struct dad_sweep *s, LLVMValueRef load, LLVMValueRef writer) {
  if (!dad_map_has(&s->clobber, load))
    dad_map_set(&s->clobber, load, writer);
}

/* What "v" is to a programmer. */
static const char *describe(struct dad_sweep *s, LLVMValueRef v) {
  LLVMTypeRef type = LLVMTypeOf(v);
  bool pointer = dad_has_pointer(type), number = dad_has_float(type);
  const char *what = pointer ? "pointer" : number ? "number" : "integer";
  const char *how = LLVMIsALoadInst(v)    ? "loaded"
                    : LLVMIsACallInst(v)  ? "returned"
                    : LLVMIsAPHINode(v)   ? "merged"
                    : LLVMIsAArgument(v)  ? "passed"
                                          : "computed";
  return dad_arena_printf(s->arena, "%s %s here", what, how);
}

/* Why "v" is kept: the write that changes what it was loaded from, or what it would take to have it again. */
static const char *reason(struct dad_sweep *s, LLVMValueRef v) {
  LLVMValueRef writer = dad_map_get(&s->clobber, v);
  char place[PLACE];
  if (writer) {
    dad_bridge_place(writer, place, sizeof place);
    const char *at = *place ? place : "a later place";
    const char *callee = LLVMIsACallInst(writer) ? dad_callee_name(writer) : "";
    if (*callee)
      return dad_arena_printf(s->arena, "the call of '%s' at %s may overwrite its memory", callee, at);
    return dad_arena_printf(s->arena, "the %s at %s may overwrite its memory",
                            LLVMIsACallInst(writer) ? "call" : "store", at);
  }
  if (dad_undo_is_old(s, v))
    return "the store here overwrites it, and the reverse sweep puts it back";
  if (LLVMIsALoadInst(v))
    return s->u->combined ? "its memory cannot be read again" : "the caller may overwrite its memory";
  if (LLVMIsAPHINode(v))
    return "it depends on the way taken";
  if (LLVMIsACallInst(v))
    return "calling again costs more";
  if (LLVMIsAArgument(v))
    return "the reverse sweep of a callee has no arguments";
  return "computing it again would need more that is kept";
}

static const char *unit_of_frame(struct dad_sweep *s, int loop) {
  char place[PLACE];
  if (loop < 0)
    return "call";
  LLVMBasicBlockRef header = s->g.block[s->g.loop[loop].header];
  *place = 0;
  DAD_FOR_INSTRUCTIONS(i, header) {
    dad_bridge_place(i, place, sizeof place);
    if (*place)
      return dad_arena_printf(s->arena, "iteration of the loop at %s", place);
  }
  return "iteration of its loop";
}

static void report_slot(struct dad_sweep *s, const struct dad_slot *slot) {
  LLVMValueRef v = slot->value;
  if (!v || slot->loop == DAD_NO_FRAME || (slot->loop < 0 && s->u->combined))
    return;
  LLVMValueRef at = LLVMIsAInstruction(v) ? v : s->u->original;
  const char *why = reason(s, v);
  unsigned bytes = (unsigned)dad_size_of(s->ctx, slot->type);
  dad_diag(s->ctx, DAD_TAPED, at, describe(s, v), bytes, unit_of_frame(s, slot->loop), why);
  if (LLVMIsALoadInst(v) && !dad_undo_is_old(s, v))
    dad_diag(s->ctx, DAD_NOT_RELOADED, at, why);
}

void dad_report_sweep(struct dad_sweep *s) {
  for (unsigned k = 0; k < s->slots.n; k++)
    report_slot(s, s->slots.at[k]);
  for (int l = -1; l < s->g.n_loops; l++) {
    uint64_t bytes = dad_frame_bytes(s, l);
    if (l < 0 && s->u->combined)
      continue;
    s->req->tape_loops += l >= 0 && bytes;
    s->req->tape_bytes += l < 0 ? (unsigned)bytes : 0;
  }
}
