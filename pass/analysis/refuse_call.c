/* refuse_call.c: numbers that calls take along: to functions with a body, to code that is not
   known, to files and back. */
#include "refuse.h"

#include "../rules/rule.h"

#include <string.h>

/* ---- functions with a body */

static void through_unit(struct dad_refusal *r, LLVMValueRef call, struct dad_unit *u) {
  LLVMValueRef result = dad_unit_result(u->primal);
  for (unsigned k = 0; k < LLVMGetNumArgOperands(call) && k < u->n_params; k++)
    dad_step_move(r, LLVMGetOperand(call, k), LLVMGetParam(u->primal, k), call);
  if (result)
    dad_step_move(r, result, call, call);
}

bool dad_has_target(struct dad_request *req, LLVMValueRef call) {
  DAD_FOR_UNITS(u, req)
  if (dad_unit_may_be_called(u, call))
    return true;
  return false;
}

static void through_pointer(struct dad_refusal *r, LLVMValueRef call) {
  struct dad_signature *s = dad_map_get(&r->m->signatures, LLVMGetCalledFunctionType(call));
  for (unsigned k = 0; s && k < LLVMGetNumArgOperands(call) && k < s->n; k++)
    dad_step_from(r, LLVMGetOperand(call, k), dad_place_of_node(r, s->param[k]), DAD_STEP_MOVE,
                  DAD_LEGAL, call);
  if (s)
    dad_step_to(r, dad_place_of_node(r, s->result), call, DAD_STEP_MOVE, DAD_LEGAL, call);
}

void dad_refuse_target(struct dad_refusal *r, struct dad_unit *u) {
  struct dad_signature *s = dad_map_get(&r->m->signatures, LLVMGlobalGetValueType(u->original));
  LLVMValueRef result = dad_unit_result(u->primal);
  for (unsigned k = 0; s && k < u->n_params && k < s->n; k++)
    dad_step_to(r, dad_place_of_node(r, s->param[k]), LLVMGetParam(u->primal, k), DAD_STEP_MOVE,
                DAD_LEGAL, NULL);
  if (s && result)
    dad_step_from(r, result, dad_place_of_node(r, s->result), DAD_STEP_MOVE, DAD_LEGAL, NULL);
}

/* ---- functions without one */

static void through_rule(struct dad_refusal *r, LLVMValueRef call) {
  const struct dad_rule *rule = dad_rule_of(call);
  for (unsigned k = 0; k < LLVMGetNumArgOperands(call); k++) {
    LLVMValueRef a = LLVMGetOperand(call, k);
    bool foreign = dad_is_foreign_format(LLVMTypeOf(a)) || dad_is_foreign_format(LLVMTypeOf(call));
    if (dad_has_float(LLVMTypeOf(a)) &&
        (!rule || k >= DAD_RULE_OPERANDS || !dad_rule_is_zero(rule, k)))
      dad_step_values(r, a, call, false, DAD_STEP_NUMBER, foreign ? DAD_NO_INSTRUCTION : DAD_LEGAL,
                      call);
  }
}

/* Integers in, an integer out. */
static void through_integers(struct dad_refusal *r, LLVMValueRef call) {
  if (dad_has_float(LLVMTypeOf(call)))
    return;
  for (unsigned k = 0; k < LLVMGetNumArgOperands(call); k++)
    if (!dad_has_float(LLVMTypeOf(LLVMGetOperand(call, k))))
      dad_step_values(r, LLVMGetOperand(call, k), call, false, DAD_STEP_BITS, DAD_BITS, call);
}

/* What calls "visit" for the cells that a call can reach. */
struct reach {
  struct dad_refusal *r;
  LLVMValueRef call;
  struct dad_place *in, *out; /* what the cells flow to, and what flows to them; or NULL */
  enum dad_diag_id in_id, out_id;
};

static void reach_cell(struct reach *w, struct dad_node *content) {
  struct dad_place *cell = dad_place_of_cell(w->r, content);
  if (w->in)
    dad_step(w->r, cell, w->in, DAD_STEP_NUMBER, w->in_id, w->call);
  if (w->out)
    dad_step(w->r, w->out, cell, DAD_STEP_NUMBER, w->out_id, w->call);
}

/* Visits the cells of all objects that were marked as seen. */
static void reach_seen(struct reach *w) {
  struct dad_heap *h = &w->r->m->heap;
  for (unsigned k = 0; k < h->objects.n; k++) {
    struct dad_object *o = h->objects.at[k];
    for (unsigned i = 0; !o->up && o->seen && i < o->n; i++)
      reach_cell(w, o->cell[i]->content);
  }
}

static void see_object(struct dad_memory *m, struct dad_object *o) {
  (void)m;
  (void)o;
}

/* The numbers among the operands of the call, and in the memory behind them: "deep", or only what
   the operands themselves point to. */
static void reach_operands(struct reach *w, bool deep) {
  struct dad_memory *m = w->r->m;
  dad_reach_reset(m);
  for (unsigned k = 0; k < LLVMGetNumArgOperands(w->call); k++) {
    LLVMValueRef a = LLVMGetOperand(w->call, k);
    struct dad_node *n = dad_has_pointer(LLVMTypeOf(a)) ? dad_node_known(m, a) : NULL;
    unsigned count = 0;
    const struct dad_target *t = n && !deep ? dad_node_targets(&m->heap, n, &count) : NULL;
    if (w->in)
      dad_step_from(w->r, a, w->in, DAD_STEP_NUMBER, w->in_id, w->call);
    if (n && deep)
      dad_reach(m, n, see_object);
    for (unsigned i = 0; i < count; i++)
      t[i].object->seen = true;
  }
  reach_seen(w);
  if (w->out)
    dad_step_to(w->r, w->out, w->call, DAD_STEP_NUMBER, w->out_id, w->call);
}

