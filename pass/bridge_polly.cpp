// bridge_polly.cpp: SCoPs as struct dad_scop. The only file that includes Polly's headers; see bridge_polly.h for what each function does.
extern "C" {
#include "bridge_polly.h"
}

#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/RegionInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Dominators.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"
#include "polly/ScopDetection.h"
#include "polly/ScopInfo.h"
#include "polly/Simplify.h"

#include <isl/options.h>

using namespace llvm;

struct dad_polly {
  LoopAnalysisManager Loops;
  FunctionAnalysisManager Functions;
  CGSCCAnalysisManager Components;
  ModuleAnalysisManager Modules;
  std::unique_ptr<polly::ScopDetection> Detection;
  std::unique_ptr<polly::ScopInfo> Info;
  SmallVector<const Region *, 8> Found;
};

void dad_polly_configure(void) {
  static const char *const Options[][2] = {
      {"polly-process-unprofitable", "true"},     // its notion of profit is another
      {"polly-invariant-load-hoisting", "true"},  // pointers in structs, Fortran's scalars
      {"polly-on-isl-error-abort", "false"}};
  auto &Registered = cl::getRegisteredOptions();
  for (auto &Option : Options) {
    auto It = Registered.find(Option[0]);
    if (It != Registered.end())
      It->second->addOccurrence(0, Option[0], Option[1], true);
  }
}

struct dad_polly *dad_polly_open(LLVMValueRef Function) {
  auto *P = new dad_polly;
  auto &F = *unwrap<llvm::Function>(Function);
  PassBuilder Builder;
  Builder.registerModuleAnalyses(P->Modules);
  Builder.registerCGSCCAnalyses(P->Components);
  Builder.registerFunctionAnalyses(P->Functions);
  Builder.registerLoopAnalyses(P->Loops);
  Builder.crossRegisterProxies(P->Loops, P->Functions, P->Components, P->Modules);
  auto &DT = P->Functions.getResult<DominatorTreeAnalysis>(F);
  auto &SE = P->Functions.getResult<ScalarEvolutionAnalysis>(F);
  auto &LI = P->Functions.getResult<LoopAnalysis>(F);
  auto &RI = P->Functions.getResult<RegionInfoAnalysis>(F);
  auto &AA = P->Functions.getResult<AAManager>(F);
  auto &ORE = P->Functions.getResult<OptimizationRemarkEmitterAnalysis>(F);
  auto &AC = P->Functions.getResult<AssumptionAnalysis>(F);
  P->Detection = std::make_unique<polly::ScopDetection>(DT, SE, LI, RI, AA, ORE);
  P->Detection->detect(F);
  for (const Region *R : *P->Detection)
    P->Found.push_back(R);
  P->Info = std::make_unique<polly::ScopInfo>(F.getDataLayout(), *P->Detection, SE, LI, AA, DT, AC, ORE);
  return P;
}

void dad_polly_close(struct dad_polly *P) {
  P->Info.reset();   // models, then detection, then analyses
  P->Detection.reset();
  P->Modules.clear();
  P->Functions.clear();
  P->Loops.clear();
  delete P;
}

int dad_polly_count(const struct dad_polly *P) {
  return P->Found.size();
}

// ---- the model

namespace {

struct Builder {
  polly::Scop &S;
  struct dad_arena *Arena;
  template <class T> T *array(size_t N) { return static_cast<T *>(dad_arena_alloc(Arena, sizeof(T) * (N + 1))); }

  template <class T> static LLVMValueRef ref(T *V) { return V ? wrap(static_cast<Value *>(V)) : nullptr; }

  int indexOf(const polly::ScopArrayInfo *A) {
    int K = 0;
    for (polly::ScopArrayInfo *B : S.arrays()) {
      if (A == B)
        return K;
      K++;
    }
    return -1;
  }

  void fill(polly::ScopArrayInfo *A, dad_scop_container &C) {
    C.id = A->getBasePtrId().release();
    C.kind = static_cast<dad_scop_kind>(A->getKind());
    C.base = ref(A->getBasePtr());
    C.element = wrap(A->getElementType());
    C.n_dim = A->getNumberOfDimensions();
    C.size = array<isl_pw_aff *>(C.n_dim);
    for (int D = 0; D < C.n_dim; D++)
      if (A->getDimensionSize(D))
        C.size[D] = A->getDimensionSizePw(D).release();
    C.origin = indexOf(A->getBasePtrOriginSAI());
    auto *I = dyn_cast_or_null<Instruction>(A->getBasePtr());
    C.escapes = A->isExitPHIKind() || (A->isValueKind() && I && S.contains(I) && S.isEscaping(I));
  }

  void fill(polly::MemoryAccess *M, dad_scop_access &A) {
    A.direction = static_cast<dad_scop_direction>(M->getType());
    A.container = indexOf(M->getLatestScopArrayInfo());
    A.map = M->getLatestAccessRelation().release();
    A.instruction = ref(M->getAccessInstruction());
    A.value = ref(M->getAccessValue());
    A.element = wrap(M->getElementType());
    A.affine = M->isAffine();
    if (!M->isOriginalAnyPHIKind() || M->isRead())
      return;
    A.incoming = array<dad_scop_incoming>(M->getIncoming().size());
    for (auto &[Block, V] : M->getIncoming())
      A.incoming[A.n_incoming++] = {wrap(Block), ref(V)};
  }

