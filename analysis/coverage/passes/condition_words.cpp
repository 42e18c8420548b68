#include "analysis/coverage/passes/condition_words.h"

#include <fmt/format.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>
#include <llvm/IR/PatternMatch.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "compiler/ir/reference_parameters.h"
#include "compiler/ir/spaces.h"

namespace msci {
namespace {

using llvm::Instruction;
using llvm::Value;

constexpr const char* too_long = "...";
constexpr unsigned most_shift = 64;

const Value* base_of(const Value& pointer) {
  const auto* base = &pointer;
  while (const auto* step = llvm::dyn_cast<llvm::GEPOperator>(base))
    base = step->getPointerOperand();
  return base;
}

std::string component(std::string_view name, unsigned dimension) {
  return fmt::format("{}.{}", name, "xyz"[dimension % 3]);
}

// What Metal calls the value of a work-item function.
const std::map<std::string_view, std::string_view> positions = {
    {"get_global_id", "thread_position_in_grid"},
    {"get_local_id", "thread_position_in_threadgroup"},
    {"get_group_id", "threadgroup_position_in_grid"},
    {"get_local_size", "threads_per_threadgroup"}};

std::string_view sign_of(unsigned opcode) {
  switch (opcode) {
    case Instruction::Add:
    case Instruction::FAdd:
      return "+";
    case Instruction::Sub:
    case Instruction::FSub:
      return "-";
    case Instruction::Mul:
    case Instruction::FMul:
      return "*";
    case Instruction::UDiv:
    case Instruction::SDiv:
    case Instruction::FDiv:
      return "/";
    case Instruction::URem:
    case Instruction::SRem:
      return "%";
    case Instruction::And:
      return "&";
    case Instruction::Or:
      return "|";
    case Instruction::Xor:
      return "^";
    case Instruction::Shl:
      return "<<";
    case Instruction::LShr:
    case Instruction::AShr:
      return ">>";
    default:
      return "";
  }
}

std::string_view sign_of(llvm::CmpInst::Predicate predicate) {
  using llvm::CmpInst;
  switch (predicate) {
    case CmpInst::ICMP_EQ:
    case CmpInst::FCMP_OEQ:
    case CmpInst::FCMP_UEQ:
      return "==";
    case CmpInst::ICMP_NE:
    case CmpInst::FCMP_ONE:
    case CmpInst::FCMP_UNE:
      return "!=";
    case CmpInst::ICMP_ULT:
    case CmpInst::ICMP_SLT:
    case CmpInst::FCMP_OLT:
    case CmpInst::FCMP_ULT:
      return "<";
    case CmpInst::ICMP_ULE:
    case CmpInst::ICMP_SLE:
    case CmpInst::FCMP_OLE:
    case CmpInst::FCMP_ULE:
      return "<=";
    case CmpInst::ICMP_UGT:
    case CmpInst::ICMP_SGT:
    case CmpInst::FCMP_OGT:
    case CmpInst::FCMP_UGT:
      return ">";
    case CmpInst::ICMP_UGE:
    case CmpInst::ICMP_SGE:
    case CmpInst::FCMP_OGE:
    case CmpInst::FCMP_UGE:
      return ">=";
    default:
      return "?";
  }
}

std::optional<double> number_in(const Value& value) {
  const auto* constant = llvm::dyn_cast<llvm::Constant>(&value);
  if (!constant) return std::nullopt;
  if (constant->getType()->isVectorTy()) constant = constant->getSplatValue();
  if (const auto* integer = llvm::dyn_cast_or_null<llvm::ConstantInt>(constant))
    return integer->getBitWidth() <= 64 ? std::optional(integer->getValue().signedRoundToDouble())
                                        : std::nullopt;
  const auto* real = llvm::dyn_cast_or_null<llvm::ConstantFP>(constant);
  if (!real || !real->getValueAPF().isFinite()) return std::nullopt;
  auto widened = real->getValueAPF();
  bool loses = false;
  widened.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven, &loses);
  return widened.convertToDouble();
}

// (x + first) < count, unsigned: a range that LLVM has made of two comparisons.
struct Range {
  const Value* value;
  std::uint64_t first;
  std::uint64_t last;
  bool is_inside;
};

std::optional<Range> range_in(const llvm::CmpInst& compare) {
  using namespace llvm::PatternMatch;
  const Value* value = nullptr;
  const llvm::APInt *shift = nullptr, *limit = nullptr;
  if (!match(&compare, m_ICmp(m_Add(m_Value(value), m_APInt(shift)), m_APInt(limit))))
    return std::nullopt;
  const auto predicate = compare.getPredicate();
  const bool is_inside = predicate == llvm::CmpInst::ICMP_ULT;
  if (!is_inside && predicate != llvm::CmpInst::ICMP_UGT) return std::nullopt;
  const auto first = (-*shift).getZExtValue();
  const auto count = limit->getZExtValue() + (is_inside ? 0 : 1);
  return Range{value, first, first + count - 1, is_inside};
}

// Whether it chooses between its first two operands, or compares them.
bool is_comparison(const Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  return llvm::isa<llvm::CmpInst>(instruction) ||
         (call && (llvm::isa<llvm::MinMaxIntrinsic>(call) ||
                   call->getIntrinsicID() == llvm::Intrinsic::minnum ||
                   call->getIntrinsicID() == llvm::Intrinsic::maxnum));
}

bool range_in_any(const Instruction& instruction) {
  const auto* compare = llvm::dyn_cast<llvm::CmpInst>(&instruction);
  return compare && range_in(*compare);
}

// What a shift multiplies with or divides by, and the power of two that a mask leaves the remainder
// of.
std::optional<double> factor_in(const Instruction& instruction) {
  using namespace llvm::PatternMatch;
  const llvm::APInt* amount = nullptr;
  if (match(&instruction, m_Shift(m_Value(), m_APInt(amount))) && amount->ult(most_shift))
    return std::ldexp(1.0, static_cast<int>(amount->getZExtValue()));
  if (match(&instruction, m_And(m_Value(), m_LowBitMask(amount))))
    return (*amount + 1).roundToDouble();
  return std::nullopt;
}

// As the source would have it: a float has fewer digits than a double.
std::string number_text(const Value& value, double number) {
  return value.getType()->getScalarType()->isFloatTy()
             ? fmt::format("{}", static_cast<float>(number))
             : fmt::format("{}", number);
}

}  // namespace

