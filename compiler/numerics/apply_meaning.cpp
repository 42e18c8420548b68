#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/StringSwitch.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>

#include <map>
#include <vector>

#include "compiler/frontend/compiler.h"
#include "compiler/numerics/numeric_passes.h"

namespace msci {
namespace {

using llvm::Instruction;
using llvm::Value;
using Kind = NumericMeaning::Kind;

constexpr double least_normal = 0x1p-126;

bool is_float(const Value& value) { return value.getType()->getScalarType()->isFloatTy(); }

// Functions of Metal's that tell whether a number is NaN or infinite.
bool tests_class(llvm::StringRef function) {
  return llvm::StringSwitch<bool>(function)
      .Cases({"isnan", "isinf", "isfinite", "isnormal", "isordered", "isunordered"}, true)
      .Default(false);
}

// Whether the instruction stands in a function of the Metal headers that relies on such a test
// itself, as frexp() does.
bool is_in_header(const Instruction& instruction) {
  const llvm::DILocation* at = instruction.getDebugLoc();
  const auto* function = at ? at->getScope()->getSubprogram() : nullptr;
  return at && at->getInlinedAt() && at->getFilename().starts_with(metal_include_folder) &&
         function && !tests_class(function->getName());
}

class Rewriter {
 public:
  Rewriter(llvm::Function& kernel, const NumericMeaning& meaning, SourceLocations& locations)
      : kernel_(kernel), meaning_(meaning), locations_(locations), builder_(kernel.getContext()) {}

  void run() {
    take_flags();
    split_multiply_adds();
    for (const auto step : {&Rewriter::reassociated, &Rewriter::contracted, &Rewriter::reciprocal,
                            &Rewriter::fast_function, &Rewriter::without_nan, &Rewriter::flushed})
      apply(step);
  }

 private:
  using Step = Value* (Rewriter::*)(Instruction&);

  bool has(Kind kind) const { return meaning_.kind == kind || meaning_.kind == Kind::together; }

  void begin(Instruction& before) {
    builder_.SetInsertPoint(&before);
    builder_.SetCurrentDebugLocation(before.getDebugLoc());
  }

  // Flags say what the source allows at an instruction; without them, later steps keep its meaning.
  void take_flags() {
    for (auto& instruction : llvm::instructions(kernel_)) {
      if (!llvm::isa<llvm::FPMathOperator>(instruction)) continue;
      allowed_[&instruction] = instruction.getFastMathFlags();
      instruction.copyFastMathFlags(llvm::FastMathFlags());
    }
  }
  llvm::FastMathFlags allowed(const Instruction& instruction) const {
    const auto found = allowed_.find(&instruction);
    return found == allowed_.end() ? llvm::FastMathFlags() : found->second;
  }

  // a * b + c in one expression, which a compiler may fuse: two roundings.
  void split_multiply_adds() {
    for (auto& instruction : llvm::make_early_inc_range(llvm::instructions(kernel_))) {
      auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
      if (!call || call->getIntrinsicID() != llvm::Intrinsic::fmuladd) continue;
      begin(*call);
      auto* product = builder_.CreateFMul(call->getArgOperand(0), call->getArgOperand(1));
      auto* sum = builder_.CreateFAdd(product, call->getArgOperand(2));
      for (auto* made : {product, sum})
        if (auto* part = llvm::dyn_cast<Instruction>(made)) allowed_[part] = allowed(*call);
      call->replaceAllUsesWith(sum);
      allowed_.erase(call);
      call->eraseFromParent();
    }
  }

  bool is_in_lines(const Instruction& instruction) {
    const auto line = SourceLocations::line_in_source(instruction);
    return line >= meaning_.first_line && line <= meaning_.last_line;
  }

  void apply(Step step) {
    std::vector<Instruction*> all;
    for (auto& instruction : llvm::instructions(kernel_))
      if (!instruction.use_empty() && is_in_lines(instruction)) all.push_back(&instruction);
    for (auto* each : all)
      if (auto* other = (this->*step)(*each))
        each->replaceUsesWithIf(
            other, [&](const llvm::Use& use) { return !made_.contains(use.getUser()); });
    made_.clear();
  }

  // ---- the meanings: what an instruction becomes, or null

