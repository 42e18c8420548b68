#include <algorithm>

#include "engine/check/checked_simdgroup.h"

namespace msci::engine {
namespace {

using Word = std::uint64_t;

// Entries of clocks that are added in a launch before it is given up: some seconds.
constexpr std::size_t most_work = std::size_t{1} << 26;

// As in memory_order of metal_compute.
constexpr std::uint32_t acquires = 2, releases = 3;

Word thread_of(Word entry) { return ShadowEntry::thread.of(entry); }
Word barriers_of(Word entry) { return ShadowEntry::barriers.of(entry); }

// Barriers of the threadgroup, then those of the simdgroup.
Word time_of(Word entry) {
  return barriers_of(entry) << ShadowEntry::simdgroup_barriers.bits |
         ShadowEntry::simdgroup_barriers.of(entry);
}

void raise(Word& value, Word to) { value = std::max(value, to); }

}  // namespace

void Clock::add(Word entry, unsigned index_bits) {
  raise(threads_[thread_of(entry)], time_of(entry));
  raise(groups_[thread_of(entry) >> index_bits], barriers_of(entry));
}

void Clock::add(const Clock& more) {
  for (const auto& [thread, time] : more.threads_) raise(threads_[thread], time);
  for (const auto& [group, barriers] : more.groups_) raise(groups_[group], barriers);
}

bool Clock::has(Word entry, unsigned index_bits) const {
  const auto group = groups_.find(thread_of(entry) >> index_bits);
  if (group != groups_.end() && barriers_of(entry) < group->second) return true;
  const auto thread = threads_.find(thread_of(entry));
  return thread != threads_.end() && time_of(entry) <= thread->second;
}

void HappensBefore::begin(Word launch, unsigned index_bits) {
  if (launch == launch_) return;
  *this = {};
  launch_ = launch;
  index_bits_ = index_bits;
}

Word HappensBefore::group_of(Word entry) const { return thread_of(entry) >> index_bits_; }

void HappensBefore::add(Clock& to, const Clock& more) {
  work_ += more.size();
  if (work_ < most_work) to.add(more);
}

void HappensBefore::add(Clocks& to, const Clocks& more) {
  for (unsigned space = 0; space < 2; ++space) add(to.of[space], more.of[space]);
}

const Clock* HappensBefore::acquired_by_group(Word now, bool is_threadgroup) const {
  const auto found = groups_[is_threadgroup].find(group_of(now));
  if (found == groups_[is_threadgroup].end()) return nullptr;
  const auto& all = found->second;
  const auto after =
      std::ranges::lower_bound(all, barriers_of(now), {}, &GroupAcquisition::barriers);
  return after == all.begin() ? nullptr : &std::prev(after)->clock;
}

bool HappensBefore::fence(const ThreadEntries& thread, std::uint32_t spaces, std::uint32_t order,
                          bool is_of_group) {
  has_fences_ = true;
  auto& state = threads_[thread_of(thread.of[0])];
  if (order != releases) acquire(thread, state, spaces, is_of_group);
  if (order == acquires) return false;
  release(thread, state, spaces, is_of_group);
  return true;
}

void HappensBefore::acquire(const ThreadEntries& thread, ThreadState& state, std::uint32_t spaces,
                            bool is_of_group) {
  for (unsigned space = 0; space < 2; ++space) {
    if (!(spaces >> space & 1)) continue;
    for (unsigned own = is_of_group; own < 2; ++own) {
      const auto& observed = state.observed[own].of[space];
      if (observed.size() == 0) continue;
      add(state.acquired.of[space], observed);
      const auto entry = thread.of[space];
      auto& all = groups_[space][group_of(entry)];
      if (all.empty() || all.back().barriers < barriers_of(entry)) {
        auto before = all.empty() ? Clock{} : all.back().clock;
        work_ += before.size();
        all.push_back({barriers_of(entry), std::move(before)});
      }
      add(all.back().clock, observed);
    }
  }
}

void HappensBefore::release(const ThreadEntries& thread, ThreadState& state, std::uint32_t spaces,
                            bool is_of_group) {
  state.has_released = true;
  state.releases_to_group = is_of_group;
  for (unsigned space = 0; space < 2; ++space) {
    if (!(spaces >> space & 1)) continue;
    auto& released = state.released.of[space];
    add(released, state.acquired.of[space]);
    if (const auto* of_group = acquired_by_group(thread.of[space], space != 0))
      add(released, *of_group);
    released.add(thread.of[space], index_bits_);
  }
}

void HappensBefore::access(const AtomicPlace& place, Word entry, bool reads, bool writes) {
  auto& state = threads_[thread_of(entry)];
  const auto group = group_of(entry);
  auto& published = places_[place];
  if (reads)
    for (const auto& each : published)
      if (each.group == group || !each.is_of_group)
        add(state.observed[each.group == group], each.clocks);
  if (!writes) return;
  // A store hides what was published there before; an update continues it.
  if (!reads) published.clear();
  if (!state.has_released) return;
  const auto same = std::ranges::find_if(published, [&](const Publication& each) {
    return each.group == group && each.is_of_group == state.releases_to_group;
  });
  auto& to =
      same == published.end() ? published.emplace_back(group, state.releases_to_group) : *same;
  add(to.clocks, state.released);
}

bool HappensBefore::orders(Word before, Word now, bool is_threadgroup) const {
  if (ShadowEntry::launch.of(before) != ShadowEntry::launch.of(now)) return false;
  if (work_ >= most_work || barriers_of(before) == ShadowEntry::barriers.most()) return true;
  const auto thread = threads_.find(thread_of(now));
  if (thread != threads_.end() &&
      thread->second.acquired.of[is_threadgroup].has(before, index_bits_))
    return true;
  const auto* of_group = acquired_by_group(now, is_threadgroup);
  return of_group && of_group->has(before, index_bits_);
}

}  // namespace msci::engine
