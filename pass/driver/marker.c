/* marker.c: the calling convention. A marker call lists the differentiated function, then for each of its parameters an optional
   tag, the value, and for pointers (in forward mode for every active parameter) its shadow. */
#include "marker.h"

#include "../base/abi_call.h"
#include "../cfg/unit.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

bool dad_marker_mode(LLVMValueRef f, enum dad_mode *mode, bool *second) {
  static const struct {
    const char *name;
    enum dad_mode mode;
    bool second;
  } markers[] = {
      {"__dacead_autodiff", DAD_REVERSE, false},    {"__enzyme_autodiff", DAD_REVERSE, false},
      {"__dacead_fwddiff", DAD_FORWARD, false},     {"__enzyme_fwddiff", DAD_FORWARD, false},
      {"__dacead_augmentfwd", DAD_SPLIT, false},    {"__enzyme_augmentfwd", DAD_SPLIT, false},
      {"__dacead_reverse", DAD_SPLIT, true},        {"__enzyme_reverse", DAD_SPLIT, true},
  };
  for (unsigned k = 0; k < sizeof markers / sizeof *markers; k++)
    if (strstr(dad_name(f), markers[k].name)) {
      *mode = markers[k].mode;
      *second = markers[k].second;
      return true;
    }
  return false;
}

/* ---- a cursor over the operands of the call */

struct cursor {
  struct dad_request *req;
  unsigned next, end; /* operands of the call: the next one, and how many there are */
};

/* The tag that operand "a" names, without its prefix: by address, or by a load of it (-O0). NULL if it is no tag. */
static const char *tag_of(LLVMValueRef a) {
  if (LLVMIsALoadInst(a))
    a = LLVMGetOperand(a, 0);
  if (!LLVMIsAGlobalVariable(a))
    return NULL;
  const char *name = dad_name(a);
  return strncmp(name, "dacead_", 7) && strncmp(name, "enzyme_", 7) ? NULL : name + 7;
}

static LLVMValueRef take(struct cursor *c) {
  return c->next < c->end ? LLVMGetOperand(c->req->call, c->next++) : NULL;
}

/* Tags that speak of the whole call. True if "tag" is one; it is taken. */
static bool global_tag(struct cursor *c, const char *tag) {
  if (!strcmp(tag, "primal_return"))
    c->req->primal_return = true;
  else if (strcmp(tag, "noret") && strcmp(tag, "nofree"))
    return false;
  c->next++;
  return true;
}

/* The tag before the next value, taken; NULL if there is none. */
static const char *take_tag(struct cursor *c) {
  while (c->next < c->end) {
    const char *tag = tag_of(LLVMGetOperand(c->req->call, c->next));
    if (!tag)
      return NULL;
    if (global_tag(c, tag))
      continue;
    c->next++;
    return tag;
  }
  return NULL;
}

/* ---- values */

/* "a" as a value of type "type", which it may have lost to the default promotions of variadic calls; NULL if it does not fit. */
static LLVMValueRef fit(struct dad_context *ctx, LLVMValueRef a, LLVMTypeRef type) {
  LLVMTypeRef have = LLVMTypeOf(a);
  LLVMTypeKind to = LLVMGetTypeKind(type), from = LLVMGetTypeKind(have);
  bool fp_to = to == LLVMFloatTypeKind || to == LLVMDoubleTypeKind || to == LLVMX86_FP80TypeKind;
  bool fp_from = from == LLVMFloatTypeKind || from == LLVMDoubleTypeKind || from == LLVMX86_FP80TypeKind;
  if (have == type)
    return a;
  if (fp_to && fp_from)
    return LLVMBuildFPCast(ctx->builder, a, type, "");
  if (to == LLVMIntegerTypeKind && from == LLVMIntegerTypeKind)
    return LLVMBuildIntCast2(ctx->builder, a, type, 1, "");
  return NULL;
}

/* The struct type of a parameter passed by value in memory, or NULL. */
static LLVMTypeRef type_attribute(LLVMValueRef f, unsigned p, const char *name) {
  LLVMAttributeRef a = LLVMGetEnumAttributeAtIndex(f, p + 1, dad_attribute(name));
  return a ? LLVMGetTypeAttributeValue(a) : NULL;
}