bool reads_argument(const llvm::LoadInst& load) {
  const auto* base = llvm::dyn_cast<llvm::Argument>(base_of(*load.getPointerOperand()));
  return base && base->getParent()
                     ->getAttributes()
                     .getParamAttr(base->getArgNo(), reference_bytes)
                     .isValid();
}

const llvm::GlobalVariable* table_of(const llvm::LoadInst& load) {
  const auto* table = llvm::dyn_cast<llvm::GlobalVariable>(base_of(*load.getPointerOperand()));
  return table && table->isConstant() && table->hasInitializer() ? table : nullptr;
}

bool is_function_of_operands(const llvm::CallInst& call) {
  const auto* callee = call.getCalledFunction();
  return callee &&
         (callee->getName().starts_with("llvm.") || callee->getName().starts_with("msci.math."));
}

bool asks_for_threads(const llvm::Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  return call && call->getCalledFunction() && !is_function_of_operands(*call);
}

ConditionWords::ConditionWords(const llvm::Function& kernel, const KernelSignature& signature) {
  for (const auto& argument : signature.arguments) {
    of_parameters_.push_back(&argument);
    if (is_device_memory(argument.kind)) of_parameters_.push_back(&argument);  // the offset
  }
  of_parameters_.resize(kernel.arg_size(), nullptr);
  of_data_ = spread(kernel, [](const llvm::Instruction& instruction) {
    const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
    return (load && !reads_argument(*load) && !table_of(*load)) ||
           llvm::isa<llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst>(instruction);
  });
  of_threads_ = spread(kernel, asks_for_threads);
}

// Follows values through registers, and takes all memory for data but constant tables, which are
// the kernel's own numbers.
llvm::DenseSet<const Value*> ConditionWords::spread(
    const llvm::Function& kernel, const std::function<bool(const llvm::Instruction&)>& begins) {
  llvm::DenseSet<const Value*> found;
  for (bool changes = true; changes;) {
    changes = false;
    for (const auto& instruction : llvm::instructions(kernel)) {
      if (found.contains(&instruction)) continue;
      if (!begins(instruction) && llvm::none_of(instruction.operands(), [&](const Value* operand) {
            return found.contains(operand);
          }))
        continue;
      found.insert(&instruction);
      changes = true;
    }
  }
  return found;
}

