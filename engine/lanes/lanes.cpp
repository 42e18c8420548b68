#include "engine/lanes/lanes.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <optional>
#include <string_view>

#include "engine/threadgroup/context.h"
#include "engine/threadgroup/threadgroup.h"

namespace msci::engine {

namespace {

struct Lane {
  enum class State { absent, meets, ended };

  GuardedStack stack;
  Context context;
  State state = State::absent;
  // What it runs.
  LaneFunction function = nullptr;
  const Threadgroup* threadgroup = nullptr;
  std::uint32_t group = 0;
  std::uint32_t simdgroup = 0;
  std::uint32_t number = 0;
  Context* scheduler = nullptr;
  // Where it meets others, and for what.
  std::uint32_t point = 0;
  const char* meeting = nullptr;
  std::uint32_t value = 0;
  std::uint32_t argument = 0;
  std::uint64_t result = 0;
};

thread_local Lane* running = nullptr;

void run_lane() {
  auto& lane = *running;
  lane.function(lane.threadgroup, lane.group, lane.simdgroup, lane.number);
  lane.state = Lane::State::ended;
  lane.context.switch_to(*lane.scheduler);
  std::abort();  // an ended lane never runs again
}

void resume(Lane& lane) {
  running = &lane;
  lane.scheduler->switch_to(lane.context);
}

}  // namespace

std::uint64_t meet(std::uint32_t point, const char* function, std::uint32_t value,
                   std::uint32_t argument) {
  auto& lane = *running;
  lane.state = Lane::State::meets;
  lane.point = point;
  lane.meeting = function;
  lane.value = value;
  lane.argument = argument;
  lane.context.switch_to(*lane.scheduler);
  return lane.result;
}

struct Lanes::Simdgroup {
  std::vector<Lane> lanes;  // lane_count
  Context scheduler;

  explicit Simdgroup(std::size_t stack_bytes) {
    for (unsigned i = 0; i < lane_count; ++i) lanes.push_back({GuardedStack(stack_bytes, i)});
  }

  // The lanes at the earliest point, as bits; 0 when all have ended.
  std::uint32_t first_meeting() const {
    std::uint32_t who = 0, first = ~0U;
    for (const auto& lane : lanes) {
      if (lane.state != Lane::State::meets || lane.point > first) continue;
      if (lane.point < first) who = 0;
      first = lane.point;
      who |= 1U << lane.number;
    }
    return who;
  }

  void hold_meeting(std::uint32_t who) {
    const std::string_view meeting = lanes[std::countr_zero(who)].meeting;
    if (meeting == "msci.barrier.threadgroup") return wait_for_threadgroup();
    if (meeting == "msci.barrier.simdgroup") return;
    LaneWords values, arguments;
    for (unsigned i = 0; i < lane_count; ++i) {
      values[i] = lanes[i].value;
      arguments[i] = lanes[i].argument;
    }
    const auto results = combine_lanes(meeting, who, values, arguments);
    for (unsigned i = 0; i < lane_count; ++i)
      if (who >> i & 1U) lanes[i].result = results[i];
  }
};

Lanes::Lanes(const Execution& execution) : order_(execution, 2) {}
Lanes::~Lanes() = default;

void Lanes::begin_threadgroup(LaneFunction function, bool meets, std::size_t stack_bytes) {
  function_ = function;
  meets_ = meets;
  used_ = 0;
  if (stack_bytes <= stack_bytes_) return;
  simdgroups_.clear();
  stack_bytes_ = stack_bytes;
}

bool Lanes::is_guard(const void* address) const {
  return std::any_of(simdgroups_.begin(), simdgroups_.end(), [&](const auto& simdgroup) {
    return std::any_of(simdgroup->lanes.begin(), simdgroup->lanes.end(),
                       [&](const Lane& lane) { return lane.stack.is_guard(address); });
  });
}

void Lanes::run(const Threadgroup* threadgroup, std::uint32_t group, std::uint32_t groups_end,
                std::uint32_t simdgroup, std::uint32_t simdgroups_end) {
  const auto threads = threadgroup->size[0] * threadgroup->size[1] * threadgroup->size[2];
  for (auto g = group; g < groups_end; ++g)
    for (auto s = simdgroup; s < simdgroups_end; ++s)
      threadgroup->lanes->run_simdgroup(*threadgroup, g, s,
                                        std::min(lane_count, threads - s * lane_count));
}

void Lanes::run_simdgroup(const Threadgroup& threadgroup, std::uint32_t group,
                          std::uint32_t simdgroup, std::uint32_t count) {
  if (!meets_) {
    for (const auto lane : order_.next(count)) function_(&threadgroup, group, simdgroup, lane);
    return;
  }
  if (used_ == simdgroups_.size())
    simdgroups_.push_back(std::make_unique<Simdgroup>(least_stack + 2 * stack_bytes_));
  auto& lanes = *simdgroups_[used_++];
  for (std::uint32_t i = 0; i < lane_count; ++i) {
    auto& lane = lanes.lanes[i];
    lane.state = Lane::State::absent;
    lane.function = function_;
    lane.threadgroup = &threadgroup;
    lane.group = group;
    lane.simdgroup = simdgroup;
    lane.number = i;
    lane.scheduler = &lanes.scheduler;
    lane.value = lane.argument = 0;
    lane.context.start_on(lane.stack.end(), run_lane);
  }
  run_meeting(lanes, count);
}

// From one meeting to the next.
void Lanes::run_meeting(Simdgroup& simdgroup, std::uint32_t count) {
  for (const auto i : order_.next(count)) resume(simdgroup.lanes[i]);
  while (const auto who = simdgroup.first_meeting()) {
    simdgroup.hold_meeting(who);
    for (const auto i : order_.next(count))
      if (who >> i & 1U) resume(simdgroup.lanes[i]);
  }
}

}  // namespace msci::engine
