#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <vector>

#include "analysis/check/passes/calls.h"
#include "analysis/check/passes/numbers/float_bits.h"
#include "analysis/check/passes/numbers/number_checks.h"

namespace msci {
namespace {

using llvm::Instruction;
using llvm::Value;

// How a narrow number is read later.
struct Readings {
  bool as_signed = false;
  bool as_unsigned = false;
};

void add_reading(const llvm::User& user, Readings& readings) {
  readings.as_signed |= llvm::isa<llvm::SExtInst, llvm::SIToFPInst>(user);
  readings.as_unsigned |= llvm::isa<llvm::ZExtInst, llvm::UIToFPInst>(user);
}

// Of the number, and of the variable that it is stored in, whose address Clang casts once.
Readings readings_of(const Value& number) {
  Readings readings;
  for (const auto* user : number.users()) {
    add_reading(*user, readings);
    const auto* store = llvm::dyn_cast<llvm::StoreInst>(user);
    if (!store || !llvm::isa<llvm::AllocaInst>(store->getPointerOperand()->stripPointerCasts()))
      continue;
    for (const auto* other : store->getPointerOperand()->users())
      if (llvm::isa<llvm::LoadInst>(other) && other->getType() == number.getType())
        for (const auto* reader : other->users()) add_reading(*reader, readings);
  }
  return readings;
}

bool is_short_float(const llvm::Type& type) { return type.isHalfTy() || type.isBFloatTy(); }

// Whether a sum, difference or product has a narrow number as an operand, which was promoted.
bool is_arithmetic_of(const Value& value, const llvm::Type& narrow) {
  const auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(&value);
  if (!operation) return false;
  const auto code = operation->getOpcode();
  if (code != Instruction::Add && code != Instruction::Sub && code != Instruction::Mul)
    return false;
  return llvm::any_of(operation->operands(), [&](const llvm::Use& operand) {
    const auto* cast = llvm::dyn_cast<llvm::CastInst>(operand.get());
    return cast && cast->getSrcTy() == &narrow && llvm::isa<llvm::SExtInst, llvm::ZExtInst>(cast);
  });
}

bool is_meant(const Instruction& conversion, SourceLocations& locations) {
  return locations.casts_to_narrow(conversion.getDebugLoc()->getLine());
}

class NarrowingChecker {
 public:
  NarrowingChecker(llvm::Function& function, SourceLocations& locations)
      : locations_(locations), builder_(function.getContext()) {
    for (auto& instruction : llvm::instructions(function))
      if (SourceLocations::is_in_users_text(instruction)) instructions_.push_back(&instruction);
  }

  void run() {
    for (auto* instruction : instructions_) check(*instruction);
  }

 private:
  void check(Instruction& instruction) {
    if (auto* cut = llvm::dyn_cast<llvm::TruncInst>(&instruction)) return check_cut(*cut);
    if (!is_short_float(*instruction.getType())) return;
    switch (instruction.getOpcode()) {
      case Instruction::SIToFP:
      case Instruction::UIToFP:
        return check_short_of_integer(llvm::cast<llvm::CastInst>(instruction));
      case Instruction::FAdd:
      case Instruction::FSub:
        return check_sums(instruction, instruction);
      case Instruction::FPTrunc:
        return check_rounded_sum(instruction);
      default:
        return;
    }
  }

  void begin_behind(Instruction& instruction) {
    builder_.SetInsertPoint(instruction.getNextNode());
    builder_.SetCurrentDebugLocation(instruction.getDebugLoc());
  }
  void hold(Instruction& instruction, Value* holds, Fault::Kind kind) {
    call_hold(builder_, holds, kind, locations_.number(instruction), AccessKind::read);
  }

  // ---- integers

  void check_cut(llvm::TruncInst& cut) {
    if (!is_unmeant_cut(cut, locations_)) return;
    const auto readings = readings_of(cut);  // before the checks become some
    auto* wide = cut.getOperand(0);
    begin_behind(cut);
    auto* as_signed = builder_.CreateICmpEQ(builder_.CreateSExt(&cut, wide->getType()), wide);
    auto* as_unsigned = builder_.CreateICmpEQ(builder_.CreateZExt(&cut, wide->getType()), wide);
    const bool is_either = readings.as_signed == readings.as_unsigned;
    auto* holds = is_either            ? builder_.CreateOr(as_signed, as_unsigned)
                  : readings.as_signed ? as_signed
                                       : as_unsigned;
    hold(cut, holds, Fault::Kind::narrowed);
  }

  // ---- half and bfloat

  Value* is_not_finite(Value* value) { return builder_.CreateNot(make_is_finite(builder_, value)); }

  // A half has whole numbers up to 2048, and beyond 65,504 infinity, which is a fault of its own. A
  // bfloat has them up to 256.
  void check_short_of_integer(llvm::CastInst& conversion) {
    if (is_meant(conversion, locations_)) return;
    begin_behind(conversion);
    auto* type = builder_.getFloatTy();
    auto* exact = builder_.CreateCast(conversion.getOpcode(), conversion.getOperand(0), type);
    auto* same = builder_.CreateFCmpOEQ(builder_.CreateFPExt(&conversion, type), exact);
    auto* holds = builder_.CreateOr(same, is_not_finite(&conversion));
    hold(conversion, builder_.CreateOr(is_exact(conversion), holds), Fault::Kind::narrowed);
  }

