#include "compiler/numerics/numeric_passes.h"

#include <llvm/IR/Module.h>
#include <llvm/Transforms/Scalar/SROA.h>

#include "compiler/frontend/passes.h"
#include "compiler/reading.h"

namespace msci {
namespace {

class NumericPasses final : public InstrumentPasses {
 public:
  NumericPasses(const NumericMeaning& meaning, SourceLocations& locations)
      : meaning_(meaning), locations_(locations) {}

  // Before the first step that uses the freedom of fast math itself.
  void after_inlining(llvm::Module& ir) override {
    llvm::FunctionPassManager passes;
    passes.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
    run(ir, std::move(passes));
    for (auto& function : ir)
      if (!function.isDeclaration()) apply_meaning(function, meaning_, locations_);
  }

  void finish(llvm::Module& ir, Translation& /*translation*/) override {
    set_lines(ir, locations_);
    if (meaning_.flushes_everywhere()) return;
    for (auto& function : ir)
      if (!function.isDeclaration()) function.addFnAttr(keeps_denormals);
  }

 private:
  NumericMeaning meaning_;
  SourceLocations& locations_;
};

}  // namespace

std::unique_ptr<InstrumentPasses> numeric_passes(const NumericMeaning& meaning,
                                                 SourceLocations& locations) {
  return std::make_unique<NumericPasses>(meaning, locations);
}

}  // namespace msci
