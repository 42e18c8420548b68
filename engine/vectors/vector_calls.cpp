#include <fmt/format.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsX86.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/ErrorHandling.h>

#include <numeric>
#include <utility>

#include "analysis/coverage/passes/cover_outcomes.h"
#include "analysis/profile/passes/count_work.h"
#include "compiler/ir/builtins.h"
#include "engine/isolation/guard_accesses.h"
#include "engine/lane_math.h"
#include "engine/vectors/specialise.h"
#include "engine/vectors/vectoriser.h"

namespace msci::engine {

namespace {

using llvm::Intrinsic::ID;

// Intrinsics that say nothing to a machine.
bool leaves_nothing(ID id) {
  const auto* builtin = find_intrinsic(id);
  return builtin && builtin->opencl && builtin->opencl->empty();
}

// The last argument says what a special input gives: a constant bit.
bool has_constant_flag(ID id) {
  return id == llvm::Intrinsic::ctlz || id == llvm::Intrinsic::cttz || id == llvm::Intrinsic::abs;
}

}  // namespace

void Vectoriser::visit_call(llvm::CallInst& call) {
  const auto name = call.getCalledFunction()->getName();
  if (call.getCalledFunction()->isIntrinsic()) return visit_intrinsic(call);
  if (const auto id = ids_.find(name.str()); id != ids_.end()) return define(call, {id->second});
  if (name.starts_with("msci.check.")) return visit_check(call, name.drop_front(11));
  if (name.starts_with(guard_prefix)) return visit_guard(call);
  if (name == count_block_call) return count_block(call);
  if (name.starts_with(count_access_call)) return count_access(call);
  if (name == see_outcome_call) return see_outcome(call);
  if (name == "msci.barrier.threadgroup")
    return options_.checked ? wait_checked(call) : wait_for_threadgroup();
  if (name == "msci.barrier.simdgroup") return pass_simdgroup_checked(call);
  if (name == "msci.fence") {
    builder_.CreateFence(llvm::AtomicOrdering::SequentiallyConsistent);
    if (options_.checked) check_fence(call);
    return;
  }
  if (name.starts_with("msci.math.")) return visit_math(call, name.drop_front(10));
  visit_lanes(call, name);
}

// The other simdgroups of the threadgroup run until they wait, too.
void Vectoriser::wait_for_threadgroup() {
  result_.waits = true;
  auto callee = to_.getOrInsertFunction("msci_engine_wait", builder_.getVoidTy());
  builder_.CreateCall(callee);
}

// msci.math.NAME.SUFFIX
void Vectoriser::visit_math(llvm::CallInst& call, llvm::StringRef name) {
  const bool as_vectors = differs(call);
  const auto function = name.rsplit('.').first;
  Parts results;
  std::vector<Parts> arguments;
  for (const auto& argument : call.args()) arguments.push_back(parts(*argument, as_vectors));
  for (unsigned i = 0; i < part_count(call.getType()); ++i) {
    std::vector<Value*> of_part;
    for (const auto& argument : arguments) of_part.push_back(argument[i]);
    if (function == "mul_hi") {
      const bool is_signed = name.contains(".i");
      auto* type = of_part[0]->getType();
      auto* twice = like(of_part[0], builder_.getIntNTy(2 * type->getScalarSizeInBits()));
      const auto extended = [&](Value* value) {
        return is_signed ? builder_.CreateSExt(value, twice) : builder_.CreateZExt(value, twice);
      };
      auto* product = builder_.CreateMul(extended(of_part[0]), extended(of_part[1]));
      results.push_back(
          builder_.CreateTrunc(builder_.CreateLShr(product, type->getScalarSizeInBits()), type));
    } else if (function == "rsqrt") {
      results.push_back(reciprocal_root(of_part[0]));
    } else {
      results.push_back(math(*find_math({name.data(), name.size()})->lane, of_part));
    }
  }
  define(call, results);
}

bool Vectoriser::is_x86() const { return to_.getTargetTriple().isX86(); }

// Computes vectors of all lanes in pieces of `width` lanes.
Vectoriser::Value* Vectoriser::in_pieces(
    llvm::ArrayRef<Value*> arguments, unsigned width,
    llvm::function_ref<Value*(llvm::ArrayRef<Value*>)> compute) {
  const auto counting = [](unsigned first, unsigned count) {
    llvm::SmallVector<int> lanes(count);
    std::iota(lanes.begin(), lanes.end(), static_cast<int>(first));
    return lanes;
  };
  std::vector<Value*> pieces;
  for (unsigned first = 0; first < lane_count; first += width) {
    std::vector<Value*> of_piece;
    for (auto* argument : arguments)
      of_piece.push_back(builder_.CreateShuffleVector(argument, counting(first, width)));
    pieces.push_back(compute(of_piece));
  }
  for (; pieces.size() > 1; width *= 2) {
    std::vector<Value*> joined;
    for (std::size_t i = 0; i < pieces.size(); i += 2)
      joined.push_back(
          builder_.CreateShuffleVector(pieces[i], pieces[i + 1], counting(0, 2 * width)));
    pieces = std::move(joined);
  }
  return pieces[0];
}

// A function of floats, on vectors of the processor's width where libmvec has it.
Vectoriser::Value* Vectoriser::math(const LaneMath& function, llvm::ArrayRef<Value*> arguments) {
  if (!arguments[0]->getType()->isVectorTy() || !function.has_vector_form || !is_x86())
    return call_on_lanes(function.name, arguments,
                         function.shape == LaneMath::Shape::to_integer ? i32_ : f32_);
  const unsigned width = options_.vector_bits / 32;
  const char isa = width == 16 ? 'e' : width == 8 ? 'd' : 'b';
  const auto symbol =
      fmt::format("_ZGV{}N{}{}_{}f", isa, width, std::string(arguments.size(), 'v'), function.name);
  auto* piece = llvm::FixedVectorType::get(f32_, width);
  const std::vector<Type*> types(arguments.size(), piece);
  auto callee = to_.getOrInsertFunction(symbol, llvm::FunctionType::get(piece, types, false));
  auto* declared = llvm::cast<llvm::Function>(callee.getCallee());
  declared->setDoesNotAccessMemory();
  declared->setDoesNotThrow();
  declared->setWillReturn();
  unsigned first = 0;  // lane of the next piece
  return in_pieces(arguments, width, [&](llvm::ArrayRef<Value*> of_piece) -> Value* {
    const auto lanes =
        builder_.getInt32(((1ULL << width) - 1) << std::exchange(first, first + width));
    if (mask_.is_full) return builder_.CreateCall(callee, of_piece);
    // A piece of which no lane runs costs as much as any other.
    auto* runs = builder_.CreateIsNotNull(builder_.CreateAnd(mask_bits(), lanes));
    return either_value(
        runs, [&] { return Parts{builder_.CreateCall(callee, of_piece)}; },
        [&] { return Parts{llvm::Constant::getNullValue(piece)}; })[0];
  });
}

// 1 / sqrt(x) within 2 units in the last place, as Metal promises: the processor's estimate and
// Newton's method.
Vectoriser::Value* Vectoriser::reciprocal_root(Value* x) {
  const llvm::IRBuilder<>::FastMathFlagGuard guard(builder_);
  builder_.clearFastMathFlags();  // with them, LLVM makes an estimate of its own
  if (!x->getType()->isVectorTy() || !is_x86()) {
    auto* root = builder_.CreateUnaryIntrinsic(llvm::Intrinsic::sqrt, x);
    return builder_.CreateFDiv(llvm::ConstantFP::get(x->getType(), 1.0), root);
  }
  const unsigned width = options_.vector_bits / 32;
  auto* estimate = in_pieces({x}, width, [&](llvm::ArrayRef<Value*> of_piece) -> Value* {
    auto* piece = of_piece[0];
    if (width == 8) return builder_.CreateIntrinsic(llvm::Intrinsic::x86_avx_rsqrt_ps_256, {piece});
    if (width == 4) return builder_.CreateIntrinsic(llvm::Intrinsic::x86_sse_rsqrt_ps, {piece});
    return builder_.CreateIntrinsic(
        llvm::Intrinsic::x86_avx512_rsqrt14_ps_512,
        {piece, llvm::Constant::getNullValue(piece->getType()), builder_.getInt16(0xffff)});
  });
  const auto all = [&](double number) { return llvm::ConstantFP::get(x->getType(), number); };
  llvm::FastMathFlags contract;
  contract.setAllowContract();
  builder_.setFastMathFlags(contract);
  Value* y = estimate;
  for (unsigned step = 0; step < (width == 16 ? 1 : 2); ++step) {
    auto* error = builder_.CreateFSub(all(1), builder_.CreateFMul(builder_.CreateFMul(x, y), y));
    y = builder_.CreateFAdd(y, builder_.CreateFMul(builder_.CreateFMul(y, all(0.5)), error));
  }
  // Of 0 and infinity, the estimate is right and the correction is not a number.
  return builder_.CreateSelect(builder_.CreateFCmpUNO(y, y), estimate, y);
}

// A function of lane_math.h, lane by lane, in memory; for a scalar, the function itself.
Vectoriser::Value* Vectoriser::call_on_lanes(llvm::StringRef name, llvm::ArrayRef<Value*> arguments,
                                             Type* result) {
  const bool as_vectors = arguments[0]->getType()->isVectorTy();
  std::vector<Type*> types{ptr_, i32_};
  std::vector<Value*> memory;
  auto* to = slot(as_vectors ? wide(result) : result, "results");
  for (auto* argument : arguments) {
    auto* from = slot(argument->getType(), "arguments");
    builder_.CreateStore(argument, from);
    memory.push_back(from);
    types.push_back(ptr_);
  }
  auto callee = to_.getOrInsertFunction(
      "msci_engine_" + name.str(), llvm::FunctionType::get(builder_.getVoidTy(), types, false));
  auto* declared = llvm::cast<llvm::Function>(callee.getCallee());
  declared->setOnlyAccessesArgMemory();
  declared->setDoesNotThrow();
  declared->setWillReturn();
  std::vector<Value*> passed{to, as_vectors ? mask_bits() : builder_.getInt32(1)};
  passed.insert(passed.end(), memory.begin(), memory.end());
  builder_.CreateCall(callee, passed);
  return builder_.CreateLoad(to->getAllocatedType(), to);
}

void Vectoriser::visit_intrinsic(llvm::CallInst& call) {
  const auto id = call.getIntrinsicID();
  if (leaves_nothing(id)) return;
  const bool as_vectors = differs(call);
  std::vector<Parts> arguments;
  for (const auto& argument : call.args()) arguments.push_back(parts(*argument, as_vectors));
  const auto& first = arguments[0];
  if (id == llvm::Intrinsic::expect) return define(call, first);
  const auto real = [&](std::size_t argument, std::size_t part) {
    return as_float(arguments[argument][part]);
  };
  auto* small = first[0]->getType();
  switch (id) {
    case llvm::Intrinsic::sincos:
      return define(
          call, {as_small(math(*find_intrinsic(llvm::Intrinsic::sin)->lane, {real(0, 0)}), small),
                 as_small(math(*find_intrinsic(llvm::Intrinsic::cos)->lane, {real(0, 0)}), small)});
    case llvm::Intrinsic::frexp: {
      auto* fraction = call_on_lanes("frexp_fraction", {real(0, 0)}, f32_);
      auto* exponent = call_on_lanes("frexp_exponent", {real(0, 0)}, i32_);
      auto* integer = llvm::cast<llvm::StructType>(call.getType())->getElementType(1);
      return define(call, {as_small(fraction, small),
                           builder_.CreateSExtOrTrunc(exponent, like(exponent, integer))});
    }
    case llvm::Intrinsic::modf: {
      auto* whole = builder_.CreateUnaryIntrinsic(llvm::Intrinsic::trunc, real(0, 0));
      auto* infinite =
          builder_.CreateFCmpOEQ(builder_.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, real(0, 0)),
                                 llvm::ConstantFP::getInfinity(whole->getType()));
      auto* fraction =
          builder_.CreateSelect(infinite, llvm::Constant::getNullValue(whole->getType()),
                                builder_.CreateFSub(real(0, 0), whole));
      auto* with_sign =
          builder_.CreateBinaryIntrinsic(llvm::Intrinsic::copysign, fraction, real(0, 0));
      return define(call, {as_small(with_sign, small), as_small(whole, small)});
    }
    case llvm::Intrinsic::umul_with_overflow:
    case llvm::Intrinsic::uadd_with_overflow:
    case llvm::Intrinsic::usub_with_overflow:
    case llvm::Intrinsic::smul_with_overflow:
    case llvm::Intrinsic::sadd_with_overflow:
    case llvm::Intrinsic::ssub_with_overflow: {
      auto* pair = builder_.CreateBinaryIntrinsic(id, first[0], arguments[1][0]);
      return define(call,
                    {builder_.CreateExtractValue(pair, 0), builder_.CreateExtractValue(pair, 1)});
    }
    default:
      break;
  }
  const auto* builtin = find_intrinsic(id);
  Parts results;
  for (unsigned i = 0; i < part_count(call.getType()); ++i) {
    const auto argument = [&](std::size_t which) { return arguments[which][i]; };
    if (builtin && builtin->lane) {
      std::vector<Value*> passed{real(0, i)};
      if (builtin->lane->shape == LaneMath::Shape::two) passed.push_back(real(1, i));
      if (builtin->lane->shape == LaneMath::Shape::with_integer) {
        auto* count = arguments[1][arguments[1].size() == 1 ? 0 : i];
        passed.push_back(builder_.CreateSExtOrTrunc(count, like(count, i32_)));
      }
      results.push_back(as_small(math(*builtin->lane, passed), small));
    } else if (id == llvm::Intrinsic::is_fpclass) {
      auto* mask = call.getArgOperand(1);
      results.push_back(
          builder_.CreateIntrinsic(id, {argument(0)->getType()}, {argument(0), mask}));
    } else if (has_constant_flag(id)) {
      results.push_back(builder_.CreateIntrinsic(id, {argument(0)->getType()},
                                                 {argument(0), call.getArgOperand(1)}));
    } else if (id == llvm::Intrinsic::ucmp || id == llvm::Intrinsic::scmp) {
      results.push_back(builder_.CreateIntrinsic(
          id, {like(argument(0), call.getType()->getScalarType()), argument(0)->getType()},
          {argument(0), argument(1)}));
    } else if (id == llvm::Intrinsic::canonicalize) {
      results.push_back(argument(0));
    } else {
      std::vector<Value*> of_part;
      for (std::size_t j = 0; j < arguments.size(); ++j)
        of_part.push_back(is_small(argument(j)->getType()) ? real(j, i) : argument(j));
      auto* made = builder_.CreateIntrinsic(id, {of_part[0]->getType()}, of_part);
      results.push_back(is_small(small) ? as_small(made, small) : made);
    }
  }
  define(call, results);
}

}  // namespace msci::engine
