#include <bit>

#include "engine/vectors/specialise.h"
#include "engine/vectors/vectoriser.h"

namespace msci::engine {

namespace {

// Whether an operation on "NAME.i32" counts with signs.
bool is_signed(llvm::StringRef operation) { return operation.ends_with(".i32"); }

llvm::StringRef name_of(llvm::StringRef operation) { return operation.split('.').first; }

}  // namespace

// What changes no result of the operation.
Vectoriser::Value* Vectoriser::identity(llvm::StringRef operation, Type* type) {
  const auto name = name_of(operation);
  auto* element = type->getScalarType();
  const bool is_min = name == "min";
  if (element->isFloatTy()) {
    if (name == "min" || name == "max")
      return llvm::ConstantFP::getInfinity(type, /*Negative=*/!is_min);
    return llvm::ConstantFP::get(type, name.ends_with("product") ? 1.0 : 0.0);
  }
  const auto bits = element->getIntegerBitWidth();
  if (name == "min" || name == "max") {
    const auto number =
        is_signed(operation)
            ? (is_min ? llvm::APInt::getSignedMaxValue(bits) : llvm::APInt::getSignedMinValue(bits))
            : (is_min ? llvm::APInt::getMaxValue(bits) : llvm::APInt(bits, 0));
    return llvm::ConstantInt::get(type, number);
  }
  if (name == "and") return llvm::Constant::getAllOnesValue(type);
  return llvm::ConstantInt::get(type, name.ends_with("product") ? 1 : 0);
}

Vectoriser::Value* Vectoriser::join(llvm::StringRef name, bool with_sign, Value* a, Value* b) {
  const bool is_real = a->getType()->getScalarType()->isFloatTy();
  if (name.ends_with("sum")) return is_real ? builder_.CreateFAdd(a, b) : builder_.CreateAdd(a, b);
  if (name.ends_with("product"))
    return is_real ? builder_.CreateFMul(a, b) : builder_.CreateMul(a, b);
  if (name == "and") return builder_.CreateAnd(a, b);
  if (name == "or") return builder_.CreateOr(a, b);
  if (name == "xor") return builder_.CreateXor(a, b);
  const bool is_min = name == "min";
  if (is_real)
    return builder_.CreateBinaryIntrinsic(
        is_min ? llvm::Intrinsic::minnum : llvm::Intrinsic::maxnum, a, b);
  const auto id = with_sign ? (is_min ? llvm::Intrinsic::smin : llvm::Intrinsic::smax)
                            : (is_min ? llvm::Intrinsic::umin : llvm::Intrinsic::umax);
  return builder_.CreateBinaryIntrinsic(id, a, b);
}

// The values of lanes that run, and `otherwise` in the others.
Vectoriser::Value* Vectoriser::active_or(Value* values, Value* otherwise) {
  return mask_.is_full ? values : chosen(mask_vector(), values, otherwise);
}

Vectoriser::Value* Vectoriser::shuffled(Value* values, llvm::ArrayRef<int> lanes) {
  return builder_.CreateShuffleVector(values, lanes);
}

// A scalar for the whole simdgroup, a vector for quadgroups.
Vectoriser::Value* Vectoriser::combined_lanes(llvm::StringRef operation, Value* values,
                                              unsigned width) {
  const auto name = name_of(operation);
  auto* all = active_or(values, identity(operation, values->getType()));
  // Halves of halves: a tree, as on a GPU.
  for (unsigned distance = width / 2; distance > 0; distance /= 2) {
    llvm::SmallVector<int> from;
    for (unsigned lane = 0; lane < lane_count; ++lane)
      from.push_back(static_cast<int>(lane ^ distance));
    all = join(name, is_signed(operation), all, shuffled(all, from));
  }
  return width == lane_count ? builder_.CreateExtractElement(all, std::uint64_t{0}) : all;
}

Vectoriser::Value* Vectoriser::prefix_lanes(llvm::StringRef operation, Value* values,
                                            unsigned width) {
  const auto name = name_of(operation);
  auto* none = identity(operation, values->getType());
  auto* sums = active_or(values, none);
  // The value `distance` lanes before, within a run of `width` lanes.
  const auto earlier = [&](Value* of, unsigned distance) {
    llvm::SmallVector<int> from;
    for (unsigned lane = 0; lane < lane_count; ++lane)
      from.push_back(
          static_cast<int>(lane % width >= distance ? lane - distance : lane_count + lane));
    return builder_.CreateShuffleVector(of, none, from);
  };
  for (unsigned distance = 1; distance < width; distance *= 2)
    sums = join(name, is_signed(operation), earlier(sums, distance), sums);
  return name.contains("exclusive") ? earlier(sums, 1) : sums;
}

// Each lane reads the value of another lane.
Vectoriser::Value* Vectoriser::travelled(llvm::StringRef way, Value* values, Value* argument,
                                         unsigned width) {
  const auto source = [&](unsigned lane, unsigned x) -> unsigned {
    const auto l = lane % width;
    const auto first = lane - l;
    if (way == "shuffle") return first + (x & (width - 1));
    if (way == "shuffle_xor") return first + ((l ^ x) & (width - 1));
    if (way == "shuffle_up") return first + (l >= x ? l - x : l);
    if (way == "shuffle_down") return first + (std::uint64_t{l} + x < width ? l + x : l);
    if (way == "shuffle_rotate_up") return first + ((l - x) & (width - 1));
    return first + ((l + x) & (width - 1));
  };
  // Checks take 0 for the value of a lane that does not run
  // (analysis/check/passes/check_parts.h).
  if (options_.checked) values = active_or(values, llvm::Constant::getNullValue(values->getType()));
  values = builder_.CreateFreeze(values);  // lanes that do not run may hold poison
  const auto* constant = llvm::dyn_cast<llvm::Constant>(argument);
  const auto* number =
      constant ? llvm::dyn_cast_or_null<llvm::ConstantInt>(
                     constant->getType()->isVectorTy() ? constant->getSplatValue() : constant)
               : nullptr;
  if (number) {
    llvm::SmallVector<int> from;
    for (unsigned lane = 0; lane < lane_count; ++lane)
      from.push_back(static_cast<int>(source(lane, static_cast<unsigned>(number->getZExtValue()))));
    return shuffled(values, from);
  }
  auto* words = wide(i32_);
  const auto all = [&](std::uint64_t value) { return llvm::ConstantInt::get(words, value); };
  auto* x = splat(argument);
  auto* lanes = lane_numbers(i32_);
  auto* l = builder_.CreateAnd(lanes, all(width - 1));
  auto* first = builder_.CreateSub(lanes, l);
  Value* other = nullptr;
  if (way == "shuffle") {
    other = builder_.CreateAnd(x, all(width - 1));
  } else if (way == "shuffle_xor") {
    other = builder_.CreateAnd(builder_.CreateXor(l, x), all(width - 1));
  } else if (way == "shuffle_up") {
    other = builder_.CreateSelect(builder_.CreateICmpUGE(l, x), builder_.CreateSub(l, x), l);
  } else if (way == "shuffle_down") {
    auto* room = builder_.CreateSub(all(width), l);
    other = builder_.CreateSelect(builder_.CreateICmpULT(x, room), builder_.CreateAdd(l, x), l);
  } else if (way == "shuffle_rotate_up") {
    other = builder_.CreateAnd(builder_.CreateSub(l, x), all(width - 1));
  } else {
    other = builder_.CreateAnd(builder_.CreateAdd(l, x), all(width - 1));
  }
  auto* from = builder_.CreateAdd(first, other);
  auto* memory = slot(words, "travelling");
  memory->setAlignment(llvm::Align(64));
  builder_.CreateAlignedStore(values, memory, llvm::Align(64));
  auto* addresses = builder_.CreateGEP(i32_, memory, builder_.CreateZExt(from, wide(i64_)));
  return builder_.CreateMaskedGather(words, addresses, llvm::Align(4),
                                     llvm::ConstantInt::getTrue(wide(i1_)),
                                     llvm::Constant::getNullValue(words));
}

void Vectoriser::visit_lanes(llvm::CallInst& call, llvm::StringRef name) {
  const unsigned width = name.starts_with("msci.quad.") ? 4 : lane_count;
  const auto operation = name.drop_front(10);
  // The mask of each run of lanes, for runs of four.
  const auto of_run = [&](Value* bits) {
    auto* lanes = lane_numbers(i32_);
    auto* first = builder_.CreateAnd(lanes, llvm::ConstantInt::get(wide(i32_), ~3U));
    return builder_.CreateAnd(builder_.CreateLShr(splat(bits), first),
                              llvm::ConstantInt::get(wide(i32_), 15));
  };
  const auto answer = [&](Value* bits) {
    auto* of_all = width == lane_count ? bits : of_run(bits);
    auto* extended = builder_.CreateZExtOrTrunc(of_all, like(of_all, call.getType()));
    return define(call, {differs(call) ? splat(extended) : extended});
  };
  if (operation == "active") return answer(mask_bits());
  auto* values = vector(*call.getArgOperand(0));
  if (operation == "ballot") {
    auto* votes = builder_.CreateICmpNE(values, llvm::Constant::getNullValue(values->getType()));
    return answer(bits_of(active_or(votes, llvm::ConstantInt::getFalse(wide(i1_)))));
  }
  if (operation.starts_with("broadcast_first")) {
    if (width == lane_count)
      return define(call, {builder_.CreateExtractElement(values, first_active())});
    auto* first = builder_.CreateIntrinsic(llvm::Intrinsic::cttz, {wide(i32_)},
                                           {of_run(mask_bits()), builder_.getFalse()});
    return define(call, {travelled("shuffle", values, first, width)});
  }
  if (operation.starts_with("prefix_"))
    return define(call, {prefix_lanes(operation, values, width)});
  if (operation.starts_with("shuffle")) {
    auto* argument = native(*call.getArgOperand(1))[0];
    auto* travelling = travelled(name_of(operation), values, argument, width);
    return define(
        call,
        {differs(call) ? travelling : builder_.CreateExtractElement(travelling, std::uint64_t{0})});
  }
  auto* all = combined_lanes(operation, values, width);
  define(call, {differs(call) ? splat(all) : all});
}

}  // namespace msci::engine
