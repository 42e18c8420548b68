#include "analysis/check/passes/vector_parts.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>

namespace msci {
namespace {

using Parts = std::uint64_t;

unsigned width_of(const llvm::Type& type) {
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(&type);
  return vector ? vector->getNumElements() : 1;
}

Parts all_of(const llvm::Type& type) {
  const auto width = width_of(type);
  return width >= 64 ? ~Parts{0} : (Parts{1} << width) - 1;
}

// What makes one vector of others. A vector of bool is the bits of an integer in memory.
bool rearranges(const llvm::User& user) {
  return llvm::isa<llvm::InsertElementInst, llvm::ShuffleVectorInst, llvm::BitCastInst>(user);
}

// Whether a value made of the load's components only goes back to the load's address.
bool returns_to(const llvm::Value& value, const llvm::Value& pointer, unsigned depth = 8) {
  if (depth == 0 || value.use_empty()) return false;
  for (const auto* user : value.users()) {
    if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(user)) {
      if (store->getPointerOperand() != &pointer || store->getValueOperand() != &value)
        return false;
    } else if (!rearranges(*user) || !returns_to(*user, pointer, depth - 1)) {
      return false;
    }
  }
  return true;
}

Parts parts_of_shuffle(const llvm::ShuffleVectorInst& shuffle, const llvm::Value& operand) {
  const auto width = static_cast<int>(width_of(*operand.getType()));
  const int first = shuffle.getOperand(0) == &operand ? 0 : width;
  Parts parts = 0;
  for (const int lane : shuffle.getShuffleMask())
    if (lane >= first && lane < first + width) parts |= Parts{1} << (lane - first);
  return parts;
}

Parts parts_put(const llvm::Value& value, const llvm::Value& pointer, unsigned depth = 16);

Parts parts_put_by(const llvm::ShuffleVectorInst& shuffle, const llvm::Value& pointer,
                   unsigned depth) {
  const Parts put[] = {parts_put(*shuffle.getOperand(0), pointer, depth),
                       parts_put(*shuffle.getOperand(1), pointer, depth)};
  const auto width = static_cast<int>(width_of(*shuffle.getOperand(0)->getType()));
  const auto mask = shuffle.getShuffleMask();
  Parts parts = 0;
  for (unsigned i = 0; i < mask.size(); ++i)
    if (mask[i] >= 0 && (put[mask[i] / width] >> (mask[i] % width) & 1)) parts |= Parts{1} << i;
  return parts;
}

Parts parts_put(const llvm::Value& value, const llvm::Value& pointer, unsigned depth) {
  const auto all = all_of(*value.getType());
  if (depth == 0) return all;
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&value))
    return load->getPointerOperand() == &pointer ? 0 : all;
  if (const auto* shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(&value))
    return parts_put_by(*shuffle, pointer, depth - 1);
  if (const auto* insert = llvm::dyn_cast<llvm::InsertElementInst>(&value)) {
    const auto* index = llvm::dyn_cast<llvm::ConstantInt>(insert->getOperand(2));
    if (!index || index->getZExtValue() >= 64) return all;
    return parts_put(*insert->getOperand(0), pointer, depth - 1) | Parts{1}
                                                                       << index->getZExtValue();
  }
  return llvm::isa<llvm::UndefValue>(value) ? 0 : all;
}

}  // namespace

std::uint64_t parts_used(const llvm::LoadInst& load) {
  if (load.getType()->isAggregateType()) return 0;
  const auto& pointer = *load.getPointerOperand();
  if (!load.getType()->isVectorTy()) return returns_to(load, pointer) ? 0 : 1;
  const auto all = all_of(*load.getType());
  Parts parts = 0;
  for (const auto* user : load.users()) {
    if (rearranges(*user) && returns_to(*user, pointer)) continue;
    if (const auto* extract = llvm::dyn_cast<llvm::ExtractElementInst>(user)) {
      const auto* index = llvm::dyn_cast<llvm::ConstantInt>(extract->getIndexOperand());
      parts |= index && index->getZExtValue() < 64 ? Parts{1} << index->getZExtValue() : all;
    } else if (const auto* shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(user)) {
      parts |= parts_of_shuffle(*shuffle, load);
    } else if (!llvm::isa<llvm::InsertElementInst>(user)) {
      parts |= all;
    }
  }
  return parts & all;
}

std::uint64_t parts_stored(const llvm::StoreInst& store) {
  const auto& value = *store.getValueOperand();
  return value.getType()->isVectorTy() ? parts_put(value, *store.getPointerOperand()) : 1;
}

}  // namespace msci
