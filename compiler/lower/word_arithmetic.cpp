#include <llvm/IR/Module.h>

#include "compiler/lower/lowerings.h"

namespace msci {
namespace {

bool is_zero(const llvm::Value* value) {
  const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(value);
  return constant && constant->isZero();
}

}  // namespace

Words WordArithmetic::sum(const Words& a, const Words& b) {
  Words result;
  Value* carry = number(0);
  for (std::size_t i = 0; i < a.size(); ++i) {
    auto* part = builder_.CreateAdd(a[i], b[i]);
    auto* carried = builder_.CreateICmpULT(part, a[i]);
    result.push_back(builder_.CreateAdd(part, carry));
    carry = widened(builder_.CreateOr(carried, builder_.CreateICmpULT(result.back(), part)));
  }
  return result;
}

Words WordArithmetic::difference(const Words& a, const Words& b) {
  Words result;
  Value* borrow = number(0);
  for (std::size_t i = 0; i < a.size(); ++i) {
    auto* part = builder_.CreateSub(a[i], b[i]);
    auto* borrowed = builder_.CreateICmpULT(a[i], b[i]);
    result.push_back(builder_.CreateSub(part, borrow));
    borrow = widened(builder_.CreateOr(borrowed, builder_.CreateICmpULT(part, borrow)));
  }
  return result;
}

// Word by word, as by hand; what goes beyond the last word is dropped.
Words WordArithmetic::product(const Words& a, const Words& b) {
  Words result(a.size(), number(0));
  for (std::size_t i = 0; i < a.size(); ++i) {
    Value* carry = number(0);
    for (std::size_t j = 0; i + j < a.size(); ++j) {
      auto* low = builder_.CreateMul(a[i], b[j]);
      auto* part = builder_.CreateAdd(result[i + j], low);
      auto* total = builder_.CreateAdd(part, carry);
      result[i + j] = total;
      if (i + j + 1 == a.size()) continue;
      auto* high = high_product(a[i], b[j]);
      high = builder_.CreateAdd(high, widened(builder_.CreateICmpULT(part, low)));
      carry = builder_.CreateAdd(high, widened(builder_.CreateICmpULT(total, part)));
    }
  }
  return result;
}

// The upper word of a product of two words.
llvm::Value* WordArithmetic::high_product(Value* a, Value* b) {
  const auto* x = llvm::dyn_cast<llvm::ConstantInt>(a);
  const auto* y = llvm::dyn_cast<llvm::ConstantInt>(b);
  if ((x && x->isZero()) || (y && y->isZero())) return number(0);
  if (x && y) return builder_.getInt(llvm::APIntOps::mulhu(x->getValue(), y->getValue()));
  auto* word = builder_.getInt64Ty();
  auto function = builder_.GetInsertBlock()->getModule()->getOrInsertFunction(
      "msci.math.mul_hi.u64", word, word, word);
  auto* callee = llvm::cast<llvm::Function>(function.getCallee());
  callee->setDoesNotAccessMemory();
  callee->setDoesNotThrow();
  callee->setWillReturn();
  return builder_.CreateCall(function, {a, b});
}

// The last word read as a signed one of its own bits.
Words WordArithmetic::with_sign_in_last(Words value, unsigned bits) {
  const auto spare = word_bits - bits_in_last_word(bits);
  if (spare > 0) value.back() = builder_.CreateAShr(builder_.CreateShl(value.back(), spare), spare);
  return value;
}

Words WordArithmetic::clear_unused(Words value, unsigned bits) {
  const auto used = bits_in_last_word(bits);
  if (used < word_bits)
    value.back() = builder_.CreateAnd(value.back(), llvm::maskTrailingOnes<std::uint64_t>(used));
  return value;
}

// The word at `index` plus `by` words; `outside` without one.
llvm::Value* WordArithmetic::word_at(const Words& value, std::ptrdiff_t index, Value* by, bool up,
                                     Value* outside) {
  if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(by)) {
    const auto step = static_cast<std::ptrdiff_t>(constant->getZExtValue());
    const auto at = up ? index + step : index - step;
    return at < 0 || at >= std::ssize(value) ? outside : value[static_cast<std::size_t>(at)];
  }
  auto* result = outside;
  for (std::ptrdiff_t at = 0; at < std::ssize(value); ++at) {
    const auto step = up ? at - index : index - at;
    if (step < 0) continue;
    auto* is_it = builder_.CreateICmpEQ(by, number(static_cast<std::uint64_t>(step)));
    result = builder_.CreateSelect(is_it, value[static_cast<std::size_t>(at)], result);
  }
  return result;
}

