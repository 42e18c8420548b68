#include "engine/jit.h"

#include <fmt/format.h>
#include <llvm/AsmParser/Parser.h>
#include <llvm/ExecutionEngine/Orc/AbsoluteSymbols.h>
#include <llvm/ExecutionEngine/Orc/CompileUtils.h>
#include <llvm/ExecutionEngine/Orc/ExecutionUtils.h>
#include <llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h>
#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/IRReader/IRReader.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Transforms/IPO/AlwaysInliner.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/ADCE.h>
#include <llvm/Transforms/Scalar/DeadStoreElimination.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/GVN.h>
#include <llvm/Transforms/Scalar/JumpThreading.h>
#include <llvm/Transforms/Scalar/LICM.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/LoopRotation.h>
#include <llvm/Transforms/Scalar/LoopUnrollPass.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Scalar/Sink.h>

#include <array>
#include <bit>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <numeric>

#include "analysis/coverage/passes/cover_outcomes.h"
#include "analysis/profile/passes/count_work.h"
#include "compiler/numeric_meaning.h"
#include "engine/check/check_functions.h"
#include "engine/fault_guard.h"
#include "engine/isolation/guard_accesses.h"
#include "engine/lane_math.h"
#include "engine/lanes/lanes.h"
#include "engine/profile/work_counter.h"
#include "engine/readable_assembly.h"
#include "engine/threadgroup/threadgroup.h"
#include "engine/vectors/specialise.h"
#include "engine/vectors/vectorise.h"

#ifdef __x86_64__
// Of the compiler's library: LLVM calls them on processors without instructions for halves.
extern "C" _Float16 __truncsfhf2(float);
extern "C" _Float16 __truncdfhf2(double);
extern "C" float __extendhfsf2(_Float16);
#endif

namespace msci::engine {
namespace {

// What depends on the processor: functions that LLVM may call on it, and libraries that define
// others; "" is this program. Only x86 has libmvec in all versions of glibc.
#ifdef __x86_64__
const std::array half_functions = {
    std::pair("__truncsfhf2", reinterpret_cast<void*>(&__truncsfhf2)),
    std::pair("__truncdfhf2", reinterpret_cast<void*>(&__truncdfhf2)),
    std::pair("__extendhfsf2", reinterpret_cast<void*>(&__extendhfsf2))};
constexpr std::array libraries = {"libmvec.so.1", "libm.so.6", ""};
#else
const std::array<std::pair<const char*, void*>, 0> half_functions = {};
constexpr std::array libraries = {"libm.so.6", ""};
#endif

namespace orc = llvm::orc;

Error ours(llvm::Error error, std::string_view doing) {
  return Error{fmt::format("{}: {}", doing, llvm::toString(std::move(error)))};
}

unsigned vector_bits(const llvm::SubtargetFeatures& features) {
  const auto has = [&](const char* name) {
    return llvm::is_contained(features.getFeatures(), std::string("+") + name);
  };
  if (has("avx512f") && has("avx512bw") && has("avx512vl") && has("avx512dq")) return 512;
  return has("avx2") ? 256 : 128;
}

// On each function of a kernel: code of more instructions is generated without optimisation.
constexpr llvm::StringRef most_optimised_attribute = "msci-most-optimised";

// LLVM's time for good code grows faster than the code: seven seconds for an unrolled kernel with
// checks of 50,000 instructions, which takes 0.8 s without. A checked kernel runs once, mostly at
// small sizes. One whose outcomes are marked is judged, and never timed; it runs for less time than
// LLVM takes if it is very large: good code for an unrolled kernel of 36,000 instructions takes six
// seconds more, and saves two.
unsigned most_optimised(const VectorOptions& options, Work work, bool is_marked) {
  if (options.checked) return work == Work::much ? 3000 : work == Work::little ? 1000 : 0;
  return is_marked ? 20000 : ~0U;
}

bool wants_quick_code(const llvm::Module& ir) {
  return llvm::any_of(ir, [&](const auto& each) {
    unsigned most = 0;
    const auto limit = each.getFnAttribute(most_optimised_attribute).getValueAsString();
    return !limit.getAsInteger(10, most) && ir.getInstructionCount() > most;
  });
}

// Code without optimisation keeps every value in memory, a vector of 32 words at most.
constexpr std::size_t most_bytes_of_value = 128;

class Compiler final : public orc::SimpleCompiler {
 public:
  explicit Compiler(std::unique_ptr<llvm::TargetMachine> machine)
      : SimpleCompiler(*machine), machine_(std::move(machine)) {}

