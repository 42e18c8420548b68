#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/PatternMatch.h>

#include <optional>

#include "analysis/coverage/passes/condition_words.h"
#include "analysis/coverage/passes/cover_outcomes.h"

namespace msci {
namespace {

using llvm::Instruction;
using llvm::Value;

// Fewer bits are those of places in a tile, and more hold each number of threads or elements.
constexpr unsigned least_room = 8, most_room = 31;

struct Narrowing {
  Value* number;
  unsigned bits;
  bool is_signed = false;
};

bool is_sign_extended(const Instruction& narrowed) {
  return llvm::any_of(narrowed.users(), [](const llvm::User* user) {
    return llvm::isa<llvm::SExtInst, llvm::SIToFPInst>(user);
  });
}

// Masks of other widths say what the source means: & 1023 in a ring of 1024 cells.
bool is_width_of_type(unsigned bits) { return bits == 8 || bits == 16; }

// LLVM writes uint(ushort(x)) as x & 65535, uchar(x) * 4 as (x << 2) & 1020, and int(char(x)) as
// (x << 24) >> 24.
std::optional<Narrowing> narrowing_in(const Instruction& instruction) {
  using namespace llvm::PatternMatch;
  Value* number = nullptr;
  const llvm::APInt *mask = nullptr, *up = nullptr, *down = nullptr;
  if (const auto* cast = llvm::dyn_cast<llvm::TruncInst>(&instruction)) {
    if (cast->hasNoUnsignedWrap() || cast->hasNoSignedWrap()) return std::nullopt;
    return Narrowing{cast->getOperand(0), cast->getType()->getScalarSizeInBits(),
                     is_sign_extended(*cast)};
  }
  if (match(&instruction, m_And(m_Value(number), m_APInt(mask))) && mask->isShiftedMask() &&
      is_width_of_type(mask->popcount()))
    return Narrowing{number, mask->getActiveBits()};
  if (match(&instruction, m_AShr(m_Shl(m_Value(number), m_APInt(up)), m_APInt(down))) &&
      up->ult(up->getBitWidth())) {
    const auto bits = up->getBitWidth() - static_cast<unsigned>(up->getZExtValue());
    if (is_width_of_type(bits)) return Narrowing{number, bits, true};
  }
  return std::nullopt;
}

bool is_position_in_threadgroup(const llvm::CallInst& call) {
  const auto name = call.getCalledFunction()->getName();
  return name == "get_local_id" || name == "get_local_size" || name == "get_sub_group_local_id";
}

// Whether it is made of more than positions in a threadgroup, which are the same in all launches:
// of an argument, of a position in the grid, or of what a loop counts.
bool may_grow(const Value& number) {
  llvm::SmallPtrSet<const Value*, 16> known;
  std::vector<const Value*> open{&number};
  while (!open.empty()) {
    const auto* each = open.back();
    open.pop_back();
    if (!known.insert(each).second) continue;
    const auto* instruction = llvm::dyn_cast<Instruction>(each);
    if (llvm::isa<llvm::Argument, llvm::PHINode, llvm::LoadInst>(each)) return true;
    if (!instruction) continue;
    const bool asks = asks_for_threads(*instruction);
    if (asks && !is_position_in_threadgroup(llvm::cast<llvm::CallInst>(*instruction))) return true;
    if (!asks) open.insert(open.end(), instruction->op_begin(), instruction->op_end());
  }
  return false;
}

// Sums and products of 8 or 16 bits, whose operands may be as short.
bool may_wrap(const Instruction& instruction) {
  const auto opcode = instruction.getOpcode();
  return (opcode == Instruction::Add || opcode == Instruction::Mul || opcode == Instruction::Shl) &&
         !instruction.hasNoUnsignedWrap() && !instruction.hasNoSignedWrap();
}

bool is_narrow(const Instruction& instruction) {
  return instruction.getType()->isIntOrIntVectorTy() &&
         is_width_of_type(instruction.getType()->getScalarSizeInBits());
}

// A real number; not its bits, which lanes may give each other.
bool becomes_integer(const Instruction& instruction) {
  if (llvm::isa<llvm::FPToUIInst, llvm::FPToSIInst>(instruction)) return true;
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  if (!call || !is_function_of_operands(*call)) return false;
  const auto name = call->getCalledFunction()->getName();
  return name.contains("fptoui") || name.contains("fptosi");
}

class Finder {
 public:
  Finder(Instruction& instruction, llvm::IRBuilder<>& builder,
         const std::function<bool(const Value&)>& counts)
      : instruction_(instruction), builder_(builder), counts_(counts) {
    builder_.SetInsertPoint(&instruction);
    builder_.SetCurrentDebugLocation({});
  }

  std::vector<LostDigits> find() {
    if (const auto narrowing = narrowing_in(instruction_)) add(*narrowing);
    if (is_narrow(instruction_) && may_wrap(instruction_)) add_wrapped();
    if (becomes_integer(instruction_)) add_integers_behind();
    return std::move(found_);
  }

