#include "engine/coverage/outcome_record.h"

#include <algorithm>
#include <bit>

namespace msci::engine {

std::uint32_t* OutcomeRecord::words_for(const std::string& symbol, std::size_t outcomes) {
  auto& words = words_[symbol];
  if (words.size() < outcomes) words.resize(outcomes);
  return words.data();
}

void OutcomeRecord::add_to(const std::string& symbol, std::vector<BlockCount>& seen) const {
  const auto known = words_.find(symbol);
  if (known == words_.end()) return;
  const auto& words = known->second;
  for (std::size_t i = 0; i < std::min(words.size(), seen.size()); ++i)
    seen[i].lanes += static_cast<std::uint64_t>(std::popcount(words[i]));
}

}  // namespace msci::engine
