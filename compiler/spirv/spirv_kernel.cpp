#include "compiler/spirv/spirv_kernel.h"

#include <fmt/format.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/IRReader/IRReader.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Target/TargetOptions.h>

extern "C" void LLVMInitializeSPIRVTargetInfo();
extern "C" void LLVMInitializeSPIRVTarget();
extern "C" void LLVMInitializeSPIRVTargetMC();
extern "C" void LLVMInitializeSPIRVAsmPrinter();

namespace msci {
namespace {

constexpr unsigned usual_threads = 256;  // of a threadgroup; all registers can be used up to 384

// Sets an option of LLVM, which belongs to the process.
void set_option(llvm::StringRef name, llvm::StringRef value) {
  auto& options = llvm::cl::getRegisteredOptions();
  if (const auto found = options.find(name);
      found != options.end() && found->second->getNumOccurrences() == 0)
    found->second->addOccurrence(0, name, value);
}

std::unique_ptr<llvm::TargetMachine> make_machine(std::string& problem) {
  LLVMInitializeSPIRVTargetInfo();
  LLVMInitializeSPIRVTarget();
  LLVMInitializeSPIRVTargetMC();
  LLVMInitializeSPIRVAsmPrinter();
  set_option("spirv-ext", "+SPV_KHR_bit_instructions");  // the order of bits reversed
  const llvm::Triple triple("spirv64-unknown-unknown");
  const auto* target = llvm::TargetRegistry::lookupTarget(triple, problem);
  if (!target) return nullptr;
  return std::unique_ptr<llvm::TargetMachine>(
      target->createTargetMachine(triple, "", "", {}, std::nullopt));
}

// One kernel in the form of OpenCL, with as many threads as it is compiled for.
llvm::Function& make_alone(llvm::Module& ir, llvm::Function& kernel, unsigned threads) {
  for (auto& function : llvm::make_early_inc_range(ir)) {
    if (&function == &kernel || function.isDeclaration()) continue;
    function.deleteBody();
    if (function.use_empty()) function.eraseFromParent();
  }
  kernel.setCallingConv(llvm::CallingConv::SPIR_KERNEL);
  // In three dimensions, so that no position of a thread is known to be 0.
  const unsigned z = threads % 32 == 0 ? 4 : 1, y = threads % 32 == 0 ? 8 : 1;
  auto& context = ir.getContext();
  llvm::IRBuilder<> builder(context);
  const auto constant = [&](unsigned value) {
    return llvm::ConstantAsMetadata::get(builder.getInt32(value));
  };
  kernel.setMetadata(
      "reqd_work_group_size",
      llvm::MDNode::get(context, {constant(threads / y / z), constant(y), constant(z)}));
  // Products and sums may be contracted, as in Metal.
  ir.getOrInsertNamedMetadata("opencl.enable.FP_CONTRACT");
  return kernel;
}

// Loops over private arrays that remain would become accesses of memory: unrolls as far as
// compilers of GPUs do.
void optimise_for_gpu(llvm::Module& ir, llvm::TargetMachine& machine) {
  set_option("unroll-threshold", "2000");
  // An access adds an index of 32 bits itself: indices stay what they are.
  set_option("indvars-widen-indvars", "false");
  set_option("disable-lsr", "true");
  llvm::PipelineTuningOptions tuning;
  tuning.LoopVectorization = tuning.SLPVectorization = tuning.LoopInterleaving = false;
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(&machine, tuning);
  llvm::TargetLibraryInfoImpl library(machine.getTargetTriple());
  library.disableAllFunctions();  // memset and the like, which no GPU has
  functions.registerPass([&] { return llvm::TargetLibraryAnalysis(library); });
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O3).run(ir, modules);
}

Result<std::string> emitted(llvm::Module& ir, llvm::TargetMachine& machine) {
  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream stream(bytes);
  llvm::legacy::PassManager passes;
  if (machine.addPassesToEmitFile(passes, stream, nullptr, llvm::CodeGenFileType::ObjectFile))
    return Error{"LLVM's SPIR-V target writes no object files"};
  passes.run(ir);
  return std::string(bytes.begin(), bytes.end());
}

}  // namespace

Result<SpirvKernel> spirv_of(const Translation& translation, const KernelSignature& kernel) {
  llvm::LLVMContext context;
  llvm::SMDiagnostic problem;
  const auto ir = llvm::parseIR(llvm::MemoryBufferRef(translation.ir, "kernels"), problem, context);
  if (!ir) return Error{"reading the translated kernels: " + problem.getMessage().str()};
  std::string missing;
  const auto machine = make_machine(missing);
  if (!machine) return Error{"LLVM has no SPIR-V target: " + missing};
  auto* old = ir->getFunction(kernel.symbol);
  if (!old || old->isDeclaration())
    return Error{fmt::format("the translation has no code of kernel '{}'", kernel.name)};
  ir->setTargetTriple(machine->getTargetTriple());
  ir->setDataLayout(machine->createDataLayout());
  auto& function =
      make_alone(*ir, *take_host_values(*old, kernel), kernel.thread_limit.value_or(usual_threads));
  if (const auto error = call_opencl_functions(function)) return *error;
  std::string invalid;
  llvm::raw_string_ostream stream(invalid);
  if (llvm::verifyModule(*ir, &stream))
    return Error{"msci made invalid code for SPIR-V; please report this: " + invalid};
  optimise_for_gpu(*ir, *machine);
  extend_again(function);
  SpirvKernel result{.operations = operations_of(function)};
  llvm::StripDebugInfo(*ir);
  auto module = emitted(*ir, *machine);
  if (!module) return module.error();
  result.module = *std::move(module);
  return result;
}

}  // namespace msci
