// bridge_llvm.cpp: thin C functions over what only LLVM's C++ API offers. See bridge_llvm.h for what each does.
#include "bridge_llvm.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/InlineCost.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"
#include "llvm/Transforms/Utils/SSAUpdater.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

// ---- diagnostics

// The user's function that stands behind "F", which may be a copy called "dad.NAME".
static Function *userFunction(Function *F) {
  StringRef Name = F->getName();
  if (!Name.consume_front("dad."))
    return F;
  Function *User = F->getParent()->getFunction(Name);
  return User ? User : F;
}

// Where "I" stands in the source; what passes have moved is where it is first used.
static DebugLoc placeOf(const Instruction &I) {
  if (I.getDebugLoc())
    return I.getDebugLoc();
  DebugLoc First;
  for (const User *U : I.users()) {
    auto *UI = dyn_cast<Instruction>(U);
    DebugLoc Loc = UI ? UI->getDebugLoc() : DebugLoc();
    if (Loc && (!First || Loc.getLine() < First.getLine()))
      First = Loc;
  }
  return First;
}

void dad_bridge_diagnose(LLVMModuleRef M, dad_severity Severity, const char *Name, LLVMValueRef Where,
                         const char *Text) {
  LLVMContext &C = unwrap(M)->getContext();
  auto *I = dyn_cast_or_null<Instruction>(unwrap(Where));
  Function *F = I && I->getParent() ? I->getFunction() : dyn_cast_or_null<Function>(unwrap(Where));
  DebugLoc Loc = I ? placeOf(*I) : DebugLoc();
  if (!F) {
    if (Severity == DAD_ERROR || Severity == DAD_WARNING)
      C.diagnose(DiagnosticInfoGeneric("dacead: " + Twine(Text), Severity == DAD_ERROR ? DS_Error : DS_Warning));
    return;
  }
  F = userFunction(F);
  std::string Message = "dacead: " + std::string(Text);
  if (!Loc)
    Message += " in function '" + F->getName().str() + "'";
  DiagnosticLocation At = Loc ? DiagnosticLocation(Loc) : DiagnosticLocation(F->getSubprogram());
  auto Remark = [&](auto R) {
    R << Text;
    C.diagnose(R);
  };
  switch (Severity) {
  case DAD_ERROR: C.diagnose(DiagnosticInfoUnsupported(*F, Message, Loc, DS_Error)); break;
  case DAD_WARNING: C.diagnose(DiagnosticInfoUnsupported(*F, Message, Loc, DS_Warning)); break;
  case DAD_REMARK: Remark(OptimizationRemark("dacead", Name, At, &F->getEntryBlock())); break;
  case DAD_REMARK_ANALYSIS: Remark(OptimizationRemarkAnalysis("dacead", Name, At, &F->getEntryBlock())); break;
  case DAD_REMARK_MISSED: Remark(OptimizationRemarkMissed("dacead", Name, At, &F->getEntryBlock())); break;
  }
}

bool dad_bridge_remarks_wanted(LLVMModuleRef M) {
  const DiagnosticHandler *H = unwrap(M)->getContext().getDiagHandlerPtr();
  return H && (H->isMissedOptRemarkEnabled("dacead") || H->isAnalysisRemarkEnabled("dacead"));
}

void dad_bridge_place(LLVMValueRef V, char *Buffer, unsigned Size) {
  auto *I = dyn_cast_or_null<Instruction>(unwrap(V));
  const DebugLoc Loc = I ? placeOf(*I) : DebugLoc();
  if (Loc)
    snprintf(Buffer, Size, "%s:%u", Loc->getFilename().str().c_str(), Loc.getLine());
  else if (Size)
    Buffer[0] = 0;
}

// ---- copies and inlining

LLVMValueRef dad_bridge_clone(LLVMValueRef F, const char *Name) {
  ValueToValueMapTy Map;
  Function *Copy = CloneFunction(unwrap<Function>(F), Map);
  Copy->setName(Name);
  Copy->setLinkage(GlobalValue::InternalLinkage);
  Copy->setVisibility(GlobalValue::DefaultVisibility);
  Copy->setComdat(nullptr);
  Copy->setDSOLocal(true);
  return wrap(Copy);
}