std::vector<double> ConditionWords::constants_in(const Value& value) const {
  const Value* subject = bound_in(value);
  if (const auto* compared = llvm::dyn_cast<llvm::Instruction>(&value);
      compared && is_comparison(*compared) && !range_in_any(*compared))
    for (const unsigned side : {0U, 1U})
      if (const Value* operand = compared->getOperand(side); llvm::isa<llvm::Constant>(operand)) {
        const auto number = number_in(*operand);  // none for infinity
        const Value& other = *compared->getOperand(1 - side);
        // Of n % 18 == 0, the number of the kernel's own is 18.
        if (number && std::abs(*number) <= 1 && llvm::isa<llvm::ICmpInst>(compared) &&
            !is_of_data(other)) {
          subject = &other;
          break;
        }
        return number ? std::vector{*number} : std::vector<double>{};
      }
  std::vector<double> constants;
  const auto add = [&](double number) {
    if (std::ranges::find(constants, number) == constants.end()) constants.push_back(number);
  };
  const auto collect = [&](const auto& self, const Value& part, unsigned depth) -> void {
    if (const auto number = number_in(part)) return add(*number);
    const auto* instruction = llvm::dyn_cast<Instruction>(&part);
    if (!instruction || depth == 0 || llvm::isa<llvm::PHINode>(instruction)) return;
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(instruction)) {
      const auto* step = llvm::dyn_cast<llvm::GEPOperator>(load->getPointerOperand());
      if (step && table_of(*load))
        for (const Value* index : step->indices()) self(self, *index, depth - 1);
      return;
    }
    if (const auto* compare = llvm::dyn_cast<llvm::CmpInst>(instruction))
      if (const auto range = range_in(*compare)) {
        add(static_cast<double>(range->first));
        add(static_cast<double>(range->last));
        return self(self, *range->value, depth - 1);
      }
    if (const auto factor = factor_in(*instruction)) {
      add(*factor);
      return self(self, *instruction->getOperand(0), depth - 1);
    }
    const auto* call = llvm::dyn_cast<llvm::CallInst>(instruction);
    if (call && positions.contains(call->getCalledFunction()->getName())) return;
    for (const Value* operand : instruction->operands())
      if (!operand->getType()->isLabelTy()) self(self, *operand, depth - 1);
  };
  collect(collect, *subject, most_depth);
  return constants;
}

// The side of a comparison of data with something that follows from the launch alone; otherwise
// the value itself.
const Value* ConditionWords::bound_in(const Value& value) const {
  const auto* compared = llvm::dyn_cast<Instruction>(&value);
  if (!compared || !is_comparison(*compared)) return &value;
  const Value *left = compared->getOperand(0), *right = compared->getOperand(1);
  if (is_of_data(*left) == is_of_data(*right)) return &value;
  return is_of_data(*left) ? right : left;
}

const KernelArgument* ConditionWords::argument_behind(const Value& pointer) const {
  const auto* base = llvm::dyn_cast<llvm::Argument>(base_of(pointer));
  return base ? of_parameters_[base->getArgNo()] : nullptr;
}

std::string ConditionWords::of_load(const llvm::LoadInst& load) const {
  const auto* argument = argument_behind(*load.getPointerOperand());
  if (argument && reads_argument(load)) {
    llvm::APInt at(64, 0);
    const auto* step = llvm::dyn_cast<llvm::GEPOperator>(load.getPointerOperand());
    const bool is_inside =
        step && step->accumulateConstantOffset(load.getDataLayout(), at);  // beside its beginning
    return is_inside && at != 0 ? fmt::format("{} (byte {})", argument->name, at.getZExtValue())
                                : argument->name;
  }
  if (argument) return argument->name + "[...]";
  switch (load.getPointerAddressSpace()) {
    case threadgroup_space:
      return "threadgroup memory";
    case table_space:
    case constant_space:
      return "a table";
    case thread_space:
      return "private memory";
    default:
      return "device memory";
  }
}

std::string ConditionWords::of_memory(const Value& pointer) const {
  const auto* argument = argument_behind(pointer);
  return argument ? argument->name : "memory";
}

std::string ConditionWords::of_parameter(const llvm::Argument& parameter) const {
  const auto* function = parameter.getParent();
  const auto first = function->arg_size() - launch_parameters;
  if (parameter.getArgNo() < first) {
    const auto* argument = of_parameters_[parameter.getArgNo()];
    return argument ? argument->name : too_long;
  }
  const auto number = static_cast<unsigned>(parameter.getArgNo() - first);
  return component(number < 3 ? "threads_per_grid" : "dispatch_threads_per_threadgroup", number);
}

