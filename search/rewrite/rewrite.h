// Rewrites a kernel without a language model: transformations of loops, arithmetic and declarations
// that keep its meaning, or may keep it. Whoever uses the result judges it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "base/result.h"
#include "base/source.h"
#include "compiler/frontend/unit.h"

namespace msci::search {

// One use of a transformation at one place of a source.
struct Rewrite {
  std::string about;  // "runs 4 rounds of the loop over row at once"
  std::vector<Edit> edits;
};

struct Transformation {
  std::string_view name;   // "unroll_and_jam"
  std::string_view about;  // a sentence for users
  // How early it is tried: of two transformations, one with twice the weight comes first twice as
  // often.
  double weight = 1;
  std::vector<Rewrite> (*find)(const Unit& unit) = nullptr;
};

std::span<const Transformation> transformations();

struct RewriteRequest {
  std::uint64_t seed = 0;    // decides the order of the rewrites
  std::uint64_t number = 1;  // which of them, from 1; after the last comes the first
  std::string only;          // the name of a transformation; empty: all
};

struct RewrittenKernel {
  std::string text;
  std::vector<std::string> about;  // of what was applied
};

// The kernel after the rewrite of that number: first each transformation at all its places, then at
// single places, then some of them one after another. What does not compile is left out. Errors:
// the source does not compile, no transformation has that name, or none applies.
Result<RewrittenKernel> rewrite(const Source& source, const RewriteRequest& request);

// The kernel that a prompt of a search asks to improve: its last block of Metal, or all of a text
// without such a block.
std::string kernel_of(const std::string& prompt);

}  // namespace msci::search
