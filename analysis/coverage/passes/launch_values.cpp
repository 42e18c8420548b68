#include "analysis/coverage/passes/launch_values.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>

#include "analysis/terms/value_terms.h"
#include "compiler/ir/lane_functions.h"

namespace msci {
namespace {

using llvm::Instruction;
using llvm::Value;
using Column = LaunchValues::Column;
using Made = std::optional<Column>;

constexpr unsigned widest = 64;

std::uint64_t bits_of(float real) { return std::bit_cast<std::uint32_t>(real); }

std::uint64_t low_bits(std::uint64_t value, unsigned bits) {
  return bits >= widest ? value : value & ((std::uint64_t{1} << bits) - 1);
}

std::int64_t as_signed(std::uint64_t value, unsigned bits) {
  const auto unused = widest - bits;
  return static_cast<std::int64_t>(value << unused) >> unused;
}

bool is_real(const llvm::Type& type) { return type.isFloatTy() || type.isHalfTy(); }

bool is_known(const llvm::Type& type) {
  return is_real(type) || (type.isIntegerTy() && type.getIntegerBitWidth() <= widest);
}

template <typename Function>
Made mapped(const Column* a, Function function) {
  if (!a) return std::nullopt;
  Column all(a->size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = function((*a)[i]);
  return all;
}

template <typename Function>
Made mapped(const Column* a, const Column* b, Function function) {
  if (!a || !b) return std::nullopt;
  Column all(a->size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = function((*a)[i], (*b)[i]);
  return all;
}

template <typename Function>
Made mapped_reals(const Column* a, Function function) {
  return mapped(a, [&](std::uint64_t x) { return bits_of(function(real_of(x))); });
}

template <typename Function>
Made mapped_reals(const Column* a, const Column* b, Function function) {
  return mapped(a, b, [&](std::uint64_t x, std::uint64_t y) {
    return bits_of(function(real_of(x), real_of(y)));
  });
}

// Integers of so many bits. A division by 0 gives 0: the kernel has no value there.
Made of_integers(unsigned opcode, const Column* a, const Column* b, unsigned bits) {
  const auto with = [&](auto function) {
    return mapped(a, b, [&](std::uint64_t x, std::uint64_t y) {
      return low_bits(static_cast<std::uint64_t>(function(x, y)), bits);
    });
  };
  const auto signed_of = [&](std::uint64_t x) { return as_signed(x, bits); };
  switch (opcode) {
    case Instruction::Add:
      return with(std::plus<>());
    case Instruction::Sub:
      return with(std::minus<>());
    case Instruction::Mul:
      return with(std::multiplies<>());
    case Instruction::And:
      return with(std::bit_and<>());
    case Instruction::Or:
      return with(std::bit_or<>());
    case Instruction::Xor:
      return with(std::bit_xor<>());
    case Instruction::UDiv:
      return with([](auto x, auto y) { return y == 0 ? 0 : x / y; });
    case Instruction::URem:
      return with([](auto x, auto y) { return y == 0 ? 0 : x % y; });
    case Instruction::SDiv:
      return with([&](auto x, auto y) -> std::int64_t {
        return y == 0 || signed_of(y) == -1 ? -signed_of(x) : signed_of(x) / signed_of(y);
      });
    case Instruction::SRem:
      return with([&](auto x, auto y) -> std::int64_t {
        return y == 0 || signed_of(y) == -1 ? 0 : signed_of(x) % signed_of(y);
      });
    case Instruction::Shl:
      return with([&](auto x, auto y) { return y >= bits ? 0 : x << y; });
    case Instruction::LShr:
      return with([&](auto x, auto y) { return y >= bits ? 0 : x >> y; });
    case Instruction::AShr:
      return with([&](auto x, auto y) { return signed_of(x) >> std::min<std::uint64_t>(y, 63); });
    default:
      return std::nullopt;
  }
}

Made of_reals(unsigned opcode, const Column* a, const Column* b) {
  switch (opcode) {
    case Instruction::FAdd:
      return mapped_reals(a, b, std::plus<>());
    case Instruction::FSub:
      return mapped_reals(a, b, std::minus<>());
    case Instruction::FMul:
      return mapped_reals(a, b, std::multiplies<>());
    case Instruction::FDiv:
      return mapped_reals(a, b, std::divides<>());
    case Instruction::FRem:
      return mapped_reals(a, b, [](float x, float y) { return std::fmod(x, y); });
    default:
      return std::nullopt;
  }
}

// The functions of one and of two real numbers, by the part of their names that says which.
using OfOne = float (*)(float);
using OfTwo = float (*)(float, float);

OfOne function_of_one(llvm::StringRef name) {
  static const std::map<std::string_view, OfOne> functions{
      {"exp", std::exp},
      {"exp2", std::exp2},
      {"log", std::log},
      {"log2", std::log2},
      {"log10", std::log10},
      {"sqrt", std::sqrt},
      {"sin", std::sin},
      {"cos", std::cos},
      {"tan", std::tan},
      {"asin", std::asin},
      {"acos", std::acos},
      {"atan", std::atan},
      {"sinh", std::sinh},
      {"cosh", std::cosh},
      {"tanh", std::tanh},
      {"asinh", std::asinh},
      {"acosh", std::acosh},
      {"atanh", std::atanh},
      {"floor", std::floor},
      {"ceil", std::ceil},
      {"trunc", std::trunc},
      {"round", std::round},
      {"rint", std::rint},
      {"nearbyint", std::rint},
      {"roundeven", std::rint},
      {"fabs", std::fabs},
      {"exp10", [](float x) { return std::pow(10.0F, x); }},
      {"rsqrt", [](float x) { return 1 / std::sqrt(x); }},
      {"sinpi", [](float x) { return std::sin(static_cast<float>(M_PI) * x); }},
      {"cospi", [](float x) { return std::cos(static_cast<float>(M_PI) * x); }},
      {"tanpi", [](float x) { return std::tan(static_cast<float>(M_PI) * x); }}};
  const auto found = functions.find({name.data(), name.size()});
  return found == functions.end() ? nullptr : found->second;
}

OfTwo function_of_two(llvm::StringRef name) {
  static const std::map<std::string_view, OfTwo> functions{
      {"pow", std::pow},         {"powr", std::pow},          {"atan2", std::atan2},
      {"fmod", std::fmod},       {"copysign", std::copysign}, {"minnum", std::fmin},
      {"maxnum", std::fmax},     {"minimum", std::fmin},      {"maximum", std::fmax},
      {"minimumnum", std::fmin}, {"maximumnum", std::fmax},   {"nextafter", std::nextafter}};
  const auto found = functions.find({name.data(), name.size()});
  return found == functions.end() ? nullptr : found->second;
}

std::uint64_t bits_reversed(std::uint64_t value, unsigned bits) {
  std::uint64_t reversed = 0;
  for (unsigned i = 0; i < bits; ++i) reversed |= ((value >> i) & 1) << (bits - 1 - i);
  return reversed;
}

Made of_bits(llvm::StringRef name, const Column* a, unsigned bits) {
  const auto unused = static_cast<int>(widest - bits);
  if (name == "ctpop")
    return mapped(a, [](auto x) { return static_cast<std::uint64_t>(std::popcount(x)); });
  if (name == "ctlz")
    return mapped(a,
                  [&](auto x) { return static_cast<std::uint64_t>(std::countl_zero(x) - unused); });
  if (name == "cttz")
    return mapped(a, [&](auto x) {
      return std::min<std::uint64_t>(static_cast<unsigned>(std::countr_zero(x)), bits);
    });
  if (name == "bitreverse") return mapped(a, [&](auto x) { return bits_reversed(x, bits); });
  if (name == "bswap") return mapped(a, [&](auto x) { return __builtin_bswap64(x) >> unused; });
  if (name == "abs")
    return mapped(a, [&](auto x) { return low_bits(as_signed(x, bits) < 0 ? ~x + 1 : x, bits); });
  return std::nullopt;
}

Made of_two_integers(llvm::StringRef name, const Column* a, const Column* b, unsigned bits) {
  const auto less = [&](auto x, auto y) { return as_signed(x, bits) < as_signed(y, bits); };
  if (name == "umin") return mapped(a, b, [](auto x, auto y) { return std::min(x, y); });
  if (name == "umax") return mapped(a, b, [](auto x, auto y) { return std::max(x, y); });
  if (name == "smin") return mapped(a, b, [&](auto x, auto y) { return less(x, y) ? x : y; });
  if (name == "smax") return mapped(a, b, [&](auto x, auto y) { return less(x, y) ? y : x; });
  if (name == "usub") return mapped(a, b, [](auto x, auto y) { return x > y ? x - y : 0; });
  if (name == "uadd")
    return mapped(a, b, [&](auto x, auto y) {
      const auto sum = low_bits(x + y, bits);
      return sum < x ? low_bits(~std::uint64_t{0}, bits) : sum;
    });
  if (name == "mul_hi" && bits == 32)
    return mapped(a, b, [](auto x, auto y) { return x * y >> 32; });
  return std::nullopt;
}

// The bits of a constant number; none for others.
std::optional<std::uint64_t> bits_in(const llvm::Constant* constant) {
  if (const auto* integer = llvm::dyn_cast_or_null<llvm::ConstantInt>(constant))
    return integer->getBitWidth() <= widest ? std::optional(integer->getZExtValue()) : std::nullopt;
  const auto* real = llvm::dyn_cast_or_null<llvm::ConstantFP>(constant);
  if (!real || !is_real(*real->getType())) return std::nullopt;
  return bits_of(static_cast<float>(real->getValueAPF().convertToDouble()));
}

// "exp2" of "llvm.exp2.f32", "rsqrt" of "msci.math.rsqrt.f32".
llvm::StringRef plain_name(llvm::StringRef name) {
  if (!name.consume_front("llvm.")) name.consume_front("msci.math.");
  return name.split('.').first;
}

std::uint64_t to_integer(float real, unsigned bits, bool is_signed) {
  if (std::isnan(real)) return 0;
  const auto limit = std::ldexp(1.0, static_cast<int>(is_signed ? bits - 1 : bits));
  const double least = is_signed ? -limit : 0;
  if (real <= least) return low_bits(is_signed ? std::uint64_t{1} << (bits - 1) : 0, bits);
  if (real >= limit) return low_bits(~std::uint64_t{0}, is_signed ? bits - 1 : bits);
  return low_bits(is_signed ? static_cast<std::uint64_t>(static_cast<std::int64_t>(real))
                            : static_cast<std::uint64_t>(real),
                  bits);
}

// Whether a lane gets the number that all lanes bring, if they bring the same.
bool brings_back(const llvm::CallInst& call) {
  const auto function = called_lane_function(call);
  if (!function || function->arguments == 0) return false;
  constexpr std::array kinds{"broadcast", "shuffle", "rotate", "min", "max", "and", "or"};
  return std::ranges::any_of(kinds, [&](const std::string& kind) {
    return function->name.find("_" + kind) != std::string::npos;
  });
}

}  // namespace

float real_of(std::uint64_t bits) { return std::bit_cast<float>(static_cast<std::uint32_t>(bits)); }

LaunchValues::LaunchValues(const llvm::Function& kernel, const KernelFlow& flow,
                           const KernelSignature& signature, const LaunchTable& table)
    : flow_(flow), table_(table), host_(kernel, signature) {}

const Column* LaunchValues::of(const Value& value, unsigned element) {
  const std::pair key{&value, element};
  if (const auto found = known_.find(key); found != known_.end()) return found->second.get();
  known_[key] = nullptr;  // of a loop
  auto made = make(value, element);
  if (!made) return nullptr;
  if (const auto* user = llvm::dyn_cast<llvm::User>(&value))
    if (llvm::any_of(user->operands(), [&](const Value* each) { return is_of_threads(*each); }))
      of_threads_.insert(&value);
  return (known_[key] = std::make_unique<Column>(*std::move(made))).get();
}

Made LaunchValues::make(const Value& value, unsigned element) {
  if (!is_known(*value.getType()->getScalarType())) return std::nullopt;
  if (const auto* constant = llvm::dyn_cast<llvm::Constant>(&value))
    return of_constant(*constant, element);
  if (const auto number = host_.number_of(value, element)) return of_number(*number);
  const auto* instruction = llvm::dyn_cast<Instruction>(&value);
  auto made = instruction ? of_instruction(*instruction, element) : std::nullopt;
  if (made && value.getType()->getScalarType()->isHalfTy())
    return mapped_reals(&*made,
                        [](float x) { return static_cast<float>(static_cast<_Float16>(x)); });
  return made;
}

Made LaunchValues::of_constant(const llvm::Constant& constant, unsigned element) const {
  const auto bits =
      bits_in(constant.getType()->isVectorTy() ? constant.getAggregateElement(element) : &constant);
  return bits ? Made(Column(table_.rows, *bits)) : std::nullopt;
}

Made LaunchValues::of_number(const LaunchNumber& number) const {
  const auto found = table_.numbers.find(number);
  if (found == table_.numbers.end()) return std::nullopt;
  return Column(found->second.begin(), found->second.end());
}

Made LaunchValues::of_instruction(const Instruction& instruction, unsigned element) {
  if (const auto from = prover::element_of(instruction, element)) {
    const auto* moved = of(*from->first, from->second);
    return moved ? Made(*moved) : std::nullopt;
  }
  if (llvm::isa<llvm::BinaryOperator>(instruction)) return of_binary(instruction, element);
  if (const auto* compare = llvm::dyn_cast<llvm::CmpInst>(&instruction))
    return of_compare(*compare, element);
  if (const auto* cast = llvm::dyn_cast<llvm::CastInst>(&instruction))
    return of_cast(*cast, element);
  if (const auto* select = llvm::dyn_cast<llvm::SelectInst>(&instruction))
    return of_select(*select, element);
  if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(&instruction)) return of_phi(*phi, element);
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
    return of_load(*load, element);
  if (const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction))
    return of_call(*call, element);
  if (llvm::isa<llvm::FreezeInst>(instruction))
    return mapped(of(*instruction.getOperand(0), element), std::identity());
  if (instruction.getOpcode() == Instruction::FNeg)
    return mapped_reals(of(*instruction.getOperand(0), element), std::negate<>());
  return std::nullopt;
}

Made LaunchValues::of_binary(const Instruction& operation, unsigned element) {
  const auto *a = of(*operation.getOperand(0), element), *b = of(*operation.getOperand(1), element);
  const auto* type = operation.getType()->getScalarType();
  return type->isIntegerTy() ? of_integers(operation.getOpcode(), a, b, type->getIntegerBitWidth())
                             : of_reals(operation.getOpcode(), a, b);
}

Made LaunchValues::of_compare(const llvm::CmpInst& compare, unsigned element) {
  const auto *a = of(*compare.getOperand(0), element), *b = of(*compare.getOperand(1), element);
  const auto predicate = compare.getPredicate();
  const auto* type = compare.getOperand(0)->getType()->getScalarType();
  if (llvm::isa<llvm::ICmpInst>(compare)) {
    const auto bits = type->getIntegerBitWidth();
    return mapped(a, b, [&](std::uint64_t x, std::uint64_t y) -> std::uint64_t {
      return llvm::ICmpInst::compare(llvm::APInt(bits, x), llvm::APInt(bits, y), predicate);
    });
  }
  return mapped(a, b, [&](std::uint64_t x, std::uint64_t y) -> std::uint64_t {
    return llvm::FCmpInst::compare(llvm::APFloat(real_of(x)), llvm::APFloat(real_of(y)), predicate);
  });
}

Made LaunchValues::of_cast(const llvm::CastInst& cast, unsigned element) {
  const auto& from = *cast.getOperand(0);
  const auto *source = from.getType()->getScalarType(), *result = cast.getType()->getScalarType();
  if (!is_known(*source)) return std::nullopt;
  const auto* a = of(from, element);
  const auto bits = source->getScalarSizeInBits(), width = result->getScalarSizeInBits();
  switch (cast.getOpcode()) {
    case Instruction::ZExt:
      return mapped(a, std::identity());
    case Instruction::Trunc:
      return mapped(a, [&](auto x) { return low_bits(x, width); });
    case Instruction::SExt:
      return mapped(a, [&](auto x) {
        return low_bits(static_cast<std::uint64_t>(as_signed(x, bits)), width);
      });
    case Instruction::UIToFP:
      return mapped(a, [&](auto x) { return bits_of(static_cast<float>(x)); });
    case Instruction::SIToFP:
      return mapped(a, [&](auto x) { return bits_of(static_cast<float>(as_signed(x, bits))); });
    case Instruction::FPToUI:
    case Instruction::FPToSI:
      return mapped(a, [&](auto x) {
        return to_integer(real_of(x), width, cast.getOpcode() == Instruction::FPToSI);
      });
    case Instruction::FPTrunc:
    case Instruction::FPExt:
      return mapped(a, std::identity());
    case Instruction::BitCast:
      if (bits != width || source->isHalfTy() || result->isHalfTy()) return std::nullopt;
      return mapped(a, std::identity());
    default:
      return std::nullopt;
  }
}

Made LaunchValues::of_select(const llvm::SelectInst& select, unsigned element) {
  const auto& condition = *select.getCondition();
  const auto* holds = of(condition, condition.getType()->isVectorTy() ? element : 0);
  const auto *a = of(*select.getTrueValue(), element), *b = of(*select.getFalseValue(), element);
  if (!holds || !a || !b) return std::nullopt;
  Column chosen(table_.rows);
  for (std::size_t i = 0; i < chosen.size(); ++i) chosen[i] = (*holds)[i] ? (*a)[i] : (*b)[i];
  return chosen;
}

// By the branches that lead here from the block that all ways pass.
Made LaunchValues::of_phi(const llvm::PHINode& phi, unsigned element) {
  const auto& here = *phi.getParent();
  const auto* node = flow_.dominators.getNode(&here);
  if (flow_.loops.isLoopHeader(&here) || !node || !node->getIDom()) return std::nullopt;
  of_threads_.insert(&phi);  // the branches may be
  Column chosen(table_.rows);
  for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
    const auto& before = *phi.getIncomingBlock(i);
    const auto comes = reaches(*node->getIDom()->getBlock(), before), goes_on = goes(before, here);
    const auto* value = of(*phi.getIncomingValue(i), element);
    if (!comes || !goes_on || !value) return std::nullopt;
    for (std::size_t row = 0; row < chosen.size(); ++row)
      if ((*comes)[row] && (*goes_on)[row]) chosen[row] = (*value)[row];
  }
  return chosen;
}

