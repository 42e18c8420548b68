#include <algorithm>

#include "engine/check/check_functions.h"

namespace msci::engine {
namespace {

AccessNotes* notes_of(const SimdgroupChecks& checks, const RecordedObject& to) {
  auto& notes = checks.group->notes;
  return notes.next < notes.end && !to.site.is_threadgroup ? &notes : nullptr;
}

// The first word of a note: what entries say of the threadgroup, and 34 other bits.
Word note_of(const RecordedObject& to, Word others) {
  return (to.entries[0] & ~(ShadowEntry::thread.one() - 1)) | others;
}
Word address_of(const RecordedObject& to, Word granule) {
  return reinterpret_cast<Word>(&to.shadow.written[granule]);
}

// The distance from each lane's offset to the next one's; 0 if it differs, or there is one lane.
MSCI_FOR_EACH_PROCESSOR
std::int64_t distance_of(const Word* offsets, std::uint32_t lanes) {
  const auto rest = lanes & (lanes - 1);
  if (!rest) return 0;
  const auto first = std::countr_zero(lanes), second = std::countr_zero(rest);
  const auto growth = static_cast<std::int64_t>(offsets[second] - offsets[first]);
  if (growth % (second - first) != 0) return 0;
  const auto distance = static_cast<Word>(growth / (second - first));
  const auto begin = offsets[first] - static_cast<Word>(first) * distance;
  Word others = 0;
  for (unsigned lane = 0; lane < lanes_per_simdgroup; ++lane)
    others |= (lanes >> lane & 1) * (offsets[lane] - (begin + lane * distance));
  return others == 0 ? static_cast<std::int64_t>(distance) : 0;
}

bool are_inside(const Object& object, Word first, Word last) {
  return object.granule_at(first) < object.granules() &&
         object.granule_at(last) < object.granules();
}

// Accesses to one granule each, one distance apart. Returns whether they are.
bool note_distant(AccessNotes& notes, const RecordedObject& to, const Word* offsets,
                  std::uint32_t lanes) {
  const auto first = static_cast<unsigned>(std::countr_zero(lanes));
  const auto last = static_cast<unsigned>(std::bit_width(lanes)) - 1;
  const auto distance = distance_of(offsets, lanes);
  const auto granule = std::int64_t{1} << to.object.granule();
  if (distance == 0 || distance % granule != 0) return false;
  if (!are_inside(to.object, offsets[first], offsets[last])) return false;
  *notes.next++ = note_of(to, AccessNotes::distant | lanes >> first);
  *notes.next++ = address_of(to, to.object.granule_at(offsets[first]));
  *notes.next++ = static_cast<Word>(distance / granule);
  return true;
}

// Accesses of a lane to several granules each.
void note_ranges(AccessNotes& notes, const RecordedObject& to, const Word* offsets,
                 std::uint32_t lanes) {
  for_each_lane(lanes, [&](unsigned lane) {
    const auto last =
        std::min(to.object.granule_at(offsets[lane] + to.site.bytes - 1), to.object.granules() - 1);
    for (auto at = to.object.granule_at(offsets[lane]); at <= last && notes.next < notes.end;) {
      const auto count = std::min<Word>(lanes_per_simdgroup, last - at + 1);
      *notes.next++ = note_of(to, AccessNotes::distant | ~0U >> (lanes_per_simdgroup - count));
      *notes.next++ = address_of(to, at);
      *notes.next++ = 1;
      at += count;
    }
  });
}

}  // namespace

void note_lanes(const SimdgroupChecks& checks, const RecordedObject& to, const Word* offsets,
                std::uint32_t lanes) {
  auto* notes = notes_of(checks, to);
  if (!notes || !lanes) return;
  if (to.site.bytes > Word{1} << to.object.granule())
    return note_ranges(*notes, to, offsets, lanes);
  if (note_distant(*notes, to, offsets, lanes)) return;
  auto& head = *notes->next++;
  Word count = 0;
  for_each_lane(lanes, [&](unsigned lane) {
    const auto granule = to.object.granule_at(offsets[lane]);
    if (granule >= to.object.granules()) return;  // out of bounds
    *notes->next++ = address_of(to, granule);
    ++count;
  });
  head = note_of(to, AccessNotes::scattered | count);
}

void note_row(const SimdgroupChecks& checks, const RecordedObject& to, const LaneRow& row) {
  if (!notes_of(checks, to)) return;
  Word offsets[lanes_per_simdgroup] = {};
  for_each_lane(row.lanes, [&](unsigned lane) {
    offsets[lane] = row.offset + Word{lane - row.first} * to.site.bytes;
  });
  note_lanes(checks, to, offsets, row.lanes);
}

}  // namespace msci::engine
