// The lowerings of kernels: passes over their IR. compiler/translate_kernels.cpp has their order
// and its reasons.
#pragma once

#include <llvm/Analysis/InstSimplifyFolder.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/PassManager.h>

#include <cstdint>
#include <vector>

#include "compiler/constant_values.h"

namespace llvm {
class Module;
}

namespace msci {

// What is simplified before. `pointers`: what pointers lie in, and accesses that a thread repeats;
// no two accesses of the source become one.
enum class Tidying { all, pointers };

// Afterwards no atomic access is volatile, program-scope variables in Metal's `constant` space are
// in a space of their own (OpenCL needs __constant for them, and device memory for buffers), and
// every load through a `constant` pointer is marked invariant.
void name_constant_space(llvm::Module& ir);

// Afterwards a pointer is in the address space that it points to, where that follows from its
// origin: generic pointers, and `constant` ones, which point to tables or buffers. Private
// variables hold no addresses any more.
void infer_address_spaces(llvm::Module& ir, Tidying tidying = Tidying::all);

// Afterwards a true element of a vector comparison is 1, as in Metal's boolN, not -1 as in Clang's
// extended vectors. Must run on unoptimised IR.
void count_true_as_one(llvm::Module& ir);

// Function constants get the values that a host gives them.

// Afterwards the constants in `values`, and those that the source computes from them, are known
// where code is generated, and so is which of them are defined. Others stay as they are.
void define_function_constants(llvm::Module& ir, const std::vector<ConstantValue>& values);

// No instruction has an integer constant that is computed from an address (`ptrtoint @tile`) as an
// operand: instructions compute it. No later step may fold them again.
void expand_address_constants(llvm::Module& ir);

// Afterwards lane functions stand side by side where they are in one block, near each other, and
// none needs the result of another: a device that must wait for each can then wait for several at
// once.
void gather_lanes(llvm::Module& ir);

// Afterwards the IR has only what print() has text for, where an expansion exists: memory copies
// are loops, class tests of halves and saturating conversions are comparisons, vectors are
// OpenCL's, integers have at most 64 bits, multiply-adds that may be contracted are llvm.fmuladd.
void make_printable(llvm::Module& ir);

// Afterwards threads of a simdgroup that diverge within one iteration of a loop wait for each other
// before the next, so that a simdgroup function never combines values of two iterations.
// Optimisation must not move the calls that it adds.
void reconverge_loops(llvm::Module& ir);

// Afterwards a kernel reads the values of its `constant T&` arguments at its start, used or not: a
// driver that turns the threads of a threadgroup into a loop then reads them once for all threads.
// The driver cannot do so itself: only the translator knows that these addresses are readable.
void read_references_first(llvm::Module& ir);

// Afterwards each block computes and loads values right before their first use in it, operands from
// left to right, as in a written expression. LLVM's own order has all loads of a sum before its
// first addition; drivers that keep the order of the text then run out of registers.
void schedule_for_pressure(llvm::Module& ir);

// Afterwards OpenCL C has every vector and every operation on it. A kernel that computes with whole
// vectors, in ways that OpenCL C can express, keeps them: drivers of CPUs make vector instructions
// of them. In other kernels vectors are taken apart, and remain in loads, stores, element accesses
// and bit casts only. A vector of bits is a mask: a vector of int whose elements are 0 or -1.
struct TakeVectorsApart : llvm::PassInfoMixin<TakeVectorsApart> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

// Afterwards no integer has more than 64 bits. LLVM forms wider ones: a hand-written 64×64-bit
// multiplication becomes a multiplication of i128, copies of small structures become loads of i96.
// A wide integer becomes words of 64 bits, the least significant first; unused bits of the last
// word are zero. A function that uses one in a way that has no expansion here (as a floating-point
// number, an atomic, an element of a vector) stays as it is.
struct ExpandWideIntegers : llvm::PassInfoMixin<ExpandWideIntegers> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

// Arithmetic on integers of several words of 64 bits, in LLVM IR.
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
