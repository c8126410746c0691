/* context.h: what everything in the compiler half needs to know about the module at hand. There is no global state. */
#ifndef DAD_CONTEXT_H
#define DAD_CONTEXT_H

#include "../base/arena.h"
#include "../base/map.h"
#include "../base/vec.h"
#include "diag.h"
#include "options.h"

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>
#include <stdbool.h>

/* The functions of split mode for one function and one choice of activities. */
struct dad_split_pair {
  LLVMValueRef function;         /* the user's */
  unsigned n_args;               /* its parameters */
  const int *activity;           /* enum dad_activity of each */
  LLVMValueRef forward, reverse; /* the generated pair */
};

/* One module being processed. */
struct dad_context {
  LLVMModuleRef module;      /* the user's module */
  LLVMContextRef llvm;       /* its context */
  LLVMTargetDataRef target;  /* its data layout */
  LLVMBuilderRef builder;    /* the one builder; whoever moves it positions it */
  LLVMTypeRef i1, i8, i16, i32, i64;
  LLVMTypeRef f32, f64, f80; /* float, double, x86_fp80 */
  LLVMTypeRef ptr, none;     /* pointers of address space 0; void */
  struct dad_arena *arena;   /* lives as long as the context */
  struct dad_map registered; /* function or global -> struct dad_registration (driver/registry.h) */
  struct dad_vec detached;   /* instructions taken out of their blocks; deleted at the end, because
                                maps are keyed by address and a reused address would lie */
  struct dad_vec split_pairs; /* struct dad_split_pair *: both halves of split mode share their functions */
  unsigned errors;           /* errors reported so far */
};

#endif