  // (a + b) + c as a + (b + c), and what cancels: (a + b) - a is b.
  Value* reassociated(Instruction& instruction) {
    if (!has(Kind::reassociated) || !allowed(instruction).allowReassoc()) return nullptr;
    if (auto* left = what_cancels(instruction)) return left;
    using namespace llvm::PatternMatch;
    Value *a, *b, *c;
    if (match(&instruction, m_FAdd(m_OneUse(m_FAdd(m_Value(a), m_Value(b))), m_Value(c)))) {
      begin(instruction);
      return builder_.CreateFAdd(a, builder_.CreateFAdd(b, c));
    }
    if (match(&instruction, m_FMul(m_OneUse(m_FMul(m_Value(a), m_Value(b))), m_Value(c)))) {
      begin(instruction);
      return builder_.CreateFMul(a, builder_.CreateFMul(b, c));
    }
    return nullptr;
  }

  Value* what_cancels(Instruction& instruction) {
    using namespace llvm::PatternMatch;
    Value *a, *b, *c;
    if (match(&instruction, m_FSub(m_FAdd(m_Value(a), m_Value(b)), m_Value(c))))
      return a == c ? b : b == c ? a : nullptr;
    if (match(&instruction, m_FAdd(m_FSub(m_Value(a), m_Value(b)), m_Value(c))))
      return b == c ? a : nullptr;
    if (match(&instruction, m_FDiv(m_FMul(m_Value(a), m_Value(b)), m_Value(c))))
      return a == c ? b : b == c ? a : nullptr;
    if (match(&instruction, m_FMul(m_FDiv(m_Value(a), m_Value(b)), m_Value(c))))
      return b == c ? a : nullptr;
    if (match(&instruction, m_FSub(m_Value(c), m_FSub(m_Value(a), m_Value(b)))) && a == c) return b;
    if (match(&instruction, m_FSub(m_FSub(m_Value(a), m_Value(b)), m_Value(c))) && a == c) {
      begin(instruction);
      return builder_.CreateFNeg(b);
    }
    return nullptr;
  }

  // a * b + c, a * b - c and c - a * b with one rounding.
  Value* contracted(Instruction& sum) {
    const auto code = sum.getOpcode();
    const bool subtracts = code == Instruction::FSub;
    if (!has(Kind::contracted) || (code != Instruction::FAdd && !subtracts)) return nullptr;
    if (!allowed(sum).allowContract() || !is_float(sum)) return nullptr;
    for (unsigned side = 0; side < 2; ++side) {
      auto* product = llvm::dyn_cast<llvm::BinaryOperator>(sum.getOperand(side));
      if (!product || product->getOpcode() != Instruction::FMul || !product->hasOneUse() ||
          !allowed(*product).allowContract())
        continue;
      begin(sum);
      auto* a = product->getOperand(0);
      auto* other = sum.getOperand(1 - side);
      if (subtracts && side == 1) a = builder_.CreateFNeg(a);
      if (subtracts && side == 0) other = builder_.CreateFNeg(other);
      return builder_.CreateIntrinsic(llvm::Intrinsic::fma, {sum.getType()},
                                      {a, product->getOperand(1), other});
    }
    return nullptr;
  }

  // Of a divisor above 2^126 the reciprocal is zero: it is below the least normal number.
  Value* reciprocal(Instruction& division) {
    if (!has(Kind::reciprocal) || division.getOpcode() != Instruction::FDiv) return nullptr;
    if (!allowed(division).allowReciprocal() || !is_float(division)) return nullptr;
    if (llvm::isa<llvm::Constant>(division.getOperand(0))) return nullptr;
    begin(division);
    auto* one = llvm::ConstantFP::get(division.getType(), 1);
    auto* inverse = without_denormals(builder_.CreateFDiv(one, division.getOperand(1)));
    return builder_.CreateFMul(division.getOperand(0), inverse);
  }

  Value* fast_function(Instruction& instruction) {
    const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    if (!has(Kind::fast_functions) || !call || !may_be_fast(instruction)) return nullptr;
    begin(instruction);
    return fast_variant(*call, builder_);
  }

  // The name decides where the user writes one; otherwise the mode of the compiler does.
  bool may_be_fast(const Instruction& call) {
    auto text = locations_.text_from(locations_.number(call));
    for (const char* prefix : {"::", "metal::"}) text.consume_front(prefix);
    if (text.starts_with("precise::")) return false;
    return text.starts_with("fast::") || allowed(call).approxFunc();
  }

