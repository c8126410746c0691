/* bodies.c: the bitcode of pass/bodies, and how it gets into a module. */
#include "bodies.h"

#include "../base/ir.h"

#include <llvm-c/BitReader.h>
#include <llvm-c/Linker.h>
#include <string.h>

__asm__(".section .rodata\n"
        "dad_bodies_begin:\n"
        ".incbin \"" DAD_BODIES "\"\n"
        "dad_bodies_end:\n"
        ".byte 0\n"
        ".previous\n");
extern const char dad_bodies_begin[] __attribute__((visibility("hidden")));
extern const char dad_bodies_end[] __attribute__((visibility("hidden")));

/* The bodies as a module of "ctx"; NULL if they cannot be read. */
static LLVMModuleRef read_bodies(struct dad_context *ctx) {
  LLVMMemoryBufferRef bitcode = LLVMCreateMemoryBufferWithMemoryRange(
      dad_bodies_begin, (size_t)(dad_bodies_end - dad_bodies_begin), "bodies", 0);
  LLVMModuleRef bodies = NULL;
  bool failed = LLVMParseBitcodeInContext2(ctx->llvm, bitcode, &bodies);
  LLVMDisposeMemoryBuffer(bitcode);
  return failed ? NULL : bodies;
}

static bool declares(struct dad_context *ctx, LLVMValueRef body) {
  LLVMValueRef f = LLVMGetNamedFunction(ctx->module, dad_name(body));
  return f && LLVMIsDeclaration(f) && LLVMGetFirstUse(f);
}

/* The body is for whatever processor the module is for, and taken only where it is asked for. */
static void make_general(LLVMValueRef body) {
  static const char *const target[] = {"target-cpu", "target-features", "tune-cpu"};
  for (unsigned k = 0; k < sizeof target / sizeof *target; k++)
    LLVMRemoveStringAttributeAtIndex(body, LLVMAttributeFunctionIndex, target[k],
                                     (unsigned)strlen(target[k]));
  if (LLVMGetLinkage(body) == LLVMExternalLinkage)
    LLVMSetLinkage(body, LLVMLinkOnceODRLinkage);
}

void dad_bodies_link(struct dad_context *ctx) {
  /* Sizes of structs are compiled in: those of targets of 64 bits. */
  LLVMModuleRef bodies = LLVMPointerSize(ctx->target) == 8 ? read_bodies(ctx) : NULL;
  struct dad_vec names = DAD_VEC(ctx->arena);
  if (!bodies)
    return;
  for (LLVMValueRef f = LLVMGetFirstFunction(bodies); f; f = LLVMGetNextFunction(f)) {
    if (LLVMIsDeclaration(f))
      continue;
    make_general(f);
    if (declares(ctx, f))
      dad_vec_push(&names, dad_arena_printf(ctx->arena, "%s", dad_name(f)));
  }
  if (!names.n) {
    LLVMDisposeModule(bodies);
    return;
  }
  LLVMSetTarget(bodies, LLVMGetTarget(ctx->module));
  LLVMSetDataLayout(bodies, LLVMGetDataLayoutStr(ctx->module));
  if (LLVMLinkModules2(ctx->module, bodies))
    return; /* they stay without a body, and are refused where it matters */
  for (unsigned k = 0; k < names.n; k++)
    LLVMSetLinkage(LLVMGetNamedFunction(ctx->module, names.at[k]), LLVMInternalLinkage);
}