/* The activity of parameter "p" of "f" when the call does not say. */
static enum dad_activity default_activity(struct dad_request *req, LLVMValueRef f, unsigned p) {
  LLVMTypeRef type = LLVMTypeOf(LLVMGetParam(f, p)), memory = type_attribute(f, p, "byval");
  if (memory)
    return dad_has_float(memory) || dad_has_pointer(memory) ? DAD_DUP : DAD_CONST;
  if (dad_has_pointer(type))
    return DAD_DUP;
  if (dad_has_float(type))
    return req->mode == DAD_FORWARD ? DAD_DUP : DAD_OUT;
  return DAD_CONST;
}

static bool tag_activity(const char *tag, enum dad_activity *activity) {
  static const struct {
    const char *name;
    enum dad_activity activity;
  } tags[] = {{"const", DAD_CONST}, {"out", DAD_OUT}, {"dup", DAD_DUP}, {"dupnoneed", DAD_DUPNONEED}};
  for (unsigned k = 0; k < sizeof tags / sizeof *tags; k++)
    if (!strcmp(tag, tags[k].name)) {
      *activity = tags[k].activity;
      return true;
    }
  return false;
}

/* Does "activity" make sense for a parameter of "type"? */
static bool fits(struct dad_request *req, enum dad_activity activity, LLVMTypeRef type) {
  bool pointer = dad_has_pointer(type), number = dad_has_float(type);
  switch (activity) {
  case DAD_CONST: return true;
  case DAD_OUT: return number && !pointer && req->mode != DAD_FORWARD;
  default: return pointer || (number && req->mode == DAD_FORWARD);
  }
}

/* Reads the tag, value and shadow of parameter "p". */
static bool read_argument(struct cursor *c, unsigned p) {
  struct dad_request *req = c->req;
  struct dad_context *ctx = req->ctx;
  struct dad_argument *arg = &req->args[p];
  const char *name = dad_name(req->function), *tag = take_tag(c);
  LLVMTypeRef type = LLVMTypeOf(LLVMGetParam(req->function, p));
  arg->activity = default_activity(req, req->function, p);
  if (tag && !tag_activity(tag, &arg->activity))
    return dad_diag(ctx, DAD_CALL_UNKNOWN_TAG, req->call, tag), false;
  if (tag && !fits(req, arg->activity, type))
    return dad_diag(ctx, DAD_CALL_BAD_TAG, req->call, tag, p + 1, name), false;
  LLVMValueRef value = take(c);
  if (!value)
    return dad_diag(ctx, DAD_CALL_TOO_FEW, req->call, p + 1, name), false;
  arg->value = fit(ctx, value, type);
  if (!arg->value)
    return dad_diag(ctx, DAD_CALL_BAD_ARGUMENT, req->call, p + 1, name), false;
  if (arg->activity == DAD_CONST || arg->activity == DAD_OUT)
    return true;
  LLVMValueRef shadow = take(c);
  if (!shadow || tag_of(shadow))
    return dad_diag(ctx, DAD_CALL_NO_SHADOW, req->call, p + 1, name), false;
  arg->shadow = fit(ctx, shadow, type);
  if (!arg->shadow)
    return dad_diag(ctx, DAD_CALL_BAD_SHADOW, req->call, p + 1, name), false;
  return true;
}

/* A result that "f" returns through memory (sret): its place is ours. Its shadow, the seeds, is the next operand in reverse mode; in forward
   mode ours too, and the call's result. */
static bool read_memory_result(struct cursor *c, LLVMTypeRef type) {
  struct dad_request *req = c->req;
  LLVMValueRef caller = LLVMGetBasicBlockParent(LLVMGetInstructionParent(req->call)), shadow;
  if (req->mode == DAD_FORWARD) {
    shadow = dad_entry_alloca(req->ctx, caller, type);
    LLVMPositionBuilderBefore(req->ctx->builder, req->call);
    LLVMBuildStore(req->ctx->builder, LLVMConstNull(type), shadow);
  } else {
    shadow = take(c);
  }
  if (!shadow || LLVMTypeOf(shadow) != req->ctx->ptr)
    return dad_diag(req->ctx, DAD_CALL_NO_SHADOW, req->call, 1u, dad_name(req->function)), false;
  LLVMValueRef place = dad_entry_alloca(req->ctx, caller, type);
  LLVMPositionBuilderBefore(req->ctx->builder, req->call);
  req->args[0] = (struct dad_argument){DAD_DUP, place, shadow};
  return true;
}