 private:
  void add(const Narrowing& narrowing) {
    auto& number = *narrowing.number;
    const auto bits = narrowing.bits;
    auto* type = number.getType();
    if (bits < least_room || bits > most_room || bits >= type->getScalarSizeInBits()) return;
    if (!counts_(number) || !may_grow(number)) return;
    const auto width = type->getScalarSizeInBits();
    const auto room = llvm::APInt::getLowBitsSet(width, bits);
    // Of signed ones, from -2^(bits - 1) on.
    Value* above = &number;
    if (narrowing.is_signed)
      above = builder_.CreateAdd(
          above, llvm::ConstantInt::get(type, llvm::APInt::getOneBitSet(width, bits - 1)));
    auto* is_lost = builder_.CreateICmpUGT(above, llvm::ConstantInt::get(type, room));
    found_.push_back({&number, is_lost, narrowing.is_signed ? bits - 1 : bits, false});
  }

  void add_wrapped() {
    if (!counts_(instruction_) || !may_grow(instruction_)) return;
    auto* type = instruction_.getType();
    const auto bits = type->getScalarSizeInBits();
    auto* wide = type->getWithNewBitWidth(2 * bits);
    const auto widened = [&](unsigned operand) {
      return builder_.CreateZExt(instruction_.getOperand(operand), wide);
    };
    auto* exact = builder_.CreateBinOp(llvm::cast<llvm::BinaryOperator>(instruction_).getOpcode(),
                                       widened(0), widened(1));
    auto* room = llvm::ConstantInt::get(wide, llvm::APInt::getLowBitsSet(2 * bits, bits));
    found_.push_back({&instruction_, builder_.CreateICmpUGT(exact, room), bits, false});
  }

  // Sums and products of integers, or the integers that a real number is made of otherwise.
  void add_integers_behind() {
    llvm::SmallPtrSet<const Value*, 8> known;
    std::vector<Value*> open{instruction_.getOperand(0)};
    while (!open.empty()) {
      auto* real = llvm::dyn_cast<Instruction>(open.back());
      open.pop_back();
      if (!real || !known.insert(real).second || !counts_(*real)) continue;
      if (auto* integer = exact_integer_of(*real)) {
        add_real(*real, *integer);
        continue;
      }
      if (llvm::isa<llvm::LoadInst, llvm::PHINode>(real)) continue;
      for (auto& operand : real->operands()) open.push_back(operand.get());
    }
  }

  void add_real(Instruction& real, Value& integer) {
    const auto bits = digits_of(*real.getType());
    auto* type = integer.getType();
    if (bits == 0 || bits > most_room) return;
    auto* room = llvm::ConstantInt::get(type, llvm::APInt::getOneBitSet(64, bits));
    found_.push_back({&real, builder_.CreateICmpSGT(&integer, room), bits, true});
  }

  static unsigned digits_of(const llvm::Type& type) {
    const auto* scalar = type.getScalarType();
    return scalar->isFloatingPointTy()
               ? llvm::APFloat::semanticsPrecision(scalar->getFltSemantics())
               : 0;
  }

  // What it would be without rounding, with 64 bits, where no part of it may be larger; null for
  // what is not made so.
  Value* exact_integer_of(Value& real) {
    auto* type = real.getType()->getWithNewType(builder_.getInt64Ty());
    if (auto* constant = llvm::dyn_cast<llvm::ConstantFP>(&real)) {
      llvm::APSInt integer(64, false);
      bool is_exact = false;
      constant->getValueAPF().convertToInteger(integer, llvm::APFloat::rmTowardZero, &is_exact);
      return is_exact ? llvm::ConstantInt::get(type, integer) : nullptr;
    }
    auto* made = llvm::dyn_cast<Instruction>(&real);
    if (!made) return nullptr;
    const auto part = [&](unsigned operand) {
      return exact_integer_of(*made->getOperand(operand));
    };
    switch (made->getOpcode()) {
      case Instruction::UIToFP:
        return builder_.CreateZExtOrTrunc(made->getOperand(0), type);
      case Instruction::SIToFP:
        return builder_.CreateSExtOrTrunc(made->getOperand(0), type);
      case Instruction::FPExt:
      case Instruction::FPTrunc:
        return part(0);
      case Instruction::FAdd:
      case Instruction::FMul:
        return combined(made->getOpcode(), part(0), part(1));
      case Instruction::Call:
        return is_product_and_sum(*made)
                   ? combined(Instruction::FAdd, combined(Instruction::FMul, part(0), part(1)),
                              part(2))
                   : nullptr;
      default:
        return nullptr;
    }
  }

  static bool is_product_and_sum(const Instruction& instruction) {
    const auto& call = llvm::cast<llvm::CallInst>(instruction);
    if (!is_function_of_operands(call) || call.arg_size() != 3) return false;
    const auto name = call.getCalledFunction()->getName();
    return name.contains(".fma.") || name.contains(".fmuladd.");
  }

  Value* combined(unsigned opcode, Value* a, Value* b) {
    if (!a || !b) return nullptr;
    return opcode == Instruction::FAdd ? builder_.CreateAdd(a, b) : builder_.CreateMul(a, b);
  }

  Instruction& instruction_;
  llvm::IRBuilder<>& builder_;
  const std::function<bool(const Value&)>& counts_;
  std::vector<LostDigits> found_;
};

}  // namespace

std::vector<LostDigits> lost_digits_in(Instruction& instruction, llvm::IRBuilder<>& builder,
                                       const std::function<bool(const Value&)>& counts) {
  return Finder(instruction, builder, counts).find();
}

}  // namespace msci