  // A test for NaN or infinity fails. A comparison that NaN decides is decided the other way.
  Value* without_nan(Instruction& instruction) {
    auto* test = llvm::dyn_cast<llvm::FCmpInst>(&instruction);
    if (!has(Kind::nan_ignored) || !test || !allowed(instruction).approxFunc()) return nullptr;
    if (is_in_header(instruction)) return nullptr;
    using Predicate = llvm::FCmpInst;
    auto predicate = test->getPredicate();
    const bool is_own = test->getOperand(0) == test->getOperand(1);
    if (predicate == Predicate::FCMP_UNO || (is_own && predicate == Predicate::FCMP_UNE))
      return llvm::ConstantInt::getFalse(test->getType());
    if (predicate == Predicate::FCMP_ORD || (is_own && predicate == Predicate::FCMP_OEQ))
      return llvm::ConstantInt::getTrue(test->getType());
    if (auto* known = against_infinity(*test)) return known;
    if (predicate == Predicate::FCMP_TRUE || predicate == Predicate::FCMP_FALSE) return nullptr;
    predicate = Predicate::isOrdered(predicate) ? Predicate::getUnorderedPredicate(predicate)
                                                : Predicate::getOrderedPredicate(predicate);
    begin(instruction);
    return builder_.CreateFCmp(predicate, test->getOperand(0), test->getOperand(1));
  }

  // What a comparison with infinity gives for finite numbers; null if that depends on the number.
  static Value* against_infinity(llvm::FCmpInst& test) {
    using namespace llvm::PatternMatch;
    auto predicate = test.getPredicate();
    auto* number = test.getOperand(0);
    auto* bound = test.getOperand(1);
    if (match(number, m_Inf())) {
      std::swap(number, bound);
      predicate = llvm::FCmpInst::getSwappedPredicate(predicate);
    }
    if (!match(bound, m_Inf())) return nullptr;
    const llvm::APFloat* infinity = nullptr;
    if (!match(bound, m_APFloat(infinity))) return nullptr;
    // Zero stands for all finite numbers.
    const auto zero = llvm::APFloat::getZero(infinity->getSemantics());
    return llvm::ConstantInt::getBool(test.getType(),
                                      llvm::FCmpInst::compare(zero, *infinity, predicate));
  }

  // Operands and results below the least normal number are zero.
  Value* flushed(Instruction& instruction) {
    if (!has(Kind::flushed) || meaning_.flushes_everywhere()) return nullptr;
    switch (instruction.getOpcode()) {
      case Instruction::FAdd:
      case Instruction::FSub:
      case Instruction::FMul:
      case Instruction::FDiv:
      case Instruction::FCmp:
        break;
      case Instruction::Call:
        if (!is_rounded_by_processor(llvm::cast<llvm::CallInst>(instruction))) return nullptr;
        break;
      default:
        return nullptr;
    }
    if (!is_float(*instruction.getOperand(0))) return nullptr;
    begin(instruction);
    for (auto& operand : instruction.operands())
      if (is_float(*operand) && !llvm::isa<llvm::Constant>(operand))
        operand.set(without_denormals(operand));
    if (!is_float(instruction)) return nullptr;
    begin(*instruction.getNextNode());
    return without_denormals(&instruction);
  }

  // Functions that are one instruction of the processor, which flushes as in a sum.
  static bool is_rounded_by_processor(const llvm::CallInst& call) {
    const auto id = call.getIntrinsicID();
    return id == llvm::Intrinsic::fma || id == llvm::Intrinsic::fmuladd ||
           id == llvm::Intrinsic::sqrt;
  }

  Value* without_denormals(Value* number) {
    Value* size = builder_.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, number);
    auto* is_small =
        builder_.CreateFCmpOLT(size, llvm::ConstantFP::get(number->getType(), least_normal));
    Value* zero = builder_.CreateBinaryIntrinsic(
        llvm::Intrinsic::copysign, llvm::ConstantFP::get(number->getType(), 0), number);
    Value* result = builder_.CreateSelect(is_small, zero, number);
    for (auto* each : {size, zero, result})
      if (auto* user = llvm::dyn_cast<llvm::User>(each)) made_.insert(user);
    return result;
  }

  llvm::Function& kernel_;
  const NumericMeaning& meaning_;
  SourceLocations& locations_;
  llvm::IRBuilder<> builder_;
  std::map<const Instruction*, llvm::FastMathFlags> allowed_;
  llvm::SmallPtrSet<const llvm::User*, 16> made_;  // by this step, of what they replace
};

}  // namespace

void apply_meaning(llvm::Function& kernel, const NumericMeaning& meaning,
                   SourceLocations& locations) {
  Rewriter(kernel, meaning, locations).run();
}

}  // namespace msci
