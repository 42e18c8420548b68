// What the files about memory share: accesses, and addresses that follow from an index.
#pragma once

#include "engine/vectors/vectoriser.h"

namespace msci::engine {

// What a load reads or a store writes.
struct Vectoriser::Access {
  const Value* pointer = nullptr;
  unsigned parts = 1;
  Type* element = nullptr;  // of one lane, as it lies in memory: whole bytes
  unsigned bytes = 0;       // of an element
  llvm::Align align;        // of the whole
  bool is_volatile = false;
  bool pads = false;  // three elements that take the place of four

  // Two words that lie in one of 64 bits.
  bool is_pair() const {
    return parts == 2 && bytes == 4 && align.value() >= 8 && !is_volatile &&
           !element->isPointerTy();
  }
  llvm::Align align_of(unsigned part) const { return llvm::commonAlignment(align, part * bytes); }
};

// An address that is `scale` bytes more for each step of an index of 32 bits, and otherwise the
// same in all lanes.
struct Vectoriser::IndexedAddress {
  const llvm::GetElementPtrInst* address = nullptr;
  const llvm::CallInst* guard = nullptr;      // around the address, or null
  const llvm::CastInst* extension = nullptr;  // of the index, to 64 bits
  const Value* index = nullptr;
  std::int64_t scale = 0;

  bool is_signed() const { return llvm::isa<llvm::SExtInst>(extension); }
};

// An address at an offset that a check returns in rows (CheckedRows).
struct Vectoriser::CheckedAddress {
  const CheckedRows* rows = nullptr;
  const Value* base = nullptr;
  const llvm::CallInst* guard = nullptr;  // around the address, or null
};

// Whether another block may use an address that is computed from this value of block `home`.
bool is_part_of_address_elsewhere(const llvm::Instruction& value, const llvm::BasicBlock& home);

// Lanes as a constant list, for shuffles.
inline llvm::SmallVector<int> counting(unsigned count, int first = 0, int step = 1) {
  llvm::SmallVector<int> lanes(count);
  for (unsigned i = 0; i < count; ++i) lanes[i] = first + static_cast<int>(i) * step;
  return lanes;
}

}  // namespace msci::engine
