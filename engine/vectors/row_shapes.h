// Which values grow by the same step from lane to lane: addresses of these are consecutive.
#pragma once

#include <llvm/IR/Instructions.h>

#include <cstdint>
#include <map>
#include <optional>

#include "engine/vectors/variation.h"

namespace msci::engine {

// In each row of `lanes` lanes, a value is that of the row's first lane and `step` more per lane;
// bytes for a pointer. The rows' first values may be anything.
struct RowShape {
  unsigned lanes = 32;
  std::int64_t step = 0;
  bool may_wrap = false;  // around the end of its integer type, between two lanes
  // It was extended after it may have wrapped: two lanes must be compared to know its steps.
  bool may_break = false;
  bool is_tested = false;  // it is a guess: the code compares all lanes
  bool operator==(const RowShape&) const = default;
};

class RowShapes {
 public:
  RowShapes(llvm::Function& kernel, const Variation& variation);

  // The shape of a value along a row of lanes, if it has one.
  std::optional<RowShape> of(const llvm::Value& value);
  // Whether it is computed from positions and what the lanes share, not from what lanes read.
  bool is_of_positions(const llvm::Value& value);

 private:
  std::optional<RowShape> find(const llvm::Value& value);
  std::optional<RowShape> of_call(const llvm::CallInst& call);
  std::optional<RowShape> of_binary(const llvm::BinaryOperator& binary);
  std::optional<RowShape> of_address(const llvm::GetElementPtrInst& address);
  std::optional<RowShape> of_phi(const llvm::PHINode& phi);

  const Variation& variation_;
  std::map<const llvm::PHINode*, bool> heads_;  // phis at loop headers, and whether they are tried
  std::map<const llvm::Value*, std::optional<RowShape>> known_;
  std::map<const llvm::Value*, bool> of_positions_;
};

}  // namespace msci::engine