  // Whether the integer is so small that each number up to it is exact. A proof needs no floats
  // then.
  Value* is_exact(llvm::CastInst& conversion) {
    auto* integer = conversion.getOperand(0);
    auto* type = integer->getType();
    const std::uint64_t most = conversion.getType()->isHalfTy() ? 2048 : 256;
    if (type->getIntegerBitWidth() <= 8) return builder_.getTrue();
    if (conversion.getOpcode() == Instruction::UIToFP)
      return builder_.CreateICmpULE(integer, llvm::ConstantInt::get(type, most));
    auto* from_least = builder_.CreateAdd(integer, llvm::ConstantInt::get(type, most));
    return builder_.CreateICmpULE(from_least, llvm::ConstantInt::get(type, 2 * most));
  }

  // A sum that leaves a half or bfloat as it is, though at least 1 is added or subtracted.
  void check_sum(Instruction& sum, Value& before, Value& summand) {
    begin_behind(sum);
    auto* type = builder_.getInt16Ty();
    auto* changes = builder_.CreateICmpNE(builder_.CreateBitCast(&sum, type),
                                          builder_.CreateBitCast(&before, type));
    auto* is_small = builder_.CreateNot(make_is_at_least(builder_, &summand, 1));
    auto* holds = builder_.CreateOr(builder_.CreateOr(changes, is_small), is_not_finite(&before));
    hold(sum, holds, Fault::Kind::absorbed);
  }

  // Either summand may be the number that stays.
  void check_sums(Instruction& result, const Instruction& sum) {
    for (unsigned i = 0; i < (sum.getOpcode() == Instruction::FAdd ? 2 : 1); ++i)
      if (auto* before = short_of(*sum.getOperand(i));
          before && before->getType() == result.getType())
        check_sum(result, *before, *sum.getOperand(1 - i));
  }

  // The half or bfloat that a summand is, also as a float: half + float is a sum of floats.
  static Value* short_of(Value& summand) {
    if (is_short_float(*summand.getType())) return &summand;
    auto* widened = llvm::dyn_cast<llvm::FPExtInst>(&summand);
    return widened && is_short_float(*widened->getSrcTy()) ? widened->getOperand(0) : nullptr;
  }

  void check_rounded_sum(Instruction& rounding) {
    const auto* sum = llvm::dyn_cast<llvm::BinaryOperator>(rounding.getOperand(0));
    if (sum && (sum->getOpcode() == Instruction::FAdd || sum->getOpcode() == Instruction::FSub))
      check_sums(rounding, *sum);
  }

  SourceLocations& locations_;
  llvm::IRBuilder<> builder_;
  std::vector<Instruction*> instructions_;  // before the checks
};

// ---- sums of lanes

// "u32" of msci.simd.sum.u32; empty for other functions.
llvm::StringRef type_of_lane_sum(const Value& value) {
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&value);
  const auto* callee = call ? call->getCalledFunction() : nullptr;
  if (!callee) return "";
  const auto name = callee->getName();
  if (!name.starts_with("msci.simd.") && !name.starts_with("msci.quad.")) return "";
  return name.contains("sum.") || name.contains("product.") ? name.rsplit('.').second : "";
}

void check_lane_sum(llvm::TruncInst& cut, SourceLocations& locations) {
  const auto type = type_of_lane_sum(*cut.getOperand(0));
  if (type != "u32" && type != "i32") return;
  llvm::IRBuilder<> builder(cut.getNextNode());
  builder.SetCurrentDebugLocation(cut.getDebugLoc());
  auto* wide = cut.getOperand(0);
  auto* back = type == "i32" ? builder.CreateSExt(&cut, wide->getType())
                             : builder.CreateZExt(&cut, wide->getType());
  call_hold(builder, builder.CreateICmpEQ(back, wide), Fault::Kind::narrowed, locations.number(cut),
            AccessKind::read);
}

}  // namespace

bool is_unmeant_cut(const llvm::TruncInst& cut, SourceLocations& locations) {
  const auto& wide = *cut.getOperand(0);
  const auto* type = cut.getType();
  if (!type->isIntegerTy(8) && !type->isIntegerTy(16)) return false;
  // A number of up to 16 bits that is cut is a bool, or was computed from bools.
  if (wide.getType()->getIntegerBitWidth() < 32 || !SourceLocations::is_in_users_text(cut))
    return false;
  return !is_meant(cut, locations) || is_arithmetic_of(wide, *type);
}

void check_lane_sums(llvm::Module& ir, SourceLocations& locations) {
  std::vector<llvm::TruncInst*> cuts;
  for (auto& function : ir)
    for (auto& instruction : llvm::instructions(function))
      if (auto* cut = llvm::dyn_cast<llvm::TruncInst>(&instruction)) cuts.push_back(cut);
  for (auto* cut : cuts) check_lane_sum(*cut, locations);
}

void check_narrowing(llvm::Module& ir, SourceLocations& locations) {
  for (auto& function : ir)
    if (!function.isDeclaration()) NarrowingChecker(function, locations).run();
}

}  // namespace msci