/* The function that operand "v" names, through aliases and casts; NULL if it is none. */
static LLVMValueRef named_function(LLVMValueRef v) {
  for (int k = 0; k < 8 && !LLVMIsAFunction(v); k++) {
    if (LLVMIsAGlobalAlias(v))
      v = LLVMAliasGetAliasee(v);
    else if (LLVMIsAConstantExpr(v))
      v = LLVMGetOperand(v, 0);
    else
      return NULL;
  }
  return LLVMIsAFunction(v) ? v : NULL;
}

static bool read_function(struct cursor *c) {
  struct dad_request *req = c->req;
  LLVMValueRef first = take(c), f = first ? named_function(first) : NULL;
  const char *marker = dad_callee_name(req->call);
  if (!f)
    return dad_diag(req->ctx, DAD_CALL_NOT_FUNCTION, req->call, marker), false;
  req->function = f;
  if (LLVMIsDeclaration(f))
    return dad_diag(req->ctx, DAD_CALL_NO_BODY, req->call, dad_name(f)), false;
  if (LLVMIsFunctionVarArg(LLVMGlobalGetValueType(f)))
    return dad_diag(req->ctx, DAD_CALL_VARIADIC, req->call, dad_name(f)), false;
  return true;
}

static LLVMAttributeRef memory_result_of_call(LLVMValueRef call) {
  return LLVMGetNumArgOperands(call)
             ? LLVMGetCallSiteEnumAttribute(call, 1, dad_attribute("sret"))
             : NULL;
}

/* The seed, if the function returns a number, and the handle of the reverse half of split mode. */
static bool read_reverse_operands(struct cursor *c) {
  struct dad_request *req = c->req;
  LLVMTypeRef result = LLVMGetReturnType(LLVMGlobalGetValueType(req->function));
  if (dad_has_float(result)) {
    LLVMValueRef seed = take(c);
    req->seed = seed ? fit(req->ctx, seed, result) : NULL;
    if (!req->seed)
      return dad_diag(req->ctx, DAD_CALL_NO_SEED, req->call, dad_name(req->function)), false;
  }
  req->handle = take(c);
  if (!req->handle || LLVMTypeOf(req->handle) != req->ctx->ptr)
    return dad_diag(req->ctx, DAD_CALL_NO_HANDLE, req->call), false;
  return true;
}

bool dad_marker_read(struct dad_request *req) {
  struct cursor c = {req, memory_result_of_call(req->call) ? 1 : 0, LLVMGetNumArgOperands(req->call)};
  if (!read_function(&c))
    return false;
  req->n_args = LLVMCountParams(req->function);
  req->args = DAD_ARRAY(req->arena, struct dad_argument, req->n_args + 1);
  LLVMPositionBuilderBefore(req->ctx->builder, req->call);
  LLVMTypeRef memory = req->n_args ? type_attribute(req->function, 0, "sret") : NULL;
  if (memory && !read_memory_result(&c, memory))
    return false;
  for (unsigned p = memory ? 1 : 0; p < req->n_args; p++)
    if (!read_argument(&c, p))
      return false;
  if (take_tag(&c))
    c.next--;
  if (req->second && !read_reverse_operands(&c))
    return false;
  if (c.next < c.end)
    return dad_diag(req->ctx, DAD_CALL_TOO_MANY, req->call, dad_name(req->function), c.end - c.next), false;
  return true;
}

/* ---- the derivative in place of the call */

