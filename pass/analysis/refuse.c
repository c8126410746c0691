/* refuse.c: constructs in active units that cannot be differentiated. */
#include "refuse.h"

#include "../driver/marker.h"
#include "../driver/registry.h"

/* ---- what lies on a path from inputs to outputs */

/* One message of a kind for each instruction. */
static bool is_new(struct dad_refusal *r, LLVMValueRef at, enum dad_diag_id id) {
  if (dad_map_int(&r->said, at) == (intptr_t)id + 1)
    return false;
  dad_map_set_int(&r->said, at, (intptr_t)id + 1);
  return true;
}

/* Bits that the access "at" moves. */
static unsigned bits_of_access(struct dad_refusal *r, LLVMValueRef at) {
  LLVMValueRef v = LLVMIsAStoreInst(at) ? LLVMGetOperand(at, 0) : at;
  uint64_t bytes =
      dad_is_call(at) ? dad_call_known_bytes(at) : dad_store_size(r->req->ctx, LLVMTypeOf(v));
  return bytes > UINT32_MAX / 8 ? 8 : (unsigned)(8 * bytes);
}

static void say(struct dad_refusal *r, enum dad_diag_id id, LLVMValueRef at) {
  struct dad_context *ctx = r->req->ctx;
  if (!is_new(r, at, id))
    return;
  switch (id) {
  case DAD_PARTIAL: dad_diag(ctx, id, at, bits_of_access(r, at)); break;
  case DAD_NO_INSTRUCTION: {
    char *text = LLVMPrintValueToString(at);
    dad_diag(ctx, id, at, text);
    LLVMDisposeMessage(text);
    break;
  }
  case DAD_NO_BODY:
  case DAD_NO_RULE:
  case DAD_SORT:
  case DAD_NONLOCAL_JUMP:
  case DAD_OUTSIDE_INPUT:
  case DAD_CALL_VARIADIC: dad_diag(ctx, id, at, dad_callee_name(at)); break;
  default: dad_diag(ctx, id, at); break;
  }
}

static void report_step(struct dad_refusal *r, const struct dad_step *s) {
  unsigned from = s->from->flags, to = s->to->flags;
  bool number = from & (s->kind == DAD_STEP_CONVERT ? DAD_SURE : DAD_NUMBER_IN) &&
                to & (s->kind == DAD_STEP_ROUND ? DAD_BITS_OUT : DAD_NUMBER_OUT) &&
                s->id != DAD_LEGAL;
  bool address = (s->kind == DAD_STEP_BITS && from & DAD_ADDRESS_IN && to & DAD_ADDRESS_OUT) ||
                 (s->to == r->moves && from & DAD_DISTANCE);
  if (number)
    say(r, s->id, s->at);
  else if (address)
    say(r, DAD_POINTER_BITS, s->at);
}

static void set_flags(struct dad_place *place, unsigned flags) {
  place->flags |=
      (flags & DAD_VARIED ? DAD_NUMBER_IN : 0) | (flags & DAD_USEFUL ? DAD_NUMBER_OUT : 0);
}

static void set_value(struct dad_refusal *r, LLVMValueRef v) {
  struct dad_place *at[2];
  for (unsigned k = 0, n = dad_places_of(r, v, at); k < n; k++)
    set_flags(at[k], dad_activity_flags(r->m, v));
}

/* What varies and what matters by the analysis of activity is where paths begin and end. It does
   not know halves of integers: the flags of values are found anew. */
static void set_ends(struct dad_refusal *r) {
  LLVMValueRef root = r->req->root->primal, result = dad_unit_result(root);
  for (unsigned k = 0; k < r->place.n; k++) {
    struct dad_place *place = r->place.value[k];
    if (place->cell)
      set_flags(place, dad_activity_flags(r->m, r->place.key[k]));
  }
  for (unsigned k = 0; k < LLVMCountParams(root); k++)
    set_value(r, LLVMGetParam(root, k));
  if (result)
    set_value(r, result);
}

static void note_object(struct dad_memory *m, struct dad_object *o) {
  (void)m;
  (void)o;
}

/* Objects that addresses may lead to something active in: those of the arguments, and those with
   numbers that vary. Which ones are live is not known where an address has been lost. */
static void find_objects(struct dad_refusal *r) {
  struct dad_memory *m = r->m;
  dad_reach_reset(m);
  for (unsigned k = 0; k < r->req->n_args; k++) {
    struct dad_node *n = dad_node_known(m, LLVMGetParam(r->req->root->primal, k));
    if (n && r->req->args[k].activity != DAD_CONST)
      dad_reach(m, n, note_object);
  }
  for (unsigned k = 0; k < m->heap.objects.n; k++) {
    struct dad_object *o = m->heap.objects.at[k];
    bool varies = false;
    for (unsigned i = 0; !o->up && i < o->n; i++)
      varies |= dad_activity_flags(m, dad_node_find(o->cell[i]->content)) & DAD_VARIED;
    if (!o->up && (varies || o->seen || o->live))
      dad_map_set(&r->objects, o, o);
  }
}

