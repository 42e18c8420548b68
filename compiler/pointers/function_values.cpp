#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "compiler/pointers/pointers.h"

namespace msci {
namespace {

constexpr const char* table_call = "msci.visible.call";  // compiler/frontend/include

using llvm::Function;
using llvm::Value;

struct Candidate {
  std::uint64_t number = 0;
  Function* function = nullptr;
};

bool fits(const Function& function, llvm::ArrayRef<Value*> arguments, const llvm::Type* result) {
  const auto* type = function.getFunctionType();
  if (type->isVarArg() || type->getReturnType() != result) return false;
  return llvm::equal(type->params(), arguments, [](const llvm::Type* wanted, const Value* given) {
    return wanted == given->getType();
  });
}

// A call of one of the candidates, chosen by a number.
class Switch {
 public:
  Switch(llvm::CallInst& call, Value* number, std::vector<Value*> arguments,
         const NoteMissing& note_missing)
      : call_(call),
        number_(number),
        arguments_(std::move(arguments)),
        note_missing_(note_missing) {}

  void replace(const std::vector<Candidate>& candidates) {
    auto* before = call_.getParent();
    auto* after = llvm::SplitBlock(before, &call_);
    before->getTerminator()->eraseFromParent();
    auto* missing = new_block(*after);
    llvm::IRBuilder<> builder(before);
    builder.SetCurrentDebugLocation(call_.getDebugLoc());
    auto* choice = builder.CreateSwitch(number_, missing);
    auto* type = call_.getType();
    builder.SetInsertPoint(after, after->begin());
    auto* result = type->isVoidTy() ? nullptr : builder.CreatePHI(type, 2);
    for (const auto& [number, function] : candidates) {
      if (!fits(*function, arguments_, type)) continue;
      auto* block = new_block(*after);
      choice->addCase(
          llvm::ConstantInt::get(llvm::cast<llvm::IntegerType>(number_->getType()), number), block);
      auto* made = call_in(*block, *function, *after);
      if (result) result->addIncoming(made, block);
    }
    auto* end = llvm::BranchInst::Create(after, missing);
    end->setDebugLoc(call_.getDebugLoc());
    note_missing_(*end, call_);
    if (result) {
      result->addIncoming(llvm::Constant::getNullValue(type), missing);
      call_.replaceAllUsesWith(result);
    } else if (const auto* object = call_.getParamStructRetType(0)) {
      llvm::IRBuilder<>(end).CreateMemSet(
          arguments_[0], llvm::ConstantInt::get(llvm::Type::getInt8Ty(end->getContext()), 0),
          end->getDataLayout().getTypeAllocSize(const_cast<llvm::Type*>(object)), {});
    }
    call_.eraseFromParent();
  }

 private:
  llvm::BasicBlock* new_block(llvm::BasicBlock& before) const {
    return llvm::BasicBlock::Create(call_.getContext(), "", call_.getFunction(), &before);
  }

  llvm::CallInst* call_in(llvm::BasicBlock& block, Function& function,
                          llvm::BasicBlock& after) const {
    llvm::IRBuilder<> builder(&block);
    builder.SetCurrentDebugLocation(call_.getDebugLoc());
    auto* made = builder.CreateCall(&function, arguments_);
    made->setCallingConv(function.getCallingConv());
    const auto attributes = function.getAttributes();  // say which objects are passed by address
    for (unsigned i = 0; i < made->arg_size(); ++i)
      for (const auto& attribute : attributes.getParamAttrs(i)) made->addParamAttr(i, attribute);
    builder.CreateBr(&after);
    return made;
  }

  llvm::CallInst& call_;
  Value* number_;
  std::vector<Value*> arguments_;
  const NoteMissing& note_missing_;
};

template <typename Wanted>
std::vector<llvm::CallInst*> calls(llvm::Module& ir, Wanted is_wanted) {
  std::vector<llvm::CallInst*> found;
  for (auto& function : ir)
    for (auto& instruction : llvm::instructions(function))
      if (auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction); call && is_wanted(*call))
        found.push_back(call);
  return found;
}

// The function behind casts that a call names; null for a pointer.
const Function* named(const llvm::CallInst& call) {
  return llvm::dyn_cast<Function>(call.getCalledOperand()->stripPointerCasts());
}

// ---- tables

void expand_table_calls(llvm::Module& ir, const std::vector<Candidate>& visible,
                        const NoteMissing& note_missing) {
  const auto through_tables = calls(ir, is_table_call);
  for (auto* call : through_tables) {
    std::vector<Value*> arguments(call->arg_begin(), call->arg_end());
    const auto place = arguments.begin() + (call->hasStructRetAttr() ? 1 : 0);
    auto* number = *place;
    arguments.erase(place);
    Switch(*call, number, std::move(arguments), note_missing).replace(visible);
  }
}

// ---- pointers to functions

bool is_value(const llvm::Use& use) {
  const auto* call = llvm::dyn_cast<llvm::CallBase>(use.getUser());
  if (call && call->isCallee(&use)) return false;
  return llvm::isa<llvm::Instruction, llvm::Constant>(use.getUser()) &&
         !llvm::isa<llvm::BlockAddress>(use.getUser());
}

// Gives each function that is used as a value a number that takes its place.
std::vector<Candidate> number_functions(llvm::Module& ir) {
  std::vector<Candidate> numbered;
  auto* integer = llvm::Type::getInt64Ty(ir.getContext());
  for (auto& function : ir) {
    if (function.isDeclaration() || function.use_empty()) continue;
    const auto is_one = [](const llvm::Use& use) { return is_value(use); };
    if (llvm::none_of(function.uses(), is_one)) continue;
    numbered.push_back({numbered.size() + 1, &function});
    auto* number = llvm::ConstantExpr::getIntToPtr(llvm::ConstantInt::get(integer, numbered.size()),
                                                   function.getType());
    function.replaceUsesWithIf(number, [](const llvm::Use& use) { return is_value(use); });
  }
  return numbered;
}

void expand_pointer_calls(llvm::Module& ir, const NoteMissing& note_missing) {
  const auto through_pointers =
      calls(ir, [](const llvm::CallInst& call) { return !call.isInlineAsm() && !named(call); });
  if (through_pointers.empty()) return;
  const auto numbered = number_functions(ir);
  for (auto* call : through_pointers) {
    llvm::IRBuilder<> builder(call);
    auto* number = builder.CreatePtrToInt(call->getCalledOperand(), builder.getInt64Ty());
    Switch(*call, number, {call->arg_begin(), call->arg_end()}, note_missing).replace(numbered);
  }
}

}  // namespace

bool is_table_call(const llvm::CallInst& call) {
  const auto* function = named(call);
  return function && function->getName() == table_call;
}

void expand_function_values(llvm::Module& ir, const std::vector<std::string>& visible,
                            const NoteMissing& note_missing) {
  std::vector<Candidate> candidates;
  for (std::size_t i = 0; i < visible.size(); ++i)
    if (auto* function = ir.getFunction(visible[i]); function && !function->isDeclaration())
      candidates.push_back({i + 1, function});
  expand_table_calls(ir, candidates, note_missing);
  expand_pointer_calls(ir, note_missing);
}

}  // namespace msci
