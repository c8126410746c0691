// plugin.cpp: registration with LLVM's pass builder, and the command line options of option.def.
#include "bridge_llvm.h"

extern "C" {
#include "bridge_polly.h"
#include "driver/options.h"
}

#include "llvm/Config/llvm-config.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Plugins/PassPlugin.h"
#include "llvm/Support/CommandLine.h"

#include <string>

using namespace llvm;

extern "C" struct dad_options dad_options;
struct dad_options dad_options;

namespace {

#define OPTION_BOOL(name, flag, value, text) cl::opt<bool> Option_##name(flag, cl::desc(text), cl::init(value));
#define OPTION_INT(name, flag, value, text) cl::opt<int> Option_##name(flag, cl::desc(text), cl::init(value));
#define OPTION_STRING(name, flag, value, text) cl::opt<std::string> Option_##name(flag, cl::desc(text), cl::init(value));
#include "driver/option.def"

void readOptions() {
#define OPTION_BOOL(name, flag, value, text) dad_options.name = Option_##name;
#define OPTION_INT(name, flag, value, text) dad_options.name = Option_##name;
#define OPTION_STRING(name, flag, value, text) dad_options.name = Option_##name.c_str();
#include "driver/option.def"
}

// A file that is compiled for link-time optimisation: other bodies are still missing, so the linker's pipeline differentiates.
bool isBeforeLink(const Module &M) {
  return mdconst::extract_or_null<ConstantInt>(M.getModuleFlag("ThinLTO"));
}

struct DaceADPass : PassInfoMixin<DaceADPass> {
  bool AtLink;
  explicit DaceADPass(bool AtLink) : AtLink(AtLink) {}
  // Otherwise the pass would be skipped on modules of optnone functions and under opt-bisect.
  static bool isRequired() { return true; }
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    if (!AtLink && isBeforeLink(M))
      return PreservedAnalyses::all();
    readOptions();
    return dad_run_on_module(wrap(&M)) ? PreservedAnalyses::none() : PreservedAnalyses::all();
  }
};

bool parsePass(StringRef Name, ModulePassManager &MPM, ArrayRef<PassBuilder::PipelineElement>) {
  if (Name != "dacead")
    return false;
  MPM.addPass(DaceADPass(true));
  return true;
}

void registerPasses(PassBuilder &PB) {
  static const bool Once = (dad_polly_configure(), true);
  (void)Once;
  PB.registerPipelineStartEPCallback([](ModulePassManager &MPM, OptimizationLevel) { MPM.addPass(DaceADPass(false)); });
  PB.registerFullLinkTimeOptimizationEarlyEPCallback([](ModulePassManager &MPM, OptimizationLevel) { MPM.addPass(DaceADPass(true)); });
  PB.registerPipelineParsingCallback(parsePass);
}

} // namespace

// For front ends and JITs: differentiates all marker calls of a module. Returns whether the module changed.
extern "C" __attribute__((visibility("default"))) bool dacead_run_on_module(LLVMModuleRef M) {
  readOptions();
  return dad_run_on_module(M);
}

extern "C" LLVM_ATTRIBUTE_WEAK __attribute__((visibility("default"))) PassPluginLibraryInfo llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "DaceAD", LLVM_VERSION_STRING, registerPasses};
}
