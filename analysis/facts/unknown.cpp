// Values that no term says: symbols that stand for all that a thread may find.
#include <fmt/format.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>
#include <llvm/IR/PatternMatch.h>

#include <algorithm>

#include "analysis/facts/event.h"

namespace msci::prover {
namespace {

// The call that bounds the access of an address.
const llvm::CallInst* bounding_call(const llvm::Value& pointer) {
  const auto* step = llvm::dyn_cast<llvm::GEPOperator>(&pointer);
  if (!step) return nullptr;
  for (const auto& index : step->indices())
    if (bounded_offset(*index)) return llvm::cast<llvm::CallInst>(index.get());
  return bounding_call(*step->getPointerOperand());
}

// What an instruction of memory touches.
const llvm::Value* address_of(const llvm::Value& value) {
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&value)) return load->getPointerOperand();
  if (const auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&value))
    return update->getPointerOperand();
  if (const auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&value))
    return exchange->getPointerOperand();
  return nullptr;
}

// The access to memory that a value depends on, a few operations back.
const llvm::Value* find_access(const llvm::Value& value, unsigned depth) {
  if (address_of(value)) return &value;
  const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
  if (!instruction || depth == 0) return nullptr;
  for (const auto& operand : instruction->operands())
    if (const auto* found = find_access(*operand, depth - 1)) return found;
  return nullptr;
}

// Whether an operation leaves only numbers from 0 to a constant, whatever its operand is.
bool limits(const llvm::Instruction& operation) {
  using namespace llvm::PatternMatch;
  const auto is_size = [](const llvm::APInt& number) { return number.isStrictlyPositive(); };
  return match(&operation, m_URem(m_Value(), m_CheckedInt(is_size))) ||
         match(&operation, m_And(m_Value(), m_CheckedInt(is_size))) ||
         match(&operation, m_UMin(m_Value(), m_CheckedInt(is_size))) ||
         match(&operation, m_SMin(m_SMax(m_Value(), m_Zero()), m_CheckedInt(is_size))) ||
         match(&operation, m_SMax(m_SMin(m_Value(), m_CheckedInt(is_size)), m_Zero()));
}

bool is_minimum(const llvm::Instruction& operation) {
  const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&operation);
  return call && (call->getIntrinsicID() == llvm::Intrinsic::smin ||
                  call->getIntrinsicID() == llvm::Intrinsic::smax);
}

// Whether all that the kernel uses of a value is limited.
bool is_limited(const llvm::Value& value) {
  if (!value.hasOneUse()) return false;
  const auto& user = *llvm::cast<llvm::Instruction>(value.user_back());
  if (limits(user)) return true;
  const bool passes_on =
      llvm::isa<llvm::CastInst, llvm::FreezeInst>(user) || user.isShift() || is_minimum(user);
  return passes_on && user.getType()->isIntegerTy() && is_limited(user);
}

std::string kind_of(const llvm::Value& value) {
  if (llvm::isa<llvm::PHINode>(value)) return "a variable that a loop changes";
  if (llvm::isa<llvm::FCmpInst>(value)) return "a comparison of floats";
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&value);
  if (call && call->getCalledFunction()) {
    const auto name = call->getCalledFunction()->getName();
    if (name.starts_with("msci.simd.") || name.starts_with("msci.quad."))
      return fmt::format("the result of {}", name.drop_front(5).str());
    if (llvm::isa<llvm::IntrinsicInst>(call)) return fmt::format("the result of {}", name.str());
    return "the result of a function";
  }
  const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
  if (instruction && instruction->isBinaryOp())
    return fmt::format("a result of {}", instruction->getOpcodeName());
  if (instruction)
    return fmt::format("a result of the conversion {}", instruction->getOpcodeName());
  return "an undefined value";
}

}  // namespace

Unknown Event::why(const llvm::Value& value) const {
  constexpr unsigned deepest = 6;
  const auto* access = find_access(value, deepest);
  if (!access) return {kind_of(value), 0};
  const auto* pointer = address_of(*access);
  const auto* call = bounding_call(*pointer);
  const auto object = code_.object_of(*pointer);
  const auto* location = call ? llvm::dyn_cast<llvm::ConstantInt>(call->getArgOperand(4)) : nullptr;
  const auto line = location ? code_.line(static_cast<unsigned>(location->getZExtValue())) : 0;
  const auto source = object ? "`" + code_.signature.objects[*object].name + "`"
                      : pointer->getType()->getPointerAddressSpace() == 0 ? "a private array"
                                                                          : "memory";
  const bool is_limited = access == &value && prover::is_limited(value);
  if (!llvm::isa<llvm::LoadInst>(access))
    return {fmt::format("the result of an atomic operation on {}", source), line};
  return {fmt::format("a value loaded from {}", source), line, is_limited};
}

