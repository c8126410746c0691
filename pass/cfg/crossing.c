/* crossing.c: which values cross to the reverse sweep and how: for nothing (constants, parameters of a combined function), computed
   again, loaded again, or in a slot. A slot belongs to the innermost loop of its definition; all slots of a loop form the loop's
   frame. LCSSA makes this complete: a value of an inner loop that is used outside is a phi of the outer loop, hence in its frame. */
#include "../rules/libcall.h"
#include "../rules/rule_code.h"
#include "mincut.h"
#include "reload.h"
#include "shadow.h"
#include "undo.h"

#include <string.h>

enum how {
  UNSEEN,
  SLOT,      /* in a slot */
  AGAIN,     /* computed or loaded again from its operands */
  INDUCTION, /* start + count * step */
  FINAL      /* an induction variable, or its next value, after its loop: from the final count */
};

enum { MAX_OPERANDS = 16, LOOP_WEIGHT = 16, MAX_DEPTH = 10 };
/* Prices: of a byte on the tape, and of having a number again. */
enum { BYTE_PRICE = 4, OPERATION_PRICE = 8, DIVISION_PRICE = 32, ROOT_PRICE = 24, LOAD_PRICE = 4 };

/* ---- what kind of value */

/* Is "v" at hand in the reverse sweep anyway? In a combined function, what every run computes outside of loops is; numbers are left to
   the cut, for long straight code has more of them than there are registers. */
static bool is_free(struct dad_sweep *s, LLVMValueRef v) {
  if (LLVMIsConstant(v) || LLVMIsAInlineAsm(v))
    return true;
  if (!s->u->combined)
    return false;
  if (LLVMIsAArgument(v))
    return true;
  int b = LLVMIsAInstruction(v) ? dad_graph_block_of(&s->g, v) : -1;
  if (b < 0 || s->g.loop_of[b] >= 0)
    return false;
  if (LLVMIsAAllocaInst(v))
    return b == 0;
  return s->last >= 0 && dad_graph_dominates(&s->g, b, s->last) && !dad_has_float(LLVMTypeOf(v));
}

bool dad_crossing_induction(struct dad_sweep *s, LLVMValueRef phi, LLVMValueRef *start, LLVMValueRef *step,
                            LLVMValueRef *next) {
  if (!LLVMIsAPHINode(phi) || LLVMCountIncoming(phi) != 2)
    return false;
  const struct dad_graph *g = &s->g;
  int b = dad_graph_block_of(g, phi), l = b >= 0 ? g->loop_of[b] : -1;
  if (l < 0 || g->loop[l].header != b)
    return false;
  unsigned back = dad_graph_number(g, LLVMGetIncomingBlock(phi, 0)) == g->loop[l].latch ? 0 : 1;
  LLVMValueRef n = LLVMGetIncomingValue(phi, back), k = NULL;
  if (!LLVMIsAInstruction(n))
    return false;
  LLVMOpcode op = LLVMGetInstructionOpcode(n);
  if (op == LLVMAdd)
    k = LLVMGetOperand(n, 0) == phi ? LLVMGetOperand(n, 1) : LLVMGetOperand(n, 1) == phi ? LLVMGetOperand(n, 0) : NULL;
  else if (op == LLVMGetElementPtr && LLVMGetNumOperands(n) == 2 && LLVMGetOperand(n, 0) == phi)
    k = LLVMGetOperand(n, 1);
  if (!k || (LLVMIsAInstruction(k) && dad_graph_inside(g, dad_graph_loop_of(g, k), l)))
    return false;
  *start = LLVMGetIncomingValue(phi, !back);
  *step = k;
  *next = n;
  return true;
}

/* Is "v" the LCSSA phi of an induction variable or of its next value (an integer)? "phi" is the variable. */
static bool final_induction(struct dad_sweep *s, LLVMValueRef v, LLVMValueRef *phi) {
  LLVMValueRef a, b, next;
  if (!LLVMIsAPHINode(v) || LLVMCountIncoming(v) != 1)
    return false;
  LLVMValueRef in = LLVMGetIncomingValue(v, 0);
  *phi = in;
  if (dad_crossing_induction(s, in, &a, &b, &next))
    return true;
  if (!LLVMIsAInstruction(in) || LLVMGetInstructionOpcode(in) != LLVMAdd || !LLVMIsConstant(LLVMGetOperand(in, 1)))
    return false;
  *phi = LLVMGetOperand(in, 0);
  return dad_crossing_induction(s, *phi, &a, &b, &next) && next == in;
}