LLVMValueRef dad_bridge_invoke_to_call(LLVMValueRef Invoke) {
  return wrap(changeToCall(unwrap<InvokeInst>(Invoke)));
}

// Can "F" call itself, through others or not?
static bool isRecursive(Function *F, DenseMap<Function *, bool> &Known) {
  auto It = Known.find(F);
  if (It != Known.end())
    return It->second;
  SmallPtrSet<Function *, 32> Seen;
  SmallVector<Function *, 32> Work{F};
  bool Found = false;
  while (!Work.empty() && !Found)
    for (Instruction &I : instructions(*Work.pop_back_val()))
      if (auto *Call = dyn_cast<CallBase>(&I))
        if (Function *G = Call->getCalledFunction()) {
          Found |= G == F;
          if (!G->isDeclaration() && Seen.insert(G).second)
            Work.push_back(G);
        }
  return Known[F] = Found;
}

// Variadic functions that ignore what follows their parameters (std::visit of the GNU library has some) are like others.
static bool readsVariadic(const Function *G) {
  return G->isVarArg() && any_of(instructions(*G), [](const Instruction &I) { return isa<VAStartInst>(I) || isa<VAArgInst>(I); });
}

bool dad_bridge_moves_bytes(LLVMValueRef FV) {
  for (Instruction &I : instructions(*unwrap<Function>(FV)))
    if (isa<LoadInst>(I) && I.getType()->isIntegerTy() && I.getType()->getIntegerBitWidth() < 32 && I.hasOneUse() && isa<StoreInst>(I.user_back()))
      return true;
  return false;
}

// Blocks that are copied byte by byte are whole numbers only where it is known what they are.
static bool copiesBlocks(Function *G) {
  constexpr unsigned Most = 60;
  return G->getInstructionCount() < Most && dad_bridge_moves_bytes(wrap(G));
}

static bool mayInline(CallBase *Call, Function *Into, Function *Original, DenseMap<Function *, bool> &Recursive) {
  Function *G = Call->getCalledFunction();
  if (!G || G->isDeclaration() || G == Into || G == Original || readsVariadic(G) || G->isInterposable())
    return false;
  bool Always = copiesBlocks(G);
  if (G->hasFnAttribute(Attribute::NoInline) && !G->hasFnAttribute(Attribute::OptimizeNone) && !Always)
    return false;   // -O0 marks everything optnone and noinline; only the user's own noinline counts
  if (G->hasFnAttribute("dacead-keep") || G->hasFnAttribute("dacead-generated") || G->hasFnAttribute(Attribute::StrictFP) || G->hasFnAttribute(Attribute::ReturnsTwice))
    return false;
  return (Always || !Call->getAttributes().hasFnAttr(Attribute::NoInline)) && !isRecursive(G, Recursive) && isInlineViable(*G).isSuccess();
}

unsigned dad_bridge_inline(LLVMValueRef FV, LLVMValueRef OV, unsigned Small, unsigned Budget) {
  Function *F = unwrap<Function>(FV), *Original = unwrap<Function>(OV);
  DenseMap<Function *, bool> Recursive;
  DenseMap<Function *, unsigned> Sizes;
  auto SizeOf = [&](CallBase *Call) {
    unsigned &S = Sizes[Call->getCalledFunction()];
    return S ? S : S = Call->getCalledFunction()->getInstructionCount() + 1;
  };
  unsigned Total = F->getInstructionCount(), Before = Total;
  for (bool Any = true; Any;) {
    Any = false;
    SmallVector<std::tuple<unsigned, unsigned, CallBase *>, 64> Calls;   // by size, then in order
    for (Instruction &I : instructions(*F))
      if (auto *Call = dyn_cast<CallBase>(&I))
        if (mayInline(Call, F, Original, Recursive))
          Calls.emplace_back(SizeOf(Call), Calls.size(), Call);
    llvm::sort(Calls);
    for (auto [Size, Order, Call] : Calls) {
      if ((Size > Small && Total + Size > Budget) || Total > 4 * Budget)
        continue;
      InlineFunctionInfo Info;
      if (!InlineFunction(*Call, Info, false, nullptr, false).isSuccess())
        continue;
      Total += Size;
      Any = true;
    }
  }
  return Total - Before;
}

