#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>

#include <algorithm>
#include <cmath>

#include "analysis/check/passes/calls.h"
#include "analysis/check/passes/numbers/float_bits.h"
#include "analysis/check/passes/numbers/number_checks.h"
#include "compiler/ir/spaces.h"

namespace msci {
namespace {

using llvm::Instruction;
using llvm::Value;
using Kind = Fault::Kind;

class OperationChecker {
 public:
  OperationChecker(llvm::Function& kernel, SourceLocations& locations)
      : layout_(kernel.getDataLayout()), locations_(locations), builder_(kernel.getContext()) {
    for (auto& instruction : llvm::instructions(kernel)) instructions_.push_back(&instruction);
  }

  // Metal's headers compute with what they have tested.
  void check_operations() {
    for (auto* instruction : instructions_)
      if (SourceLocations::is_in_users_text(*instruction)) check(*instruction);
  }

  void check_integers_and_parts() {
    for (auto* instruction : instructions_) {
      const auto opcode = instruction->getOpcode();
      if (instruction->isIntDivRem() || instruction->isShift() ||
          opcode == Instruction::GetElementPtr || opcode == Instruction::ExtractElement ||
          opcode == Instruction::InsertElement)
        check(*instruction);
    }
  }

  void check_calls() {
    for (auto* instruction : instructions_)
      if (auto* call = llvm::dyn_cast<llvm::CallInst>(instruction)) check_call(*call);
  }

 private:
  void check(Instruction& instruction) {
    switch (instruction.getOpcode()) {
      case Instruction::UDiv:
      case Instruction::SDiv:
      case Instruction::URem:
      case Instruction::SRem:
        return check_division(instruction);
      case Instruction::Shl:
      case Instruction::LShr:
      case Instruction::AShr:
        return check_shift(instruction);
      case Instruction::Add:
      case Instruction::Sub:
      case Instruction::Mul:
        return check_sum(instruction);
      case Instruction::FDiv:
        return check_finite(instruction, instruction.operands());
      case Instruction::FPTrunc:
      case Instruction::SIToFP:
      case Instruction::UIToFP:
        if (instruction.getType()->getScalarType()->isHalfTy())
          check_finite(instruction, instruction.operands());
        return;
      case Instruction::FPToSI:
      case Instruction::FPToUI:
        return check_conversion(instruction, *instruction.getOperand(0),
                                instruction.getOpcode() == Instruction::FPToSI);
      case Instruction::GetElementPtr:
        return check_index(llvm::cast<llvm::GetElementPtrInst>(instruction));
      case Instruction::ExtractElement:
        return check_component(instruction, 1);
      case Instruction::InsertElement:
        return check_component(instruction, 2);
      case Instruction::Load:
      case Instruction::Store:
        return require_alignment(instruction);
      default:
        return;
    }
  }

  // ---- conditions

  void hold(Instruction& instruction, Value* holds, Kind kind) {
    if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(holds);
        constant && constant->isOne())
      return;
    call_hold(builder_, holds, kind, locations_.number(instruction), AccessKind::read);
  }

  void begin_at(Instruction& instruction) {
    builder_.SetInsertPoint(&instruction);
    builder_.SetCurrentDebugLocation(instruction.getDebugLoc());
  }

  // Whether all components of a vector of bits are true.
  Value* all_true(Value* bits) {
    const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(bits->getType());
    if (!vector) return bits;
    Value* all = builder_.getTrue();
    for (unsigned i = 0; i < vector->getNumElements(); ++i)
      all = builder_.CreateAnd(all, builder_.CreateExtractElement(bits, i));
    return all;
  }

  // ---- integers

  void check_division(Instruction& division) {
    begin_at(division);
    auto* divisor = division.getOperand(1);
    auto* type = divisor->getType();
    auto* is_some = builder_.CreateICmpNE(divisor, llvm::Constant::getNullValue(type));
    hold(division, all_true(is_some), Kind::division_by_zero);
    // Without it, LLVM might conclude that the divisor is never zero.
    if (!llvm::isa<llvm::Constant>(divisor) || llvm::cast<llvm::Constant>(divisor)->isNullValue())
      division.setOperand(1,
                          builder_.CreateSelect(is_some, divisor, llvm::ConstantInt::get(type, 1)));
  }

  void check_shift(Instruction& shift) {
    begin_at(shift);
    auto* count = shift.getOperand(1);
    auto* type = count->getType();
    const auto width = type->getScalarSizeInBits();
    auto* fits = builder_.CreateICmpULT(count, llvm::ConstantInt::get(type, width));
    const auto* constant = llvm::dyn_cast<llvm::Constant>(fits);
    if (constant && constant->isAllOnesValue()) return;
    hold(shift, all_true(fits), Kind::shift_out_of_range);
    shift.setOperand(1, builder_.CreateAnd(count, llvm::ConstantInt::get(type, width - 1)));
  }

