#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>

#include "analysis/check/passes/check_parts.h"

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

// The product that a quotient takes back: `count * 4 / 4` is meant to be `count`. No hash is made
// like that.
llvm::BinaryOperator* product_of(const llvm::BinaryOperator& quotient) {
  if (quotient.getOpcode() != llvm::Instruction::UDiv) return nullptr;
  auto* product = llvm::dyn_cast<llvm::BinaryOperator>(quotient.getOperand(0));
  const auto* divisor = llvm::dyn_cast<llvm::ConstantInt>(quotient.getOperand(1));
  if (!product || product->getOpcode() != llvm::Instruction::Mul || !divisor) return nullptr;
  const auto* factor = llvm::dyn_cast<llvm::ConstantInt>(product->getOperand(1));
  const bool takes_back = factor && !divisor->isZero() && !factor->isZero() &&
                          factor->getValue().urem(divisor->getValue()).isZero();
  return takes_back ? product : nullptr;
}

// Whether a product, or a shift to the left, differs from what twice as many bits would hold. The
// result itself is not looked at: it may say that signed arithmetic does not wrap, and LLVM would
// believe that.
llvm::Value* product_differs(llvm::IRBuilder<>& builder, llvm::BinaryOperator& product,
                             bool as_signed) {
  const auto widen = [&](llvm::Value* value) {
    return as_signed ? builder.CreateSExt(value, builder.getInt64Ty())
                     : builder.CreateZExt(value, builder.getInt64Ty());
  };
  auto *a = widen(product.getOperand(0)), *b = widen(product.getOperand(1));
  auto* exact = product.getOpcode() == llvm::Instruction::Shl ? builder.CreateShl(a, b)
                                                              : builder.CreateMul(a, b);
  return builder.CreateICmpNE(exact, widen(builder.CreateTrunc(exact, product.getType())));
}

// Whether the result differs from that of numbers without limits. In 32 bits where that suffices:
// checks are dear where the lanes are vectors.
llvm::Value* differs(llvm::IRBuilder<>& builder, llvm::BinaryOperator& operation, bool as_signed) {
  auto* a = operation.getOperand(0);
  auto* b = operation.getOperand(1);
  const auto signs_differ = [&](llvm::Value* x, llvm::Value* y, llvm::Value* z) {
    auto* both = builder.CreateAnd(builder.CreateXor(x, y), builder.CreateXor(x, z));
    return builder.CreateICmpSLT(both, llvm::Constant::getNullValue(both->getType()));
  };
  switch (operation.getOpcode()) {
    case llvm::Instruction::Add:
      return as_signed ? signs_differ(&operation, a, b) : builder.CreateICmpULT(&operation, a);
    case llvm::Instruction::Sub:
      return as_signed ? signs_differ(a, b, &operation) : builder.CreateICmpULT(a, b);
    default:
      return product_differs(builder, operation, as_signed);
  }
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
  if (!operation || depth == 0) return {};
  if (auto* product = product_of(*operation)) {
    const auto lost = readings(product, depth - 1).as_unsigned;
    return known_[index] = {lost, lost};  // the quotient is one of unsigned numbers
  }
  if (!is_followed(*operation)) return {};
  if (!is_uint && !index->getType()->isIntegerTy(64)) return {};
  const auto a = readings(operation->getOperand(0), depth - 1);
  const auto b = readings(operation->getOperand(1), depth - 1);
  llvm::IRBuilder<> builder(operation->getNextNode());
  Readings found{either(builder, a.as_unsigned, b.as_unsigned),
                 either(builder, a.as_signed, b.as_signed)};
  if (is_uint) {
    auto* lost = differs(builder, *operation, true);
    found.as_signed = either(builder, found.as_signed, lost);
    // Signed arithmetic can only be meant as such.
    const bool is_signed =
        llvm::cast<llvm::OverflowingBinaryOperator>(operation)->hasNoSignedWrap();
    found.as_unsigned =
        either(builder, found.as_unsigned, is_signed ? lost : differs(builder, *operation, false));
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