enum dad_diag_id dad_unknown_id(LLVMValueRef call) {
  return strncmp(dad_callee_name(call), "llvm.", 5) ? DAD_NO_BODY : DAD_NO_RULE;
}

/* Unknown code may keep what it sees, and return it from any other call of unknown code. */
static void through_unknown(struct dad_refusal *r, LLVMValueRef call, enum dad_diag_id id) {
  struct reach w = {r, call, r->code, r->code, id, DAD_LEGAL};
  reach_operands(&w, true);
}

/* A derivative of the user's. */
static void through_custom(struct dad_refusal *r, LLVMValueRef call) {
  struct dad_place *all = dad_place_new(r);
  struct reach w = {r, call, all, all, DAD_LEGAL, DAD_LEGAL};
  reach_operands(&w, true);
}

/* ---- files, pipes and text */

static bool is_among(const char *name, const char *const *names) {
  while (*names && strcmp(*names, name))
    names++;
  return *names;
}

/* Does the stream "v" lead to the terminal, where nobody reads numbers back? */
static bool is_terminal(struct dad_refusal *r, LLVMValueRef v) {
  static const char *const streams[] = {
      "stdout",          "stderr",    "_ZSt4cout", "_ZSt4cerr",       "_ZSt4clog",
      "_ZNSt3__14coutE", "__stdoutp", "__stderrp", "_ZNSt3__14cerrE", NULL};
  for (unsigned depth = 0; depth < 64; depth++) {
    if (LLVMIsAGlobalVariable(v))
      return is_among(dad_name(v), streams);
    if (LLVMIsALoadInst(v) || (dad_is_call(v) && dad_call_kind(r->req, v) == DAD_CALL_OUTPUT &&
                               LLVMGetNumArgOperands(v) && LLVMIsAFunction(LLVMGetCalledValue(v))))
      v = LLVMGetOperand(v, 0);
    else
      return false;
  }
  return false;
}

/* Is the output of "call" only for people? */
static bool is_logging(struct dad_refusal *r, LLVMValueRef call) {
  static const char *const print[] = {"printf", "vprintf", "__printf_chk",     "__vprintf_chk",
                                      "puts",   "putchar", "putchar_unlocked", "wprintf",
                                      "syslog", NULL};
  if (is_among(dad_known_name(call), print))
    return true;
  for (unsigned k = 0; k < LLVMGetNumArgOperands(call); k++)
    if (is_terminal(r, LLVMGetOperand(call, k)))
      return true;
  return false;
}

static void through_output(struct dad_refusal *r, LLVMValueRef call) {
  struct reach w = {r, call, r->files, NULL, DAD_LEGAL, DAD_LEGAL};
  if (!is_logging(r, call))
    reach_operands(&w, true);
}

static void through_input(struct dad_refusal *r, LLVMValueRef call) {
  struct reach w = {r, call, NULL, r->files, DAD_LEGAL, DAD_OUTSIDE_INPUT};
  reach_operands(&w, !strncmp(dad_known_name(call), "_Fortran", 8));
}

/* Calls of the system that write and read are not among the known functions: programs have
   functions of these names. */
static void through_system(struct dad_refusal *r, LLVMValueRef call) {
  static const char *const writes[] = {"write", "pwrite", "writev", "send", "sendto", NULL},
                           *const reads[] = {"read", "pread", "readv", "recv", "recvfrom", NULL};
  if (is_among(dad_callee_name(call), writes))
    through_output(r, call);
  if (is_among(dad_callee_name(call), reads))
    through_input(r, call);
}

void dad_refuse_call(struct dad_refusal *r, LLVMValueRef call) {
  enum dad_call_kind kind = dad_call_kind(r->req, call);
  struct dad_unit *u = kind == DAD_CALL_UNIT ? dad_unit_of(r->req, dad_callee(call)) : NULL;
  switch (kind) {
  case DAD_CALL_UNIT:
    if (LLVMIsFunctionVarArg(LLVMGlobalGetValueType(u->original)))
      through_unknown(r, call, DAD_CALL_VARIADIC);
    through_unit(r, call, u);
    break;
  case DAD_CALL_INDIRECT:
    through_pointer(r, call);
    if (!dad_has_target(r->req, call))
      through_unknown(r, call, DAD_NO_TARGET);
    break;
  case DAD_CALL_RULE:
  case DAD_CALL_SPECIAL: through_rule(r, call); break;
  case DAD_CALL_CUSTOM: through_custom(r, call); break;
  case DAD_CALL_INERT: through_integers(r, call); break;
  case DAD_CALL_OUTPUT: through_output(r, call); break;
  case DAD_CALL_INPUT: through_input(r, call); break;
  case DAD_CALL_ASM: through_unknown(r, call, DAD_INLINE_ASM); break;
  case DAD_CALL_UNKNOWN:
    through_unknown(r, call, dad_unknown_id(call));
    through_system(r, call);
    break;
  default: break;
  }
}