  // Signed arithmetic of 32 bits, in 64 bits.
  void check_sum(Instruction& sum) {
    if (!llvm::cast<llvm::OverflowingBinaryOperator>(sum).hasNoSignedWrap()) return;
    if (!sum.getType()->isIntegerTy(32)) return;
    begin_at(sum);
    auto* wide = builder_.getInt64Ty();
    auto* exact = builder_.CreateBinOp(llvm::cast<llvm::BinaryOperator>(sum).getOpcode(),
                                       builder_.CreateSExt(sum.getOperand(0), wide),
                                       builder_.CreateSExt(sum.getOperand(1), wide));
    auto* from_least = builder_.CreateAdd(exact, builder_.getInt64(std::uint64_t{1} << 31));
    hold(sum, builder_.CreateICmpULT(from_least, builder_.getInt64(std::uint64_t{1} << 32)),
         Kind::signed_overflow);
  }

  // ---- floats

  // Whether all components are neither infinite nor NaN.
  Value* is_finite(Value* value) { return all_true(make_is_finite(builder_, value)); }

  template <typename Operands>
  void check_finite(Instruction& operation, Operands&& operands) {
    if (llvm::isa<llvm::FPMathOperator>(operation)) {
      operation.setHasNoNaNs(false);
      operation.setHasNoInfs(false);
    }
    begin_at(*operation.getNextNode());
    builder_.SetCurrentDebugLocation(operation.getDebugLoc());
    Value* is_fine = is_finite(&operation);
    for (auto& operand : operands)
      if (operand->getType()->isFPOrFPVectorTy())
        is_fine = builder_.CreateOr(is_fine, builder_.CreateNot(is_finite(operand)));
    hold(operation, is_fine, Kind::not_finite);
  }

  void check_conversion(Instruction& conversion, Value& from, bool is_signed) {
    begin_at(conversion);
    const auto width = static_cast<int>(conversion.getType()->getScalarSizeInBits());
    auto* type = from.getType();
    const auto number = [&](double value) { return llvm::ConstantFP::get(type, value); };
    auto* is_below =
        builder_.CreateFCmpOLT(&from, number(std::ldexp(1.0, is_signed ? width - 1 : width)));
    // A float just below the least integer is that integer once it is truncated.
    auto* is_above = is_signed ? builder_.CreateFCmpOGE(&from, number(-std::ldexp(1.0, width - 1)))
                               : builder_.CreateFCmpOGT(&from, number(-1));
    hold(conversion, all_true(builder_.CreateAnd(is_below, is_above)),
         Kind::conversion_out_of_range);
  }

  // ---- calls

  void check_call(llvm::CallInst& call) {
    const auto* callee = call.getCalledFunction();
    if (!callee) return;
    const auto name = callee->getName();
    const bool is_simd = name.starts_with("msci.simd.shuffle");
    if (is_simd || name.starts_with("msci.quad.shuffle"))
      return name.contains("rotate") ? void() : check_lane(call, is_simd ? 32 : 4);
    if (call.getType()->isFPOrFPVectorTy() && may_leave_numbers(name))
      check_finite(call, call.args());
  }

  // Functions that are not defined for every number.
  static bool may_leave_numbers(llvm::StringRef name) {
    return llvm::any_of(llvm::ArrayRef<llvm::StringRef>{"sqrt", "log", "asin", "acos"},
                        [&](llvm::StringRef part) { return name.contains(part); });
  }

  void check_lane(llvm::CallInst& call, unsigned lanes) {
    begin_at(call);
    hold(call, builder_.CreateICmpULT(call.getArgOperand(1), builder_.getInt32(lanes)),
         Kind::inactive_lane);
  }

  // ---- parts of objects

  // Of arrays in arrays and records, each index must lie in its own array.
  void check_index(llvm::GetElementPtrInst& step) {
    if (!is_accessed(step, 4)) return;
    begin_at(step);
    Value* is_inside = nullptr;
    llvm::Type* type = step.getSourceElementType();
    // The first index leads from object to object.
    for (auto each = std::next(step.idx_begin()); each != step.idx_end(); ++each) {
      auto* index = each->get();
      const auto* array = llvm::dyn_cast<llvm::ArrayType>(type);
      type = llvm::GetElementPtrInst::getTypeAtIndex(type, index);
      if (!array) continue;
      auto* inside = builder_.CreateICmpULT(
          index, llvm::ConstantInt::get(index->getType(), array->getNumElements()));
      is_inside = is_inside ? builder_.CreateAnd(is_inside, inside) : inside;
    }
    if (is_inside && is_part(step)) hold(step, is_inside, Kind::out_of_bounds);
  }

