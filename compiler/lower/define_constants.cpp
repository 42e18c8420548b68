#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/TargetParser/Triple.h>
#include <llvm/Transforms/Utils/CtorUtils.h>
#include <llvm/Transforms/Utils/Evaluator.h>

#include "compiler/lower/lowerings.h"

namespace msci {
namespace {

llvm::Constant* constant_of(llvm::Type* type, const llvm::APInt& bits) {
  if (type->isFloatingPointTy())
    return llvm::ConstantFP::get(type, llvm::APFloat(type->getFltSemantics(), bits));
  return llvm::ConstantInt::get(type, bits.zextOrTrunc(type->getIntegerBitWidth()));
}

// A vector of three elements may lie in one of four.
llvm::Constant* constant_of(llvm::Type* type, const std::vector<llvm::APInt>& elements) {
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  if (!vector) return constant_of(type, elements.front());
  std::vector<llvm::Constant*> all(vector->getNumElements(),
                                   llvm::Constant::getNullValue(vector->getElementType()));
  for (std::size_t i = 0; i < elements.size() && i < all.size(); ++i)
    all[i] = constant_of(vector->getElementType(), elements[i]);
  return llvm::ConstantVector::get(all);
}

void define(llvm::GlobalVariable& variable, llvm::Constant* value) {
  variable.setInitializer(value);
  variable.setLinkage(llvm::GlobalValue::InternalLinkage);
  variable.setConstant(true);
}

// Answers the calls of is_function_constant_defined(name), whose reference is the constant's
// address.
void answer_calls(llvm::Function& question) {
  for (auto* user : llvm::make_early_inc_range(question.users())) {
    auto* call = llvm::dyn_cast<llvm::CallInst>(user);
    if (!call || call->getCalledFunction() != &question) continue;
    const auto* constant =
        llvm::dyn_cast<llvm::GlobalVariable>(call->getArgOperand(0)->stripPointerCasts());
    if (!constant) continue;
    call->replaceAllUsesWith(llvm::ConstantInt::get(call->getType(), !constant->isDeclaration()));
    call->eraseFromParent();
  }
}

// The headers' template calls an external function, which has no body.
void answer_whether_defined(llvm::Module& ir) {
  const auto* external = ir.getFunction("msci.function_constant.defined");
  if (!external) return;
  llvm::SmallSetVector<llvm::Function*, 4> questions;
  for (const auto* user : external->users())
    if (const auto* call = llvm::dyn_cast<llvm::CallInst>(user))
      questions.insert(const_cast<llvm::Function*>(call->getFunction()));
  for (auto* question : questions) answer_calls(*question);
}

// Carries out the initialisation of one variable, if all that it needs is known.
bool evaluate_initialisation(llvm::Function& function, const llvm::TargetLibraryInfo& library) {
  llvm::Evaluator evaluator(function.getDataLayout(), &library);
  llvm::Constant* nothing = nullptr;
  const bool known =
      evaluator.EvaluateFunction(&function, nothing, llvm::SmallVector<llvm::Constant*>());
  if (!known) return false;
  for (const auto& [variable, value] : evaluator.getMutatedInitializers()) define(*variable, value);
  return true;
}

}  // namespace

void define_function_constants(llvm::Module& ir, const std::vector<ConstantValue>& values) {
  for (const auto& [symbol, elements] : values)
    if (auto* variable = ir.getNamedGlobal(symbol))
      define(*variable, constant_of(variable->getValueType(), elements));
  answer_whether_defined(ir);
  const llvm::TargetLibraryInfoImpl known(ir.getTargetTriple());
  const llvm::TargetLibraryInfo library(known);
  llvm::optimizeGlobalCtorsList(ir, [&](std::uint32_t, llvm::Function* function) {
    return evaluate_initialisation(*function, library);
  });
}

}  // namespace msci
