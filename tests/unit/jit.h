/* jit.h: for unit tests: a context around an empty module, and the code of its functions. */
#ifndef DAD_TEST_JIT_H
#define DAD_TEST_JIT_H

#include "driver/context.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/ExecutionEngine.h>
#include <llvm-c/Target.h>
#include <stdio.h>
#include <stdlib.h>

double drt_digamma(double x);
float drt_digammaf(float x);
long double drt_digammal(long double x);

struct jit {
  struct dad_context ctx;
  LLVMExecutionEngineRef engine; /* owns the module */
};

static inline void jit_open(struct jit *jit) {
  struct dad_context *ctx = &jit->ctx;
  char *message = NULL;
  LLVMInitializeNativeTarget();
  LLVMInitializeNativeAsmPrinter();
  LLVMLinkInMCJIT();
  *ctx = (struct dad_context){.llvm = LLVMContextCreate(), .arena = dad_arena_create()};
  ctx->module = LLVMModuleCreateWithNameInContext("test", ctx->llvm);
  if (LLVMCreateMCJITCompilerForModule(&jit->engine, ctx->module, NULL, 0, &message)) {
    fprintf(stderr, "%s\n", message);
    abort();
  }
  ctx->target = LLVMGetExecutionEngineTargetData(jit->engine);
  LLVMSetModuleDataLayout(ctx->module, ctx->target);
  ctx->builder = LLVMCreateBuilderInContext(ctx->llvm);
  ctx->detached = DAD_VEC(ctx->arena);
  ctx->registered = DAD_MAP(ctx->arena);
  ctx->i1 = LLVMInt1TypeInContext(ctx->llvm);
  ctx->i8 = LLVMInt8TypeInContext(ctx->llvm);
  ctx->i16 = LLVMInt16TypeInContext(ctx->llvm);
  ctx->i32 = LLVMInt32TypeInContext(ctx->llvm);
  ctx->i64 = LLVMInt64TypeInContext(ctx->llvm);
  ctx->f32 = LLVMFloatTypeInContext(ctx->llvm);
  ctx->f64 = LLVMDoubleTypeInContext(ctx->llvm);
  ctx->f80 = LLVMX86FP80TypeInContext(ctx->llvm);
  ctx->ptr = LLVMPointerTypeInContext(ctx->llvm, 0);
  ctx->none = LLVMVoidTypeInContext(ctx->llvm);
}

/* Tells the code where "name" is, if it calls it. */
static inline void jit_map(struct jit *jit, const char *name, void *at) {
  LLVMValueRef f = LLVMGetNamedFunction(jit->ctx.module, name);
  if (f)
    LLVMAddGlobalMapping(jit->engine, f, at);
}

/* The code of "name". No function may be added after the first call. */
static inline void *jit_code(struct jit *jit, const char *name) {
  char *message = NULL;
  if (LLVMVerifyModule(jit->ctx.module, LLVMReturnStatusAction, &message)) {
    fprintf(stderr, "%s\n", message);
    abort();
  }
  LLVMDisposeMessage(message);
  void *code = (void *)LLVMGetFunctionAddress(jit->engine, name);
  if (!code) {
    fprintf(stderr, "no function %s\n", name);
    abort();
  }
  return code;
}

static inline void jit_close(struct jit *jit) {
  for (unsigned k = 0; k < jit->ctx.detached.n; k++)
    LLVMDeleteInstruction(jit->ctx.detached.at[k]);
  LLVMDisposeBuilder(jit->ctx.builder);
  LLVMDisposeExecutionEngine(jit->engine);
  LLVMContextDispose(jit->ctx.llvm);
  jit->ctx.arena = dad_arena_free(jit->ctx.arena);
}

/* A function void name(ptr, ptr) with the builder in its only block. */
static inline LLVMValueRef jit_function(struct jit *jit, const char *name) {
  LLVMTypeRef types[] = {jit->ctx.ptr, jit->ctx.ptr};
  LLVMTypeRef type = LLVMFunctionType(jit->ctx.none, types, 2, 0);
  LLVMValueRef f = LLVMAddFunction(jit->ctx.module, name, type);
  LLVMPositionBuilderAtEnd(jit->ctx.builder, LLVMAppendBasicBlockInContext(jit->ctx.llvm, f, ""));
  return f;
}

#endif
