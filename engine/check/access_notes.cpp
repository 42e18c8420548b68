#include "analysis/check/check_layout.h"
#include "engine/check/checked_simdgroup.h"
#include "engine/check/lane_loops.h"

namespace msci::engine {
namespace {

MSCI_PART_OF_CALLER bool is_of_other(std::uint64_t written, std::uint64_t note,
                                     unsigned index_bits) {
  const auto change = written ^ note;
  return (change >> ShadowEntry::launch.at == 0) &
         (change >> ShadowEntry::thread.at >> index_bits != 0);
}

template <unsigned Count>
MSCI_PART_OF_CALLER bool is_lane_contested(std::uint64_t note, const std::uint64_t* written,
                                           unsigned index_bits) {
  std::uint64_t found = 0;
  for (unsigned lane = 0; lane < Count; ++lane)
    found |=
        note >> lane & static_cast<std::uint64_t>(is_of_other(written[lane], note, index_bits));
  return found != 0;
}

// Granules side by side.
MSCI_FOR_EACH_PROCESSOR
bool is_row_contested(std::uint64_t note, const std::uint64_t* written, unsigned index_bits) {
  const auto lanes = static_cast<std::uint32_t>(note);
  if (lanes >> 8 == 0) return is_lane_contested<8>(note, written, index_bits);
  if (lanes >> 16 == 0) return is_lane_contested<16>(note, written, index_bits);
  return is_lane_contested<lanes_per_simdgroup>(note, written, index_bits);
}

// The granules of these lanes, that many words apart.
bool are_lanes_contested(std::uint64_t note, const std::uint64_t* written, std::int64_t distance,
                         unsigned index_bits) {
  bool found = false;
  for_each_lane(static_cast<std::uint32_t>(note), [&](unsigned lane) {
    found |= is_of_other(written[static_cast<std::int64_t>(lane) * distance], note, index_bits);
  });
  return found;
}

const std::uint64_t* address_in(std::uint64_t word) {
  return reinterpret_cast<const std::uint64_t*>(word);
}

}  // namespace

bool are_contested(const AccessNotes& notes, const std::uint64_t* begin, unsigned index_bits) {
  bool found = false;
  for (const auto* at = begin; at < notes.next && !found;) {
    const auto note = *at++;
    if (note & AccessNotes::scattered) {
      for (auto count = static_cast<std::uint32_t>(note); count > 0; --count)
        found |= is_of_other(*address_in(*at++), note, index_bits);
      continue;
    }
    const auto* first = address_in(*at++);
    found = note & AccessNotes::distant
                ? are_lanes_contested(note, first, static_cast<std::int64_t>(*at++), index_bits)
                : is_row_contested(note, first, index_bits);
  }
  return found;
}

}  // namespace msci::engine