/* A fused product may round differently when it is evaluated again: harmless in a derivative, not in a decision. */
static bool may_be_fused(LLVMValueRef v, int depth) {
  if (!LLVMIsAInstruction(v) || LLVMIsAPHINode(v) || LLVMIsALoadInst(v))
    return false;
  if (depth > 12)
    return true;
  if (LLVMIsACallInst(v))
    return !strncmp(dad_callee_name(v), "llvm.fmuladd", 12);
  for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(v); k++)
    if (may_be_fused(LLVMGetOperand(v, k), depth + 1))
      return true;
  return false;
}

/* Square roots are an instruction, and exact: as good as a division. */
static bool is_root(LLVMValueRef call) {
  const char *name = dad_callee_name(call);
  return !strcmp(name, "sqrt") || !strcmp(name, "sqrtf") || !strncmp(name, "llvm.sqrt.", 10);
}

/* Library functions that cost no more than a few operations. */
static bool is_cheap_call(LLVMValueRef call) {
  static const char *const names[] = {"llvm.fmuladd", "llvm.fma.", "llvm.fabs", "llvm.smax", "llvm.smin",
                                      "llvm.umax", "llvm.umin", "llvm.copysign", "llvm.abs."};
  const char *name = dad_callee_name(call);
  for (unsigned k = 0; k < sizeof names / sizeof *names; k++)
    if (!strncmp(name, names[k], strlen(names[k])))
      return true;
  return is_root(call) || !strcmp(name, "fabs") || !strcmp(name, "fabsf");
}

/* Can "i" be computed again at about the cost of a load? (A second freeze may give another value.) */
static bool is_cheap(LLVMValueRef i) {
  LLVMOpcode op = LLVMGetInstructionOpcode(i);
  switch (op) {
  case LLVMFCmp:
  case LLVMFPToSI:
  case LLVMFPToUI: return !may_be_fused(i, 0);
  case LLVMGetElementPtr: case LLVMBitCast: case LLVMTrunc: case LLVMZExt: case LLVMSExt: case LLVMPtrToInt: case LLVMIntToPtr:
  case LLVMAdd: case LLVMSub: case LLVMMul: case LLVMShl: case LLVMLShr: case LLVMAShr: case LLVMAnd: case LLVMOr: case LLVMXor:
  case LLVMICmp: case LLVMSelect: case LLVMExtractValue: case LLVMInsertValue: case LLVMFNeg: case LLVMFAdd: case LLVMFSub:
  case LLVMFMul: case LLVMFDiv: case LLVMFPExt: case LLVMFPTrunc: case LLVMSIToFP: case LLVMUIToFP: case LLVMURem: case LLVMSRem:
  case LLVMUDiv: case LLVMSDiv: case LLVMAddrSpaceCast: case LLVMExtractElement: case LLVMInsertElement: case LLVMShuffleVector:
    return true;
  case LLVMCall: return is_cheap_call(i);
  default: return false;
  }
}

/* Fills "operands" with what "v" can be computed from in the reverse sweep; -1 if it cannot. */
static int sources(struct dad_sweep *s, LLVMValueRef v, LLVMValueRef *operands) {
  LLVMValueRef phi, next;
  if (!LLVMIsAInstruction(v))
    return -1;
  if (dad_crossing_induction(s, v, &operands[0], &operands[1], &next))
    return 2;
  if (final_induction(s, v, &phi)) {
    dad_crossing_induction(s, phi, &operands[0], &operands[1], &next);
    return 2;
  }
  if (LLVMIsALoadInst(v)) {
    if (!dad_reload_allowed(s, v) && !dad_undo_writers(s, v))
      return -1;
    operands[0] = LLVMGetOperand(v, 0);
    return 1;
  }
  int n = LLVMGetNumOperands(v);
  if (LLVMIsAPHINode(v) || !is_cheap(v) || n > MAX_OPERANDS)
    return -1;
  for (int k = 0; k < n; k++)
    operands[k] = LLVMGetOperand(v, (unsigned)k);
  return n;
}