  llvm::Expected<CompileResult> operator()(llvm::Module& ir) override {
    machine_->setOptLevel(wants_quick_code(ir) ? llvm::CodeGenOptLevel::None
                                               : llvm::CodeGenOptLevel::Default);
    return SimpleCompiler::operator()(ir);
  }

 private:
  std::unique_ptr<llvm::TargetMachine> machine_;
};

llvm::Expected<std::unique_ptr<orc::IRCompileLayer::IRCompiler>> make_compiler(
    orc::JITTargetMachineBuilder target) {
  auto machine = target.createTargetMachine();
  if (!machine) return machine.takeError();
  return std::make_unique<Compiler>(std::move(*machine));
}

// What a developer of the engine wants to see on standard error.
std::string_view what_to_show() {
  const auto* text = std::getenv("MSCI_ENGINE_SHOW");
  return text ? text : "";
}

// Tells how long the steps took, for who asks by the environment.
class StepClock {
 public:
  explicit StepClock(bool tells) : tells_(tells) {}
  void tell(std::string_view step, const llvm::Module& ir) {
    if (!tells_) return;
    const auto now = std::chrono::steady_clock::now();
    fmt::print(stderr, "{:>10}: {:6.1f} ms, {} instructions after it\n", step,
               std::chrono::duration<double, std::milli>(now - last_).count(),
               ir.getInstructionCount());
    last_ = std::chrono::steady_clock::now();
  }

 private:
  bool tells_;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

// What vectorise() leaves to do: slots become registers, and what lanes share is computed once.
// Of a checked kernel, what only the rarer paths behind its checks need is computed there.
void optimise(llvm::Module& ir, llvm::TargetMachine& machine, bool checked, Work work) {
  const bool quickly = work != Work::much && wants_quick_code(ir);
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(&machine);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);

  llvm::FunctionPassManager passes;
  passes.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  passes.addPass(llvm::EarlyCSEPass(true));
  passes.addPass(llvm::InstCombinePass());
  passes.addPass(llvm::SimplifyCFGPass());
  if (!quickly) {
    passes.addPass(llvm::JumpThreadingPass());
    passes.addPass(llvm::SimplifyCFGPass());
  }
  llvm::LoopPassManager invariant;
  invariant.addPass(llvm::LoopRotatePass());
  invariant.addPass(llvm::LICMPass(llvm::LICMOptions()));
  passes.addPass(
      llvm::createFunctionToLoopPassAdaptor(std::move(invariant), /*UseMemorySSA=*/true));
  if (quickly) {
    passes.addPass(llvm::EarlyCSEPass(true));
  } else {
    passes.addPass(llvm::GVNPass());
    passes.addPass(llvm::InstCombinePass());
    passes.addPass(llvm::DSEPass());
    passes.addPass(llvm::LoopUnrollPass(llvm::LoopUnrollOptions(2)));
    passes.addPass(llvm::EarlyCSEPass());
    passes.addPass(llvm::InstCombinePass());
  }
  passes.addPass(llvm::SimplifyCFGPass());
  passes.addPass(llvm::ADCEPass());
  if (checked) passes.addPass(llvm::SinkingPass());
  llvm::ModulePassManager all;
  all.addPass(llvm::AlwaysInlinerPass());
  all.addPass(llvm::GlobalDCEPass());
  all.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(passes)));
  all.run(ir, modules);
}

}  // namespace

namespace {

// Rounds to bfloat, to the nearest and ties to even. LLVM calls it on processors that cannot; GCC's
// library lacks it. The result is in the low half of the register, where the caller reads it.
float round_to_bfloat(float value) {
  auto bits = std::bit_cast<std::uint32_t>(value);
  const bool nan = (bits & 0x7fffffffU) > 0x7f800000U;
  bits = nan ? bits | 0x400000U : bits + 0x7fffU + ((bits >> 16) & 1U);
  return std::bit_cast<float>(bits >> 16);
}

}  // namespace

