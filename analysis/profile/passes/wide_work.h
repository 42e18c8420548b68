// What operations on 64-bit integers cost, which Apple's GPUs do on halves of 32 bits.
#pragma once

#include <optional>

#include "analysis/profile/passes/work_of.h"

namespace msci {

// Products of 32 bits that issue in as many cycles as the upper half of a product of 64 bits, which
// is four of them and sums with carries. An assumption: 5 to 7 order the recorded kernels alike.
// In a chain, the upper half waits as long as one of them.
constexpr unsigned upper_half_products = 5;

// The value of a constant integer, or of a constant vector with the same constant in each element;
// null for others.
const llvm::APInt* splat_constant(const llvm::Value& value);
// Whether the value is an integer of more than 32 bits, or a vector of such.
bool is_long(const llvm::Type* type);
// Whether all but the lower 32 bits of an integer are known to be zero.
bool fits_in_half(const llvm::Value& value, const llvm::DataLayout& layout);

// The work of a binary operation, a comparison or a selection on 64-bit integers. Halves that are
// known to be zero cost nothing: the sum of a value and another one's upper half is an addition of
// 32 bits, and putting two halves together is free. None for work of other types.
std::optional<InstructionWork> wide_work(const llvm::Instruction& instruction);

}  // namespace msci
