#include "analysis/profile/passes/count_work.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <map>

#include "analysis/profile/chip.h"
#include "compiler/ir/spaces.h"

namespace msci {
namespace {

constexpr unsigned atomic_bytes = 4;

const llvm::Value* address_of(const llvm::Instruction& instruction) {
  if (llvm::isa<llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst>(instruction))
    return instruction.getOperand(0);
  return llvm::getLoadStorePointerOperand(&instruction);
}

class KernelCounter {
 public:
  KernelCounter(llvm::Function& kernel, SourceLocations& locations, unsigned allowed_registers)
      : kernel_(kernel),
        locations_(locations),
        work_(kernel),
        dominators_(kernel),
        loops_(dominators_),
        needs_(live_registers(kernel, work_, allowed_registers)) {}

  KernelCode run() {
    code_.symbol = kernel_.getName();
    for (const auto& [block, needs] : needs_)
      code_.registers = std::max(code_.registers, needs.registers);
    code_.private_bytes = private_bytes();
    code_.instructions = kernel_.getInstructionCount();
    code_.loop_instructions = largest_loop(kernel_, work_, dominators_, loops_);
    for (auto& block : kernel_) code_.blocks.push_back(code_of(block));
    unsigned number = 0;
    for (auto& block : kernel_) add_calls(block, number++);
    return std::move(code_);
  }

 private:
  unsigned line_of(const llvm::Instruction& instruction) {
    return locations_.line_in_source(instruction);
  }

  std::size_t private_bytes() const {
    std::size_t bytes = 0;
    for (const auto& instruction : llvm::instructions(kernel_))
      if (const auto* array = llvm::dyn_cast<llvm::AllocaInst>(&instruction))
        bytes += array->getAllocationSize(kernel_.getDataLayout())->getFixedValue();
    return bytes;
  }

  BlockCode code_of(const llvm::BasicBlock& block) {
    std::map<std::pair<unsigned, WorkKind>, unsigned> counts;
    for (const auto& instruction : block)
      if (const auto work = work_.of(instruction); work && work->count > 0)
        counts[{line_of(instruction), ends_iteration(instruction) ? WorkKind::loop : work->work}] +=
            work->count;
    BlockCode code = longest_chains(block, work_);
    const auto& needs = needs_.at(&block);
    code.registers = needs.registers;
    // Registers are stored where private arrays lie.
    if (needs.spills > 0)
      counts[{line_of(block.front()), WorkKind::private_access}] += needs.spills;
    for (const auto& [at, count] : counts) code.work.push_back({at.second, at.first, count});
    return code;
  }

  bool ends_iteration(const llvm::Instruction& instruction) const {
    const auto* loop = loops_.getLoopFor(instruction.getParent());
    return instruction.isTerminator() && loop && loop->isLoopLatch(instruction.getParent());
  }

  // What an access must tell; none for memory that needs no counting.
  std::optional<AccessSite> site_of(const llvm::Instruction& instruction) {
    if (!work_.of(instruction)) return std::nullopt;
    AccessSite site{.line = line_of(instruction)};
    const auto& layout = instruction.getDataLayout();
    const auto* pointer = address_of(instruction);
    if (!pointer) return std::nullopt;
    if (llvm::getLoadStorePointerOperand(&instruction)) {
      site.bytes = static_cast<unsigned>(
          layout.getTypeStoreSize(llvm::getLoadStoreType(&instruction)).getFixedValue());
      if (llvm::isa<llvm::StoreInst>(instruction)) site.type = AccessType::store;
    } else {
      site.bytes = atomic_bytes;
      site.type = AccessType::atomic;
    }
    switch (pointer->getType()->getPointerAddressSpace()) {
      case thread_space:
        return std::nullopt;
      case threadgroup_space:
        site.memory = MemoryKind::threadgroup;
        break;
      case constant_space:
      case table_space:
        site.memory = MemoryKind::constant;
        break;
      default:
        break;
    }
    return site;
  }