  void fill(polly::ScopStmt &T, dad_scop_stmt &O) {
    O.polly = &T;
    O.id = T.getDomainId().release();
    O.domain = T.getDomain().release();
    O.time = T.getSchedule().release();
    O.branches = T.isRegionStmt();
    O.block = wrap(T.getEntryBlock());
    O.instruction = array<LLVMValueRef>(T.getInstructions().size());
    for (Instruction *I : T.getInstructions())
      O.instruction[O.n_instruction++] = ref(I);
    O.access = array<dad_scop_access>(T.size());
    for (polly::MemoryAccess *M : polly::getAccessesInOrder(T))
      fill(M, O.access[O.n_access++]);
  }

  dad_scop_range *ranges(const polly::Scop::MinMaxVectorTy &From, int &N) {
    auto *To = array<dad_scop_range>(From.size());
    for (auto &R : From)
      To[N++] = {R.first.copy(), R.second.copy()};
    return To;
  }

  void fill(polly::InvariantEquivClassTy &Class, dad_scop_hoist &H) {
    H.load = array<LLVMValueRef>(std::distance(Class.InvariantAccesses.begin(), Class.InvariantAccesses.end()));
    for (polly::MemoryAccess *M : Class.InvariantAccesses)
      H.load[H.n_load++] = ref(M->getAccessInstruction());
    H.when = Class.ExecutionContext.copy();
  }

  // The value of a parameter, as code at the end of the block that enters the region.
  LLVMValueRef valueOf(const SCEV *E) {
    if (auto *Unknown = dyn_cast<SCEVUnknown>(E))
      return ref(Unknown->getValue());
    BasicBlock *Entering = S.getEnteringBlock();
    Instruction *At = (Entering ? Entering : &S.getFunction().getEntryBlock())->getTerminator();
    SCEVExpander Expander(*S.getSE(), "dad");
    return Expander.isSafeToExpandAt(E, At) ? ref(Expander.expandCodeFor(E, E->getType(), At)) : nullptr;
  }

  void fillSets(dad_scop &O) {
    O.ctx = S.getIslCtx().get();
    O.entry = wrap(S.getEntry());
    O.exit = wrap(S.getExit());
    O.context = S.getContext().release();
    O.assumed = S.getAssumedContext().release();
    O.invalid = S.getInvalidContext().release();
    O.param = array<dad_scop_param>(S.getNumParams());
    for (const SCEV *E : S.parameters())
      O.param[O.n_param++] = {S.getIdForParam(E).release(), valueOf(E)};
  }

  void fillParts(dad_scop &O, const Region *R) {
    O.block = array<LLVMBasicBlockRef>(std::distance(R->block_begin(), R->block_end()));
    O.block[O.n_block++] = wrap(R->getEntry());
    for (BasicBlock *B : R->blocks())
      if (B != R->getEntry())
        O.block[O.n_block++] = wrap(B);
    O.container = array<dad_scop_container>(std::distance(S.arrays().begin(), S.arrays().end()));
    for (polly::ScopArrayInfo *A : S.arrays())
      fill(A, O.container[O.n_container++]);
    O.stmt = array<dad_scop_stmt>(S.getSize());
    for (polly::ScopStmt &T : S)
      fill(T, O.stmt[O.n_stmt++]);
    O.alias = array<dad_scop_alias>(S.getAliasGroups().size());
    for (auto &Group : S.getAliasGroups()) {
      dad_scop_alias &A = O.alias[O.n_alias++];
      A.written = ranges(Group.first, A.n_written);
      A.read = ranges(Group.second, A.n_read);
    }
    O.hoist = array<dad_scop_hoist>(S.getInvariantAccesses().size());
    for (auto &Class : S.getInvariantAccesses())
      fill(Class, O.hoist[O.n_hoist++]);
  }
};

} // namespace

struct dad_scop *dad_polly_scop(struct dad_polly *P, int I, struct dad_arena *Arena, unsigned long Quota) {
  polly::Scop *S = P->Info->getScop(P->Found[I]);
  if (!S)
    return nullptr;
  Builder Make{*S, Arena};
  isl_ctx *Ctx = S->getIslCtx().get();
  isl_options_set_on_error(Ctx, ISL_ON_ERROR_CONTINUE);
  isl_ctx_reset_operations(Ctx);
  isl_ctx_set_max_operations(Ctx, Quota);
  auto *O = Make.array<dad_scop>(1);
  O->arena = Arena;
  Make.fillSets(*O);
  Make.fillParts(*O, P->Found[I]);
  return O;
}

// ---- reasons

// The reason that was logged for the largest region inside "R" whose entry is "B".
static const polly::RejectReason *reasonAt(polly::ScopDetection &D, Region &R, BasicBlock *B) {
  const polly::RejectLog *Log = R.getEntry() == B ? D.lookupRejectionLog(&R) : nullptr;
  if (Log && Log->hasErrors())
    return Log->begin()->get();
  for (auto &Child : R)
    if (Child->contains(B))
      if (auto *Reason = reasonAt(D, *Child, B))
        return Reason;
  return nullptr;
}

const char *dad_polly_reject_reason(struct dad_polly *P, LLVMBasicBlockRef Block, struct dad_arena *Arena) {
  Region &Top = *P->Detection->getRI()->getTopLevelRegion();
  const polly::RejectReason *Reason = reasonAt(*P->Detection, Top, unwrap(Block));
  return Reason ? dad_arena_printf(Arena, "%s", Reason->getMessage().c_str()) : nullptr;
}