/* ---- demands and the cut */

static enum how how(struct dad_sweep *s, LLVMValueRef v) {
  return (enum how)dad_map_int(&s->how, v);
}

static void demand(struct dad_sweep *s, LLVMValueRef v) {
  if (is_free(s, v) || dad_map_has(&s->demanded, v))
    return;
  dad_map_set(&s->demanded, v, s);
  dad_vec_push(&s->demands, v);
}

struct dad_slot *dad_crossing_slot(struct dad_sweep *s, LLVMTypeRef type, int loop, int home, LLVMValueRef value) {
  struct dad_slot *slot = DAD_NEW(s->arena, struct dad_slot);
  *slot = (struct dad_slot){.type = type, .value = value, .home = home, .loop = loop};
  dad_vec_push(&s->slots, slot);
  return slot;
}

static void keep_in_slot(struct dad_sweep *s, LLVMValueRef v) {
  dad_map_set_int(&s->how, v, SLOT);
  int home = LLVMIsAInstruction(v) ? dad_graph_block_of(&s->g, v) : -1;
  dad_map_set(&s->slot_of, v, dad_crossing_slot(s, LLVMTypeOf(v), dad_graph_loop_of(&s->g, v), home, v));
}

/* What it costs to have "v" again, in the price of bytes on the tape (each is written and read once): operations on numbers count,
   those on addresses and loop counters come for nothing. */
static int64_t recomputation_price(LLVMValueRef v) {
  if (LLVMIsALoadInst(v))
    return LOAD_PRICE;
  if (!dad_has_float(LLVMTypeOf(v)))
    return 0;
  switch (LLVMGetInstructionOpcode(v)) {
  case LLVMFDiv: return DIVISION_PRICE;
  case LLVMCall: return is_root(v) ? ROOT_PRICE : OPERATION_PRICE;
  case LLVMPHI:
  case LLVMExtractValue:
  case LLVMInsertValue:
  case LLVMBitCast: return 0;
  default: return OPERATION_PRICE;
  }
}

/* How often "v" is computed, as a guess: each loop runs 16 times. Without the guess a small index of an outer loop would be dearer than
   a pointer kept in the inner one. */
static int64_t frequency(struct dad_sweep *s, LLVMValueRef v) {
  int64_t w = 1;
  int depth = 0;
  for (int l = dad_graph_loop_of(&s->g, v); l >= 0 && depth < MAX_DEPTH; l = s->g.loop[l].parent, depth++)
    w *= LOOP_WEIGHT;
  return w;
}

/* The price of a slot for a value of "type". */
static int64_t slot_price(struct dad_sweep *s, LLVMTypeRef type) {
  bool bit = LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) < 8;
  return BYTE_PRICE * (bit ? 1 : (int64_t)dad_size_of(s->ctx, type));
}

static LLVMTypeRef kept_type(LLVMValueRef v) {
  return LLVMIsAStoreInst(v) ? LLVMTypeOf(LLVMGetOperand(v, 0)) : LLVMTypeOf(v);
}

/* The network of the cut: one node per value that may be asked for, and per store that may be undone. */
struct network {
  struct dad_sweep *s;
  struct dad_mincut *net;
  struct dad_map node;  /* value -> number + 1 */
  struct dad_vec nodes; /* values in order */
};

static int node_of(struct network *w, LLVMValueRef v) {
  int n = (int)dad_map_int(&w->node, v);
  if (n)
    return n - 1;
  int64_t price = slot_price(w->s, kept_type(v));
  if (LLVMIsAStoreInst(v))
    price += BYTE_PRICE * dad_undo_note_bytes(w->s, v);
  n = dad_mincut_node(w->net, frequency(w->s, v) * price);
  dad_map_set_int(&w->node, v, n + 1);
  dad_vec_push(&w->nodes, v);
  return n;
}

