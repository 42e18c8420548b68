#include "compiler/frontend/preamble/preamble_cache.h"

#include <algorithm>

namespace msci {

void PreambleCache::prepare(const Preamble& preamble) {
  const auto found = std::find_if(kept_.begin(), kept_.end(),
                                  [&](const Kept& kept) { return kept.preamble == preamble; });
  if (found != kept_.end()) return kept_.splice(kept_.begin(), kept_, found);
  auto start = begin(preamble, Headers::read);
  if (!start) return;  // who takes it is told why
  kept_.push_front({preamble, *std::move(start)});
  if (kept_.size() > most_) kept_.pop_back();
}

Result<PrecompiledPreamble> PreambleCache::take(const Preamble& preamble) {
  const auto found = std::find_if(kept_.begin(), kept_.end(),
                                  [&](const Kept& kept) { return kept.preamble == preamble; });
  if (found == kept_.end()) return begin(preamble, Headers::prebuilt);
  auto start = std::move(found->start);
  kept_.erase(found);
  return start;
}

}  // namespace msci
