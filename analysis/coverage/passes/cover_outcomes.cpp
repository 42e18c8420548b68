#include "analysis/coverage/passes/cover_outcomes.h"

#include <fmt/format.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Metadata.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PatternMatch.h>

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analysis/coverage/passes/condition_words.h"
#include "analysis/coverage/passes/launch_values.h"

namespace msci {
namespace {

using llvm::Instruction;
using llvm::Value;
namespace patterns = llvm::PatternMatch;

constexpr const char* list_of_outcomes = "msci.outcomes";

bool is_bit(const Value& value) { return value.getType()->isIntOrIntVectorTy(1); }

// A bit that is made of other bits, whose outcomes are its own.
bool combines_bits(const Instruction& instruction) {
  if (!is_bit(instruction)) return false;
  if (llvm::isa<llvm::PHINode, llvm::SelectInst, llvm::FreezeInst, llvm::InsertElementInst,
                llvm::ShuffleVectorInst, llvm::ExtractElementInst>(instruction))
    return true;
  switch (instruction.getOpcode()) {
    case Instruction::And:
    case Instruction::Or:
    case Instruction::Xor:
      return true;
    default:
      return false;
  }
}

// Whether a bit decides something: it is used for more than another bit.
bool decides(const Instruction& bit) {
  return llvm::any_of(bit.users(), [&](const llvm::User* user) {
    const auto* instruction = llvm::dyn_cast<Instruction>(user);
    return instruction && !combines_bits(*instruction);
  });
}

// The combination of && and || that a bit is part of, and where the bit decides it: where each of
// the other parts has that value. Of i == 0 || n > 600, the second part decides where i is not 0.
struct Combination {
  Instruction* whole;
  std::vector<std::pair<Value*, bool>> others;
};

Combination combination_of(Instruction& bit) {
  Combination combination{.whole = &bit, .others = {}};
  while (combination.whole->hasOneUse()) {
    auto* user = llvm::dyn_cast<Instruction>(*combination.whole->user_begin());
    if (!user || !is_bit(*user)) break;
    Value *left = nullptr, *right = nullptr;
    const auto l = patterns::m_Value(left), r = patterns::m_Value(right);
    const bool are_all = patterns::match(user, patterns::m_LogicalAnd(l, r));
    if (are_all || patterns::match(user, patterns::m_LogicalOr(l, r)))
      combination.others.emplace_back(left == combination.whole ? right : left, are_all);
    else if (!patterns::match(user, patterns::m_Not(patterns::m_Value())) &&
             !llvm::isa<llvm::FreezeInst>(user))
      break;
    combination.whole = user;
  }
  return combination;
}

// A minimum or a maximum: whether the first operand is chosen where it is less.
struct Extreme {
  bool is_signed = false;
  bool is_real = false;
};

std::optional<Extreme> extreme_in(const llvm::IntrinsicInst& call) {
  switch (call.getIntrinsicID()) {
    case llvm::Intrinsic::umin:
    case llvm::Intrinsic::umax:
      return Extreme{};
    case llvm::Intrinsic::smin:
    case llvm::Intrinsic::smax:
      return Extreme{.is_signed = true};
    case llvm::Intrinsic::minnum:
    case llvm::Intrinsic::maxnum:
    case llvm::Intrinsic::minimum:
    case llvm::Intrinsic::maximum:
    case llvm::Intrinsic::minimumnum:
    case llvm::Intrinsic::maximumnum:
      return Extreme{.is_real = true};
    default:
      return std::nullopt;
  }
}

// The operand whose sign becomes a bit or a mask.
const Value* sign_source(const Instruction& instruction) {
  const Value* value = nullptr;
  const auto bits = instruction.getType()->getScalarSizeInBits();
  if (bits > 1 && patterns::match(&instruction, patterns::m_Shr(patterns::m_Value(value),
                                                                patterns::m_SpecificInt(bits - 1))))
    return value;
  const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  if (!call) return nullptr;
  const auto id = call->getIntrinsicID();
  return id == llvm::Intrinsic::abs || id == llvm::Intrinsic::fabs ? call->getArgOperand(0)
                                                                   : nullptr;
}

class OutcomeFinder {
 public:
  OutcomeFinder(llvm::Function& kernel, const KernelSignature& signature,
                SourceLocations& locations)
      : kernel_(kernel),
        locations_(locations),
        words_(kernel, signature),
        builder_(kernel.getContext()) {}