/* Connects "v" to what it can be computed from. */
static void connect(struct network *w, LLVMValueRef v) {
  struct dad_sweep *s = w->s;
  LLVMValueRef operands[MAX_OPERANDS];
  int at = node_of(w, v), n = LLVMIsAStoreInst(v) ? -1 : sources(s, v, operands);
  int64_t price = n < 0 ? DAD_MINCUT_INFINITE : frequency(s, v) * recomputation_price(v);
  if (price)
    dad_mincut_from_source(w->net, at, price);
  if (n > 0 && LLVMIsALoadInst(v) && !dad_reload_allowed(s, v)) {
    struct dad_vec *stores = dad_undo_writers(s, v);
    for (unsigned k = 0; k < stores->n; k++)
      dad_mincut_edge(w->net, node_of(w, stores->at[k]), at);
  }
  for (int k = 0; k < n; k++)
    if (!is_free(s, operands[k]))
      dad_mincut_edge(w->net, node_of(w, operands[k]), at);
}

/* Are all stores undone that would have to be before "v" could be loaded again? What the cut has not seen, such as the address of an undone
   store, may need a load that nobody undoes stores for. */
static bool is_undone_for(struct dad_sweep *s, LLVMValueRef v) {
  if (!LLVMIsALoadInst(v) || dad_reload_allowed(s, v))
    return true;
  const struct dad_vec *stores = dad_undo_writers(s, v);
  for (unsigned k = 0; k < stores->n; k++)
    if (!dad_map_has(&s->undone, stores->at[k]))
      return false;
  return true;
}

/* Everything that "v" needs if it is not kept is computed again as well, down to the cut. */
static void cross(struct dad_sweep *s, LLVMValueRef v) {
  struct dad_vec work = DAD_VEC(s->arena);
  dad_vec_push(&work, v);
  while (work.n) {
    LLVMValueRef x = dad_vec_pop(&work), operands[MAX_OPERANDS], a, b, next, phi;
    if (is_free(s, x) || how(s, x))
      continue;
    int n = sources(s, x, operands);
    if (n < 0 || !is_undone_for(s, x)) {
      keep_in_slot(s, x);
      continue;
    }
    if (dad_crossing_induction(s, x, &a, &b, &next)) {
      dad_map_set_int(&s->how, x, INDUCTION);
      dad_crossing_need_count(s, dad_graph_loop_of(&s->g, x));
    } else if (final_induction(s, x, &phi)) {
      dad_map_set_int(&s->how, x, FINAL);
      dad_crossing_need_count(s, dad_graph_loop_of(&s->g, phi));
    } else {
      dad_map_set_int(&s->how, x, AGAIN);
    }
    for (int k = 0; k < n; k++)
      dad_vec_push(&work, operands[k]);
  }
}

/* Without the cut: everything demanded that is not free is kept. */
static void keep_all(struct dad_sweep *s) {
  for (unsigned k = 0; k < s->demands.n; k++) {
    LLVMValueRef v = s->demands.at[k], operands[MAX_OPERANDS];
    if (LLVMIsAInstruction(v) && !LLVMIsALoadInst(v) && sources(s, v, operands) >= 0 && !dad_has_float(LLVMTypeOf(v)))
      cross(s, v);
    else if (!how(s, v))
      keep_in_slot(s, v);
  }
}

void dad_crossing_decide(struct dad_sweep *s) {
  if (dad_options.no_cut) {
    keep_all(s);
    return;
  }
  struct network w = {s, dad_mincut_create(s->arena), DAD_MAP(s->arena), DAD_VEC(s->arena)};
  struct dad_vec undone = DAD_VEC(s->arena);
  for (unsigned k = 0; k < s->demands.n; k++)
    dad_mincut_to_sink(w.net, node_of(&w, s->demands.at[k]));
  for (unsigned k = 0; k < w.nodes.n; k++) /* grows on the way */
    connect(&w, w.nodes.at[k]);
  dad_mincut_solve(w.net);
  for (unsigned k = 0; k < w.nodes.n; k++) {
    LLVMValueRef v = w.nodes.at[k];
    if (!dad_mincut_is_cut(w.net, node_of(&w, v)))
      continue;
    keep_in_slot(s, LLVMIsAStoreInst(v) ? dad_undo_keep(s, v) : v);
    if (LLVMIsAStoreInst(v))
      dad_vec_push(&undone, v);
  }
  for (unsigned k = 0; k < s->demands.n; k++)
    cross(s, s->demands.at[k]);
  for (unsigned k = 0; k < undone.n; k++)
    cross(s, LLVMGetOperand(undone.at[k], 1));
}