struct Jit::Parts {
  orc::JITTargetMachineBuilder target;
  std::unique_ptr<llvm::TargetMachine> machine;
  std::unique_ptr<orc::LLJIT> jit;
  unsigned bits = 128;
  unsigned count = 0;  // of compiled kernels

  // The processor's features that come with vectors of at most so many bits.
  std::string features_with(unsigned most_bits) {
    const auto* narrower = most_bits < 256 ? ",-avx512f,-avx2,-avx" : ",-avx512f";
    return target.getFeatures().getString() + narrower;
  }
};

Jit::Jit(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
Jit::~Jit() = default;

Result<std::unique_ptr<Jit>> Jit::make() {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  auto target = orc::JITTargetMachineBuilder::detectHost();
  if (!target) return ours(target.takeError(), "asking what this processor is");
  target->setCodeGenOptLevel(llvm::CodeGenOptLevel::Default);
  target->getOptions().TrapUnreachable = true;  // nothing runs on into what follows the code
  // With AVX2 alone, LLVM gathers only on processors whose gathers it takes for fast. On others it
  // makes a branch for each lane, and a long kernel takes minutes to compile.
  if (vector_bits(target->getFeatures()) >= 256)
    target->addFeatures({"+fast-gather", "-prefer-no-gather"});
  auto parts = std::make_unique<Parts>(Parts{.target = *target});
  parts->bits = vector_bits(target->getFeatures());
  auto machine = target->createTargetMachine();
  if (!machine) return ours(machine.takeError(), "generating code for this processor");
  parts->machine = std::move(*machine);
  auto jit = orc::LLJITBuilder()
                 .setJITTargetMachineBuilder(*target)
                 .setCompileFunctionCreator(make_compiler)
                 .create();
  if (!jit) return ours(jit.takeError(), "generating code for this processor");
  parts->jit = std::move(*jit);

  auto& library = parts->jit->getMainJITDylib();
  orc::SymbolMap symbols;
  const auto add = [&](const std::string& name, void* address) {
    symbols[parts->jit->mangleAndIntern(name)] = {orc::ExecutorAddr::fromPtr(address),
                                                  llvm::JITSymbolFlags::Exported};
  };
  for (const auto& functions : {lane_math(), check_functions(), count_functions()})
    for (const auto& [name, address] : functions) add(name, address);
  for (const auto& [name, address] : half_functions) add(name, address);
  add("__truncsfbf2", reinterpret_cast<void*>(&round_to_bfloat));
  add("msci_engine_meet", reinterpret_cast<void*>(&meet));
  add("msci_engine_wait", reinterpret_cast<void*>(&wait_for_threadgroup));
  add(std::string(guard_failure), reinterpret_cast<void*>(&stop_outside));
  if (auto error = library.define(orc::absoluteSymbols(std::move(symbols))))
    return ours(std::move(error), "preparing the engine");
  const char prefix = parts->jit->getDataLayout().getGlobalPrefix();
  for (const char* name : libraries) {
    auto generator = *name ? orc::DynamicLibrarySearchGenerator::Load(name, prefix)
                           : orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(prefix);
    if (!generator) return ours(generator.takeError(), "loading the vector mathematics library");
    library.addGenerator(std::move(*generator));
  }
  return std::unique_ptr<Jit>(new Jit(std::move(parts)));
}

namespace {

// The translated module with the body of one kernel, which exists, alone. `ir`: bitcode or text.
Result<std::unique_ptr<llvm::Module>> parse_kernel(std::string_view ir, const std::string& kernel,
                                                   llvm::LLVMContext& context) {
  llvm::SMDiagnostic problem;
  auto module = llvm::parseIR(
      llvm::MemoryBufferRef(llvm::StringRef(ir.data(), ir.size()), "kernels"), problem, context);
  if (!module) return Error{"reading the translated kernels: " + problem.getMessage().str()};
  const auto* function = module->getFunction(kernel);
  if (!function) return Error{fmt::format("the translation lacks kernel '{}'", kernel)};
  for (auto& other : *module)
    if (&other != function && !other.isDeclaration()) other.deleteBody();
  return module;
}

}  // namespace

// A module of this processor with the code for one kernel.
struct Jit::Code {
  std::unique_ptr<llvm::LLVMContext> context;
  std::unique_ptr<llvm::Module> module;
  CompiledKernel compiled;
};

Result<Jit::Code> Jit::code_of(std::string_view ir, const std::string& kernel,
                               VectorOptions options, bool lane_by_lane, Work work) {
  const auto shown = what_to_show();
  StepClock clock(shown == "times");
  auto context = std::make_unique<llvm::LLVMContext>();
  auto parsed = parse_kernel(ir, kernel, *context);
  if (!parsed) return parsed.error();
  auto module = *std::move(parsed);
  auto* function = module->getFunction(kernel);

  if (!options.counted) drop_counts(*function);
  if (!options.covered) drop_outcomes(*function);
  const bool keeps = function->hasFnAttribute(keeps_denormals);
  const auto* denormals = keeps ? "ieee,ieee" : "preserve-sign,preserve-sign";
  const auto number = parts_->count++;
  options.vector_bits = std::min(options.vector_bits, parts_->bits);
  auto made = lane_by_lane
                  ? std::move(module)
                  : std::make_unique<llvm::Module>(fmt::format("kernel{}", number), *context);
  made->setDataLayout(parts_->jit->getDataLayout());
  made->setTargetTriple(parts_->jit->getTargetTriple());
  CompiledKernel compiled{.needs = lane_by_lane ? make_lane_code(*function, options.shape)
                                                : vectorise(*function, *made, options)};
  compiled.keeps_denormals = keeps;
  compiled.has_shape = options.shape.has_value();
  const auto limit =
      std::to_string(most_optimised(options, work, /*is_marked=*/compiled.needs.outcomes > 0));
  module.reset();  // the JIT may drop the context as soon as it has the code
  for (auto& each : *made) {
    if (each.isDeclaration()) continue;
    each.addFnAttr("prefer-vector-width", std::to_string(options.vector_bits));
    each.addFnAttr("min-legal-vector-width", std::to_string(options.vector_bits));
    each.addFnAttr("denormal-fp-math", denormals);
    each.addFnAttr(most_optimised_attribute, limit);
    each.addFnAttr("probe-stack", "inline-asm");  // no frame reaches over the guard of its stack
    if (options.vector_bits < parts_->bits)
      each.addFnAttr("target-features", parts_->features_with(options.vector_bits));
  }
  clock.tell("vectorise", *made);
  if (shown == "vectors") made->print(llvm::errs(), nullptr);
#ifndef NDEBUG
  assert(!llvm::verifyModule(*made, &llvm::errs()) && "vectorise() makes valid IR");
#else
  if (!shown.empty() && llvm::verifyModule(*made, &llvm::errs())) std::abort();
#endif
  optimise(*made, *parts_->machine, options.checked, work);
  hide_partial_constants(*made);
  constexpr unsigned without_mask_registers = 256;
  if (options.vector_bits == without_mask_registers && !options.checked) store_whole_rows(*made);
  clock.tell("optimise", *made);
  if (wants_quick_code(*made))
    compiled.needs.stack_bytes += most_bytes_of_value * made->getInstructionCount();
  if (shown == "optimised") made->print(llvm::errs(), nullptr);
  return Code{std::move(context), std::move(made), std::move(compiled)};
}

Result<CompiledKernel> Jit::compile(std::string_view ir, const std::string& kernel,
                                    VectorOptions options, bool lane_by_lane, Work work) {
  auto code = code_of(ir, kernel, std::move(options), lane_by_lane, work);
  if (!code) return code.error();
  auto& compiled = code->compiled;
  StepClock clock(what_to_show() == "times");
  auto library = parts_->jit->createJITDylib(fmt::format("kernel{}", parts_->count));
  if (!library) return ours(library.takeError(), "compiling " + kernel);
  library->addToLinkOrder(parts_->jit->getMainJITDylib());
  if (auto error = parts_->jit->addIRModule(
          *library, orc::ThreadSafeModule(std::move(code->module), std::move(code->context))))
    return ours(std::move(error), "compiling " + kernel);
  auto symbol = parts_->jit->lookup(*library, compiled.needs.symbol);
  if (!symbol) return ours(symbol.takeError(), "compiling " + kernel);
  if (what_to_show() == "times")
    clock.tell("generate", llvm::Module("", *std::make_unique<llvm::LLVMContext>()));
  if (lane_by_lane) {
    compiled.run = &Lanes::run;
    compiled.lane = symbol->toPtr<LaneFunction>();
  } else {
    compiled.run = symbol->toPtr<KernelFunction>();
  }
  return compiled;
}

bool Jit::knows_only_its_grid(std::string_view ir, const std::string& kernel) {
  llvm::LLVMContext context;
  const auto parsed = parse_kernel(ir, kernel, context);
  if (!parsed) return false;  // compiling it says why
  const auto& module = *parsed;
  auto* function = module->getFunction(kernel);
  drop_counts(*function);
  drop_outcomes(*function);
  for (auto& global : module->globals()) global.removeDeadConstantUsers();
  return engine::knows_only_its_grid(*function);
}

Result<std::string> Jit::assembly(std::string_view ir, const std::string& kernel,
                                  const VectorOptions& options) {
  auto code = code_of(ir, kernel, options, /*lane_by_lane=*/false, Work::much);
  if (!code) return code.error();
  return readable_assembly(*code->module, *parts_->machine);
}

Result<const CompiledKernel*> Kernels::find(const std::string& symbol, std::optional<Extent> shape,
                                            const Execution& execution, bool distinct, bool counted,
                                            Work work, bool is_clipped) {
  const bool covered = execution.counted && !execution.lane_by_lane;
  const auto code_for = translation_.is_checked() ? work : Work::much;
  const auto key_of = [&](const std::optional<Extent>& shape, Work work) {
    return fmt::format("{} {} {} {} {} {} {} {} {}", symbol,
                       shape ? fmt::format("{}x{}x{}", shape->x, shape->y, shape->z) : "any",
                       execution.vector_bits, execution.lane_by_lane, distinct, counted, covered,
                       static_cast<int>(work), is_clipped);
  };
  if (work != Work::much) {
    if (const auto found = compiled_.find(key_of(shape, Work::much)); found != compiled_.end())
      return &found->second;
    shape.reset();
  }
  const auto key = key_of(shape, code_for);
  if (const auto found = compiled_.find(key); found != compiled_.end()) return &found->second;
  auto options = options_of(symbol, distinct);
  options.shape = shape;
  options.is_clipped = is_clipped;
  options.vector_bits = execution.vector_bits;
  options.counted = counted;
  options.covered = covered;
  auto compiled = jit_.compile(translation_.ir, symbol, options, execution.lane_by_lane, code_for);
  if (!compiled) return compiled.error();
  return &compiled_.emplace(key, *compiled).first->second;
}

Extent Kernels::shape_for(const std::string& symbol, const Extent& grid,
                          const Extent& threadgroup) {
  const bool divides =
      grid.x % threadgroup.x == 0 && grid.y % threadgroup.y == 0 && grid.z % threadgroup.z == 0;
  const Extent rows{lane_count, std::gcd(grid.y, threadgroup.y), std::gcd(grid.z, threadgroup.z)};
  constexpr unsigned least_width = 2 * lane_count;  // of a grid whose last lanes are idle
  if ((divides && threadgroup.x % lane_count == 0) || rows.count() > threadgroup_thread_limit ||
      (grid.x % lane_count != 0 && grid.x < least_width))
    return threadgroup;
  const auto [known, is_new] = knows_only_its_grid_.try_emplace(symbol);
  if (is_new) known->second = Jit::knows_only_its_grid(translation_.ir, symbol);
  return known->second ? rows : threadgroup;
}

Result<std::string> Kernels::assembly(const std::string& symbol) {
  auto options = options_of(symbol, /*distinct=*/true);
  options.with_lines = true;
  return jit_.assembly(translation_.ir, symbol, options);
}

VectorOptions Kernels::options_of(const std::string& symbol, bool distinct) const {
  VectorOptions options{.checked = translation_.is_checked()};
  for (const auto& kernel : translation_.kernels) {
    if (kernel.symbol != symbol) continue;
    for (const auto& argument : kernel.arguments) {
      const bool is_buffer = is_device_memory(argument.kind);
      options.alone.push_back(is_buffer && distinct);
      options.constant.push_back(is_buffer && argument.constant);
      if (!is_buffer) continue;
      options.alone.push_back(false);  // the offset
      options.constant.push_back(false);
    }
  }
  return options;
}

}  // namespace msci::engine
