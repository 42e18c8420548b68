// Expanded integers compute the same as LLVM's own arithmetic. With constant operands the expansion
// folds to constants.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Scalar/InstSimplifyPass.h>

#include <functional>
#include <random>

#include "compiler/frontend/passes.h"
#include "compiler/lower/lowerings.h"
#include "tests/compiler/ir.h"

namespace msci {
namespace {

using llvm::APInt;

struct Operation {
  const char* name;
  const char* ir;  // {0} is the type, {1} and {2} are operands
  std::function<APInt(const APInt&, const APInt&)> wanted;
};

APInt shift_amount(const APInt& b) { return APInt(b.getBitWidth(), b.urem(b.getBitWidth())); }

const Operation operations[] = {
    {"add", "add {0} {1}, {2}", [](auto& a, auto& b) { return a + b; }},
    {"sub", "sub {0} {1}, {2}", [](auto& a, auto& b) { return a - b; }},
    {"mul", "mul {0} {1}, {2}", [](auto& a, auto& b) { return a * b; }},
    {"and", "and {0} {1}, {2}", [](auto& a, auto& b) { return a & b; }},
    {"or", "or {0} {1}, {2}", [](auto& a, auto& b) { return a | b; }},
    {"xor", "xor {0} {1}, {2}", [](auto& a, auto& b) { return a ^ b; }},
    {"shl", "shl {0} {1}, {3}", [](auto& a, auto& b) { return a.shl(shift_amount(b)); }},
    {"lshr", "lshr {0} {1}, {3}", [](auto& a, auto& b) { return a.lshr(shift_amount(b)); }},
    {"ashr", "ashr {0} {1}, {3}", [](auto& a, auto& b) { return a.ashr(shift_amount(b)); }},
    {"umin", "call {0} @llvm.umin.{0}({0} {1}, {0} {2})",
     [](auto& a, auto& b) { return llvm::APIntOps::umin(a, b); }},
    {"smax", "call {0} @llvm.smax.{0}({0} {1}, {0} {2})",
     [](auto& a, auto& b) { return llvm::APIntOps::smax(a, b); }},
    {"fshl", "call {0} @llvm.fshl.{0}({0} {1}, {0} {2}, {0} {2})",
     [](auto& a, auto& b) { return llvm::APIntOps::fshl(a, b, b); }},
    {"fshr", "call {0} @llvm.fshr.{0}({0} {1}, {0} {2}, {0} {2})",
     [](auto& a, auto& b) { return llvm::APIntOps::fshr(a, b, b); }},
    {"abs", "call {0} @llvm.abs.{0}({0} {1}, i1 false)", [](auto& a, auto&) { return a.abs(); }},
    {"ctpop", "call {0} @llvm.ctpop.{0}({0} {1})",
     [](auto& a, auto&) { return APInt(a.getBitWidth(), a.popcount()); }},
    {"ctlz", "call {0} @llvm.ctlz.{0}({0} {1}, i1 false)",
     [](auto& a, auto&) { return APInt(a.getBitWidth(), a.countl_zero()); }},
    {"cttz", "call {0} @llvm.cttz.{0}({0} {1}, i1 false)",
     [](auto& a, auto&) { return APInt(a.getBitWidth(), a.countr_zero()); }},
    {"bitreverse", "call {0} @llvm.bitreverse.{0}({0} {1})",
     [](auto& a, auto&) { return a.reverseBits(); }},
};

struct Comparison {
  const char* predicate;
  bool (*wanted)(const APInt&, const APInt&);
};

const Comparison comparisons[] = {
    {"eq", [](auto& a, auto& b) { return a == b; }},
    {"ne", [](auto& a, auto& b) { return a != b; }},
    {"ult", [](auto& a, auto& b) { return a.ult(b); }},
    {"ule", [](auto& a, auto& b) { return a.ule(b); }},
    {"ugt", [](auto& a, auto& b) { return a.ugt(b); }},
    {"uge", [](auto& a, auto& b) { return a.uge(b); }},
    {"slt", [](auto& a, auto& b) { return a.slt(b); }},
    {"sle", [](auto& a, auto& b) { return a.sle(b); }},
    {"sgt", [](auto& a, auto& b) { return a.sgt(b); }},
    {"sge", [](auto& a, auto& b) { return a.sge(b); }},
};

class Numbers {
 public:
  explicit Numbers(unsigned bits) : bits_(bits) {}

  // Mostly random; sometimes with all bits of a word alike, where carries run far.
  APInt next() {
    APInt value(bits_, 0);
    for (unsigned at = 0; at < bits_; at += 32) {
      const std::uint32_t random = static_cast<std::uint32_t>(random_());
      const std::uint32_t word = random_() % 4 == 0 ? (random & 1 ? ~0U : 0U) : random;
      const unsigned size = std::min(32U, bits_ - at);
      value.insertBits(word & llvm::maskTrailingOnes<std::uint32_t>(size), at, size);
    }
    return value;
  }