/* A count is a slot of the parent's frame, or set where the reverse enters the loop if scalar evolution knows it. */
void dad_crossing_need_count(struct dad_sweep *s, int loop) {
  if (s->count[loop])
    return;
  LLVMValueRef trip = s->g.trip[loop];
  s->count[loop] = dad_crossing_slot(s, s->ctx->i64, trip ? DAD_NO_FRAME : s->g.loop[loop].parent,
                                     s->g.loop[loop].header, NULL);
  s->count[loop]->counts = true;
  if (trip)
    cross(s, trip);
}

bool dad_crossing_known_around(struct dad_sweep *s, LLVMValueRef v, int l) {
  LLVMValueRef operands[MAX_OPERANDS];
  if (is_free(s, v) || !dad_graph_inside(&s->g, dad_graph_loop_of(&s->g, v), l))
    return true;
  if ((how(s, v) != AGAIN && how(s, v) != INDUCTION) || LLVMIsALoadInst(v))
    return false;
  int n = sources(s, v, operands);
  for (int k = 0; k < n; k++)
    if (!dad_crossing_known_around(s, operands[k], l))
      return false;
  return n >= 0;
}

/* ---- values in the reverse sweep */

static LLVMValueRef value_at(struct dad_sweep *s, LLVMValueRef v);

LLVMValueRef dad_crossing_read(struct dad_sweep *s, const struct dad_slot *slot) {
  return slot->settled ? slot->settled : LLVMBuildLoad2(s->ctx->builder, slot->type, slot->reverse, "");
}

LLVMValueRef dad_sweep_place(struct dad_sweep *s, LLVMValueRef function, LLVMTypeRef type) {
  LLVMValueRef place = dad_entry_alloca(s->ctx, function, type);
  dad_vec_push(&s->promoted, place);
  return place;
}

/* The induction variable "phi" after "n" (i64) iterations. */
static LLVMValueRef induction_value(struct dad_sweep *s, LLVMValueRef phi, LLVMValueRef n) {
  LLVMBuilderRef b = s->ctx->builder;
  LLVMValueRef start, step, next;
  dad_crossing_induction(s, phi, &start, &step, &next);
  LLVMValueRef from = value_at(s, start), by = value_at(s, step);
  if (LLVMGetTypeKind(LLVMTypeOf(phi)) == LLVMPointerTypeKind) {
    LLVMValueRef offset = LLVMBuildMul(b, n, LLVMBuildIntCast2(b, by, s->ctx->i64, 1, ""), "");
    return LLVMBuildGEP2(b, LLVMGetGEPSourceElementType(next), from, &offset, 1, "");
  }
  LLVMValueRef count = LLVMBuildIntCast2(b, n, LLVMTypeOf(phi), 0, "");
  return LLVMBuildAdd(b, from, LLVMBuildMul(b, count, by, ""), "");
}

/* The final count of "loop", asked for outside it. */
static LLVMValueRef final_count(struct dad_sweep *s, int loop) {
  if (s->g.trip[loop])
    return value_at(s, s->g.trip[loop]);
  return dad_crossing_read(s, s->count[loop]);
}

static LLVMValueRef final_value(struct dad_sweep *s, LLVMValueRef v) {
  LLVMValueRef in = LLVMGetIncomingValue(v, 0);
  LLVMValueRef phi = LLVMIsAPHINode(in) ? in : LLVMGetOperand(in, 0);
  LLVMValueRef r = induction_value(s, phi, final_count(s, dad_graph_loop_of(&s->g, phi)));
  return in == phi ? r : LLVMBuildAdd(s->ctx->builder, r, LLVMGetOperand(in, 1), "");
}

