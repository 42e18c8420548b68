// Kernels of one thread for each element.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "search/rewrite/parsed_text.h"

namespace msci::search {

// A kernel that asks for nothing of a thread but its number in a grid of one dimension, and begins
// with `if (number >= limit) return;`. It never changes the number.
struct GuardedKernel {
  const clang::ParmVarDecl* number = nullptr;
  Span guard;
  std::string limit;                           // an operand
  std::vector<const clang::Stmt*> statements;  // behind the guard; at least one
};

std::optional<GuardedKernel> guarded_kernel(const Kernel& kernel, const ParsedText& code);

}  // namespace msci::search
