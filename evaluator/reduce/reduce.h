// Shrinks a source while something about it stays: delta debugging over the syntax tree.
#pragma once

#include <chrono>
#include <functional>

#include "compiler/frontend/unit/syntax_parts.h"

namespace msci {

// Whether a smaller source still shows what the reduction is for. Errors: ours.
using StillShows = std::function<Result<bool>(const Source&)>;

struct Reduction {
  Source source;
  std::size_t attempts = 0;
  bool is_smallest = false;  // no part can go; otherwise the time was over
};

// How a source is parsed, and how long the reduction may take.
struct ReductionLimits {
  CompileOptions compile;
  Limits parsing;
  std::chrono::milliseconds time{};
};

// The source without all parts that it can lack: the same for the same source, unless the time ends
// it. `tell` is called after each attempt with the bytes that are left.
Result<Reduction> reduce(Source source, const ReductionLimits& limits, const StillShows& shows,
                         const std::function<void(const Reduction&)>& tell);

}  // namespace msci