// ---- loops and dominators

static DenseMap<const BasicBlock *, int> numberBlocks(const LLVMBasicBlockRef *Blocks, int N) {
  DenseMap<const BasicBlock *, int> Number;
  for (int I = 0; I < N; ++I)
    Number[unwrap(Blocks[I])] = I;
  return Number;
}

int dad_bridge_shape(LLVMValueRef FV, const LLVMBasicBlockRef *Blocks, int N, int *LoopOf, int *Dominator,
                     int *PostDominator, dad_bridge_loop *Loops) {
  Function *F = unwrap<Function>(FV);
  DominatorTree DT(*F);
  PostDominatorTree PDT(*F);
  LoopInfo LI(DT);
  auto Number = numberBlocks(Blocks, N);
  auto NumberOf = [&](const BasicBlock *B) { return B ? Number[B] : -1; };
  DenseMap<Loop *, int> Ids;
  int K = 0;
  for (Loop *L : LI.getLoopsInPreorder()) {
    Ids[L] = K;
    Loops[K++] = {L->getParentLoop() ? Ids[L->getParentLoop()] : -1, NumberOf(L->getHeader()),
                  NumberOf(L->getLoopLatch()), NumberOf(L->getLoopPreheader())};
  }
  for (int I = 0; I < N; ++I) {
    BasicBlock *B = unwrap(Blocks[I]);
    Loop *L = LI.getLoopFor(B);
    LoopOf[I] = L ? Ids[L] : -1;
    auto Parent = [&](auto *Node) { return Node && Node->getIDom() ? NumberOf(Node->getIDom()->getBlock()) : -1; };
    Dominator[I] = Parent(DT.getNode(B));
    PostDominator[I] = Parent(PDT.getNode(B));
  }
  return K;
}

unsigned dad_bridge_count_loops(LLVMValueRef F) {
  DominatorTree DT(*unwrap<Function>(F));
  return LoopInfo(DT).getLoopsInPreorder().size();
}

void dad_bridge_trip_counts(LLVMValueRef FV, const LLVMBasicBlockRef *Headers, int N, LLVMValueRef *Counts) {
  Function &F = *unwrap<Function>(FV);
  DominatorTree DT(F);
  LoopInfo LI(DT);
  AssumptionCache AC(F);
  TargetLibraryInfoImpl LibraryInfo(F.getParent()->getTargetTriple());
  TargetLibraryInfo Library(LibraryInfo);
  ScalarEvolution SE(F, Library, AC, DT, LI);
  Type *I64 = Type::getInt64Ty(F.getContext());
  for (int I = 0; I < N; ++I) {
    Loop *L = LI.getLoopFor(unwrap(Headers[I]));
    Counts[I] = nullptr;
    if (!L || !L->getExitingBlock() || !L->getLoopPreheader())
      continue;
    const SCEV *Taken = SE.getBackedgeTakenCount(L);
    if (isa<SCEVCouldNotCompute>(Taken) || SE.getTypeSizeInBits(Taken->getType()) > 64)
      continue;
    const SCEV *Count = SE.getNoopOrZeroExtend(Taken, I64);
    SCEVExpander Expander(SE, "trip");
    Instruction *At = L->getLoopPreheader()->getTerminator();
    if (Expander.isSafeToExpandAt(Count, At))
      Counts[I] = wrap(Expander.expandCodeFor(Count, I64, At));
  }
}

void dad_bridge_steps(LLVMValueRef FV, const LLVMValueRef *Stores, unsigned N, int64_t *Steps) {
  Function &F = *unwrap<Function>(FV);
  DominatorTree DT(F);
  LoopInfo LI(DT);
  AssumptionCache AC(F);
  TargetLibraryInfoImpl LibraryInfo(F.getParent()->getTargetTriple());
  TargetLibraryInfo Library(LibraryInfo);
  ScalarEvolution SE(F, Library, AC, DT, LI);
  for (unsigned I = 0; I < N; ++I) {
    auto *Store = cast<StoreInst>(unwrap(Stores[I]));
    auto *Address = dyn_cast<SCEVAddRecExpr>(SE.getSCEV(Store->getPointerOperand()));
    const SCEVConstant *Step = nullptr;
    if (Address && Address->isAffine() && Address->getLoop() == LI.getLoopFor(Store->getParent()))
      Step = dyn_cast<SCEVConstant>(Address->getStepRecurrence(SE));
    Steps[I] = Step && Step->getAPInt().getSignificantBits() <= 64 ? Step->getAPInt().getSExtValue() : 0;
  }
}

