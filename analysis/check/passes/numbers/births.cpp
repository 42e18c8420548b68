#include <fmt/format.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include <map>
#include <optional>

#include "analysis/check/check_layout.h"
#include "analysis/check/passes/calls.h"
#include "analysis/check/passes/numbers/float_bits.h"
#include "analysis/check/passes/numbers/number_checks.h"
#include "compiler/ir/spaces.h"

namespace msci {
namespace {

using llvm::Instruction;
using llvm::Value;

// "exp" of llvm.exp.f32 and msci.math.exp.f32.
std::string function_name(llvm::StringRef name) {
  name.consume_front("llvm.");
  name.consume_front("msci.math.");
  name.consume_front("msci.");
  return name.split('.').first.str();
}

// The operation in words, with {0}, {1} and {2} for its operands; empty for what only moves values.
std::string text_of(const Instruction& operation) {
  switch (operation.getOpcode()) {
    case Instruction::FMul:
      return "{0} * {1}";
    case Instruction::FAdd:
      return "{0} + {1}";
    case Instruction::FSub:
      return "{0} - {1}";
    case Instruction::FDiv:
      return "{0} / {1}";
    case Instruction::FRem:
      return "fmod({0}, {1})";
    case Instruction::FPTrunc:
    case Instruction::SIToFP:
    case Instruction::UIToFP:
      return operation.getType()->getScalarType()->isHalfTy() ? "half({0})" : "bfloat({0})";
    default:
      break;
  }
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&operation);
  const auto* callee = call ? call->getCalledFunction() : nullptr;
  if (!callee || call->arg_size() == 0 || call->arg_size() > 3) return "";
  for (const auto& argument : call->args())
    if (!argument->getType()->isFPOrFPVectorTy() && !argument->getType()->isIntOrIntVectorTy())
      return "";
  const auto name = callee->getName();
  // What another lane brings is its business.
  if (name.starts_with("msci.simd.") || name.starts_with("msci.quad.")) return "";
  if (name.contains("fma") || name.contains("fmuladd")) return "{0} * {1} + {2}";
  auto text = function_name(name) + "(";
  for (unsigned i = 0; i < call->arg_size(); ++i) text += fmt::format("{}{{{}}}", i ? ", " : "", i);
  return text + ")";
}

bool makes_float(const Instruction& instruction) {
  if (!instruction.getType()->isFPOrFPVectorTy()) return false;
  switch (instruction.getOpcode()) {
    case Instruction::FMul:
    case Instruction::FAdd:
    case Instruction::FSub:
    case Instruction::FDiv:
    case Instruction::FRem:
    case Instruction::FPTrunc:
      return true;
    case Instruction::SIToFP:
    case Instruction::UIToFP:
      return instruction.getType()->getScalarType()->isHalfTy();
    case Instruction::Call: {
      const auto* callee = llvm::cast<llvm::CallInst>(instruction).getCalledFunction();
      return callee && llvm::cast<llvm::CallInst>(instruction).doesNotAccessMemory() &&
             !callee->getName().starts_with("msci.check.");
    }
    default:
      return false;
  }
}

class BirthChecker {
 public:
  BirthChecker(llvm::Function& kernel, const KernelSignature& signature, SourceLocations& locations)
      : kernel_(kernel), locations_(locations), builder_(kernel.getContext()) {
    unsigned parameter = 0, number = 0;
    for (const auto& argument : signature.arguments) {
      objects_[kernel.getArg(parameter)] = number++;
      parameter += is_device_memory(argument.kind) ? 2 : 1;
    }
  }

  void run() {
    std::vector<Instruction*> operations;
    for (auto& instruction : llvm::instructions(kernel_))
      if (makes_float(instruction)) operations.push_back(&instruction);
    for (auto* operation : operations) check(*operation);
  }

 private:
  // The element of a buffer that a value comes from.
  struct Element {
    llvm::LoadInst* load = nullptr;
    unsigned object = 0;
  };

  void check(Instruction& operation) {
    const auto text = text_of(operation);
    if (text.empty()) return;
    const auto place = locations_.number(operation);
    const auto number = locations_.keep_operation(text);
    const auto element = element_of(operation);
    const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(operation.getType());
    builder_.SetInsertPoint(operation.getNextNode());
    builder_.SetCurrentDebugLocation(operation.getDebugLoc());
    for (unsigned part = 0; part < (vector ? vector->getNumElements() : 1); ++part)
      check_part(operation, part, place, number, element);
  }