/* The operands of the root's generated function: each parameter, followed by its shadow where the function's type has one. */
static unsigned operands(struct dad_request *req, LLVMValueRef *out) {
  unsigned n = 0;
  for (unsigned p = 0; p < req->n_args; p++) {
    struct dad_argument *arg = &req->args[p];
    bool number = dad_has_float(LLVMTypeOf(arg->value)), pointer = dad_has_pointer(LLVMTypeOf(arg->value));
    out[n++] = arg->value;
    if (pointer || (number && req->mode == DAD_FORWARD))
      out[n++] = arg->shadow ? arg->shadow
                 : pointer   ? arg->value
                             : LLVMConstNull(LLVMTypeOf(arg->value));
  }
  return n;
}

/* The values in "result" (a struct, or one value, or nothing), one by one. */
static unsigned parts(struct dad_request *req, LLVMValueRef result, LLVMValueRef *out) {
  LLVMTypeRef type = LLVMTypeOf(result);
  if (LLVMGetTypeKind(type) == LLVMVoidTypeKind)
    return 0;
  if (LLVMGetTypeKind(type) != LLVMStructTypeKind) {
    out[0] = result;
    return 1;
  }
  unsigned n = LLVMCountStructElementTypes(type);
  for (unsigned k = 0; k < n; k++)
    out[k] = LLVMBuildExtractValue(req->ctx->builder, result, k, "");
  return n;
}

/* "parts" put together into a value of "type", scalar by scalar; NULL if their number or types do not fit. "k" counts. */
static LLVMValueRef assemble(struct dad_context *ctx, LLVMTypeRef type, LLVMValueRef *values, unsigned n,
                             unsigned *k) {
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  if (*k < n && LLVMTypeOf(values[*k]) == type)
    return values[(*k)++];
  if (kind != LLVMStructTypeKind && kind != LLVMArrayTypeKind && kind != LLVMVectorTypeKind)
    return *k < n ? fit(ctx, values[(*k)++], type) : NULL;
  unsigned members = kind == LLVMStructTypeKind  ? LLVMCountStructElementTypes(type)
                     : kind == LLVMArrayTypeKind ? (unsigned)LLVMGetArrayLength2(type)
                                                 : LLVMGetVectorSize(type);
  LLVMValueRef r = LLVMGetUndef(type);
  for (unsigned m = 0; m < members; m++) {
    LLVMTypeRef t = kind == LLVMStructTypeKind ? LLVMStructGetTypeAtIndex(type, m) : LLVMGetElementType(type);
    LLVMValueRef v = assemble(ctx, t, values, n, k);
    if (!v)
      return NULL;
    r = kind == LLVMVectorTypeKind
            ? LLVMBuildInsertElement(ctx->builder, r, v, LLVMConstInt(ctx->i32, m, 0), "")
            : LLVMBuildInsertValue(ctx->builder, r, v, m, "");
  }
  return r;
}

/* Gives the values to the call's users: as its result, or in the memory that its first operand names. */
static bool deliver(struct dad_request *req, LLVMValueRef *values, unsigned n) {
  struct dad_context *ctx = req->ctx;
  LLVMAttributeRef memory = memory_result_of_call(req->call);
  LLVMTypeRef type = memory ? LLVMGetTypeAttributeValue(memory) : LLVMTypeOf(req->call);
  if (LLVMGetTypeKind(type) == LLVMVoidTypeKind || (!memory && !LLVMGetFirstUse(req->call)))
    return true;
  unsigned k = 0;
  LLVMValueRef r = n == 0 ? LLVMConstNull(type) : assemble(ctx, type, values, n, &k);
  if (!r || k < n)
    return dad_diag(ctx, DAD_CALL_BAD_RESULT, req->call, dad_name(req->function)), false;
  if (memory)
    LLVMBuildStore(ctx->builder, r, LLVMGetOperand(req->call, 0));
  else
    LLVMReplaceAllUsesWith(req->call, r);
  return true;
}

