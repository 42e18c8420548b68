#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include <map>
#include <set>
#include <vector>

#include "analysis/check/passes/numbers/number_checks.h"

namespace msci {
namespace {

using llvm::Value;

class Widener {
 public:
  Widener(llvm::Function& kernel, SourceLocations& locations)
      : kernel_(kernel), locations_(locations), builder_(kernel.getContext()) {}

  void run() {
    std::vector<llvm::CastInst*> readings;
    for (auto& instruction : llvm::instructions(kernel_))
      if (auto* cast = llvm::dyn_cast<llvm::CastInst>(&instruction); cast && reads_narrow(*cast))
        readings.push_back(cast);
    for (auto* reading : readings) {
      std::set<Value*> seen;
      if (comes_from_cut(*reading->getOperand(0), seen)) widen(*reading);
    }
  }

 private:
  static bool reads_narrow(const llvm::CastInst& cast) {
    const auto* from = cast.getSrcTy();
    return llvm::isa<llvm::SExtInst, llvm::ZExtInst, llvm::SIToFPInst, llvm::UIToFPInst>(cast) &&
           (from->isIntegerTy(8) || from->isIntegerTy(16)) &&
           (!cast.getType()->isIntegerTy() || cast.getType()->getIntegerBitWidth() >= 32);
  }
  static bool is_signed(const llvm::CastInst& reading) {
    return llvm::isa<llvm::SExtInst, llvm::SIToFPInst>(reading);
  }

  bool comes_from_cut(Value& value, std::set<Value*>& seen) {
    if (!seen.insert(&value).second) return false;
    if (const auto* cut = llvm::dyn_cast<llvm::TruncInst>(&value))
      return is_unmeant_cut(*cut, locations_);
    const auto any_of = [&](auto&& values) {
      return llvm::any_of(values, [&](Value* each) { return comes_from_cut(*each, seen); });
    };
    if (auto* phi = llvm::dyn_cast<llvm::PHINode>(&value)) return any_of(phi->incoming_values());
    if (auto* choice = llvm::dyn_cast<llvm::SelectInst>(&value))
      return any_of(std::vector{choice->getTrueValue(), choice->getFalseValue()});
    return false;
  }

  void widen(llvm::CastInst& reading) {
    auto* wide = wide_value(*reading.getOperand(0), is_signed(reading));
    if (reading.getType() != wide->getType()) {
      builder_.SetInsertPoint(&reading);
      wide = builder_.CreateCast(reading.getOpcode(), wide, reading.getType());
    }
    reading.replaceAllUsesWith(wide);
  }

  // The value in 32 bits.
  Value* wide_value(Value& narrow, bool is_signed) {
    auto& known = wide_[{&narrow, is_signed}];
    if (known) return known;
    if (auto* phi = llvm::dyn_cast<llvm::PHINode>(&narrow)) return wide_phi(*phi, is_signed, known);
    auto* choice = llvm::dyn_cast<llvm::SelectInst>(&narrow);
    if (!choice) return known = wide_start(narrow, is_signed);
    auto* a = wide_value(*choice->getTrueValue(), is_signed);
    auto* b = wide_value(*choice->getFalseValue(), is_signed);
    builder_.SetInsertPoint(choice);
    return wide_[{&narrow, is_signed}] = builder_.CreateSelect(choice->getCondition(), a, b);
  }

  // A number that runs through a loop is its own origin, so the answer comes first.
  Value* wide_phi(llvm::PHINode& phi, bool is_signed, Value*& known) {
    builder_.SetInsertPoint(&phi);
    auto* wide = builder_.CreatePHI(builder_.getInt32Ty(), phi.getNumIncomingValues());
    known = wide;
    for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i)
      wide->addIncoming(wide_value(*phi.getIncomingValue(i), is_signed), phi.getIncomingBlock(i));
    return wide;
  }

  // Where a number becomes narrow, or begins as one.
  Value* wide_start(Value& narrow, bool is_signed) {
    auto* type = builder_.getInt32Ty();
    if (auto* constant = llvm::dyn_cast<llvm::ConstantInt>(&narrow))
      return llvm::ConstantInt::get(
          type, is_signed ? constant->getValue().sext(32) : constant->getValue().zext(32));
    begin_behind(narrow);
    auto* cut = llvm::dyn_cast<llvm::TruncInst>(&narrow);
    if (cut && is_unmeant_cut(*cut, locations_))
      return builder_.CreateTrunc(cut->getOperand(0), type);
    return is_signed ? builder_.CreateSExt(&narrow, type) : builder_.CreateZExt(&narrow, type);
  }

  void begin_behind(Value& value) {
    auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
    if (!instruction)
      builder_.SetInsertPoint(&*kernel_.getEntryBlock().getFirstInsertionPt());
    else
      builder_.SetInsertPoint(*instruction->getInsertionPointAfterDef());
  }

  llvm::Function& kernel_;
  SourceLocations& locations_;
  llvm::IRBuilder<> builder_;
  std::map<std::pair<Value*, bool>, Value*> wide_;
};

}  // namespace

void widen_narrow_variables(llvm::Function& kernel, SourceLocations& locations) {
  Widener(kernel, locations).run();
}

}  // namespace msci
