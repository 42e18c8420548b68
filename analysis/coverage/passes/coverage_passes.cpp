#include "analysis/coverage/passes/coverage_passes.h"

#include "analysis/coverage/passes/cover_outcomes.h"

namespace msci {
namespace {

class CoveragePasses final : public InstrumentPasses {
 public:
  explicit CoveragePasses(SourceLocations& locations) : locations_(locations) {}

  bool leaves_text() const override { return true; }

  void finish(llvm::Module& ir, Translation& translation) override {
    cover_outcomes(ir, translation.kernels, locations_);
  }

 private:
  SourceLocations& locations_;
};

}  // namespace

std::unique_ptr<InstrumentPasses> coverage_passes(SourceLocations& locations) {
  return std::make_unique<CoveragePasses>(locations);
}

}  // namespace msci