/* Calls "f" with "n" operands at the marker call and leaves its results in "values"; returns their number. */
static unsigned call_derivative(struct dad_request *req, LLVMValueRef f, LLVMValueRef *args, unsigned n,
                                LLVMValueRef **values) {
  LLVMTypeRef type = LLVMGlobalGetValueType(f);
  LLVMValueRef r = LLVMBuildCall2(req->ctx->builder, type, f, args, n, "");
  LLVMTypeRef result = LLVMTypeOf(r);
  LLVMInstructionSetDebugLoc(r, LLVMInstructionGetDebugLoc(req->call));
  unsigned room = LLVMGetTypeKind(result) == LLVMStructTypeKind ? LLVMCountStructElementTypes(result) : 1;
  *values = DAD_ARRAY(req->arena, LLVMValueRef, room + 1);
  return parts(req, r, *values);
}

/* The forward half of split mode returns the handle, then the primal's result. */
static unsigned call_first_half(struct dad_request *req, LLVMValueRef forward, LLVMValueRef **values) {
  LLVMValueRef *args = DAD_ARRAY(req->arena, LLVMValueRef, 2 * req->n_args + 1);
  LLVMTypeRef type = LLVMGlobalGetValueType(forward), result = LLVMGetReturnType(LLVMGlobalGetValueType(req->function));
  LLVMBuilderRef b = req->ctx->builder;
  LLVMValueRef r = LLVMBuildCall2(b, type, forward, args, operands(req, args), "");
  *values = DAD_ARRAY(req->arena, LLVMValueRef, 2);
  (*values)[0] = dad_runtime_call(req->ctx, DAD_RT_split_turn);
  if (LLVMTypeOf(req->call) == req->ctx->ptr || LLVMGetTypeKind(result) == LLVMVoidTypeKind)
    return 1;
  (*values)[1] = LLVMTypeOf(r) == result ? r : LLVMBuildExtractValue(b, r, 0, "");
  return 2;
}

/* The reverse half returns the derivatives of out arguments; the reverse function has those of all parameters that carry numbers. */
static unsigned call_second_half(struct dad_request *req, LLVMValueRef reverse, LLVMValueRef **values) {
  LLVMValueRef *all;
  unsigned n = 0, at = 0;
  dad_runtime_call(req->ctx, DAD_RT_split_resume, req->handle);
  unsigned n_all = call_derivative(req, reverse, &req->seed, req->seed != NULL, &all);
  dad_runtime_call(req->ctx, DAD_RT_split_end);
  *values = DAD_ARRAY(req->arena, LLVMValueRef, n_all + 1);
  for (unsigned p = 0; p < req->n_args && at < n_all; p++) {
    if (!dad_has_float(LLVMTypeOf(req->args[p].value)) && LLVMTypeOf(all[at]) != LLVMTypeOf(req->args[p].value))
      continue;
    if (req->args[p].activity == DAD_OUT)
      (*values)[n++] = all[at];
    at++;
  }
  return n;
}

/* The results that the function returns through memory, in forward mode: the primal's if asked for, and the tangent. */
static unsigned load_memory_result(struct dad_request *req, LLVMTypeRef type, LLVMValueRef **values) {
  LLVMBuilderRef b = req->ctx->builder;
  unsigned n = 0;
  *values = DAD_ARRAY(req->arena, LLVMValueRef, 2);
  if (req->primal_return)
    (*values)[n++] = LLVMBuildLoad2(b, type, req->args[0].value, "");
  (*values)[n++] = LLVMBuildLoad2(b, type, req->args[0].shadow, "");
  return n;
}

bool dad_marker_replace(struct dad_request *req, LLVMValueRef forward, LLVMValueRef reverse) {
  LLVMValueRef *values, *args = DAD_ARRAY(req->arena, LLVMValueRef, 2 * req->n_args + 1);
  unsigned n;
  LLVMPositionBuilderBefore(req->ctx->builder, req->call);
  if (req->mode != DAD_SPLIT)
    n = call_derivative(req, forward, args, operands(req, args), &values);
  else if (!req->second)
    n = call_first_half(req, forward, &values);
  else
    n = call_second_half(req, reverse, &values);
  LLVMTypeRef memory = req->n_args ? type_attribute(req->function, 0, "sret") : NULL;
  if (memory && req->mode == DAD_FORWARD)
    n = load_memory_result(req, memory, &values);
  if (!deliver(req, values, n))
    return false;
  LLVMInstructionEraseFromParent(req->call);
  return true;
}
