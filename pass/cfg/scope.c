/* scope.c: three scopes in one domain. */
#include "scope.h"

#include "../bridge_llvm.h"

#include <string.h>

enum scope { FRAME = 1, SHADOW = 2, PRIMAL = 4 };

/* Marks what was said about an access, so that dad_scope_rest passes it over. */
static const char mark[] = "dacead.scope";

static LLVMMetadataRef text(struct dad_context *ctx, const char *s) {
  return LLVMMDStringInContext2(ctx->llvm, s, strlen(s));
}

/* The list of the scopes in "set"; NULL if it is empty. */
static LLVMMetadataRef list(struct dad_context *ctx, unsigned set) {
  static const char *const names[] = {"dacead.frame", "dacead.shadow", "dacead.primal"};
  LLVMMetadataRef domain = text(ctx, "dacead"), scopes[3];
  unsigned n = 0;
  domain = LLVMMDNodeInContext2(ctx->llvm, &domain, 1);
  for (unsigned k = 0; k < 3; k++)
    if (set & 1u << k) {
      LLVMMetadataRef parts[2] = {text(ctx, names[k]), domain};
      scopes[n++] = LLVMMDNodeInContext2(ctx->llvm, parts, 2);
    }
  return n ? LLVMMDNodeInContext2(ctx->llvm, scopes, n) : NULL;
}

/* "access" is in the scopes "in" and overlaps nothing in the scopes "not". */
static void say(struct dad_context *ctx, LLVMValueRef access, unsigned in, unsigned not) {
  unsigned kind = LLVMGetMDKindIDInContext(ctx->llvm, mark, sizeof mark - 1);
  dad_bridge_add_scopes(access, list(ctx, in), list(ctx, not));
  LLVMSetMetadata(access, kind, LLVMMetadataAsValue(ctx->llvm, LLVMMDNodeInContext2(ctx->llvm, NULL, 0)));
}

void dad_scope_frame(struct dad_context *ctx, LLVMValueRef access) {
  say(ctx, access, FRAME, SHADOW | PRIMAL);
}
void dad_scope_shadow(struct dad_context *ctx, LLVMValueRef access) {
  say(ctx, access, SHADOW, FRAME | PRIMAL);
}
void dad_scope_either(struct dad_context *ctx, LLVMValueRef access) {
  say(ctx, access, SHADOW | PRIMAL, FRAME);
}

void dad_scope_rest(struct dad_context *ctx, LLVMValueRef function) {
  unsigned kind = LLVMGetMDKindIDInContext(ctx->llvm, mark, sizeof mark - 1);
  DAD_FOR_BLOCKS(block, function)
    DAD_FOR_INSTRUCTIONS(i, block) {
      if (!LLVMIsALoadInst(i) && !LLVMIsAStoreInst(i))
        continue;
      if (LLVMGetMetadata(i, kind))
        LLVMSetMetadata(i, kind, NULL);
      else
        dad_bridge_add_scopes(i, list(ctx, PRIMAL), list(ctx, FRAME | SHADOW));
    }
}