  std::vector<CertifiedOutcome> run() {
    std::vector<Instruction*> instructions;
    for (auto& instruction : llvm::instructions(kernel_)) {
      instructions.push_back(&instruction);
      if (is_bit(instruction)) combinations_.emplace(&instruction, combination_of(instruction));
    }
    mark_values(kernel_, words_, locations_);
    for (auto* instruction : instructions) visit(*instruction);
    insert_calls();
    return std::move(found_);
  }

 private:
  // A mark to insert: the bit, computed before an instruction.
  struct Mark {
    Instruction* before;
    Value* bit;
    bool is_inverted;
    unsigned number;
  };

  void visit(Instruction& instruction) {
    visit_lost_digits(instruction);
    if (auto* choice = llvm::dyn_cast<llvm::SwitchInst>(&instruction)) return visit_switch(*choice);
    if (is_bit(instruction)) {
      if (!combines_bits(instruction) || decides(instruction)) visit_bit(instruction);
      return;
    }
    if (auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction))
      if (const auto extreme = extreme_in(*call)) return visit_extreme(*call, *extreme);
    if (auto* source = const_cast<Value*>(sign_source(instruction)))
      return visit_sign(instruction, *source);
    if (auto* call = llvm::dyn_cast<llvm::SaturatingInst>(&instruction)) visit_saturating(*call);
  }

  // Both sides of a bit, where it decides, unless it is the opposite of another.
  void visit_bit(Instruction& bit) {
    if (patterns::match(&bit, patterns::m_Not(patterns::m_Value()))) return;
    const auto& [whole, others] = combinations_.at(&bit);
    auto* after = whole->getParent()->getTerminator();
    if (const auto place = whole->getInsertionPointAfterDef()) after = &**place;
    const auto is_true = words_.of_bit(bit, true), is_false = words_.of_bit(bit, false);
    if (others.empty()) return add_both(bit, *after, bit, is_true, is_false);
    builder_.SetInsertPoint(after);
    builder_.SetCurrentDebugLocation({});
    Value* decides = nullptr;
    for (const auto& [other, value] : others) {
      auto* frozen = builder_.CreateFreeze(other);
      auto* holds = value ? frozen : builder_.CreateNot(frozen);
      decides = decides ? builder_.CreateAnd(decides, holds) : holds;
    }
    auto* frozen = builder_.CreateFreeze(&bit);
    add(bit, *after, *builder_.CreateAnd(decides, frozen), false, is_true);
    add(bit, *after, *builder_.CreateAnd(decides, builder_.CreateNot(frozen)), false, is_false);
  }

  void add_both(Instruction& origin, Instruction& before, Value& bit, const std::string& is_true,
                const std::string& is_false) {
    add(origin, before, bit, false, is_true);
    add(origin, before, bit, true, is_false);
  }

  void visit_switch(llvm::SwitchInst& choice) {
    const auto words = words_.of(*choice.getCondition());
    builder_.SetInsertPoint(&choice);
    Value* any = builder_.getFalse();
    for (const auto& each : choice.cases()) {
      auto* equal = builder_.CreateICmpEQ(choice.getCondition(), each.getCaseValue());
      any = builder_.CreateOr(any, equal);
      add(choice, choice, *equal, false,
          fmt::format("{} == {}", words, words_.of(*each.getCaseValue())));
    }
    add(choice, choice, *any, true, words + " is none of the cases");
  }

  // Where both operands are equal, either choice is right.
  void visit_extreme(llvm::IntrinsicInst& call, const Extreme& extreme) {
    auto *left = call.getArgOperand(0), *right = call.getArgOperand(1);
    builder_.SetInsertPoint(&call);
    const auto less = [&](Value* a, Value* b) {
      return extreme.is_real     ? builder_.CreateFCmpOLT(a, b)
             : extreme.is_signed ? builder_.CreateICmpSLT(a, b)
                                 : builder_.CreateICmpULT(a, b);
    };
    const auto a = words_.of(*left), b = words_.of(*right);
    add(call, call, *less(left, right), false, fmt::format("{} < {}", a, b));
    add(call, call, *less(right, left), false, fmt::format("{} > {}", a, b));
  }