  void check_part(Instruction& operation, unsigned part, unsigned place, unsigned number,
                  const std::optional<Element>& element) {
    auto* result = part_of(&operation, part);
    Value *all_finite = builder_.getTrue(), *any_nan = builder_.getFalse();
    std::vector<Value*> words;
    const auto* call = llvm::dyn_cast<llvm::CallInst>(&operation);
    const unsigned count = call ? call->arg_size() : operation.getNumOperands();
    for (unsigned i = 0; i < 3; ++i) {
      auto* operand = i < count ? part_of(operation.getOperand(i), part) : nullptr;
      if (operand && operand->getType()->isFloatingPointTy()) {
        all_finite = builder_.CreateAnd(all_finite, is_finite(operand));
        any_nan = builder_.CreateOr(any_nan, is_nan(operand));
      }
      const bool is_unsigned = llvm::isa<llvm::UIToFPInst>(operation);
      words.push_back(operand ? word_of(operand, is_unsigned) : builder_.getInt64(0));
    }
    words.push_back(word_of(result, false));
    // Infinity comes from finite numbers, and NaN from whatever is not NaN.
    auto* no_infinity = builder_.CreateOr(is_finite(result), builder_.CreateNot(all_finite));
    auto* no_nan = builder_.CreateOr(builder_.CreateNot(is_nan(result)), any_nan);
    auto* is_fine = builder_.CreateAnd(no_infinity, no_nan);
    words.push_back(element ? offset_of(*element) : builder_.getInt64(0));
    call_birth(builder_, is_fine, place, number, element ? locations_.number(*element->load) : 0,
               element ? element->object : no_element, words);
  }

  Value* part_of(Value* value, unsigned part) {
    return value->getType()->isVectorTy() ? builder_.CreateExtractElement(value, part) : value;
  }

  Value* is_finite(Value* value) { return make_is_finite(builder_, value); }
  Value* is_nan(Value* value) { return make_is_nan(builder_, value); }

  // The bits of a float of that value.
  Value* word_of(Value* value, bool is_unsigned) {
    auto* type = builder_.getFloatTy();
    if (value->getType()->isIntegerTy())
      value = is_unsigned ? builder_.CreateUIToFP(value, type) : builder_.CreateSIToFP(value, type);
    else if (value->getType() != type)
      value = builder_.CreateFPCast(value, type);
    return builder_.CreateZExt(builder_.CreateBitCast(value, builder_.getInt32Ty()),
                               builder_.getInt64Ty());
  }

  Value* offset_of(const Element& element) {
    auto* pointer = element.load->getPointerOperand();
    auto* base = kernel_.getArg(0);
    for (const auto& [argument, number] : objects_)
      if (number == element.object) base = const_cast<llvm::Argument*>(argument);
    return builder_.CreateSub(builder_.CreatePtrToInt(pointer, builder_.getInt64Ty()),
                              builder_.CreatePtrToInt(base, builder_.getInt64Ty()));
  }

  // The nearest load from a buffer that an operand is made of.
  std::optional<Element> element_of(Instruction& operation) {
    std::vector<Value*> open(operation.value_op_begin(), operation.value_op_end());
    for (std::size_t i = 0; i < open.size() && i < most_steps; ++i) {
      auto* instruction = llvm::dyn_cast<Instruction>(open[i]);
      if (!instruction || llvm::isa<llvm::PHINode>(instruction)) continue;
      if (auto* load = llvm::dyn_cast<llvm::LoadInst>(instruction)) {
        const auto* base = llvm::getUnderlyingObject(load->getPointerOperand());
        const auto found = objects_.find(llvm::dyn_cast<llvm::Argument>(base));
        if (found != objects_.end()) return Element{load, found->second};
      } else {
        for (auto& operand : instruction->operands()) open.push_back(operand);
      }
    }
    return std::nullopt;
  }

  static constexpr unsigned no_element = static_cast<unsigned>(CheckLog::no_object);
  static constexpr std::size_t most_steps = 32;

  llvm::Function& kernel_;
  SourceLocations& locations_;
  llvm::IRBuilder<> builder_;
  std::map<const llvm::Argument*, unsigned> objects_;
};

}  // namespace

void allow_not_finite(llvm::Module& ir) {
  for (auto& function : ir)
    for (auto& instruction : llvm::instructions(function))
      if (llvm::isa<llvm::FPMathOperator>(instruction)) {
        instruction.setHasNoNaNs(false);
        instruction.setHasNoInfs(false);
      }
}

void check_births(llvm::Module& ir, const std::vector<KernelSignature>& kernels,
                  SourceLocations& locations) {
  for (const auto& signature : kernels)
    BirthChecker(*ir.getFunction(signature.symbol), signature, locations).run();
}

}  // namespace msci
