#include "evaluator/translate/lower/vectors.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Scalar/Scalarizer.h>

#include <map>

namespace msci {
namespace {

bool is_mask(const llvm::Type* type) {
  return type->isVectorTy() && type->getScalarType()->isIntegerTy(1);
}

// Halves are rounded one at a time.
bool is_in_opencl(const llvm::FixedVectorType& vector) {
  const auto width = vector.getNumElements();
  const auto* element = vector.getElementType();
  return (width == 2 || width == 3 || width == 4 || width == 8 || width == 16) &&
         (element->isFloatTy() || element->isIntegerTy(1) || element->isIntegerTy(8) ||
          element->isIntegerTy(16) || element->isIntegerTy(32) || element->isIntegerTy(64));
}

// How it is spelt for one number serves for many, too: no choice, no cast.
bool is_spelt_alike(llvm::Intrinsic::ID id) {
  static const std::map<unsigned, std::string_view> spellings{
#define MSCI_INTRINSIC(id, text) {llvm::Intrinsic::id, text},
#include "evaluator/translate/builtins.def"
#undef MSCI_INTRINSIC
  };
  const auto found = spellings.find(id);
  return found != spellings.end() && found->second.find('?') == std::string_view::npos &&
         found->second.find("$T") == std::string_view::npos;
}

bool is_sayable_call(const llvm::CallInst& call) {
  const auto* callee = call.getCalledFunction();
  if (!callee) return false;
  if (!callee->isIntrinsic()) return callee->getName().starts_with("msci.math.");
  // A flag that says what LLVM may assume is no argument in OpenCL.
  const auto is_flag = [](const llvm::Value* argument) {
    return argument->getType()->isIntegerTy(1) && llvm::isa<llvm::Constant>(argument);
  };
  return is_spelt_alike(callee->getIntrinsicID()) && call.getType()->isVectorTy() &&
         llvm::all_of(call.args(), [&](const llvm::Value* argument) {
           return argument->getType()->isVectorTy() ? !is_mask(argument->getType())
                                                    : is_flag(argument);
         });
}

bool is_sayable_cast(const llvm::CastInst& cast) {
  if (!llvm::isa<llvm::BitCastInst>(cast)) return true;
  // as_ulong(float2) there is, but nothing wider that is no vector.
  const auto is_sayable_side = [](const llvm::Type* type) {
    return !is_mask(type) && (type->isVectorTy() || type->getPrimitiveSizeInBits() <= 64);
  };
  return is_sayable_side(cast.getSrcTy()) && is_sayable_side(cast.getDestTy());
}

bool is_sayable(const llvm::Instruction& instruction) {
  if (const auto* binary = llvm::dyn_cast<llvm::BinaryOperator>(&instruction))
    return !is_mask(binary->getType()) || binary->isBitwiseLogicOp();
  if (const auto* cast = llvm::dyn_cast<llvm::CastInst>(&instruction))
    return is_sayable_cast(*cast);
  if (const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction))
    return is_sayable_call(*call);
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

// Vectors that elements are put into and taken from, and no more, are better off as numbers.
bool computes_with_vectors(llvm::Function& function) {
  return llvm::any_of(llvm::instructions(function), [](const llvm::Instruction& instruction) {
    return is_about_vectors(instruction) && is_whole_computation(instruction);
  });
}

// The number that alone is known of a vector, and its place; null where there are more, or none.
llvm::InsertElementInst* lone_element(llvm::Value* value) {
  auto* insert = llvm::dyn_cast<llvm::InsertElementInst>(value);
  const bool is_lone = insert && llvm::isa<llvm::UndefValue>(insert->getOperand(0)) &&
                       llvm::isa<llvm::ConstantInt>(insert->getOperand(2));
  return is_lone ? insert : nullptr;
}

// Where two numbers are each put into a vector to be multiplied and then spread over another, they
// are multiplied as numbers.
void compute_lone_elements_apart(llvm::Function& function) {
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

bool is_sayable(llvm::Function& function) {
  return llvm::all_of(llvm::instructions(function), [](const llvm::Instruction& instruction) {
    return !is_about_vectors(instruction) ||
           (has_opencl_types(instruction) && is_sayable(instruction));
  });
}

}  // namespace

llvm::PreservedAnalyses TakeVectorsApart::run(llvm::Function& function,
                                              llvm::FunctionAnalysisManager& analyses) {
  compute_lone_elements_apart(function);
  if (computes_with_vectors(function) && is_sayable(function))
    return llvm::PreservedAnalyses::none();
  llvm::ScalarizerPassOptions options;
  options.ScalarizeVariableInsertExtract = true;
  return llvm::ScalarizerPass(options).run(function, analyses);
}

}  // namespace msci