Made LaunchValues::reaches(const llvm::BasicBlock& from, const llvm::BasicBlock& to) {
  if (&from == &to) return Column(table_.rows, 1);
  const std::pair key{&from, &to};
  if (const auto known = reached_.find(key); known != reached_.end()) return known->second;
  reached_[key] = std::nullopt;
  if (flow_.loops.isLoopHeader(&to) || !flow_.dominators.dominates(&from, &to)) return std::nullopt;
  Column all(table_.rows, 0);
  for (const auto* before : llvm::predecessors(&to)) {
    const auto comes = reaches(from, *before), goes_on = goes(*before, to);
    if (!comes || !goes_on) return std::nullopt;
    for (std::size_t row = 0; row < all.size(); ++row) all[row] |= (*comes)[row] & (*goes_on)[row];
  }
  return reached_[key] = std::move(all);
}

Made LaunchValues::goes(const llvm::BasicBlock& from, const llvm::BasicBlock& to) {
  if (const auto* choice = llvm::dyn_cast<llvm::SwitchInst>(from.getTerminator()))
    return mapped(of(*choice->getCondition()), [&](auto x) {
      const auto* next = choice->getDefaultDest();
      for (const auto& each : choice->cases())
        if (each.getCaseValue()->getZExtValue() == x) next = each.getCaseSuccessor();
      return std::uint64_t{next == &to};
    });
  const auto* branch = llvm::dyn_cast<llvm::BranchInst>(from.getTerminator());
  if (!branch) return std::nullopt;
  if (branch->isUnconditional()) return Column(table_.rows, 1);
  const bool where_true = branch->getSuccessor(0) == &to;
  return mapped(of(*branch->getCondition()),
                [&](auto x) { return std::uint64_t{(x != 0) == where_true}; });
}

