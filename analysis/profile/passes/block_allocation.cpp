#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "analysis/profile/passes/count_work.h"

namespace msci {
namespace {

constexpr unsigned never = ~0U;

// Belady's rule: what is used again last goes first.
class BlockAllocation {
 public:
  BlockAllocation(const std::vector<AllocationStep>& steps, const std::vector<unsigned>& live_in,
                  const std::vector<unsigned>& live_out, const std::vector<unsigned>& sizes,
                  unsigned allowed)
      : steps_(steps), sizes_(sizes), allowed_(allowed) {
    const auto end = static_cast<unsigned>(steps.size());
    for (const auto value : live_out) uses_[value].push_back(end);
    for (unsigned i = end; i-- > 0;)
      for (const auto value : steps[i].reads) uses_[value].push_back(i);
    for (const auto value : live_in) {
      stored_.insert(value);  // by the block that has defined it
      hold(value);
    }
    make_room();
  }

  unsigned run() {
    for (unsigned i = 0; i < steps_.size(); ++i) {
      for (const auto value : steps_[i].reads)
        if (!held_.contains(value)) {
          spilled_ += sizes_[value];
          hold(value);
        }
      make_room();
      for (const auto value : steps_[i].reads) use(value, i);
      if (steps_[i].defines < 0) continue;
      hold(static_cast<unsigned>(steps_[i].defines));
      make_room();
    }
    return spilled_;
  }

 private:
  unsigned next_use(unsigned value) const {
    const auto found = uses_.find(value);
    return found == uses_.end() || found->second.empty() ? never : found->second.back();
  }

  void hold(unsigned value) {
    const auto next = next_use(value);
    if (next == never) return;  // its register is free again at once
    held_[value] = next;
    by_next_use_.emplace(next, value);
    weight_ += sizes_[value];
  }

  void drop(unsigned value) {
    const auto found = held_.find(value);
    by_next_use_.erase({found->second, value});
    held_.erase(found);
    weight_ -= sizes_[value];
  }

  void use(unsigned value, unsigned step) {
    auto& uses = uses_[value];
    while (!uses.empty() && uses.back() <= step) uses.pop_back();
    if (!held_.contains(value)) return;
    drop(value);
    hold(value);
  }

  void make_room() {
    while (weight_ > allowed_) {
      const auto value = std::prev(by_next_use_.end())->second;
      if (stored_.insert(value).second) spilled_ += sizes_[value];
      drop(value);
    }
  }

  const std::vector<AllocationStep>& steps_;
  const std::vector<unsigned>& sizes_;
  unsigned allowed_;
  std::map<unsigned, std::vector<unsigned>> uses_;  // of each value, the next one last
  std::map<unsigned, unsigned> held_;               // by value, with its next use
  std::set<std::pair<unsigned, unsigned>> by_next_use_;
  std::set<unsigned> stored_;
  unsigned weight_ = 0;
  unsigned spilled_ = 0;
};

}  // namespace

unsigned spilled_registers(const std::vector<AllocationStep>& steps,
                           const std::vector<unsigned>& live_in,
                           const std::vector<unsigned>& live_out,
                           const std::vector<unsigned>& sizes, unsigned allowed) {
  return BlockAllocation(steps, live_in, live_out, sizes, allowed).run();
}

}  // namespace msci
