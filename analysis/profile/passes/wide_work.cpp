#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>

#include "analysis/profile/passes/count_work.h"

namespace msci {
namespace {

using llvm::Instruction;

constexpr unsigned half_bits = 32;

// Which halves of a value are known to be zero.
struct ZeroHalves {
  bool low = false;
  bool high = false;
};

ZeroHalves zero_halves(const llvm::Value& value, const llvm::DataLayout& layout) {
  const auto known = llvm::computeKnownBits(&value, layout);
  const auto zeros = known.Zero;
  return {zeros.extractBits(half_bits, 0).isAllOnes(),
          zeros.extractBits(zeros.getBitWidth() - half_bits, half_bits).isAllOnes()};
}

// Halves of which both operands have bits that matter.
unsigned common_halves(ZeroHalves a, ZeroHalves b) {
  return (a.low || b.low ? 0U : 1U) + (a.high || b.high ? 0U : 1U);
}

// A mask leaves halves alone where it has only ones.
InstructionWork mask_work(const llvm::Value& mask, ZeroHalves a, ZeroHalves b) {
  const auto* bits = splat_constant(mask);
  if (!bits) return {WorkKind::integer, common_halves(a, b)};
  const bool keeps_low = bits->extractBits(half_bits, 0).isAllOnes();
  const bool keeps_high = bits->extractBits(bits->getBitWidth() - half_bits, half_bits).isAllOnes();
  return {WorkKind::integer,
          (keeps_low || a.low || b.low ? 0U : 1U) + (keeps_high || a.high || b.high ? 0U : 1U)};
}

InstructionWork sum_work(ZeroHalves a, ZeroHalves b) {
  if (a.low || b.low) return {WorkKind::integer, a.high || b.high ? 0U : 1U};
  if (a.high && b.high) return {WorkKind::integer, 2};  // the sum and its carry
  return {WorkKind::add_long, 1};
}

// By a constant: each half is shifted, and one takes bits of the other.
InstructionWork constant_shift_work(const Instruction& shift, unsigned by, ZeroHalves operand) {
  if (by % half_bits == 0 && shift.getOpcode() != Instruction::AShr) return {WorkKind::bits, 0};
  const bool to_left = shift.getOpcode() == Instruction::Shl;
  const bool one_half = by >= half_bits || (to_left ? operand.low : operand.high);
  return {WorkKind::bits, one_half ? 1U : 3U};
}

InstructionWork product_work(const llvm::Value& by, ZeroHalves a, ZeroHalves b) {
  const auto* constant = splat_constant(by);
  if (constant && (constant->isPowerOf2() || (*constant + 1).isPowerOf2()))
    return {WorkKind::add_long, 1};
  return {a.high && b.high ? WorkKind::multiply_high : WorkKind::multiply_long, 1};
}

InstructionWork one_element(const Instruction& instruction, ZeroHalves a, ZeroHalves b) {
  constexpr unsigned shift_steps = 3;     // both halves, and the bits that change halves
  constexpr unsigned division_steps = 4;  // of 32 bits
  const auto& second = *instruction.getOperand(1);
  const auto* constant = splat_constant(second);
  switch (instruction.getOpcode()) {
    case Instruction::Add:
    case Instruction::Sub:
      return sum_work(a, b);
    case Instruction::Mul:
      return product_work(second, a, b);
    case Instruction::And:
      return mask_work(second, a, b);
    case Instruction::UDiv:
    case Instruction::SDiv:
    case Instruction::URem:
    case Instruction::SRem:
      // A product with the divisor's inverse.
      return constant ? InstructionWork{WorkKind::multiply_high, upper_half_products}
                      : InstructionWork{WorkKind::divide_integer, division_steps};
    case Instruction::Shl:
    case Instruction::LShr:
    case Instruction::AShr:
      return constant ? constant_shift_work(instruction,
                                            static_cast<unsigned>(constant->getLimitedValue()), a)
                      : InstructionWork{WorkKind::shift_right, shift_steps};
    default:
      return {WorkKind::integer, common_halves(a, b)};
  }
}

}  // namespace

const llvm::APInt* splat_constant(const llvm::Value& value) {
  const llvm::APInt* constant = nullptr;
  return llvm::PatternMatch::match(&value, llvm::PatternMatch::m_APInt(constant)) ? constant
                                                                                  : nullptr;
}

bool is_long(const llvm::Type* type) {
  return type->isIntOrIntVectorTy() && type->getScalarSizeInBits() > half_bits;
}

bool fits_in_half(const llvm::Value& value, const llvm::DataLayout& layout) {
  return is_long(value.getType()) && zero_halves(value, layout).high;
}

std::optional<InstructionWork> wide_work(const Instruction& instruction) {
  const auto* comparison = llvm::dyn_cast<llvm::ICmpInst>(&instruction);
  const auto* operand = comparison ? comparison->getOperand(0) : &instruction;
  if (!is_long(operand->getType())) return std::nullopt;
  const auto& layout = instruction.getDataLayout();
  const auto count = elements_of(operand->getType());
  const auto halves = [&](unsigned number) {
    return zero_halves(*instruction.getOperand(number), layout);
  };
  if (comparison)
    return InstructionWork{WorkKind::integer, count * (halves(0).high && halves(1).high ? 1U : 2U)};
  if (llvm::isa<llvm::SelectInst>(instruction)) {
    const auto a = halves(1), b = halves(2);
    return InstructionWork{WorkKind::compare_select,
                           count * ((a.low && b.low ? 0U : 1U) + (a.high && b.high ? 0U : 1U))};
  }
  if (!llvm::isa<llvm::BinaryOperator>(instruction)) return std::nullopt;
  auto work = one_element(instruction, halves(0), halves(1));
  work.count *= count;
  return work;
}

}  // namespace msci
