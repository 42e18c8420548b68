#include "engine/vectors/vectoriser.h"

namespace msci::engine {

// The lanes for which the bit is set join those that have seen the outcome before.
void Vectoriser::see_outcome(const llvm::CallInst& call) {
  const auto number = llvm::cast<llvm::ConstantInt>(call.getArgOperand(0))->getZExtValue();
  const auto& bit = *call.getArgOperand(1);
  result_.outcomes = std::max<std::size_t>(result_.outcomes, number + 1);
  auto* lanes = differs(bit)
                    ? builder_.CreateAnd(bits_of(vector(bit)), mask_bits())
                    : builder_.CreateSelect(scalar(bit), mask_bits(), builder_.getInt32(0));
  auto* word = builder_.CreateConstGEP1_64(i32_, outcomes_, number);
  builder_.CreateStore(builder_.CreateOr(builder_.CreateLoad(i32_, word), lanes), word);
}

}  // namespace msci::engine
