#include <llvm/IR/Intrinsics.h>

#include <limits>
#include <numbers>

#include "compiler/numerics/numeric_passes.h"

namespace msci {
namespace {

using llvm::Value;

class Formulas {
 public:
  explicit Formulas(llvm::IRBuilder<>& builder) : builder_(builder) {}

  // e^x as a power of two: its error grows with x.
  Value* exp(Value* x) { return exp2(times(x, std::numbers::log2e)); }
  Value* exp10(Value* x) { return exp2(times(x, std::numbers::ln10 / std::numbers::ln2)); }
  Value* log(Value* x) { return times(log2(x), std::numbers::ln2); }
  Value* log10(Value* x) { return times(log2(x), std::numbers::ln2 / std::numbers::ln10); }
  // NaN for negative x.
  Value* pow(Value* x, Value* y) { return exp2(builder_.CreateFMul(y, log2(x))); }

  // (t - 1) / (t + 1) with t = exp(2 x), which is infinite for large x.
  Value* tanh(Value* x) {
    auto* power = exp(times(x, 2));
    return builder_.CreateFDiv(builder_.CreateFSub(power, number(x, 1)),
                               builder_.CreateFAdd(power, number(x, 1)));
  }
  Value* sinh(Value* x) { return times(builder_.CreateFSub(exp(x), exp(negated(x))), 0.5); }
  Value* cosh(Value* x) { return times(builder_.CreateFAdd(exp(x), exp(negated(x))), 0.5); }

  // Of the argument without whole turns, which are taken off in single precision.
  Value* trigonometric(llvm::Intrinsic::ID id, Value* x) {
    constexpr double turn = 2 * std::numbers::pi;
    auto* turns = of(llvm::Intrinsic::rint, times(x, 1 / turn));
    return of(id, builder_.CreateFSub(x, times(turns, turn)));
  }
  Value* tan(Value* x) {
    return builder_.CreateFDiv(trigonometric(llvm::Intrinsic::sin, x),
                               trigonometric(llvm::Intrinsic::cos, x));
  }

  Value* rsqrt(Value* x) { return builder_.CreateFDiv(number(x, 1), of(llvm::Intrinsic::sqrt, x)); }
  // x / sqrt(x); zero and infinity are their own roots.
  Value* sqrt(Value* x) {
    auto* is_special = builder_.CreateOr(
        builder_.CreateFCmpOEQ(x, number(x, 0)),
        builder_.CreateFCmpOEQ(x, number(x, std::numeric_limits<double>::infinity())));
    return builder_.CreateSelect(is_special, x, builder_.CreateFMul(x, rsqrt(x)));
  }

 private:
  static Value* number(const Value* like, double value) {
    return llvm::ConstantFP::get(like->getType(), value);
  }
  Value* times(Value* x, double factor) { return builder_.CreateFMul(x, number(x, factor)); }
  Value* negated(Value* x) { return builder_.CreateFNeg(x); }
  Value* of(llvm::Intrinsic::ID id, Value* x) { return builder_.CreateUnaryIntrinsic(id, x); }
  Value* exp2(Value* x) { return of(llvm::Intrinsic::exp2, x); }
  Value* log2(Value* x) { return of(llvm::Intrinsic::log2, x); }

  llvm::IRBuilder<>& builder_;
};

}  // namespace

Value* fast_variant(const llvm::CallInst& call, llvm::IRBuilder<>& builder) {
  const auto* callee = call.getCalledFunction();
  if (!callee || call.arg_size() == 0 || !call.getType()->getScalarType()->isFloatTy())
    return nullptr;
  Formulas formulas(builder);
  auto* x = call.getArgOperand(0);
  if (callee->getName().starts_with("msci.math.rsqrt.")) return formulas.rsqrt(x);
  if (callee->getName().starts_with("msci.math.powr."))
    return formulas.pow(x, call.getArgOperand(1));
  switch (callee->getIntrinsicID()) {
    case llvm::Intrinsic::exp:
      return formulas.exp(x);
    case llvm::Intrinsic::exp10:
      return formulas.exp10(x);
    case llvm::Intrinsic::log:
      return formulas.log(x);
    case llvm::Intrinsic::log10:
      return formulas.log10(x);
    case llvm::Intrinsic::pow:
      return formulas.pow(x, call.getArgOperand(1));
    case llvm::Intrinsic::tanh:
      return formulas.tanh(x);
    case llvm::Intrinsic::sinh:
      return formulas.sinh(x);
    case llvm::Intrinsic::cosh:
      return formulas.cosh(x);
    case llvm::Intrinsic::sin:
    case llvm::Intrinsic::cos:
      return formulas.trigonometric(callee->getIntrinsicID(), x);
    case llvm::Intrinsic::tan:
      return formulas.tan(x);
    case llvm::Intrinsic::sqrt:
      return formulas.sqrt(x);
    default:
      return nullptr;
  }
}

}  // namespace msci
