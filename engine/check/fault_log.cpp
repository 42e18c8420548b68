#include "engine/check/fault_log.h"

#include <algorithm>
#include <atomic>
#include <csignal>
#include <iterator>

namespace msci::engine {

namespace {

std::uint32_t& seen_at(const SimdgroupChecks& checks, std::uint32_t location_id) {
  return reinterpret_cast<std::uint32_t*>(checks.log + CheckLog::seen_at)[location_id];
}

// The words of a new fault in the log; null if it is known there, or there are too many.
Word* write_fault(const SimdgroupChecks& checks, Fault::Kind kind, Word entry,
                  const FaultyAccess& access, Word other, bool other_wrote) {
  auto& seen = seen_at(checks, static_cast<std::uint32_t>(ShadowEntry::location.of(entry)));
  const auto bit = 1U << static_cast<unsigned>(kind);
  if (std::atomic_ref(seen).fetch_or(bit) & bit) return nullptr;
  const auto number = std::atomic_ref(*checks.log).fetch_add(1);
  if (number >= CheckLog::most_faults) return nullptr;
  auto* words = checks.log + CheckLog::faults_at + number * CheckLog::words_per_fault;
  words[0] = CheckLog::kind.set(static_cast<Word>(kind)) |
             CheckLog::access.set(static_cast<Word>(access.kind)) |
             CheckLog::other_wrote.set(other_wrote) | CheckLog::object.set(access.object) |
             CheckLog::dispatch.set(checks.objects[ObjectTable::dispatch]);
  words[1] = entry;
  words[2] = other;
  words[3] =
      access.object == no_object ? 0 : access.offset - object_of(checks, access.object).first;
  words[4] = 1;
  return words;
}

// Where several threads of the processor run the launch, chance decides which of two faults comes
// first: the run is repeated on one thread, so this one can stop (cpu_queue.h).
void stop_if_spread(const SimdgroupChecks& checks) {
  if (checks.group->notes.end) std::raise(SIGALRM);
}

}  // namespace

void report(const SimdgroupChecks& checks, Fault::Kind kind, Word entry, const FaultyAccess& access,
            Word other, bool other_wrote) {
  write_fault(checks, kind, entry, access, other, other_wrote);
  stop_if_spread(checks);
}

void report_number(const SimdgroupChecks& checks, Word entry, const FaultyAccess& access,
                   Word other, const Word (&numbers)[5]) {
  auto* words = write_fault(checks, Fault::Kind::not_finite, entry, access, other, false);
  if (words) std::copy(std::begin(numbers), std::end(numbers), words + CheckLog::numbers_at);
  stop_if_spread(checks);
}

void note_value(const SimdgroupChecks& checks, std::uint32_t location_id, std::uint32_t what) {
  std::atomic_ref(seen_at(checks, location_id)).fetch_or(what);
}

void count_benign_races(const SimdgroupChecks& checks, std::uint32_t location_id,
                        std::uint32_t stores) {
  if (!stores) return;
  auto* halves = reinterpret_cast<std::uint32_t*>(checks.log + CheckLog::benign_races_at);
  std::atomic_ref(halves[0]).fetch_add(stores);
  std::uint32_t none = 0;
  std::atomic_ref(halves[1]).compare_exchange_strong(none, location_id);
}

void log_message(const SimdgroupChecks& checks, std::uint32_t call, std::uint32_t location_id,
                 const Word* words, std::uint32_t count, std::uint32_t lanes) {
  auto& messages = *reinterpret_cast<std::uint32_t*>(checks.log + CheckLog::messages_at);
  for_each_lane(lanes, [&](unsigned lane) {
    const auto number = std::atomic_ref(messages).fetch_add(1);
    if (number >= CheckLog::most_messages) return;
    auto* message = checks.log + CheckLog::messages_at + 1 + number * CheckLog::words_per_message;
    for (std::uint32_t i = 0; i < count; ++i)
      message[2 + i] = words[i * lanes_per_simdgroup + lane];
    message[1] = entry_at(checks.entries[0][lane], location_id);
    message[0] = CheckLog::debug_call.set(Word{call} + 1) |
                 CheckLog::dispatch.set(checks.objects[ObjectTable::dispatch]);
  });
}

}  // namespace msci::engine