std::string ConditionWords::of_call(const llvm::CallInst& call, unsigned depth) const {
  const auto* callee = call.getCalledFunction();
  if (!callee) return too_long;
  auto name = callee->getName();
  if (const auto known = positions.find({name.data(), name.size()}); known != positions.end()) {
    const auto* dimension = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(0));
    return component(known->second,
                     dimension ? static_cast<unsigned>(dimension->getZExtValue()) : 0);
  }
  for (const char* prefix : {"llvm.", "msci.math.", "msci."})
    if (name.consume_front(prefix)) break;
  std::string arguments;
  for (const auto& argument : call.args())
    arguments += (arguments.empty() ? "" : ", ") + of(*argument, depth - 1);
  return fmt::format("{}({})", std::string(name.substr(0, name.find(".v")).split(".f").first),
                     arguments);
}

std::string ConditionWords::of(const Value& value, unsigned depth) const {
  if (const auto number = number_in(value)) return number_text(value, *number);
  if (const auto* parameter = llvm::dyn_cast<llvm::Argument>(&value))
    return of_parameter(*parameter);
  const auto* instruction = llvm::dyn_cast<Instruction>(&value);
  if (!instruction) return too_long;
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(instruction)) return of_load(*load);
  if (depth == 0) return too_long;
  if (value.getType()->isIntOrIntVectorTy(1)) return of_bit(value, true, depth);
  if (llvm::isa<llvm::CastInst, llvm::FreezeInst, llvm::ExtractElementInst, llvm::ExtractValueInst>(
          instruction))
    return of(*instruction->getOperand(0), depth);
  if (const auto* call = llvm::dyn_cast<llvm::CallInst>(instruction)) return of_call(*call, depth);
  if (instruction->getOpcode() == Instruction::FNeg)
    return "-" + of(*instruction->getOperand(0), depth - 1);
  const auto sign = sign_of(instruction->getOpcode());
  if (sign.empty()) return too_long;
  const auto operand = [&](unsigned number) {
    auto words = of(*instruction->getOperand(number), depth - 1);
    const bool is_sum = words.find(' ') != std::string::npos && words.back() != ')';
    return is_sum ? "(" + words + ")" : words;
  };
  const auto number = number_in(*instruction->getOperand(1));
  if (instruction->getOpcode() == Instruction::Add && number && *number < 0)
    return fmt::format("{} - {}", operand(0), -*number);
  return fmt::format("{} {} {}", operand(0), sign, operand(1));
}

std::string ConditionWords::of_compare(const llvm::CmpInst& compare, bool is_true,
                                       unsigned depth) const {
  if (const auto range = range_in(compare))
    return fmt::format("{} {} {}..{}", of(*range->value, depth - 1),
                       range->is_inside == is_true ? "in" : "not in", range->first, range->last);
  const auto predicate = is_true ? compare.getPredicate() : compare.getInversePredicate();
  return fmt::format("{} {} {}", of(*compare.getOperand(0), depth - 1), sign_of(predicate),
                     of(*compare.getOperand(1), depth - 1));
}

std::string ConditionWords::of_bit(const Value& bit, bool is_true, unsigned depth) const {
  using namespace llvm::PatternMatch;
  const Value *left = nullptr, *right = nullptr;
  if (match(&bit, m_Not(m_Value(left)))) return of_bit(*left, !is_true, depth);
  if (depth == 0) return too_long;
  if (const auto* compare = llvm::dyn_cast<llvm::CmpInst>(&bit))
    return of_compare(*compare, is_true, depth);
  const auto both = [&](std::string_view sign) {
    const auto words = fmt::format("{} {} {}", of_bit(*left, true, depth - 1), sign,
                                   of_bit(*right, true, depth - 1));
    return is_true ? words : fmt::format("!({})", words);
  };
  auto* logical = const_cast<Value*>(&bit);  // the patterns of LLVM ask for it
  if (match(logical, m_LogicalAnd(m_Value(left), m_Value(right)))) return both("&&");
  if (match(logical, m_LogicalOr(m_Value(left), m_Value(right)))) return both("||");
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&bit);
  const auto words = call ? of_call(*call, depth) : std::string("a condition");
  return fmt::format("{} is {}", words, is_true);
}

}  // namespace msci
