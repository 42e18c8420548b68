#include <algorithm>

#include "engine/queue/cpu_queue.h"

namespace msci::engine {

namespace {

// How often a thread takes of its own share: in the end, the others wait for one such part at most.
constexpr std::size_t parts_of_share = 8;

}  // namespace

GroupShares::GroupShares(std::size_t groups, unsigned threads)
    : shares_(std::max(threads, 1U)),
      step_(std::max<std::size_t>(1, groups / (shares_.size() * parts_of_share))) {
  for (std::size_t i = 0; i < threads; ++i) {
    shares_[i].next = groups * i / threads;
    shares_[i].end = groups * (i + 1) / threads;
  }
}

GroupRange GroupShares::take(unsigned thread) {
  for (std::size_t i = 0; i < shares_.size(); ++i) {
    auto& share = shares_[(thread + i) % shares_.size()];
    if (share.next.load(std::memory_order_relaxed) >= share.end) continue;
    const auto begin = share.next.fetch_add(step_, std::memory_order_relaxed);
    if (begin < share.end) return {begin, std::min(begin + step_, share.end)};
  }
  return {};
}

void GroupShares::drop_rest() {
  for (auto& share : shares_) share.next = share.end;
}

}  // namespace msci::engine