/* A copy of "v" on the values of its operands. */
static LLVMValueRef compute_again(struct dad_sweep *s, LLVMValueRef v) {
  unsigned n = (unsigned)LLVMGetNumOperands(v);
  LLVMValueRef operands[MAX_OPERANDS];
  for (unsigned k = 0; k < n; k++)
    operands[k] = value_at(s, LLVMGetOperand(v, k));
  LLVMValueRef r = LLVMInstructionClone(v);
  for (unsigned k = 0; k < n; k++)
    LLVMSetOperand(r, k, operands[k]);
  LLVMInsertIntoBuilder(s->ctx->builder, r);
  if (LLVMIsALoadInst(r))
    dad_shadow_drop_facts(s->ctx, r);
  if (LLVMIsACallInst(r))
    dad_mark_pure(s->ctx, r);
  return r;
}

static LLVMValueRef value_at(struct dad_sweep *s, LLVMValueRef v) {
  if (is_free(s, v))
    return v;
  LLVMValueRef r = dad_map_get(&s->memo, v);
  if (r)
    return r;
  struct dad_slot *slot;
  switch (how(s, v)) {
  case SLOT: r = dad_crossing_read(s, dad_map_get(&s->slot_of, v)); break;
  case AGAIN: r = compute_again(s, v); break;
  case INDUCTION:
    slot = s->count[dad_graph_loop_of(&s->g, v)];
    r = induction_value(s, v, LLVMBuildLoad2(s->ctx->builder, slot->type, slot->reverse, ""));
    break;
  case FINAL: r = final_value(s, v); break;
  default:
    dad_diag(s->ctx, DAD_INTERNAL, v, "a value is read in the reverse sweep that was not asked for");
    r = LLVMGetPoison(LLVMTypeOf(v));
  }
  dad_map_set(&s->memo, v, r);
  return r;
}

LLVMValueRef dad_sweep_primal(struct dad_sweep *s, LLVMValueRef v) {
  if (!s->dry)
    return value_at(s, v);
  demand(s, v);
  return LLVMIsConstant(v) ? v : LLVMGetUndef(LLVMTypeOf(v));
}

/* The dry run makes the shadow in the forward function; afterwards it is found in the map. */
LLVMValueRef dad_sweep_shadow(struct dad_sweep *s, LLVMValueRef p) {
  LLVMBasicBlockRef here = LLVMGetInsertBlock(s->ctx->builder);
  LLVMValueRef shadow = dad_shadow_of(s->u, p);
  LLVMPositionBuilderAtEnd(s->ctx->builder, here);
  return dad_sweep_primal(s, shadow);
}

LLVMValueRef dad_sweep_is_same(struct dad_sweep *s, LLVMValueRef p) {
  LLVMBasicBlockRef here = LLVMGetInsertBlock(s->ctx->builder);
  enum dad_shadow_case which = dad_shadow_case(s->u, p);
  LLVMPositionBuilderAtEnd(s->ctx->builder, here);
  if (which == DAD_SHADOW_SEPARATE)
    return NULL;
  if (which == DAD_SHADOW_SAME)
    return LLVMConstInt(s->ctx->i1, 1, 0);
  LLVMValueRef base = dad_shadow_base(p), q = dad_sweep_shadow(s, base), at = dad_sweep_primal(s, base);
  return LLVMBuildICmp(s->ctx->builder, LLVMIntEQ, q, at, "same");
}

LLVMValueRef dad_sweep_shadow_cell(struct dad_sweep *s, LLVMValueRef p, LLVMTypeRef type, LLVMValueRef *missing) {
  *missing = dad_sweep_is_same(s, p);
  if (*missing && LLVMIsConstant(*missing) && !s->dry)
    return NULL;
  LLVMValueRef q = dad_sweep_shadow(s, p);
  if (!*missing || s->dry)
    return q;
  LLVMValueRef nowhere = dad_entry_alloca(s->ctx, s->u->reverse, type);
  return LLVMBuildSelect(s->ctx->builder, *missing, nowhere, q, "");
}

void dad_crossing_set_count(struct dad_sweep *s, int loop) {
  struct dad_slot *count = s->count[loop];
  if (count && s->g.trip[loop])
    LLVMBuildStore(s->ctx->builder, value_at(s, s->g.trip[loop]), count->reverse);
  else if (count && count->settled)
    LLVMBuildStore(s->ctx->builder, count->settled, count->reverse);
}
