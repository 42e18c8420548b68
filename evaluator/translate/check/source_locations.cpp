#include "evaluator/translate/check/source_locations.h"

#include <clang/AST/ASTContext.h>
#include <clang/Basic/SourceManager.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Instructions.h>

namespace msci {
namespace {

constexpr std::size_t most = 2048;  // numbers have eleven bits in the text

// The innermost location outside the Metal headers.
const llvm::DILocation* in_users_text(const llvm::Instruction& instruction) {
  const llvm::DILocation* at = instruction.getDebugLoc();
  while (at && !at->getFilename().ends_with("program_source")) at = at->getInlinedAt();
  return at && at->getLine() > 0 ? at : nullptr;
}

}  // namespace

unsigned SourceLocations::number(const llvm::Instruction& instruction) {
  const auto* at = in_users_text(instruction);
  if (!at) return 0;
  const auto& sources = unit_.ast().getSourceManager();
  const auto location = sources.translateLineCol(sources.getMainFileID(), at->getLine(),
                                                 std::max(1U, at->getColumn()));
  const auto range = unit_.locate(clang::SourceRange(location));
  const auto [known, is_new] = numbers_.try_emplace(range.begin, all_.size());
  if (!is_new) return known->second;
  if (all_.size() == most) return known->second = 0;
  all_.push_back(range);
  return known->second;
}

unsigned SourceLocations::number_marked(const llvm::Instruction& instruction) {
  const auto number = this->number(instruction);
  if (number > 0) marked_.insert(number);
  return number;
}

}  // namespace msci
