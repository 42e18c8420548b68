// Arithmetic on integers of several words of 64 bits, in LLVM IR.
#pragma once

#include <llvm/Analysis/InstSimplifyFolder.h>
#include <llvm/IR/IRBuilder.h>

#include <cstdint>

namespace msci {

constexpr unsigned word_bits = 64;

// Words from the lowest to the highest, each a 64-bit integer. Two operands have equally many.
using Words = llvm::SmallVector<llvm::Value*, 4>;

constexpr unsigned words_for(unsigned bits) { return (bits + word_bits - 1) / word_bits; }
// Bits in use of the last word.
constexpr unsigned bits_in_last_word(unsigned bits) {
  return bits - (words_for(bits) - 1) * word_bits;
}

// Each function inserts instructions at the builder's place. Where `bits` is absent, all bits of
// the words count, and what goes beyond the last word is dropped.
class WordArithmetic {
 public:
  using Value = llvm::Value;
  using Builder = llvm::IRBuilder<llvm::InstSimplifyFolder>;
  explicit WordArithmetic(Builder& builder) : builder_(builder) {}

  Value* number(std::uint64_t value) { return builder_.getInt64(value); }
  // Extends the value with zeros to the width of a word.
  Value* widened(Value* value) { return builder_.CreateZExt(value, builder_.getInt64Ty()); }

  Words sum(const Words& a, const Words& b);
  Words difference(const Words& a, const Words& b);
  Words product(const Words& a, const Words& b);
  // `by` is less than the bits of the words.
  Words shifted_left(const Words& value, Value* by);
  // What comes in from above consists of words `fill`.
  Words shifted_right(const Words& value, Value* by, Value* fill);
  // An i1.
  Value* is_less(Words a, Words b, unsigned bits, bool is_signed);
  Words select(Value* condition, const Words& a, const Words& b);

  // With zeros in the last word beyond the bits in use.
  Words clear_unused(Words value, unsigned bits);
  // With the last word read as a signed one of the bits in use.
  Words with_sign_in_last(Words value, unsigned bits);

  // One word each.
  Value* remainder(const Words& value, unsigned divisor);
  Value* ones(const Words& value);
  Value* leading_zeros(const Words& value, unsigned bits);
  Value* trailing_zeros(const Words& value, unsigned bits);

 protected:
  Builder& builder_;

 private:
  Value* high_product(Value* a, Value* b);
  Value* word_at(const Words& value, std::ptrdiff_t index, Value* by, bool up, Value* outside);
  Value* joined_left(Value* high, Value* low, Value* bits);
  Value* zeros(llvm::Intrinsic::ID id, Value* word);
};

}  // namespace msci