Column LaunchValues::may_come_to(const llvm::BasicBlock& block) {
  Column all(table_.rows, 1);
  for (const auto* node = flow_.dominators.getNode(&block); node && node->getIDom();
       node = node->getIDom()) {
    const auto& before = *node->getIDom()->getBlock();
    for (const auto* next : llvm::successors(&before)) {
      if (!flow_.dominators.dominates(llvm::BasicBlockEdge(&before, next), &block)) continue;
      if (const auto comes = goes(before, *next))
        for (std::size_t row = 0; row < all.size(); ++row) all[row] &= (*comes)[row];
    }
  }
  return all;
}

// A place in a constant table.
Made LaunchValues::of_load(const llvm::LoadInst& load, unsigned element) {
  const auto& layout = load.getDataLayout();
  const Value* pointer = load.getPointerOperand();
  const auto width = layout.getIndexTypeSizeInBits(pointer->getType());
  Column places(table_.rows, 0);
  for (; const auto* step = llvm::dyn_cast<llvm::GEPOperator>(pointer);
       pointer = step->getPointerOperand()) {
    llvm::SmallMapVector<Value*, llvm::APInt, 4> factors;
    llvm::APInt constant(width, 0);
    if (!step->collectOffset(layout, width, factors, constant)) return std::nullopt;
    for (auto& place : places) place += constant.getZExtValue();
    for (const auto& [index, factor] : factors) {
      const auto* column = of(*index);
      if (!column) return std::nullopt;
      if (is_of_threads(*index)) of_threads_.insert(&load);
      const auto bits = index->getType()->getScalarSizeInBits();
      for (std::size_t row = 0; row < places.size(); ++row)
        places[row] +=
            factor.getZExtValue() * static_cast<std::uint64_t>(as_signed((*column)[row], bits));
    }
  }
  const auto* table = llvm::dyn_cast<llvm::GlobalVariable>(pointer);
  if (!table || !table->isConstant() || !table->hasInitializer()) return std::nullopt;
  std::map<std::uint64_t, std::uint64_t> entries;
  for (auto& place : places) {
    const auto [entry, is_new] = entries.emplace(place, 0);
    if (is_new) {
      const auto* constant = llvm::ConstantFoldLoadFromConst(
          const_cast<llvm::Constant*>(table->getInitializer()), load.getType(),
          llvm::APInt(width, place, false, true), layout);
      if (constant && constant->getType()->isVectorTy())
        constant = constant->getAggregateElement(element);
      entry->second = bits_in(constant).value_or(0);
    }
    place = entry->second;
  }
  return places;
}