  void visit_sign(Instruction& instruction, Value& source) {
    builder_.SetInsertPoint(&instruction);
    auto* zero = llvm::Constant::getNullValue(source.getType());
    const auto words = words_.of(source);
    if (source.getType()->isFPOrFPVectorTy()) {
      add(instruction, instruction, *builder_.CreateFCmpOLT(&source, zero), false, words + " < 0");
      add(instruction, instruction, *builder_.CreateFCmpOGT(&source, zero), false, words + " > 0");
    } else {
      add_both(instruction, instruction, *builder_.CreateICmpSLT(&source, zero), words + " < 0",
               words + " >= 0");
    }
  }

  // Whether the result differs from that without saturation.
  void visit_saturating(llvm::SaturatingInst& call) {
    auto& next = *call.getNextNode();
    builder_.SetInsertPoint(&next);
    auto* wrapped =
        builder_.CreateBinOp(call.getBinaryOp(), call.getArgOperand(0), call.getArgOperand(1));
    const auto words = words_.of(call);
    add_both(call, next, *builder_.CreateICmpNE(&call, wrapped), words + " saturates",
             words + " does not saturate");
  }

  // Only whether a number of the launch does not fit: a hash may fit in no thread, and need not.
  void visit_lost_digits(Instruction& instruction) {
    const auto counts = [&](const Value& number) {
      return !llvm::isa<llvm::Constant>(number) && !words_.is_of_data(number);
    };
    for (const auto& [number, is_lost, bits, becomes_real] :
         lost_digits_in(instruction, builder_, counts)) {
      const auto first = found_.size();
      const auto limit = std::uint64_t{1} << bits;
      const auto words = words_.of(*number);
      add(instruction, instruction, *is_lost, false,
          becomes_real ? fmt::format("{} > {}", words, limit)
                       : fmt::format("{} does not fit {} bits", words, bits));
      for (auto i = first; i < found_.size(); ++i)
        found_[i].constants = {static_cast<double>(limit)};
    }
  }

  // `bit` exists at `before`, for each component of a vector.
  void add(Instruction& origin, Instruction& before, Value& bit, bool is_inverted,
           const std::string& condition) {
    const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(bit.getType());
    const auto& place = locations_.all()[locations_.number(origin)];
    for (unsigned part = 0; part < (vector ? vector->getNumElements() : 1); ++part) {
      marks_.push_back({&before, &bit, is_inverted, static_cast<unsigned>(found_.size())});
      parts_.push_back(part);
      found_.push_back({.file = place.file,
                        .line = place.range.begin.line,
                        .column = place.range.begin.column,
                        .condition = condition,
                        .of_data = words_.is_of_data(origin),
                        .of_threads = words_.is_of_threads(origin),
                        .constants = constants_of(origin)});
    }
  }

  // The sign of data is a comparison with 0.
  std::vector<double> constants_of(const Instruction& origin) const {
    if (sign_source(origin) && words_.is_of_data(origin)) return {};
    const auto* choice = llvm::dyn_cast<llvm::SwitchInst>(&origin);
    return words_.constants_in(choice ? *choice->getCondition()
                                      : static_cast<const Value&>(origin));
  }

  // After all conditions have their words, which the new instructions would disturb.
  void insert_calls() {
    auto* type = llvm::FunctionType::get(builder_.getVoidTy(),
                                         {builder_.getInt32Ty(), builder_.getInt1Ty()}, false);
    auto callee = kernel_.getParent()->getOrInsertFunction(see_outcome_call, type);
    auto* function = llvm::cast<llvm::Function>(callee.getCallee());
    function->setMemoryEffects(llvm::MemoryEffects::inaccessibleMemOnly());
    function->setDoesNotThrow();
    function->setWillReturn();
    for (std::size_t i = 0; i < marks_.size(); ++i) {
      const auto& mark = marks_[i];
      builder_.SetInsertPoint(mark.before);
      builder_.SetCurrentDebugLocation({});
      auto* bit = mark.bit;
      if (bit->getType()->isVectorTy()) bit = builder_.CreateExtractElement(bit, parts_[i]);
      if (mark.is_inverted) bit = builder_.CreateNot(bit);
      builder_.CreateCall(callee, {builder_.getInt32(mark.number), bit});
    }
  }

