#include <llvm/IR/Constants.h>
#include <llvm/IR/Metadata.h>

#include "analysis/coverage/passes/cover_outcomes.h"

namespace msci {

llvm::MDNode* node_of(const CertifiedOutcome& outcome, llvm::LLVMContext& context) {
  const auto number = [&](unsigned value) -> llvm::Metadata* {
    return llvm::ConstantAsMetadata::get(
        llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), value));
  };
  std::vector<llvm::Metadata*> members{
      llvm::MDString::get(context, outcome.file), number(outcome.line), number(outcome.column),
      llvm::MDString::get(context, outcome.condition),
      number((outcome.of_data ? 1U : 0U) | (outcome.of_threads ? 2U : 0U))};
  for (const auto constant : outcome.constants)
    members.push_back(llvm::ConstantAsMetadata::get(
        llvm::ConstantFP::get(llvm::Type::getDoubleTy(context), constant)));
  return llvm::MDNode::get(context, members);
}

CertifiedOutcome outcome_in(const llvm::MDNode& node) {
  const auto number = [&](unsigned operand) {
    return static_cast<unsigned>(
        llvm::mdconst::extract<llvm::ConstantInt>(node.getOperand(operand))->getZExtValue());
  };
  const auto text = [&](unsigned operand) {
    return llvm::cast<llvm::MDString>(node.getOperand(operand))->getString().str();
  };
  CertifiedOutcome outcome{.file = text(0),
                           .line = number(1),
                           .column = number(2),
                           .condition = text(3),
                           .of_data = (number(4) & 1) != 0,
                           .of_threads = (number(4) & 2) != 0};
  for (unsigned i = 5; i < node.getNumOperands(); ++i)
    outcome.constants.push_back(llvm::mdconst::extract<llvm::ConstantFP>(node.getOperand(i))
                                    ->getValueAPF()
                                    .convertToDouble());
  return outcome;
}

}  // namespace msci
