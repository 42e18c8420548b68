#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Scalar/Scalarizer.h>

#include "compiler/ir/builtins.h"
#include "compiler/lower/lowerings.h"
#include "compiler/print/opencl_types.h"

namespace msci {
namespace {

// Halves are rounded one at a time.
bool is_in_opencl(const llvm::FixedVectorType& vector) {
  const auto width = vector.getNumElements();
  const auto* element = vector.getElementType();
  return (width == 2 || width == 3 || width == 4 || width == 8 || width == 16) &&
         (element->isFloatTy() || element->isIntegerTy(1) || element->isIntegerTy(8) ||
          element->isIntegerTy(16) || element->isIntegerTy(32) || element->isIntegerTy(64));
}

// Its pattern for a scalar also serves for vectors: without a choice or a cast.
bool has_vector_pattern(llvm::Intrinsic::ID id) {
  const auto pattern = intrinsic_pattern(id);
  return pattern && pattern->find('?') == std::string_view::npos &&
         pattern->find("$T") == std::string_view::npos;
}

bool has_text_for_call(const llvm::CallInst& call) {
  const auto* callee = call.getCalledFunction();
  if (!callee) return false;
  if (!callee->isIntrinsic()) return callee->getName().starts_with("msci.math.");
  // Flags for LLVM are not arguments in OpenCL.
  const auto is_flag = [](const llvm::Value* argument) {
    return argument->getType()->isIntegerTy(1) && llvm::isa<llvm::Constant>(argument);
  };
  return has_vector_pattern(callee->getIntrinsicID()) && call.getType()->isVectorTy() &&
         llvm::all_of(call.args(), [&](const llvm::Value* argument) {
           return argument->getType()->isVectorTy() ? !is_mask(argument->getType())
                                                    : is_flag(argument);
         });
}

bool has_text_for_cast(const llvm::CastInst& cast) {
  if (!llvm::isa<llvm::BitCastInst>(cast)) return true;
  // as_ulong(float2) exists, but no wider scalar.
  const auto has_text_for_side = [](const llvm::Type* type) {
    return !is_mask(type) && (type->isVectorTy() || type->getPrimitiveSizeInBits() <= 64);
  };
  return has_text_for_side(cast.getSrcTy()) && has_text_for_side(cast.getDestTy());
}

bool has_vector_text(const llvm::Instruction& instruction) {
  if (const auto* binary = llvm::dyn_cast<llvm::BinaryOperator>(&instruction))
    return !is_mask(binary->getType()) || binary->isBitwiseLogicOp();
  if (const auto* cast = llvm::dyn_cast<llvm::CastInst>(&instruction))
    return has_text_for_cast(*cast);
  if (const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction))
    return has_text_for_call(*call);
  switch (instruction.getOpcode()) {
    case llvm::Instruction::Load:
      return !is_mask(instruction.getType());
    case llvm::Instruction::Store:
      return !is_mask(instruction.getOperand(0)->getType());
    case llvm::Instruction::ExtractElement:
      return llvm::isa<llvm::ConstantInt>(instruction.getOperand(1));
    case llvm::Instruction::InsertElement:
      return llvm::isa<llvm::ConstantInt>(instruction.getOperand(2));
    case llvm::Instruction::ICmp:  // bits are compared as numbers, masks would be as signed ones
      return !is_mask(instruction.getOperand(0)->getType());
    case llvm::Instruction::FNeg:
    case llvm::Instruction::FCmp:
    case llvm::Instruction::Select:
    case llvm::Instruction::PHI:
    case llvm::Instruction::ShuffleVector:
    case llvm::Instruction::Freeze:
      return true;
    default:
      return false;
  }
}

bool is_about_vectors(const llvm::Instruction& instruction) {
  return instruction.getType()->isVectorTy() ||
         llvm::any_of(instruction.operands(),
                      [](const llvm::Use& operand) { return operand->getType()->isVectorTy(); });
}

bool has_opencl_types(const llvm::Instruction& instruction) {
  const auto fits = [](const llvm::Type* type) {
    const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
    return !vector || is_in_opencl(*vector);
  };
  return fits(instruction.getType()) &&
         llvm::all_of(instruction.operands(),
                      [&](const llvm::Use& operand) { return fits(operand->getType()); });
}

bool is_whole_computation(const llvm::Instruction& instruction) {
  return llvm::isa<llvm::BinaryOperator, llvm::UnaryOperator, llvm::CmpInst, llvm::CallInst>(
      instruction);
}

// Vectors whose elements are only inserted and extracted are better as scalars.
bool computes_with_vectors(llvm::Function& function) {
  return llvm::any_of(llvm::instructions(function), [](const llvm::Instruction& instruction) {
    return is_about_vectors(instruction) && is_whole_computation(instruction);
  });
}

// The insertion of the only known element of a vector; null where more are known, or none.
llvm::InsertElementInst* lone_element(llvm::Value* value) {
  auto* insert = llvm::dyn_cast<llvm::InsertElementInst>(value);
  const bool is_lone = insert && llvm::isa<llvm::UndefValue>(insert->getOperand(0)) &&
                       llvm::isa<llvm::ConstantInt>(insert->getOperand(2));
  return is_lone ? insert : nullptr;
}

// Scalars that are inserted into vectors, combined, and then broadcast are combined as scalars.
void combine_as_scalars(llvm::Function& function) {
  for (auto& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    auto* binary = llvm::dyn_cast<llvm::BinaryOperator>(&instruction);
    if (!binary || !binary->getType()->isVectorTy()) continue;
    auto* a = lone_element(binary->getOperand(0));
    auto* b = lone_element(binary->getOperand(1));
    if (!a || !b || a->getOperand(2) != b->getOperand(2)) continue;
    llvm::IRBuilder<> builder(binary);
    auto* number = builder.CreateBinOp(binary->getOpcode(), a->getOperand(1), b->getOperand(1));
    if (auto* made = llvm::dyn_cast<llvm::Instruction>(number)) made->copyIRFlags(binary);
    binary->replaceAllUsesWith(builder.CreateInsertElement(
        llvm::PoisonValue::get(binary->getType()), number, a->getOperand(2)));
    binary->eraseFromParent();
  }
}

bool has_vector_text(llvm::Function& function) {
  return llvm::all_of(llvm::instructions(function), [](const llvm::Instruction& instruction) {
    return !is_about_vectors(instruction) ||
           (has_opencl_types(instruction) && has_vector_text(instruction));
  });
}

}  // namespace

llvm::PreservedAnalyses TakeVectorsApart::run(llvm::Function& function,
                                              llvm::FunctionAnalysisManager& analyses) {
  combine_as_scalars(function);
  if (computes_with_vectors(function) && has_vector_text(function))
    return llvm::PreservedAnalyses::none();
  llvm::ScalarizerPassOptions options;
  options.ScalarizeVariableInsertExtract = true;
  return llvm::ScalarizerPass(options).run(function, analyses);
}

}  // namespace msci