// ---- alias queries

struct dad_bridge_alias {
  PassBuilder PB;
  LoopAnalysisManager LAM;
  FunctionAnalysisManager FAM;
  CGSCCAnalysisManager CGAM;
  ModuleAnalysisManager MAM;
  AAResults *Results = nullptr;
  std::unique_ptr<BatchAAResults> Batch;
  DenseMap<std::pair<const Value *, const Value *>, bool> Known;   // pairs of bases of stores and loads

  ~dad_bridge_alias() {   // the proxies must die in this order
    Batch.reset();
    MAM.clear();
    CGAM.clear();
    FAM.clear();
    LAM.clear();
  }
};

dad_bridge_alias *dad_bridge_alias_open(LLVMValueRef F) {
  auto *A = new dad_bridge_alias;
  A->PB.registerModuleAnalyses(A->MAM);
  A->PB.registerCGSCCAnalyses(A->CGAM);
  A->PB.registerFunctionAnalyses(A->FAM);
  A->PB.registerLoopAnalyses(A->LAM);
  A->PB.crossRegisterProxies(A->LAM, A->FAM, A->CGAM, A->MAM);
  A->Results = &A->FAM.getResult<AAManager>(*unwrap<Function>(F));
  A->Batch = std::make_unique<BatchAAResults>(*A->Results);
  A->Batch->enableCrossIterationMode();
  return A;
}

// The write may run in another iteration than the load, and the reverse sweep reads the cell once more after everything. So the
// query is about all of the memory around both bases, in cross-iteration mode (else two phis that swap pointers are "no alias"),
// without metadata: types say only that the primal never reads the old type again, and scopes hold within one iteration.
bool dad_bridge_alias_clobbers(dad_bridge_alias *A, LLVMValueRef Writer, LLVMValueRef Load) {
  const Value *Base = cast<LoadInst>(unwrap(Load))->getPointerOperand()->stripInBoundsOffsets();
  MemoryLocation Read = MemoryLocation::getBeforeOrAfter(Base);
  auto *Store = dyn_cast<StoreInst>(unwrap(Writer));
  if (!Store)
    return isModSet(A->Batch->getModRefInfo(cast<Instruction>(unwrap(Writer)), Read));
  const Value *Target = Store->getPointerOperand()->stripInBoundsOffsets();
  auto [It, New] = A->Known.try_emplace({Target, Base}, false);
  if (New)
    It->second = !A->Batch->isNoAlias(MemoryLocation::getBeforeOrAfter(Target), Read);
  return It->second;
}

// The same for the bytes of this load alone, in the writer's loop: what its result would be if it ran elsewhere.
bool dad_bridge_alias_writes(dad_bridge_alias *A, LLVMValueRef Writer, LLVMValueRef Load) {
  MemoryLocation Read = MemoryLocation::get(cast<LoadInst>(unwrap(Load))).getWithoutAATags();
  auto *Store = dyn_cast<StoreInst>(unwrap(Writer));
  if (!Store)
    return isModSet(A->Batch->getModRefInfo(cast<Instruction>(unwrap(Writer)), Read));
  return !A->Batch->isNoAlias(MemoryLocation::get(Store).getWithoutAATags(), Read);
}

void dad_bridge_alias_close(dad_bridge_alias *A) {
  delete A;
}

void dad_bridge_add_scopes(LLVMValueRef Access, LLVMMetadataRef In, LLVMMetadataRef NotIn) {
  auto *I = unwrap<Instruction>(Access);
  auto Add = [&](unsigned Kind, LLVMMetadataRef List) {
    if (List)
      I->setMetadata(Kind, MDNode::concatenate(I->getMetadata(Kind), unwrap<MDNode>(List)));
  };
  Add(LLVMContext::MD_alias_scope, In);
  Add(LLVMContext::MD_noalias, NotIn);
}

