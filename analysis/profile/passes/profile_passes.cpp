#include "analysis/profile/passes/profile_passes.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>

#include "analysis/profile/passes/count_work.h"

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

  void finish(llvm::Module& ir, Translation& translation) override {
    translation.code = count_work(ir, locations_, translation.kernels);
  }

 private:
  SourceLocations& locations_;
  UnrollHints hints_ = UnrollHints::follow;
};

}  // namespace

std::unique_ptr<InstrumentPasses> profile_passes(SourceLocations& locations) {
  return std::make_unique<ProfilePasses>(locations);
}

}  // namespace msci
