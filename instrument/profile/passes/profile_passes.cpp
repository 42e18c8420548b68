#include "instrument/profile/passes/profile_passes.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>

#include "instrument/profile/passes/count_work.h"
#include "instrument/profile/passes/matrix_products.h"

namespace msci {
namespace {

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

  void before_optimisation(llvm::Module&, std::vector<KernelSignature>& signatures) override {
    signatures_ = signatures;
  }

  // The order that the optimiser leaves may need fewer registers than that of the translation.
  void before_scheduling(llvm::Module& ir) override {
    for (auto& kernel : ir) {
      if (kernel.isDeclaration()) continue;
      const KernelWork work(kernel);
      for (const auto& [block, needs] :
           live_registers(kernel, work, allowed_registers(kernel, signatures_)))
        other_order_[block] = needs;
    }
  }

  void finish(llvm::Module& ir, Translation& translation) override {
    translation.code = count_work(ir, locations_, translation.kernels, other_order_);
  }

 private:
  SourceLocations& locations_;
  UnrollHints hints_ = UnrollHints::follow;
  std::vector<KernelSignature> signatures_;
  OtherOrder other_order_;
};

}  // namespace

std::unique_ptr<InstrumentPasses> profile_passes(SourceLocations& locations) {
  return std::make_unique<ProfilePasses>(locations);
}

}  // namespace msci