Words WordArithmetic::shifted_left(const Words& value, Value* by) {
  auto* whole = builder_.CreateLShr(by, 6);
  auto* bits = builder_.CreateAnd(by, word_bits - 1);
  Words result;
  for (std::ptrdiff_t i = 0; i < std::ssize(value); ++i)
    result.push_back(joined_left(word_at(value, i, whole, false, number(0)),
                                 word_at(value, i - 1, whole, false, number(0)), bits));
  return result;
}

Words WordArithmetic::shifted_right(const Words& value, Value* by, Value* fill) {
  auto* whole = builder_.CreateLShr(by, 6);
  auto* bits = builder_.CreateAnd(by, word_bits - 1);
  Words result;
  for (std::ptrdiff_t i = 0; i < std::ssize(value); ++i) {
    auto* low = word_at(value, i, whole, true, fill);
    auto* high = word_at(value, i + 1, whole, true, fill);
    // Shifted twice, so that no shift is by all 64 bits.
    auto* upper = builder_.CreateShl(builder_.CreateShl(high, 1),
                                     builder_.CreateSub(number(word_bits - 1), bits));
    result.push_back(is_zero(bits) ? low
                                   : builder_.CreateOr(builder_.CreateLShr(low, bits), upper));
  }
  return result;
}

llvm::Value* WordArithmetic::joined_left(Value* high, Value* low, Value* bits) {
  if (is_zero(bits)) return high;
  auto* lower = builder_.CreateLShr(builder_.CreateLShr(low, 1),
                                    builder_.CreateSub(number(word_bits - 1), bits));
  return builder_.CreateOr(builder_.CreateShl(high, bits), lower);
}

// The last word decides, unless it is equal; then the one before, and so on.
llvm::Value* WordArithmetic::is_less(Words a, Words b, unsigned bits, bool is_signed) {
  if (is_signed) {
    a = with_sign_in_last(a, bits);
    b = with_sign_in_last(b, bits);
  }
  Value* less = builder_.getFalse();
  for (std::size_t i = 0; i < a.size(); ++i) {
    const bool last = i + 1 == a.size();
    auto* here =
        last && is_signed ? builder_.CreateICmpSLT(a[i], b[i]) : builder_.CreateICmpULT(a[i], b[i]);
    less = builder_.CreateOr(here, builder_.CreateAnd(builder_.CreateICmpEQ(a[i], b[i]), less));
  }
  return less;
}

Words WordArithmetic::select(Value* condition, const Words& a, const Words& b) {
  Words result;
  for (std::size_t i = 0; i < a.size(); ++i)
    result.push_back(builder_.CreateSelect(condition, a[i], b[i]));
  return result;
}

// 2^64 leaves a remainder of its own for each word.
llvm::Value* WordArithmetic::remainder(const Words& value, unsigned divisor) {
  Value* result = number(0);
  std::uint64_t weight = 1;
  for (auto* word : value) {
    auto* part = builder_.CreateMul(builder_.CreateURem(word, number(divisor)), number(weight));
    result = builder_.CreateURem(builder_.CreateAdd(result, part), number(divisor));
    weight = (llvm::APInt::getOneBitSet(128, 64) * llvm::APInt(128, weight)).urem(divisor);
  }
  return result;
}

llvm::Value* WordArithmetic::ones(const Words& value) {
  Value* total = number(0);
  for (auto* word : value)
    total = builder_.CreateAdd(total, builder_.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, word));
  return total;
}

llvm::Value* WordArithmetic::zeros(llvm::Intrinsic::ID id, Value* word) {
  return builder_.CreateBinaryIntrinsic(id, word, builder_.getFalse());
}

llvm::Value* WordArithmetic::leading_zeros(const Words& value, unsigned bits) {
  Value* result = number(bits);
  for (std::size_t i = 0; i < value.size(); ++i) {
    auto* here = builder_.CreateAdd(zeros(llvm::Intrinsic::ctlz, value[i]),
                                    number(bits - (i + 1) * word_bits));
    result = builder_.CreateSelect(builder_.CreateICmpNE(value[i], number(0)), here, result);
  }
  return result;
}

llvm::Value* WordArithmetic::trailing_zeros(const Words& value, unsigned bits) {
  Value* result = number(bits);
  for (std::size_t i = value.size(); i-- > 0;) {
    auto* here = builder_.CreateAdd(zeros(llvm::Intrinsic::cttz, value[i]), number(i * word_bits));
    result = builder_.CreateSelect(builder_.CreateICmpNE(value[i], number(0)), here, result);
  }
  return result;
}

}  // namespace msci