Made LaunchValues::of_position(llvm::StringRef name, unsigned axis) const {
  const auto grid = of_number({LaunchNumber::Kind::grid, axis, 0});
  const auto group = of_number({LaunchNumber::Kind::threadgroup, axis, 0});
  if (name == "get_global_offset") return Column(table_.rows, 0);
  if (name == "get_local_size") return group;
  if (name == "get_global_size") return grid;
  if (axis >= table_.threads.size() || table_.threads.at(axis).empty()) return std::nullopt;
  const auto& threads = table_.threads.at(axis);
  const Column thread(threads.begin(), threads.end());
  if (name == "get_global_id") return thread;
  if (!group) return std::nullopt;
  if (name == "get_local_id") return of_integers(Instruction::URem, &thread, &*group, widest);
  if (name == "get_group_id") return of_integers(Instruction::UDiv, &thread, &*group, widest);
  return std::nullopt;
}

// A part of two numbers that stand side by side: a rotation, if they are equal.
Made LaunchValues::of_funnel(const llvm::CallInst& call, unsigned element) {
  const auto bits = call.getType()->getScalarSizeInBits();
  const bool is_left = call.getIntrinsicID() == llvm::Intrinsic::fshl;
  const auto *high = of(*call.getArgOperand(0), element),
             *low = of(*call.getArgOperand(1), element);
  const auto* amounts = of(*call.getArgOperand(2), element);
  if (!high || !low || !amounts) return std::nullopt;
  Column all(table_.rows);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto amount = (*amounts)[i] % bits;
    const auto left = is_left ? amount : (bits - amount) % bits;
    if (left == 0)
      all[i] = (is_left ? *high : *low)[i];
    else
      all[i] = low_bits((*high)[i] << left | (*low)[i] >> (bits - left), bits);
  }
  return all;
}

