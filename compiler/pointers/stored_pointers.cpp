#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>

#include "compiler/ir/spaces.h"
#include "compiler/pointers/pointers.h"

namespace msci {
namespace {

bool points_to(const llvm::Type* type, unsigned space) {
  return type->isPointerTy() && type->getPointerAddressSpace() == space;
}

// Variables of a thread become registers, and their pointers keep what is known of them.
bool is_private(const llvm::Value* pointer) {
  return llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(pointer, 0));
}

void name_loaded(llvm::LoadInst& load) {
  llvm::IRBuilder<> builder(&load);
  auto* type = llvm::PointerType::get(load.getContext(), device_space);
  auto* loaded =
      builder.CreateAlignedLoad(type, load.getPointerOperand(), load.getAlign(), load.isVolatile());
  loaded->copyMetadata(load);
  load.replaceAllUsesWith(builder.CreateAddrSpaceCast(loaded, load.getType()));
  load.eraseFromParent();
}

void name_stored(llvm::StoreInst& store) {
  llvm::IRBuilder<> builder(&store);
  auto* type = llvm::PointerType::get(store.getContext(), device_space);
  store.setOperand(0, builder.CreateAddrSpaceCast(store.getValueOperand(), type));
}

// The type that the source gave the memory behind a pointer; null where none is known.
llvm::Type* type_behind(const llvm::Value* pointer) {
  while (const auto* cast = llvm::dyn_cast<llvm::AddrSpaceCastOperator>(pointer))
    pointer = cast->getPointerOperand();
  if (const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(pointer))
    return variable->getAllocatedType();
  if (const auto* argument = llvm::dyn_cast<llvm::Argument>(pointer))
    return argument->getParamByValType();
  const auto* member = llvm::dyn_cast<llvm::GEPOperator>(pointer);
  return member ? member->getResultElementType() : nullptr;
}

// The pointer that lies at the beginning of a type; null for others.
llvm::PointerType* leading_pointer(llvm::Type* type) {
  while (type && type->isAggregateType()) {
    if (const auto* array = llvm::dyn_cast<llvm::ArrayType>(type))
      type = array->getElementType();
    else
      type = type->getStructNumElements() > 0 ? type->getStructElementType(0) : nullptr;
  }
  return llvm::dyn_cast_if_present<llvm::PointerType>(type);
}

llvm::PointerType* copied_pointer(const llvm::MemTransferInst& copy) {
  const auto* length = llvm::dyn_cast<llvm::ConstantInt>(copy.getLength());
  for (const auto* side : {copy.getRawDest(), copy.getRawSource()}) {
    auto* type = leading_pointer(type_behind(side));
    if (type && length && length->equalsInt(copy.getDataLayout().getTypeStoreSize(type)))
      return type;
  }
  return nullptr;
}

}  // namespace

void copy_as_pointers(llvm::Module& ir) {
  for (auto& function : ir)
    for (auto& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
      auto* copy = llvm::dyn_cast<llvm::MemTransferInst>(&instruction);
      auto* type = copy && !copy->isVolatile() ? copied_pointer(*copy) : nullptr;
      if (!type) continue;
      llvm::IRBuilder<> builder(copy);
      auto* pointer = builder.CreateAlignedLoad(type, copy->getRawSource(),
                                                copy->getSourceAlign().valueOrOne());
      builder.CreateAlignedStore(pointer, copy->getRawDest(), copy->getDestAlign().valueOrOne());
      copy->eraseFromParent();
    }
}

void name_stored_pointers(llvm::Function& function) {
  for (auto& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
      if (points_to(load->getType(), constant_space) && !is_private(load->getPointerOperand()))
        name_loaded(*load);
    } else if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
      if (points_to(store->getValueOperand()->getType(), constant_space) &&
          !is_private(store->getPointerOperand()))
        name_stored(*store);
    }
  }
}

bool loads_pointers(const llvm::Function& kernel) {
  return llvm::any_of(llvm::instructions(kernel), [](const llvm::Instruction& instruction) {
    const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
    return load && points_to(load->getType(), device_space) &&
           load->getPointerAddressSpace() != thread_space;
  });
}

bool stores_pointers(const llvm::Function& kernel) {
  return llvm::any_of(llvm::instructions(kernel), [](const llvm::Instruction& instruction) {
    const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
    return store && points_to(store->getValueOperand()->getType(), device_space) &&
           store->getPointerAddressSpace() == device_space;
  });
}

}  // namespace msci