  // Whether the array is a part of an object: the object as a whole is checked anyway. The last
  // array of a record in a buffer may have more elements than it says.
  bool is_part(const llvm::GetElementPtrInst& step) const {
    if (is_member_before_others(step)) return true;
    const auto space = step.getPointerAddressSpace();
    if (space == device_space || space == constant_space) return false;
    const auto* object = llvm::getUnderlyingObject(&step);
    const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(object);
    const auto* global = llvm::dyn_cast<llvm::GlobalVariable>(object);
    if (!variable && !global) return false;
    const auto* whole = variable ? variable->getAllocatedType() : global->getValueType();
    return whole != step.getSourceElementType() || step.getNumIndices() > 2;
  }

  // Whether it indexes an array that is a member of a record, and not the last one: whatever the
  // pointer leads to, the next member lies behind it.
  static bool is_member_before_others(const llvm::GetElementPtrInst& step) {
    if (step.getNumIndices() != 2 || !step.getSourceElementType()->isArrayTy()) return false;
    const auto* member = llvm::dyn_cast<llvm::GEPOperator>(step.getPointerOperand());
    if (!member || member->getNumIndices() < 2) return false;
    const auto* record = llvm::dyn_cast<llvm::StructType>(member->getSourceElementType());
    const auto* number = llvm::dyn_cast<llvm::ConstantInt>(member->getOperand(2));
    return record && member->getNumIndices() == 2 && number &&
           number->getZExtValue() + 1 < record->getNumElements();
  }

  static bool is_accessed(const Value& pointer, unsigned depth) {
    return llvm::any_of(pointer.users(), [&](const llvm::User* user) {
      if (llvm::isa<llvm::LoadInst, llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst>(user))
        return true;
      if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(user))
        return store->getPointerOperand() == &pointer;
      return depth > 0 && llvm::isa<llvm::GEPOperator, llvm::AddrSpaceCastOperator>(user) &&
             is_accessed(*user, depth - 1);
    });
  }

  void check_component(Instruction& access, unsigned operand) {
    auto* index = access.getOperand(operand);
    if (llvm::isa<llvm::Constant>(index)) return;
    begin_at(access);
    const auto* vector = llvm::cast<llvm::FixedVectorType>(access.getOperand(0)->getType());
    auto* inside = builder_.CreateICmpULT(
        index, llvm::ConstantInt::get(index->getType(), vector->getNumElements()));
    hold(access, inside, Kind::out_of_bounds);
    access.setOperand(operand, builder_.CreateSelect(
                                   inside, index, llvm::Constant::getNullValue(index->getType())));
  }

  // ---- alignment

  static bool is_packed(const Value& pointer) {
    const auto* step = llvm::dyn_cast<llvm::GEPOperator>(&pointer);
    if (!step) return false;
    const auto* record = llvm::dyn_cast<llvm::StructType>(step->getSourceElementType());
    return (record && record->isPacked()) || is_packed(*step->getPointerOperand());
  }

  // Clang knows that an array of bytes lies anywhere; a pointer to words that leads into it says
  // otherwise.
  void require_alignment(Instruction& access) {
    const auto* type = llvm::getLoadStoreType(&access);
    if (type->isAggregateType() || type->isPointerTy()) return;
    auto* pointer = llvm::getLoadStorePointerOperand(&access);
    const llvm::Align natural(
        llvm::PowerOf2Ceil(layout_.getTypeStoreSize(const_cast<llvm::Type*>(type))));
    if (natural <= llvm::getLoadStoreAlignment(&access) || natural > llvm::Align(16)) return;
    auto* object = const_cast<Value*>(llvm::getUnderlyingObject(pointer));
    if (is_packed(*pointer)) return;
    if (auto* variable = llvm::dyn_cast<llvm::AllocaInst>(object))
      variable->setAlignment(std::max(variable->getAlign(), natural));
    else if (auto* global = llvm::dyn_cast<llvm::GlobalVariable>(object))
      global->setAlignment(std::max(global->getAlign().valueOrOne(), natural));
    else
      return;
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&access))
      load->setAlignment(natural);
    else
      llvm::cast<llvm::StoreInst>(access).setAlignment(natural);
  }

  const llvm::DataLayout& layout_;
  SourceLocations& locations_;
  llvm::IRBuilder<> builder_;
  std::vector<Instruction*> instructions_;  // before the checks
};

}  // namespace

void check_operations(llvm::Module& ir, SourceLocations& locations) {
  for (auto& function : ir)
    if (!function.isDeclaration()) OperationChecker(function, locations).check_operations();
}

void check_integers_and_parts(llvm::Module& ir, SourceLocations& locations) {
  for (auto& function : ir)
    if (!function.isDeclaration()) OperationChecker(function, locations).check_integers_and_parts();
}

void check_builtin_calls(llvm::Module& ir, SourceLocations& locations) {
  for (auto& function : ir)
    if (!function.isDeclaration()) OperationChecker(function, locations).check_calls();
}

}  // namespace msci