Made LaunchValues::of_call(const llvm::CallInst& call, unsigned element) {
  const auto* callee = call.getCalledFunction();
  if (!callee) return std::nullopt;
  const auto name = callee->getName();
  if (name.starts_with("get_")) {
    const auto* axis =
        call.arg_size() == 1 ? llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(0)) : nullptr;
    auto position = axis ? of_position(name, static_cast<unsigned>(axis->getZExtValue())) : Made();
    if (position && name != "get_local_size" && name != "get_global_size")
      of_threads_.insert(&call);
    return position;
  }
  if (brings_back(call) && !is_of_threads(*call.getArgOperand(0))) {
    const auto* same = of(*call.getArgOperand(0), element);
    return same ? Made(*same) : std::nullopt;
  }
  if (!name.starts_with("llvm.") && !name.starts_with("msci.math.")) return std::nullopt;
  const auto plain = plain_name(name);
  const auto operand = [&](unsigned number) { return of(*call.getArgOperand(number), element); };
  const auto* type = call.getType()->getScalarType();
  const auto bits = type->getScalarSizeInBits();
  if (call.arg_size() == 0) return std::nullopt;
  if (plain == "fptoui" || plain == "fptosi")
    return mapped(operand(0),
                  [&](auto x) { return to_integer(real_of(x), bits, plain == "fptosi"); });
  if (type->isIntegerTy()) {
    if (plain == "fshl" || plain == "fshr") return of_funnel(call, element);
    if (plain == "ilogb")
      return mapped(operand(0), [&](auto x) {
        return low_bits(static_cast<std::uint64_t>(std::ilogb(real_of(x))), bits);
      });
    if (auto made = of_bits(plain, operand(0), bits)) return made;
    return call.arg_size() == 2 ? of_two_integers(plain, operand(0), operand(1), bits) : Made();
  }
  if (const auto function = function_of_one(plain)) return mapped_reals(operand(0), function);
  if (call.arg_size() < 2) return std::nullopt;
  if (const auto function = function_of_two(plain))
    return mapped_reals(operand(0), operand(1), function);
  if (plain == "ldexp" || plain == "powi")
    return mapped(operand(0), operand(1), [&](auto x, auto y) {
      const auto n = static_cast<int>(static_cast<std::uint32_t>(y));
      return bits_of(plain == "ldexp" ? std::ldexp(real_of(x), n)
                                      : std::pow(real_of(x), static_cast<float>(n)));
    });
  if (plain != "fma" && plain != "fmuladd") return std::nullopt;
  const auto product = mapped_reals(operand(0), operand(1), std::multiplies<>());
  return product ? mapped_reals(&*product, operand(2), std::plus<>()) : std::nullopt;
}

}  // namespace msci