  void add_calls(llvm::BasicBlock& block, unsigned number) {
    std::vector<std::pair<llvm::Instruction*, AccessSite>> accesses;
    for (auto& instruction : block)
      if (const auto site = site_of(instruction)) accesses.emplace_back(&instruction, *site);
    llvm::IRBuilder<> builder(&block, block.getFirstInsertionPt());
    while (llvm::isa<llvm::AllocaInst>(*builder.GetInsertPoint()))
      builder.SetInsertPoint(&block, std::next(builder.GetInsertPoint()));
    call(builder, count_block_call, {builder.getInt32(number)});
    for (const auto& [instruction, site] : accesses) {
      builder.SetInsertPoint(instruction);
      auto* pointer = const_cast<llvm::Value*>(address_of(*instruction));
      const auto name = std::string(count_access_call) + "." +
                        std::to_string(pointer->getType()->getPointerAddressSpace());
      const bool no_banks = site.memory == MemoryKind::threadgroup && moves_matrix(*instruction);
      call(builder, name,
           {builder.getInt32(static_cast<unsigned>(code_.sites.size())),
            builder.getInt32(static_cast<unsigned>(site.memory)),
            builder.getInt32(static_cast<unsigned>(site.type)),
            builder.getInt32(no_banks ? 0 : site.bytes), pointer});
      code_.sites.push_back(site);
    }
  }

  void call(llvm::IRBuilder<>& builder, const std::string& name,
            llvm::ArrayRef<llvm::Value*> arguments) {
    std::vector<llvm::Type*> types;
    for (auto* argument : arguments) types.push_back(argument->getType());
    auto callee = kernel_.getParent()->getOrInsertFunction(
        name, llvm::FunctionType::get(builder.getVoidTy(), types, false));
    auto* function = llvm::cast<llvm::Function>(callee.getCallee());
    function->setMemoryEffects(llvm::MemoryEffects::inaccessibleMemOnly());
    function->setDoesNotThrow();
    function->setWillReturn();
    builder.CreateCall(callee, arguments);
  }

  llvm::Function& kernel_;
  SourceLocations& locations_;
  const KernelWork work_;
  llvm::DominatorTree dominators_;
  llvm::LoopInfo loops_;
  LiveRegisters needs_;
  KernelCode code_;
};

bool is_count(const llvm::Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  const auto* callee = call ? call->getCalledFunction() : nullptr;
  return callee && (callee->getName() == count_block_call ||
                    callee->getName().starts_with(count_access_call));
}

// The 16-bit registers that a thread of the kernel can have.
unsigned allowed_registers(const llvm::Function& kernel,
                           const std::vector<KernelSignature>& signatures) {
  for (const auto& signature : signatures)
    if (kernel.getName() == signature.symbol)
      return registers_allowed(signature.thread_limit.value_or(0));
  return registers_allowed(0);
}

// A kernel that takes a device minutes to compile.
bool is_large(const llvm::Function& kernel) {
  constexpr unsigned most_instructions = 16000;
  const auto products = llvm::count_if(llvm::instructions(kernel), MatrixProducts::contains);
  return kernel.getInstructionCount() - products > most_instructions;
}

// As Apple's compiler does, loops are unrolled where the source asks for it, unless a kernel
// becomes too large.
class ProfilePasses final : public InstrumentPasses {
 public:
  explicit ProfilePasses(SourceLocations& locations) : locations_(locations) {}

  UnrollHints unroll_hints() const override { return hints_; }

  bool wants_other_code(const llvm::Module& ir) override {
    if (hints_ == UnrollHints::ignore || !llvm::any_of(ir, is_large)) return false;
    hints_ = UnrollHints::ignore;
    return true;
  }

  void finish(llvm::Module& ir, Translation& translation) override {
    std::vector<llvm::Function*> kernels;
    for (auto& function : ir)
      if (!function.isDeclaration()) kernels.push_back(&function);
    for (auto* kernel : kernels) {
      const auto allowed = allowed_registers(*kernel, translation.kernels);
      translation.code.push_back(KernelCounter(*kernel, locations_, allowed).run());
    }
    llvm::StripDebugInfo(ir);
  }

 private:
  SourceLocations& locations_;
  UnrollHints hints_ = UnrollHints::follow;
};

}  // namespace

std::unique_ptr<InstrumentPasses> profile_passes(SourceLocations& locations) {
  return std::make_unique<ProfilePasses>(locations);
}

void drop_counts(llvm::Function& kernel) {
  for (auto& instruction : llvm::make_early_inc_range(llvm::instructions(kernel)))
    if (is_count(instruction)) instruction.eraseFromParent();
}

}  // namespace msci
