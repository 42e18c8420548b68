#include "analysis/check/passes/check_passes.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include "analysis/check/passes/calls.h"
#include "analysis/check/passes/check_parts.h"
#include "analysis/check/passes/numbers/number_checks.h"
#include "analysis/check/passes/places.h"

namespace msci {
namespace {

constexpr const char* missing_function = "msci.function.missing";

void mark_missing_function(llvm::Instruction& before, const llvm::CallInst& call,
                           bool is_entry_of_table) {
  llvm::IRBuilder<> builder(&before);
  const auto mark = before.getModule()->getOrInsertFunction(missing_function, builder.getVoidTy(),
                                                            builder.getInt32Ty());
  const auto kind = is_entry_of_table ? AccessKind::call_entry : AccessKind::call_pointer;
  builder.CreateCall(mark, builder.getInt32(static_cast<unsigned>(kind)))
      ->setDebugLoc(call.getDebugLoc());
}

// Reports the marked calls that found no function. Only once all is inlined are their lines known,
// since those of tables are in Metal's headers.
void report_missing_functions(llvm::Module& ir, SourceLocations& locations) {
  auto* mark = ir.getFunction(missing_function);
  if (!mark) return;
  for (auto* user : llvm::make_early_inc_range(mark->users())) {
    auto* call = llvm::cast<llvm::CallInst>(user);
    llvm::IRBuilder<> builder(call);
    const auto* kind = llvm::cast<llvm::ConstantInt>(call->getArgOperand(0));
    call_hold(builder, builder.getFalse(), Fault::Kind::out_of_bounds,
              locations.number_marked(*call), static_cast<AccessKind>(kind->getZExtValue()));
    call->eraseFromParent();
  }
  mark->eraseFromParent();
}

class CheckPasses final : public InstrumentPasses {
 public:
  CheckPasses(SourceLocations& locations, CheckedNumbers numbers)
      : locations_(locations), numbers_(numbers) {}

  // Optimisation would fold uninitialised values and merge accesses.
  bool keeps_source_form() const override { return true; }
  // Checks make unrolled loops enormous.
  UnrollHints unroll_hints() const override { return UnrollHints::forbid; }

  void at_missing_function(llvm::Instruction& before, const llvm::CallInst& call,
                           bool is_entry_of_table) override {
    mark_missing_function(before, call, is_entry_of_table);
  }

  void before_inlining(llvm::Module& ir) override {
    if (numbers_ == CheckedNumbers::traced) allow_not_finite(ir);
    check_narrowing(ir, locations_);
    check_operations(ir, locations_);
  }

  void after_inlining(llvm::Module& ir) override {
    report_missing_functions(ir, locations_);
    check_assertions(ir, locations_);
    check_builtin_calls(ir, locations_);
    check_lane_sums(ir, locations_);
    check_private_memory(ir, locations_);
  }

  void before_optimisation(llvm::Module& ir, std::vector<KernelSignature>& kernels) override {
    if (numbers_ == CheckedNumbers::traced) check_births(ir, kernels, locations_);
    if (numbers_ == CheckedNumbers::widened)
      for (auto& kernel : kernels)
        widen_narrow_variables(*ir.getFunction(kernel.symbol), locations_);
    for (auto& kernel : kernels) check_lost_updates(*ir.getFunction(kernel.symbol), locations_);
    check_accesses(ir, kernels, locations_);
    for (auto& kernel : kernels) check_spinning_loops(*ir.getFunction(kernel.symbol), locations_);
    check_values(ir, locations_);  // after the calls of check_accesses, which depend on addresses
    drop_what_holds(ir);
  }

  void after_optimisation(llvm::Module& ir) override { record_messages(ir, locations_); }
  void before_scheduling(llvm::Module& ir) override { drop_what_holds(ir); }

  void finish(llvm::Module& ir, Translation& translation) override {
    mark_places(ir, locations_);
    translation.places = locations_.all();
    translation.debug_calls = locations_.debug_calls();
    translation.operations = locations_.operations();
    translation.marked.assign(locations_.marked().begin(), locations_.marked().end());
  }

 private:
  SourceLocations& locations_;
  CheckedNumbers numbers_;
};

class AccessPasses final : public InstrumentPasses {
 public:
  explicit AccessPasses(SourceLocations& locations) : locations_(locations) {}

  bool keeps_source_form() const override { return true; }
  bool needs_locations() const override { return false; }
  bool is_only_read() const override { return true; }

  void at_missing_function(llvm::Instruction& before, const llvm::CallInst& call,
                           bool is_entry_of_table) override {
    mark_missing_function(before, call, is_entry_of_table);
  }

  void before_inlining(llvm::Module& ir) override { check_integers_and_parts(ir, locations_); }

  void after_inlining(llvm::Module& ir) override {
    report_missing_functions(ir, locations_);
    check_private_memory(ir, locations_);
  }

  void before_optimisation(llvm::Module& ir, std::vector<KernelSignature>& kernels) override {
    drop_private_marks(ir);
    check_accesses(ir, kernels, locations_, AccessDetail::brief);
  }

  void finish(llvm::Module& /*ir*/, Translation& /*translation*/) override {}

 private:
  SourceLocations& locations_;
};

}  // namespace

std::unique_ptr<InstrumentPasses> access_passes(SourceLocations& locations) {
  return std::make_unique<AccessPasses>(locations);
}

std::unique_ptr<InstrumentPasses> check_passes(SourceLocations& locations, CheckedNumbers numbers) {
  return std::make_unique<CheckPasses>(locations, numbers);
}

}  // namespace msci
