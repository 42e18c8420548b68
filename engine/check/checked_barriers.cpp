#include "engine/check/check_functions.h"
#include "engine/check/fault_log.h"
#include "engine/threadgroup/threadgroup.h"

namespace msci::engine {
namespace {

// ---- the barriers that an entry counts

Word after_barrier(Word entry) {
  // Barriers of the simdgroup count from the last one of the threadgroup.
  return counted(entry & ~ShadowEntry::simdgroup_barriers.mask(), ShadowEntry::barriers);
}

Word after_simdgroup_barrier(Word entry) { return counted(entry, ShadowEntry::simdgroup_barriers); }

void count(SimdgroupChecks& checks, std::uint32_t flags, std::uint32_t lanes,
           Word (*after)(Word entry)) {
  for (unsigned space = 0; space < 2; ++space) {
    if (!(flags >> space & 1)) continue;
    for_each_lane(lanes, [&](unsigned lane) {
      auto& entry = checks.entries[space][lane];
      entry = after(entry);
    });
  }
}

// ---- threads that do not reach a barrier

// `location_id`: of the barrier at which the other thread waits; 0 if it has returned.
void report_divergence(const SimdgroupChecks& checks, std::uint32_t thread,
                       std::uint32_t location_id, std::uint32_t other,
                       std::uint32_t location_of_other = 0) {
  report(checks, Fault::Kind::barrier_divergence, entry_of(checks, thread, location_id), {},
         entry_of(checks, other, location_of_other));
}

std::uint32_t first_thread(std::size_t simdgroup, std::uint32_t lanes) {
  return static_cast<std::uint32_t>(simdgroup * lanes_per_simdgroup) +
         static_cast<std::uint32_t>(std::countr_zero(lanes));
}

void report_open_divergence(SimdgroupChecks& checks) {
  const auto& [location_id, lane, missing, is_open] = checks.divergence;
  const auto first = first_thread(checks.simdgroup, 1);
  report_divergence(checks, first + lane, location_id, first + missing);
  checks.divergence.is_open = false;
}

// The lowest lane that has not returned is at this barrier, or will be at another one, where the
// divergence is reported.
void note_divergence(SimdgroupChecks& checks, std::uint32_t location_id, std::uint32_t lanes) {
  const auto missing = checks.existing & ~lanes;
  if (!missing) return;
  const auto lane = static_cast<std::uint32_t>(std::countr_zero(lanes));
  const auto other = static_cast<std::uint32_t>(std::countr_zero(missing));
  if (checks.divergence.is_open && lane >= checks.divergence.lane) return;
  checks.divergence = {location_id, lane, other, true};
  if (lane < other) report_open_divergence(checks);
}

// Whether all simdgroups wait at this barrier; if one does not, reports it.
void compare_arrivals(const SimdgroupChecks& checks) {
  const auto& arrivals = checks.group->arrivals;
  const auto& own = arrivals[checks.simdgroup];
  const auto number_of = [&](const CheckedArrival& arrival) {
    return static_cast<std::size_t>(&arrival - arrivals.data());
  };
  const CheckedArrival* first = nullptr;
  for (const auto& each : arrivals)
    if (!first && !each.has_ended && each.round == own.round) first = &each;
  for (const auto& each : arrivals) {
    if (each.lanes != each.existing && !each.has_ended) continue;  // reported already
    if (!each.has_ended && (each.round != own.round || each.barrier == first->barrier)) continue;
    report_divergence(checks, first_thread(number_of(*first), first->lanes | 1U << 31),
                      first->location_id, first_thread(number_of(each), 1),
                      each.has_ended ? 0 : each.location_id);
    return;
  }
}

}  // namespace

void wait_at_barrier(SimdgroupChecks* checks, std::uint32_t flags, std::uint32_t location_id,
                     std::uint32_t barrier, std::uint32_t lanes) {
  cover(*checks, location_id);
  note_divergence(*checks, location_id, lanes);
  auto& group = *checks->group;
  auto& arrival = group.arrivals[checks->simdgroup];
  const auto round = arrival.round + 1;
  arrival = {round, location_id, barrier, lanes, checks->existing, false};
  const auto position = group.position;
  wait_for_threadgroup();
  group.position = position;
  if (group.compared_rounds < round) {  // the first to go on
    group.compared_rounds = round;
    compare_arrivals(*checks);
  }
  count(*checks, flags, lanes, after_barrier);
}

void pass_simdgroup_barrier(SimdgroupChecks* checks, std::uint32_t flags, std::uint32_t location_id,
                            std::uint32_t lanes) {
  if (!lanes) return;
  cover(*checks, location_id);
  if (const auto missing = checks->existing & ~lanes)
    report_divergence(*checks, first_thread(checks->simdgroup, lanes), location_id,
                      first_thread(checks->simdgroup, missing));
  count(*checks, flags, lanes, after_simdgroup_barrier);
}

void end_barriers(SimdgroupChecks* checks) {
  if (checks->divergence.is_open) report_open_divergence(*checks);
  checks->group->arrivals[checks->simdgroup].has_ended = true;
}

}  // namespace msci::engine