  llvm::Function& kernel_;
  SourceLocations& locations_;
  const ConditionWords words_;
  llvm::IRBuilder<> builder_;
  // Of the kernel's own bits, before marks add further uses.
  std::map<const Instruction*, Combination> combinations_;
  std::vector<CertifiedOutcome> found_;
  std::vector<Mark> marks_;
  std::vector<unsigned> parts_;  // of each mark: the component of a vector
};

// What outcomes_of() reads.
void attach(const std::vector<CertifiedOutcome>& outcomes, llvm::Function& kernel) {
  auto& context = kernel.getContext();
  std::vector<llvm::Metadata*> all;
  for (const auto& outcome : outcomes) all.push_back(node_of(outcome, context));
  if (!all.empty()) kernel.setMetadata(list_of_outcomes, llvm::MDNode::get(context, all));
}

class CoveragePasses final : public InstrumentPasses {
 public:
  explicit CoveragePasses(SourceLocations& locations) : locations_(locations) {}

  bool leaves_text() const override { return true; }

  void finish(llvm::Module& ir, Translation& translation) override {
    for (const auto& signature : translation.kernels) {
      auto& kernel = *ir.getFunction(signature.symbol);
      attach(OutcomeFinder(kernel, signature, locations_).run(), kernel);
    }
    llvm::StripDebugInfo(ir);
  }

 private:
  SourceLocations& locations_;
};

}  // namespace

std::unique_ptr<InstrumentPasses> coverage_passes(SourceLocations& locations) {
  return std::make_unique<CoveragePasses>(locations);
}

std::vector<CertifiedOutcome> outcomes_of(const llvm::Function& kernel) {
  std::vector<CertifiedOutcome> outcomes;
  const auto* list = kernel.getMetadata(list_of_outcomes);
  if (!list) return outcomes;
  for (const auto& each : list->operands())
    outcomes.push_back(outcome_in(*llvm::cast<llvm::MDNode>(each)));
  return outcomes;
}

const llvm::CallInst* outcome_call(const Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  const auto* callee = call ? call->getCalledFunction() : nullptr;
  return callee && callee->getName() == see_outcome_call ? call : nullptr;
}

std::size_t outcome_number(const llvm::CallInst& call) {
  return llvm::cast<llvm::ConstantInt>(call.getArgOperand(0))->getZExtValue();
}

void drop_outcomes(llvm::Function& kernel) {
  for (auto& instruction : llvm::make_early_inc_range(llvm::instructions(kernel)))
    if (outcome_call(instruction)) instruction.eraseFromParent();
}

llvm::MDNode* node_of(const CertifiedOutcome& outcome, llvm::LLVMContext& context) {
  const auto number = [&](unsigned value) -> llvm::Metadata* {
    return llvm::ConstantAsMetadata::get(
        llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), value));
  };
  std::vector<llvm::Metadata*> members{
      llvm::MDString::get(context, outcome.file), number(outcome.line), number(outcome.column),
      llvm::MDString::get(context, outcome.condition),
      number((outcome.of_data ? 1U : 0U) | (outcome.of_threads ? 2U : 0U))};
  for (const auto constant : outcome.constants)
    members.push_back(llvm::ConstantAsMetadata::get(
        llvm::ConstantFP::get(llvm::Type::getDoubleTy(context), constant)));
  return llvm::MDNode::get(context, members);
}

CertifiedOutcome outcome_in(const llvm::MDNode& node) {
  const auto number = [&](unsigned operand) {
    return static_cast<unsigned>(
        llvm::mdconst::extract<llvm::ConstantInt>(node.getOperand(operand))->getZExtValue());
  };
  const auto text = [&](unsigned operand) {
    return llvm::cast<llvm::MDString>(node.getOperand(operand))->getString().str();
  };
  CertifiedOutcome outcome{.file = text(0),
                           .line = number(1),
                           .column = number(2),
                           .condition = text(3),
                           .of_data = (number(4) & 1) != 0,
                           .of_threads = (number(4) & 2) != 0};
  for (unsigned i = 5; i < node.getNumOperands(); ++i)
    outcome.constants.push_back(llvm::mdconst::extract<llvm::ConstantFP>(node.getOperand(i))
                                    ->getValueAPF()
                                    .convertToDouble());
  return outcome;
}

}  // namespace msci