std::string Event::unknown_symbol(const llvm::Value& value, unsigned element, Sort sort) {
  const auto base =
      fmt::format("u{}_{}{}_", code_.number_of(value), element, sort == Sort::integer ? "i" : "b");
  const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
  const bool is_alike = instruction ? !code_.varies(value) : llvm::isa<llvm::Argument>(value);
  if (!is_alike) {
    const auto name = own(base);
    if (script_.declare_named(name, sort)) script_.set_unknown(name, why(value));
    return name;
  }
  // The same for all threads of a threadgroup in the same iterations.
  std::string arguments;
  unsigned count = 0;
  const auto add = [&](const Term& term) {
    arguments += " " + term.text;
    ++count;
  };
  for (unsigned d = 0; d < 3; ++d) add(group(d));
  const auto* loop = instruction ? code_.loops.getLoopFor(instruction->getParent()) : nullptr;
  for (; loop; loop = loop->getParentLoop()) add(iteration(*loop));
  script_.declare_named(base, sort, count);
  auto name = script_.define("v", sort, fmt::format("({}{})", base, arguments));
  script_.set_unknown(name, why(value));
  return name;
}

Term Event::unknown_term(const llvm::Value& value, unsigned element, unsigned bits) {
  const auto name = unknown_symbol(value, element, Sort::integer);
  if (bits == 0 || bits > 64) return {name, {}};
  auto range = Range::of_bits(bits);
  if (value.getType()->isIntegerTy() && llvm::isa<llvm::Instruction>(value)) {
    const auto known =
        code_.evolution.getUnsignedRange(code_.evolution.getSCEV(const_cast<llvm::Value*>(&value)));
    range = range.met({static_cast<Wide>(known.getUnsignedMin().getZExtValue()),
                       static_cast<Wide>(known.getUnsignedMax().getZExtValue())});
  }
  script_.add_fact(name, fmt::format("(and (<= {} {}) (<= {} {}))", smt_number(range.low), name,
                                     name, smt_number(range.high)));
  return {name, range};
}

Term Event::unknown_bits(const llvm::BinaryOperator& operation, const Term& a, const Term& b,
                         unsigned element, unsigned bits) {
  auto result = unknown_term(operation, element, bits);
  const auto all = Range::of_bits(bits);
  if (!a.range.is_within(all) || !b.range.is_within(all)) return result;
  const auto& name = result.text;
  const auto fact = [&](const std::string& low, const std::string& high) {
    script_.add_fact(name, fmt::format("(<= {} {})", low, high));
  };
  const auto limit = [&](Wide high) {
    result.range.high = std::min(result.range.high, high);
    fact(name, smt_number(result.range.high));
  };
  if (operation.getOpcode() == llvm::Instruction::And) {
    limit(std::min(a.range.high, b.range.high));
    fact(name, a.text);
    fact(name, b.text);
    return result;
  }
  Wide high = 1;
  while (high <= std::max(a.range.high, b.range.high)) high *= 2;
  limit(high - 1);
  fact(name, fmt::format("(+ {} {})", a.text, b.text));
  if (operation.getOpcode() != llvm::Instruction::Or) return result;
  fact(a.text, name);
  fact(b.text, name);
  return result;
}

Truth Event::unknown_truth(const llvm::Value& value, unsigned element) {
  return {unknown_symbol(value, element, Sort::boolean)};
}

// The number that a load finds, as a function of its address; empty where that has no term.
std::string Event::place_of(const llvm::LoadInst& load, unsigned element, unsigned object) {
  const auto& layout = load.getDataLayout();
  const auto bytes = layout.getTypeStoreSize(load.getType()->getScalarType()).getFixedValue();
  auto offset = number(Wide(code_.offset_of(object)) + Wide(element) * Wide(bytes));
  const auto* pointer = load.getPointerOperand();
  while (const auto* step = llvm::dyn_cast<llvm::GEPOperator>(pointer)) {
    if (step->getNumIndices() != 1) return "";
    const auto size = layout.getTypeAllocSize(step->getSourceElementType()).getFixedValue();
    const auto& index = *step->getOperand(1);
    const auto bits = index.getType()->getScalarSizeInBits();
    offset = terms_.add(offset,
                        terms_.multiply(terms_.as_signed(term(index), bits), number(Wide(size))));
    pointer = step->getPointerOperand();
  }
  const auto function = fmt::format("f{}_{}_", code_.memory_of(object), bytes);
  script_.declare_named(function, Sort::integer, 1);
  return fmt::format("({} {})", function, offset.text);
}

}  // namespace msci::prover
