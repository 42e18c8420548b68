#include "evaluator/reduce/reduce.h"

#include <algorithm>

namespace msci {

// The parts of one parse are tried from the longest to the shortest; what goes takes along the
// parts in it. Then the smaller source is parsed again, until nothing goes any more.
Result<Reduction> reduce(Source source, const ReductionLimits& limits, const StillShows& shows,
                         const std::function<void(const Reduction&)>& tell) {
  const auto end = std::chrono::steady_clock::now() + limits.time;
  Reduction reduction{std::move(source)};
  for (bool again = true; again;) {
    again = false;
    const auto parts = syntax_parts(reduction.source, limits.compile, limits.parsing);
    if (!parts) return parts.error();
    const auto whole = reduction.source.text;
    std::vector<SyntaxPart> gone;
    for (const auto& part : *parts) {
      if (std::ranges::any_of(gone, [&](const auto& each) { return each.overlaps(part); }))
        continue;
      if (std::chrono::steady_clock::now() >= end) return reduction;
      auto more = gone;
      more.push_back(part);
      const Source smaller{reduction.source.name, without(whole, more)};
      ++reduction.attempts;
      const auto still = shows(smaller);
      if (!still) return still.error();
      if (*still) {
        gone = std::move(more);
        again = true;
        reduction.source = smaller;
      }
      tell(reduction);
    }
  }
  reduction.is_smallest = true;
  return reduction;
}

}  // namespace msci
