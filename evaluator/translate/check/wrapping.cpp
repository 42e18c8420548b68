#include "evaluator/translate/check/wrapping.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>

namespace msci {
namespace {

constexpr unsigned deepest = 12;  // operations that an index is followed through

llvm::Value* either(llvm::IRBuilder<>& builder, llvm::Value* a, llvm::Value* b) {
  return !a ? b : !b ? a : builder.CreateOr(a, b);
}

bool is_followed(const llvm::BinaryOperator& operation) {
  switch (operation.getOpcode()) {
    case llvm::Instruction::Add:
    case llvm::Instruction::Sub:
    case llvm::Instruction::Mul:
      return true;
    case llvm::Instruction::Shl:
      return llvm::isa<llvm::ConstantInt>(operation.getOperand(1));
    default:
      return false;
  }
}

// Whether the result differs from what twice as many bits would hold.
llvm::Value* differs(llvm::IRBuilder<>& builder, const llvm::BinaryOperator& operation,
                     llvm::Value* result, bool as_signed) {
  const bool shifts = operation.getOpcode() == llvm::Instruction::Shl;
  const auto widen = [&](llvm::Value* value, bool with_sign) {
    return with_sign ? builder.CreateSExt(value, builder.getInt64Ty())
                     : builder.CreateZExt(value, builder.getInt64Ty());
  };
  auto* left = widen(operation.getOperand(0), as_signed);
  auto* right = widen(operation.getOperand(1), as_signed && !shifts);
  auto* exact = builder.CreateBinOp(operation.getOpcode(), left, right);
  return builder.CreateICmpNE(exact, widen(result, as_signed));
}

}  // namespace

Wrapping::Readings Wrapping::readings(llvm::Value* index, unsigned depth) {
  if (const auto known = known_.find(index); known != known_.end()) return known->second;
  if (auto* cast = llvm::dyn_cast<llvm::CastInst>(index);
      cast && llvm::isa<llvm::SExtInst, llvm::ZExtInst>(cast))
    return readings(cast->getOperand(0), depth);
  auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(index);
  // Narrower than a source's arithmetic is only what it cut off on purpose.
  const bool is_uint = index->getType()->isIntegerTy(32);
  if (!operation || depth == 0 || !is_followed(*operation)) return {};
  if (!is_uint && !index->getType()->isIntegerTy(64)) return {};
  const auto a = readings(operation->getOperand(0), depth - 1);
  const auto b = readings(operation->getOperand(1), depth - 1);
  llvm::IRBuilder<> builder(operation->getNextNode());
  Readings found{either(builder, a.as_unsigned, b.as_unsigned),
                 either(builder, a.as_signed, b.as_signed)};
  if (is_uint) {
    auto* lost = differs(builder, *operation, operation, true);
    found.as_signed = either(builder, found.as_signed, lost);
    // Signed arithmetic can only be meant as such.
    const bool is_signed =
        llvm::cast<llvm::OverflowingBinaryOperator>(operation)->hasNoSignedWrap();
    found.as_unsigned = either(builder, found.as_unsigned,
                               is_signed ? lost : differs(builder, *operation, operation, false));
  }
  return known_[index] = found;
}

llvm::Value* Wrapping::of(llvm::Value* pointer, llvm::Instruction& access) {
  llvm::IRBuilder<> builder(&access);
  llvm::Value* wrapped = nullptr;
  while (auto* step = llvm::dyn_cast<llvm::GEPOperator>(pointer)) {
    for (auto& index : step->indices()) {
      const auto found = readings(index, deepest);
      if (found.as_unsigned && found.as_signed)
        wrapped = either(builder, wrapped, builder.CreateAnd(found.as_unsigned, found.as_signed));
    }
    pointer = step->getPointerOperand();
  }
  return wrapped;
}

}  // namespace msci