 private:
  std::mt19937_64 random_{7};
  unsigned bits_;
};

std::string text_of(const APInt& value) { return llvm::toString(value, 10, true); }

// The value that the function returns, piece by piece of 64 bits, once its integers are expanded.
APInt expanded_result(const std::string& expression, const std::string& type, unsigned bits) {
  std::string text = fmt::format("define void @f(ptr %p) {{\n  %r = {}\n", expression);
  text += fmt::format("  store {} %r, ptr %p\n  ret void\n}}\n", type);
  for (const char* name : {"umin", "smax"})
    text += fmt::format("declare {0} @llvm.{1}.{0}({0}, {0})\n", type, name);
  for (const char* name : {"fshl", "fshr"})
    text += fmt::format("declare {0} @llvm.{1}.{0}({0}, {0}, {0})\n", type, name);
  for (const char* name : {"abs", "ctlz", "cttz"})
    text += fmt::format("declare {0} @llvm.{1}.{0}({0}, i1)\n", type, name);
  for (const char* name : {"ctpop", "bitreverse"})
    text += fmt::format("declare {0} @llvm.{1}.{0}({0})\n", type, name);
  llvm::LLVMContext context;
  const auto ir = parse_ir(text, context);
  if (!ir) return APInt(bits, 0);
  llvm::FunctionPassManager passes;
  passes.addPass(ExpandWideIntegers());
  passes.addPass(llvm::InstSimplifyPass());  // folds what the expansion leaves of constants
  run(*ir, std::move(passes));
  APInt result(std::max(64U, (bits + 63) / 64 * 64), 0);
  unsigned at = 0;
  for (auto& instruction : first_function(*ir).front()) {
    auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
    if (!store) continue;
    auto* stored = llvm::dyn_cast<llvm::ConstantInt>(store->getValueOperand());
    EXPECT_TRUE(stored) << "did not fold: " << expression << "\n" << print_ir(*ir);
    if (!stored) return result.trunc(bits);
    result.insertBits(stored->getValue(), at);
    at += stored->getBitWidth();
  }
  return result.zextOrTrunc(bits);
}

class WideInteger : public testing::TestWithParam<unsigned> {};

TEST_P(WideInteger, computes_what_llvm_computes) {
  const unsigned bits = GetParam();
  const auto type = fmt::format("i{}", bits);
  Numbers numbers(bits);
  for (const auto& operation : operations)
    for (int i = 0; i < 40; ++i) {
      const auto a = numbers.next(), b = numbers.next();
      const auto expression = fmt::format(fmt::runtime(operation.ir), type, text_of(a), text_of(b),
                                          text_of(shift_amount(b)));
      EXPECT_EQ(text_of(expanded_result(expression, type, bits)), text_of(operation.wanted(a, b)))
          << expression;
    }
}

TEST_P(WideInteger, compares_as_llvm_does) {
  const unsigned bits = GetParam();
  Numbers numbers(bits);
  for (const auto& comparison : comparisons)
    for (int i = 0; i < 40; ++i) {
      const auto a = numbers.next(), b = i % 4 == 0 ? a : numbers.next();
      const auto expression =
          fmt::format("icmp {} i{} {}, {}", comparison.predicate, bits, text_of(a), text_of(b));
      EXPECT_EQ(expanded_result(expression, "i1", 64).isOne(), comparison.wanted(a, b))
          << expression;
    }
}

TEST_P(WideInteger, converts_as_llvm_does) {
  const unsigned bits = GetParam();
  Numbers numbers(bits);
  for (int i = 0; i < 40; ++i) {
    const auto a = numbers.next();
    const auto convert = [&](const char* name, const APInt& from, unsigned to) {
      return expanded_result(
          fmt::format("{} i{} {} to i{}", name, from.getBitWidth(), text_of(from), to),
          fmt::format("i{}", to), to);
    };
    EXPECT_EQ(convert("zext", a, bits + 70), a.zext(bits + 70));
    EXPECT_EQ(convert("sext", a, bits + 70), a.sext(bits + 70));
    EXPECT_EQ(convert("sext", a.trunc(17), bits), a.trunc(17).sext(bits));
    EXPECT_EQ(convert("trunc", a, 64), a.trunc(64));
    if (bits > 66) EXPECT_EQ(convert("trunc", a, 66), a.trunc(66));
  }
}

INSTANTIATE_TEST_SUITE_P(Widths, WideInteger, testing::Values(65U, 96U, 128U, 130U, 192U, 256U),
                         [](const auto& info) { return fmt::format("i{}", info.param); });

TEST(WideInteger, divisions_become_loops) {
  llvm::LLVMContext context;
  const auto ir = parse_ir(R"(
define void @f(ptr %p, i128 %a, i128 %b) {
  %q = sdiv i128 %a, %b
  %r = urem i128 %q, 10
  store i128 %r, ptr %p
  ret void
})",
                           context);
  ASSERT_TRUE(ir);
  // Arguments of kernels have at most 64 bits; these two become loads.
  auto& function = first_function(*ir);
  for (unsigned i : {1U, 2U}) {
    auto* load = new llvm::LoadInst(function.getArg(i)->getType(), function.getArg(0), "", false,
                                    llvm::Align(8), function.front().begin());
    function.getArg(i)->replaceAllUsesWith(load);
  }
  llvm::FunctionPassManager passes;
  passes.addPass(ExpandWideIntegers());
  run(*ir, std::move(passes));
  EXPECT_GT(function.size(), 4U);
  for (const auto& block : function)
    for (const auto& instruction : block)
      EXPECT_FALSE(instruction.getType()->isIntegerTy(128)) << print_ir(*ir);
}

}  // namespace
}  // namespace msci