bool dad_leads_to_active(struct dad_refusal *r, LLVMValueRef p) {
  struct dad_node *n = dad_node_known(r->m, p);
  unsigned count = 0;
  const struct dad_target *t = n ? dad_node_targets(&r->m->heap, n, &count) : NULL;
  for (unsigned k = 0; k < count; k++)
    if (dad_map_has(&r->objects, t[k].object))
      return true;
  return false;
}

/* A pointer that is moved by the distance between two objects has come to another one. */
static void refuse_addresses(struct dad_refusal *r) {
  DAD_FOR_UNITS(u, r->req)
  DAD_FOR_BLOCKS(block, u->primal)
  DAD_FOR_INSTRUCTIONS(i, block)
  dad_refuse_address(r, i);
}

static void refuse_paths(struct dad_refusal *r) {
  find_objects(r);
  DAD_FOR_UNITS(u, r->req) {
    DAD_FOR_BLOCKS(block, u->primal)
    DAD_FOR_INSTRUCTIONS(i, block)
    dad_refuse_instruction(r, i);
    if (u->address_taken)
      dad_refuse_target(r, u);
  }
  dad_refuse_memory(r);
  if (r->distances)
    refuse_addresses(r);
  set_ends(r);
  dad_refuse_spread(r);
  for (unsigned k = 0; k < r->steps.n; k++)
    report_step(r, r->steps.at[k]);
}

/* ---- single instructions */

/* Does "call" see active memory or numbers? Functions are none: those without a derivative stop the
   program when they are called. */
static bool sees_active(struct dad_request *req, LLVMValueRef call) {
  for (unsigned k = 0; k < LLVMGetNumArgOperands(call); k++) {
    LLVMValueRef a = LLVMGetOperand(call, k);
    bool pointer = dad_has_pointer(LLVMTypeOf(a)) && !LLVMIsAFunction(a);
    if (pointer ? !dad_inert(req, a) : dad_activity_flags(req->memory, a) & DAD_VARIED)
      return true;
  }
  return false;
}

/* Why "call" has no derivative if it sees active memory or numbers; DAD_LEGAL: it has one. */
static enum dad_diag_id id_of_call(struct dad_request *req, LLVMValueRef call) {
  switch (dad_call_kind(req, call)) {
  case DAD_CALL_UNKNOWN: return dad_unknown_id(call);
  case DAD_CALL_ASM: return DAD_INLINE_ASM;
  case DAD_CALL_CALLBACK: return DAD_SORT;
  case DAD_CALL_INDIRECT: return dad_has_target(req, call) ? DAD_LEGAL : DAD_NO_TARGET;
  default: return DAD_LEGAL;
  }
}

static void check_call(struct dad_refusal *r, LLVMValueRef call) {
  enum dad_diag_id id = id_of_call(r->req, call);
  if (id != DAD_LEGAL && sees_active(r->req, call))
    say(r, id, call);
}

/* Numbers stored in a global of another module stay there when the call is over. */
static void check_store(struct dad_refusal *r, LLVMValueRef i) {
  struct dad_request *req = r->req;
  struct dad_node *n = dad_node_known(r->m, LLVMGetOperand(i, 1));
  unsigned count = 0;
  const struct dad_target *t = NULL;
  if (n && dad_activity_flags(r->m, LLVMGetOperand(i, 0)) & DAD_VARIED)
    t = dad_node_targets(&r->m->heap, n, &count);
  for (unsigned k = 0; k < count; k++) {
    LLVMValueRef g = t[k].object->site;
    if (g && LLVMIsAGlobalVariable(g) && LLVMIsDeclaration(g) &&
        !dad_is_inactive_global(req->ctx, g)) {
      dad_diag(req->ctx, DAD_GLOBAL_ELSEWHERE, i, dad_name(g));
      return;
    }
  }
}

/* Front ends make one jump of all those to computed labels of a function: the places that lead to
   it are the user's. Returns whether "f" has one. */