// Promotes "A" by a search from each load back to the stores that reach it.
static void promoteNear(AllocaInst *A) {
  SmallVector<Instruction *, 16> Accesses;
  for (User *U : A->users())
    Accesses.push_back(cast<Instruction>(U));
  // Users come in reverse order of their making; the promoter wants none in particular.
  SSAUpdater Updater;
  LoadAndStorePromoter(Accesses, Updater, A->getName()).run(Accesses);
  A->eraseFromParent();
}

// The search takes long where it passes many blocks, and dominance frontiers where an alloca has little to do with most of what its
// stores dominate. So those whose accesses are close to each other go the first way, the others the second, if they are not too many.
void dad_bridge_promote(const LLVMValueRef *Allocas, unsigned N) {
  constexpr unsigned Near = 32, Limit = 20000000;
  if (!N)
    return;
  Function *F = unwrap<Instruction>(Allocas[0])->getFunction();
  DenseMap<const BasicBlock *, unsigned> Place;
  for (BasicBlock *B : ReversePostOrderTraversal<Function *>(F))
    Place[B] = Place.size();
  SmallVector<AllocaInst *, 64> Far;
  for (unsigned K = 0; K < N; ++K) {
    auto *A = cast<AllocaInst>(unwrap(Allocas[K]));
    unsigned First = Place.size(), Last = 0;
    for (User *U : A->users()) {
      unsigned At = Place.lookup(cast<Instruction>(U)->getParent());
      First = std::min(First, At);
      Last = std::max(Last, At);
    }
    if (Last <= First + Near)
      promoteNear(A);
    else
      Far.push_back(A);
  }
  if (Far.size() * Place.size() > Limit) {
    for (AllocaInst *A : Far)
      promoteNear(A);
    return;
  }
  DominatorTree DT(*F);
  if (!Far.empty())
    PromoteMemToReg(Far, DT);
}

// ---- attributes and debug locations of new functions

void dad_bridge_copy_treatment(LLVMValueRef FromV, LLVMValueRef ToV) {
  Function *From = unwrap<Function>(FromV), *To = unwrap<Function>(ToV);
  for (Attribute A : From->getAttributes().getFnAttrs())
    if (A.isStringAttribute() && !A.getKindAsString().starts_with("dacead"))
      To->addFnAttr(A);
  for (Attribute::AttrKind K : {Attribute::StrictFP, Attribute::SanitizeAddress, Attribute::SanitizeThread, Attribute::SanitizeMemory,
                                Attribute::UWTable, Attribute::NoImplicitFloat, Attribute::StackProtect,
                                Attribute::StackProtectStrong})
    if (From->hasFnAttribute(K))
      To->addFnAttr(From->getFnAttribute(K));
}

void dad_bridge_debug_scope(LLVMValueRef FunctionV, LLVMValueRef LikeV) {
  Function *F = unwrap<Function>(FunctionV);
  DISubprogram *Like = unwrap<Function>(LikeV)->getSubprogram();
  if (!Like)
    return;
  auto *New = DISubprogram::getDistinct(
      F->getContext(), Like->getScope(), F->getName(), F->getName(), Like->getFile(), Like->getLine(), Like->getType(),
      Like->getScopeLine(), nullptr, 0, 0, DINode::FlagArtificial, DISubprogram::SPFlagDefinition | DISubprogram::SPFlagLocalToUnit,
      Like->getUnit());
  F->setSubprogram(New);
  DILocation *Here = DILocation::get(F->getContext(), Like->getLine(), 0, New);
  DenseMap<const MDNode *, MDNode *> Cache;
  auto Inlined = [&](DebugLoc Loc) { return DebugLoc::appendInlinedAt(Loc, Here, F->getContext(), Cache); };
  for (Instruction &I : instructions(*F)) {   // the user's lines, as if they had been inlined here
    DebugLoc Loc = I.getDebugLoc();
    I.setDebugLoc(Loc ? Inlined(Loc) : DebugLoc(Here));
    I.dropDbgRecords();   // the user's variables live elsewhere
    updateLoopMetadataDebugLocations(I, [&](Metadata *M) -> Metadata * {
      auto *L = dyn_cast_or_null<DILocation>(M);
      return L ? Inlined(DebugLoc(L)).get() : M;
    });
  }
}