static bool report_computed_jumps(struct dad_refusal *r, LLVMValueRef f) {
  static const char what[] = "a jump to a computed label";
  bool any = false;
  DAD_FOR_BLOCKS(block, f) {
    LLVMValueRef jump = LLVMGetBasicBlockTerminator(block);
    if (!jump || !LLVMIsAIndirectBrInst(jump))
      continue;
    any = true;
    DAD_FOR_USERS(user, LLVMBasicBlockAsValue(block))
    if (LLVMIsAInstruction(user) && is_new(r, user, DAD_CONTROL))
      dad_diag(r->req->ctx, DAD_CONTROL, user, what);
    if (is_new(r, jump, DAD_CONTROL) && !LLVMGetFirstUse(LLVMBasicBlockAsValue(block)))
      dad_diag(r->req->ctx, DAD_CONTROL, jump, what);
  }
  return any;
}

static void check_active(struct dad_refusal *r, struct dad_unit *u, LLVMValueRef i) {
  struct dad_context *ctx = r->req->ctx;
  switch (LLVMGetInstructionOpcode(i)) {
  case LLVMCall: check_call(r, i); break;
  case LLVMStore: check_store(r, i); break;
  case LLVMIndirectBr:
    if (!report_computed_jumps(r, u->original))
      report_computed_jumps(r, u->primal);
    break;
  case LLVMCallBr: dad_diag(ctx, DAD_CONTROL, i, "assembly that jumps"); break;
  case LLVMInvoke: dad_diag(ctx, DAD_CONTROL, i, "a call that catches exceptions"); break;
  case LLVMCatchSwitch: dad_diag(ctx, DAD_CONTROL, i, "a handler of exceptions"); break;
  case LLVMVAArg:
    if (dad_has_float(LLVMTypeOf(i)) || !dad_inert(r->req, i))
      dad_diag(ctx, DAD_CONTROL, i, "a variable argument that carries derivatives");
    break;
  default: break;
  }
}

/* A jump out of a function that has nothing active may still leave active ones, and activity is not
   known where types are not followed. */
static void check_any(struct dad_refusal *r, LLVMValueRef i) {
  if (dad_is_call(i) && dad_call_kind(r->req, i) == DAD_CALL_JUMP)
    say(r, DAD_NONLOCAL_JUMP, i);
  const char *type = dad_unsupported_type(r, i);
  if (type && is_new(r, i, DAD_NO_TYPE))
    dad_diag(r->req->ctx, DAD_NO_TYPE, i, type);
}

static void refuse_instructions(struct dad_refusal *r) {
  DAD_FOR_UNITS(u, r->req)
  DAD_FOR_BLOCKS(block, u->primal)
  DAD_FOR_INSTRUCTIONS(i, block) {
    check_any(r, i);
    if (!u->inert)
      check_active(r, u, i);
  }
}

/* ---- derivatives of derivatives */

/* Is "f" a marker, or made in place of one? */
static bool is_derivative(LLVMValueRef f) {
  enum dad_mode mode;
  bool second;
  return dad_unit_is_generated(f) || (LLVMIsDeclaration(f) && dad_marker_mode(f, &mode, &second));
}

/* Does "f", or what it calls, compute derivatives? "seen": functions that were looked at. */
static bool differentiates(struct dad_request *req, LLVMValueRef f, struct dad_map *seen) {
  struct dad_vec work = DAD_VEC(req->arena);
  dad_vec_push(&work, f);
  while (work.n) {
    LLVMValueRef g = dad_vec_pop(&work);
    if (is_derivative(g))
      return true;
    if (dad_map_has(seen, g) || dad_registered(req->ctx, g))
      continue;
    dad_map_set(seen, g, g);
    DAD_FOR_BLOCKS(block, g)
    DAD_FOR_INSTRUCTIONS(i, block)
    if (dad_is_any_call(i) && dad_any_callee(i))
      dad_vec_push(&work, dad_any_callee(i));
  }
  return false;
}

/* The copies may have inlined what was generated before: the user's own functions tell. */
static void refuse_nested(struct dad_request *req) {
  struct dad_map seen = DAD_MAP(req->arena);
  DAD_FOR_BLOCKS(block, req->function)
  DAD_FOR_INSTRUCTIONS(i, block)
  if (dad_is_any_call(i) && dad_any_callee(i) && differentiates(req, dad_any_callee(i), &seen)) {
    dad_diag(req->ctx, DAD_NESTED, i, dad_name(req->function));
    return;
  }
}

void dad_refuse(struct dad_request *req) {
  struct dad_refusal r = {.req = req, .m = req->memory};
  r.place = r.phases = r.said = r.objects = DAD_MAP(req->arena);
  r.steps = DAD_VEC(req->arena);
  r.files = dad_place_new(&r);
  r.code = dad_place_new(&r);
  r.moves = dad_place_new(&r);
  r.hidden = dad_place_new(&r);
  r.hidden->flags = DAD_ADDRESS_OUT;
  refuse_nested(req);
  refuse_instructions(&r);
  refuse_paths(&r);
}
